import { json, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { formAction } from '~/http/form-action.server';
import { actorOf, requireApplication } from '~/applications/access.server';
import { now } from '~/clock.server';
import { queryDatabase, requireDatabase, writeDatabase } from '~/database.server';
import { REFUND_FORM } from '~/domain/order/refund-rules';
import { live } from '~/http/live.server';
import type { PageHandle } from '~/http/page-handle';
import { languageOf, translator } from '~/i18n/server.server';
import { wakeOutbox } from '~/mail/outbox.server';
import { cancelOrder, holdContract } from '~/orders/refunds.server';
import { Eyebrow } from '~/ui/application-frame';
import type { Refusal } from '~/http/refusal';
import { ErrorSummary } from '~/ui/error-summary';
import { DescribedForm } from '~/ui/form-fields';
import type { FormWords } from '~/ui/post-form';
import { PageHeading } from '~/ui/page-heading';
import { useOwnAddress } from '~/ui/root-data';
import { listRefundsOf } from '~db/queries/refunds.server';
import {
  modeOf,
  paidOrderOf,
  refundPage,
  type RefundPageView,
  type RefundView,
} from './view.server';

export const handle: PageHandle = { limitsForms: true };
/** @throws {Response} 404 for what is not open here; 303 to the application while nothing is paid */
async function openPaid(request: Request, id: string | undefined) {
  const open = await requireApplication(request, id, 'status');
  const order = await requireDatabase((db) => paidOrderOf(db, open));
  if (!order) throw redirect(`/application/${open.row.id}/overview`, 303);
  return { open, order };
}

/** The request under the guarantee, the way of a refund, or the ways that remain. */
export const loader = live(async ({ request, params }: LoaderFunctionArgs) => {
  const { open, order } = await openPaid(request, params['id']);
  const language = await languageOf(request);
  const view = await requireDatabase(() =>
    queryDatabase((db) => refundPage(db, order, open, { language, now: now() })),
  );
  const title = translator(language)(`order-refund:${view.mode}.title`);
  return json({ ...view, page: { title, noindex: true, form: view.mode === 'ask' } });
});

/** Asks for the price back, once, however often it is sent. */
export const action = formAction(
  { form: REFUND_FORM, open: ({ request, params }) => openPaid(request, params['id']) },
  async ({ values: { reason }, opened: { open, order } }) => {
    await requireDatabase(async (db) => {
      const at = now();
      const held = await holdContract(db, order.id);
      if (!held || modeOf(held, await listRefundsOf(db, held.id), at) !== 'ask') return;
      await cancelOrder(db, held, { kind: 'guarantee', reason, actor: actorOf(open.owner) }, at);
    }, writeDatabase);
    wakeOutbox();
    return redirect(`/application/${open.row.id}/refund`, 303);
  },
);

export default function Refund() {
  const { t } = useTranslation('order-refund');
  const view = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal>();
  return (
    <div className="wrap py-8 sm:py-12">
      <div className="max-w-[44rem]">
        {view.mode === 'ask' && <AskForm view={view} refusal={refusal} />}
        {view.mode === 'way' && <RefundWays view={view} />}
        {view.mode !== 'ask' && view.mode !== 'way' && <WaysThatRemain view={view} />}
        <p className="mt-8">
          <a
            href={`/application/${view.id}/overview`}
            className="inline-flex min-h-11 items-center"
          >
            {t('back')}
          </a>
        </p>
      </div>
    </div>
  );
}

interface AskFormProps {
  view: RefundPageView;
  refusal: Refusal | undefined;
}

/** Asks for the price back under the guarantee; says before what becomes of the application. */
function AskForm({ view, refusal }: AskFormProps) {
  const { t } = useTranslation('order-refund');
  const own = useOwnAddress();
  const words = useWords();
  const { price, paidOn, lastDay, isCancelled, paid } = view;
  const problem = refusal?.problem as 'invalid' | 'tooMany' | 'busy' | undefined;
  return (
    <>
      {problem && (
        <ErrorSummary
          title={t(`errors.${problem}.title`)}
          description={t(`errors.${problem}.text`, { wait: refusal?.wait })}
          form={REFUND_FORM}
          {...{ refusal, words }}
        />
      )}
      <Eyebrow words={t('eyebrow')} />
      <PageHeading title={t('ask.title')} lead={t('ask.lead', { price, paidOn, lastDay })} />
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
    option: (_, value) => value,
  };
}

/** The refunds of an order, each with its way; most have one. */
function RefundWays({ view }: { view: RefundPageView }) {
  const { t } = useTranslation('order-refund');
  const { price, paidOn, refunds } = view;
  return (
    <>
      <Eyebrow words={t('eyebrow')} />
      <PageHeading title={t('way.title')} lead={t('way.lead', { price, paidOn })} />
      {refunds.map((refund) => (
        <OneWay key={refund.id} refund={refund} view={view} />
      ))}
    </>
  );
}

function OneWay({ refund, view }: { refund: RefundView; view: RefundPageView }) {
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
      {answer !== undefined && (
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
          <Mediation ways={view.ways} />
        </>
      )}
    </section>
  );
}

/** Where the guarantee says nothing any more, or a bank decides: what one can still do. */
function WaysThatRemain({ view }: { view: RefundPageView }) {
  const { t } = useTranslation('order-refund');
  const mode = view.mode as 'withdraw' | 'over' | 'disputed';
  const { reference, price, paidOn, lastDay = paidOn } = view;
  return (
    <>
      <Eyebrow words={t('eyebrow')} />
      <PageHeading
        title={t(`${mode}.title`)}
        lead={t(`${mode}.lead`, { price, paidOn, lastDay })}
      />
      {mode === 'withdraw' && (
        <p className="mt-6">
          <a
            href={`/withdrawal?${new URLSearchParams({ reference })}`}
            className="button w-full sm:w-auto"
          >
            {t('withdraw.button')}
          </a>
        </p>
      )}
      <h2 className="mt-8 text-2xl">{t('remain')}</h2>
      <Mediation ways={view.ways} />
    </>
  );
}

function Mediation({ ways }: Pick<RefundPageView, 'ways'>) {
  const { t } = useTranslation('order-refund');
  const { email, mediator } = ways;
  return (
    <ul className="mt-3 grid list-disc gap-2 pl-6">
      <li>
        {t('ways.write')} <a href={`mailto:${email}`}>{email}</a>
      </li>
      <li>
        {t('ways.mediator')} <a href={mediator.url}>{mediator.name}</a>
      </li>
    </ul>
  );
}
