import { json, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { subDays } from 'date-fns';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod/v4';

import { now } from '~/clock.server';
import {
  listedItem,
  type ListedItem as Item,
  withdrawalItem,
  type WithdrawalItem,
} from '~/orders/refund-desk.server';
import { requireDatabase, requireWrite } from '~/database.server';
import { deskAction, deskLoader } from '~/desk/desk-page.server';
import { daysUntil } from '~/desk/due.server';
import { readReference } from '~/domain/application/reference';
import type { RefundState } from '~/domain/order/states';
import { namedIntentOf, type Refusal, refuse, textIn } from '~/http/form.server';
import type { PageHandle } from '~/live.server';
import type { Language } from '~/i18n/languages';
import { formatMoney, shortInstants } from '~/i18n/locale.server';
import { assignWithdrawal, closeWithdrawal, contractAmong } from '~/orders/withdrawals.server';
import { ButtonLink, PageHeading, Part, Submit, TextLink } from '~/ui/elements';
import { Due } from '~/ui/desk-list';
import { Done } from '~/ui/plain-elements';
import { ErrorSummary } from '~/ui/error-summary';
import { PostForm, TextField } from '~/ui/post-form';
import { listOrderEvents } from '~db/queries/audit-events.server';
import { listDisputed, listOrdersByReference } from '~db/queries/orders.server';
import { listRefunds } from '~db/queries/refunds.server';
import { listHeldWithdrawals, listWithdrawalsForStaff } from '~db/queries/withdrawals.server';
import type { Database } from '~db/schema';

export const handle: PageHandle = { limitsForms: true };
export const loader = deskLoader('refunds', async ({ user, language, t, asked }) => {
  const lists = await requireDatabase((db) => refundLists(db, user, language, now()));
  const done = DONE.find((what) => what === asked.get('done'));
  return json({ done, lists, page: { title: t('staff:refunds.title') } });
});

export const action = deskAction('refunds', ({ sent, user }) =>
  seeTo(namedIntentOf(sent, ['assign', 'close']), sent, user.id),
);

export default function Refunds() {
  const { t } = useTranslation('staff');
  const { lists, done } = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal>();
  const { open, failed, onTheirWay, decided, withdrawals, held, disputes, mismatched } = lists;
  return (
    <div className="wrap py-6 sm:py-8">
      {refusal?.problem && (
        <ErrorSummary
          title={t('errors.title')}
          description={t(refusal.problem === 'changed' ? 'refunds.changed' : 'errors.invalid')}
          words={{
            fieldId: () => `reference-${refusal.values['id']}`,
            problem: () => t('refunds.unknown'),
          }}
          {...{ refusal }}
        />
      )}
      {done && !refusal && <Done>{t(`refunds.done.${done}`)}</Done>}
      <PageHeading title={t('refunds.title')} />
      <div className="mt-5 grid gap-8">
        <RefundList name="failed" items={failed} />
        <RefundList name="open" items={open} />
        <Withdrawals name="withdrawals" items={withdrawals} refusal={refusal} />
        <Withdrawals name="held" items={held} />
        <Payments name="mismatched" items={mismatched} />
        <Payments name="disputes" items={disputes} />
        <RefundList name="onTheirWay" items={onTheirWay} />
        <RefundList name="decided" items={decided} />
      </div>
    </div>
  );
}

interface SectionProps<T> {
  id: string;
  title: string;
  text?: string;
  items: readonly T[];
  isNarrow?: boolean;
  children: (item: T) => ReactNode;
}

/** A list with its number, if there is anything in it or to be said of it. */
function Section<T>({ id, title, text, items, isNarrow = false, children }: SectionProps<T>) {
  if (items.length === 0 && id !== 'open') return null;
  const words = (
    <>
      {`${title} `}
      <span className="text-muted">({items.length})</span>
    </>
  );
  return (
    <Part {...{ id }} title={words} size="text-lg">
      {text && <p className={isNarrow ? 'mt-2' : 'mt-2 max-w-[44rem]'}>{text}</p>}
      <ul data-key-rows className={isNarrow ? 'mt-3 grid gap-2' : 'mt-3 grid gap-3 lg:grid-cols-2'}>
        {items.map(children)}
      </ul>
    </Part>
  );
}

type ListedItem = Item & { time?: ReturnType<typeof daysUntil> };
type RefundListProps = { name: 'open' | 'failed' | 'onTheirWay' | 'decided'; items: ListedItem[] };

function RefundList({ name, items }: RefundListProps) {
  const { t } = useTranslation('staff');
  const text = items.length === 0 ? t('refunds.none') : '';
  return (
    <Section id={name} title={t(`refunds.lists.${name}`)} {...{ text, items }}>
      {(item) => <RefundCard key={item.id} {...item} />}
    </Section>
  );
}

/** Whose, how much, by when, and what comes next: a button, or who can. */
function RefundCard(item: ListedItem) {
  const { t } = useTranslation('staff');
  const { id, reference, kind, state, amount, due, time, failure, next } = item;
  const href = `/crm/refunds/${id}`;
  return (
    <li className="card grid grid-cols-[1fr_auto] items-start gap-x-4 gap-y-1 px-4 py-3">
      <div>
        <TextLink {...{ href }} className="font-[650] wrap-anywhere" words={item.name ?? amount} />
        <p className="text-sm text-muted">
          <a href={item.case} className="machine">
            {reference}
          </a>{' '}
          · {t(`refunds.kinds.${kind}`)} · {t(`refunds.states.${state}`)}
        </p>
      </div>
      <strong className="py-2.5 tabular-nums">{amount}</strong>
      {failure && (
        <p className="col-span-2 text-sm font-[650] wrap-anywhere text-bad">
          {t('refunds.failure', { code: t(`refunds.failures.${failure as 'unknown'}`, failure) })}
        </p>
      )}
      <p className="col-span-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <span className="leading-tight">
          {time ? (
            <Due {...time} at={t('refunds.due', { date: due })} />
          ) : (
            <small className="text-muted">{t('refunds.asked', { date: item.askedOn })}</small>
          )}
        </span>
        {next && !next.problem && (
          <ButtonLink
            href={`${href}#decide`}
            look="button-small"
            words={t(`refunds.next.${next.step}`)}
          />
        )}
        {next?.problem && (
          <span className="text-sm text-muted">{t(`refunds.waits.${next.problem as 'own'}`)}</span>
        )}
      </p>
    </li>
  );
}

type PaymentItem = { key: string; reference: string; what: string };

function Payments({ name, items }: { name: 'disputes' | 'mismatched'; items: PaymentItem[] }) {
  const { t } = useTranslation('staff');
  const said = { title: t(`refunds.${name}`), text: t(`refunds.${name}Text`) };
  return (
    <Section id={name} {...said} {...{ items }} isNarrow>
      {({ key, reference, what }) => (
        <li key={key} className="card p-4">
          <span className="machine">{reference}</span> ·{' '}
          {name === 'disputes' ? <strong>{what}</strong> : what}
        </li>
      )}
    </Section>
  );
}

interface WithdrawalsProps {
  name: 'withdrawals' | 'held';
  items: WithdrawalItem[];
  refusal?: Refusal | undefined;
}

/**
 * Withdrawals that no order was found for, or that came too late: a person sees to them. Or those that wait
 * for who owns the contract: nobody at the desk has to do anything.
 */
function Withdrawals({ name, items, refusal }: WithdrawalsProps) {
  const { t } = useTranslation('staff');
  const said = { title: t(`refunds.${name}`), text: t(`refunds.${name}Text`) };
  return (
    <Section id={name} {...said} {...{ items }}>
      {(item) => (
        <li key={item.id} id={`withdrawal-${item.id}`} className="card p-4">
          <h3 className="text-lg wrap-anywhere">{item.name}</h3>
          <p className="wrap-anywhere">
            {item.reference} · {item.email}
          </p>
          {name === 'held' ? (
            <p className="text-sm text-muted">{t('refunds.heldUntil', item)}</p>
          ) : (
            <Decision item={item} refusal={refusal} />
          )}
        </li>
      )}
    </Section>
  );
}

function Decision({ item, refusal }: { item: WithdrawalItem; refusal: Refusal | undefined }) {
  const { t } = useTranslation('staff');
  const { id, outcome, received } = item;
  const own = { action: '/crm/refunds', hidden: { id } };
  return (
    <>
      <p className="text-sm text-muted">
        {t(`refunds.outcomes.${outcome}`)} · {received}
      </p>
      <PostForm
        id={`assign-${id}`}
        {...own}
        intent="assign"
        refusal={refusal?.values['id'] === id ? refusal : undefined}
        problem={() => t('refunds.unknown')}
        className="mt-3 flex flex-wrap items-end gap-3"
      >
        <TextField
          name="reference"
          id={`reference-${id}`}
          label={t('refunds.reference')}
          autoComplete="off"
          maxLength={80}
        />
        <Submit look="button-quiet" words={t('refunds.assign')} />
      </PostForm>
      <PostForm id={`close-${id}`} {...own} intent="close" className="mt-2">
        <Submit className="text-button" words={t('refunds.close')} />
      </PostForm>
    </>
  );
}

/** So long a payment of another amount than the order's is shown. */
const MISMATCHED_DAYS = 90;
const DECIDED = 30;

async function refundLists(
  db: Database,
  staff: Parameters<typeof listedItem>[1],
  language: Language,
  now: Date,
) {
  const items = async (
    states: readonly RefundState[],
    part?: { latestFirst: boolean; limit: number },
  ) =>
    (await listRefunds(db, states, part)).map((refund) => {
      const item = listedItem(refund, staff, language);
      return { ...item, time: daysUntil(item.dueDay, language) };
    });
  const open = await items(['requested', 'proposed']);
  const time = shortInstants(language);
  return {
    // What is overdue, or nearly, before the rest: the list is in the order in which they were asked for.
    open: [...open.filter(({ time }) => time?.isLate), ...open.filter(({ time }) => !time?.isLate)],
    failed: await items(['failed']),
    onTheirWay: await items(['approved', 'sent']),
    decided: await items(['settled', 'refused'], { latestFirst: true, limit: DECIDED }),
    withdrawals: (await listWithdrawalsForStaff(db)).map((row) => withdrawalItem(row, language)),
    held: (await listHeldWithdrawals(db)).map((row) => withdrawalItem(row, language)),
    disputes: (await listDisputed(db)).map(({ id, reference, amount_cents, currency }) => ({
      key: id,
      reference,
      what: formatMoney(amount_cents, currency, language),
    })),
    mismatched: (await listOrderEvents(db, 'order.mismatched', subDays(now, MISMATCHED_DAYS))).map(
      ({ at, orderId, reference }) => ({ key: `${orderId} ${at}`, reference, what: time(at) }),
    ),
  };
}

const DONE = ['assigned', 'closed'] as const;

/** Sees to a withdrawal that was not matched: it belongs to an order after all, or is done with. */
async function seeTo(intent: 'assign' | 'close', sent: FormData, staffId: string) {
  const typed = { id: textIn(sent, 'id'), reference: textIn(sent, 'reference') };
  const { id } = typed;
  if (!z.uuid().safeParse(id).success) throw new Response(null, { status: 400 });
  const done = await requireWrite(async (db) => {
    if (intent === 'close') return closeWithdrawal(db, id, { staffId }, now());
    const reference = readReference(typed.reference) ?? 'none';
    const order = contractAmong(await listOrdersByReference(db, reference));
    if (!order) return undefined;
    return assignWithdrawal(db, id, { orderId: order.id, staffId }, now());
  });
  if (done === undefined) return refuse('invalid', { typed, errors: { reference: 'unknown' } });
  if (!done) return refuse('changed', {}, { status: 409 });
  return redirect(`/crm/refunds?done=${intent === 'assign' ? 'assigned' : 'closed'}`, 303);
}
