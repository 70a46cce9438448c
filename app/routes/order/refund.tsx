import { json, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { formAction } from '~/http/form-action.server';
import { actorOf, type OpenApplication, requireApplication } from '~/applications/access.server';
import { dayOf, now } from '~/clock.server';
import { requireDatabase, requireWrite } from '~/database.server';
import { eventsFrom } from '~/domain/application/states';
import { lastGuaranteeDay, refundDueDay } from '~/domain/order/deadlines';
import { isUndecided, REFUND_FORM, refundWay } from '~/domain/order/refund-rules';
import { live, type PageHandle } from '~/live.server';
import type { Language } from '~/i18n/languages';
import { formatDay, formatMoney, shortInstants, translator } from '~/i18n/locale.server';
import { cancelOrder, holdContract, textOf } from '~/orders/refunds.server';
import { standingOf } from '~/orders/withdrawals.server';
import { siteSettings } from '~/settings/settings.server';
import { ButtonLink, LinkLine, PageHeading } from '~/ui/elements';
import { Eyebrow } from '~/ui/application-frame';
import type { Refusal } from '~/http/form.server';
import { ErrorSummary } from '~/ui/error-summary';
import { DescribedForm } from '~/ui/form-fields';
import type { FormWords } from '~/ui/post-form';
import { useOwnAddress } from '~/ui/root-data';
import { listOrdersOf, type OrderRow } from '~db/queries/orders.server';
import { listRefundsOf, type RefundRow } from '~db/queries/refunds.server';
import type { Database } from '~db/schema';

export const handle: PageHandle = { limitsForms: true };

/**
 * The order that a refund can be of: the one that was taken for the application, or paid too late.
 *
 * @throws {Response} 404 for what is not open here; 303 to the application while nothing is paid
 */
async function openPaid(request: Request, id: string | undefined) {
  const open = await requireApplication(request, id, 'status');
  const orders = await requireDatabase((db) => listOrdersOf(db, open.row.id));
  const paid = orders.filter(({ paid_at }) => paid_at !== null);
  const order = paid.find(({ fulfilled_at }) => fulfilled_at !== null) ?? paid[0];
  if (!order) throw redirect(`/application/${open.row.id}/overview`, 303);
  return { open, order };
}

export const loader = live(async ({ request, params, language }) => {
  const { open, order } = await openPaid(request, params['id']);
  const view = await requireDatabase((db) => refundPage(db, order, open, language));
  const title = translator(language)(`order-refund:${view.mode}.title`);
  return json({ ...view, page: { title, form: view.mode === 'ask' } });
});

type RefundPageView = Awaited<ReturnType<typeof refundPage>>;

async function refundPage(
  db: Database,
  order: OrderRow,
  { row }: OpenApplication,
  language: Language,
) {
  const { company, guarantee } = siteSettings();
  const refunds = await listRefundsOf(db, order.id);
  const paidOn = dayOf(new Date(order.paid_at ?? order.created_at));
  const lastDay = lastGuaranteeDay(paidOn, order.guarantee_days);
  return {
    mode: modeOf(order, refunds, now()),
    id: row.id,
    reference: order.reference,
    price: formatMoney(order.amount_cents, order.currency, language),
    paidOn: formatDay(paidOn, language),
    /** Of the guarantee. */
    ...(lastDay !== undefined && { lastDay: formatDay(lastDay, language) }),
    /** Whether asking stops our work. */
    isCancelled: eventsFrom(row.state, 'owner').includes('cancel'),
    paid: { from: guarantee.paidFromDays, to: guarantee.paidToDays },
    refunds: refunds.map((refund) => refundView(refund, order, language)),
    contact: { email: company.email, mediator: company.mediator },
  };
}

/**
 * What the page is about: `ask`, the guarantee; `withdraw`, the right of the law alone; `over`, neither
 * any more; `disputed`, the bank has the say; `way`, there is a refund.
 */
function modeOf(order: OrderRow, refunds: readonly RefundRow[], now: Date) {
  if (refunds.length > 0) return 'way';
  if (order.state === 'disputed') return 'disputed';
  const standing = standingOf(order, now);
  if (order.guarantee_days > 0 && standing !== 'over') return 'ask';
  return standing === 'withdrawal' ? 'withdraw' : 'over';
}

function refundView(refund: RefundRow, order: OrderRow, language: Language) {
  const { paidToDays } = siteSettings().guarantee;
  const timeOf = shortInstants(language);
  const { id, kind, state, amount_cents, created_at } = refund;
  const isDecided = !isUndecided(state) && state !== 'refused';
  const isUnpaid = isUndecided(state) || state === 'approved';
  const due = refundDueDay(kind, dayOf(new Date(created_at)), paidToDays);
  return {
    id,
    kind,
    stations: refundWay(refund).map(({ at, ...station }) => ({
      ...station,
      ...(at && { at: timeOf(at) }),
    })),
    ...(isDecided && { amount: formatMoney(amount_cents, order.currency, language) }),
    ...(isUnpaid && { due: formatDay(due, language) }),
    answer: isUndecided(state) ? null : (textOf(refund, 'answer_sealed') ?? null),
    /** It did not go through, and is sent anew. */
    isHeldUp: state === 'failed',
  };
}

/** Asks for the price back, once, however often it is sent. */
export const action = formAction(
  { form: REFUND_FORM, open: ({ request, params }) => openPaid(request, params['id']) },
  async ({ values: { reason }, opened: { open, order } }) => {
    await requireWrite(async (db) => {
      const at = now();
      const held = await holdContract(db, order.id);
      if (!held || modeOf(held, await listRefundsOf(db, held.id), at) !== 'ask') return;
      await cancelOrder(db, held, { kind: 'guarantee', reason, actor: actorOf(open.owner) }, at);
    });
    return redirect(`/application/${open.row.id}/refund`, 303);
  },
);

export default function Refund() {
  const { t } = useTranslation('order-refund');
  const view = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal>();
  const words = useWords();
  const { mode, id, reference, price, paidOn, lastDay = paidOn, refunds, contact } = view;
  const problem = refusal?.problem as 'invalid' | 'tooMany' | 'busy' | undefined;
  return (
    <div className="wrap py-8 sm:py-12">
      <div className="max-w-[44rem]">
        {mode === 'ask' && problem && (
          <ErrorSummary
            title={t(`errors.${problem}.title`)}
            description={t(`errors.${problem}.text`, { wait: refusal?.wait })}
            form={REFUND_FORM}
            {...{ refusal, words }}
          />
        )}
        <Eyebrow words={t('eyebrow')} />
        <PageHeading
          title={t(`${mode}.title`)}
          lead={t(`${mode}.lead`, { price, paidOn, lastDay })}
        />
        {mode === 'ask' && <AskForm {...{ view, refusal, words }} />}
        {mode === 'way' &&
          refunds.map((refund) => <OneWay key={refund.id} {...{ refund, contact }} />)}
        {mode === 'withdraw' && (
          <p className="mt-6">
            <ButtonLink
              href={`/withdrawal?${new URLSearchParams({ reference })}`}
              look="w-full sm:w-auto"
              words={t('withdraw.button')}
            />
          </p>
        )}
        {mode !== 'ask' && mode !== 'way' && (
          <>
            <h2 className="mt-8 text-2xl">{t('remain')}</h2>
            <Mediation contact={contact} />
          </>
        )}
        <LinkLine className="mt-8" href={`/application/${id}/overview`} words={t('back')} />
      </div>
    </div>
  );
}

type AskFormProps = { view: RefundPageView; refusal: Refusal | undefined; words: FormWords };

/** Asks for the price back under the guarantee; says before what becomes of the application. */
function AskForm({ view: { isCancelled, paid }, refusal, words }: AskFormProps) {
  const { t } = useTranslation('order-refund');
  const own = useOwnAddress();
  return (
    <>
      <h2 className="mt-6 text-2xl">{t('ask.what')}</h2>
      <ul className="mt-3 grid list-disc gap-2 pl-6">
        <li>{t(isCancelled ? 'ask.cancelled' : 'ask.filed')}</li>
        <li>{t('ask.checked', { from: paid.from, to: paid.to })}</li>
        <li>{t('ask.official')}</li>
      </ul>
      <DescribedForm action={own} className="mt-6" form={REFUND_FORM} {...{ refusal, words }}>
        <button type="submit" className="button mt-6 w-full sm:w-auto">
          {t(isCancelled ? 'ask.buttonCancel' : 'ask.button')}
        </button>
      </DescribedForm>
    </>
  );
}

function useWords(): FormWords {
  const { t } = useTranslation('order-refund');
  return {
    label: () => t('ask.reason'),
    hint: () => t('ask.reasonHint'),
    optional: t('ask.optional'),
    problem: (_, problem) => t(`errors.${problem as 'tooLong'}`, { limit: 1000 }),
  };
}

type OneWayProps = Pick<RefundPageView, 'contact'> & { refund: RefundPageView['refunds'][number] };

function OneWay({ refund, contact }: OneWayProps) {
  const { t } = useTranslation('order-refund');
  const { id, kind, stations, amount, due, answer, isHeldUp } = refund;
  const isRefused = stations.some(({ name }) => name === 'refused');
  return (
    <section aria-labelledby={id} className="mt-8">
      <h2 id={id} className="text-2xl">
        {t(`kinds.${kind}`)}
        {amount !== undefined && `: ${amount}`}
      </h2>
      {due !== undefined && <p className="mt-2">{t('way.due', { due })}</p>}
      {isHeldUp && <p className="mt-2">{t('way.heldUp')}</p>}
      {answer !== null && (
        <p className="mt-2 wrap-anywhere whitespace-pre-line">
          <strong>{t('way.answer')}</strong> {answer}
        </p>
      )}
      <ol className="route mt-6">
        {stations.map(({ name, state, at }) => (
          <li
            key={name}
            className={state === 'ahead' ? undefined : `is-${state}`}
            aria-current={state === 'now' ? 'step' : undefined}
          >
            <p className="text-sm text-muted">{at ?? t(`way.${state}`)}</p>
            <h3 className="text-lg">{t(`way.stations.${name}.title`)}</h3>
            <p className="text-sm text-muted">{t(`way.stations.${name}.text`)}</p>
          </li>
        ))}
      </ol>
      {isRefused && (
        <>
          <h3 className="mt-6 text-xl">{t('way.refusedTitle')}</h3>
          <Mediation contact={contact} />
        </>
      )}
    </section>
  );
}

function Mediation({ contact }: Pick<RefundPageView, 'contact'>) {
  const { t } = useTranslation('order-refund');
  const { email, mediator } = contact;
  return (
    <ul className="mt-3 grid list-disc gap-2 pl-6">
      <li>
        {t('options.write')} <a href={`mailto:${email}`}>{email}</a>
      </li>
      <li>
        {t('options.mediator')} <a href={mediator.url}>{mediator.name}</a>
      </li>
    </ul>
  );
}
