import { useTranslation } from 'react-i18next';

import { PageHeading } from '~/ui/page-heading';
import type { RefundPageView, RefundView } from './view.server';
import { Mediation } from './ways-that-remain';

/** The refunds of an order, each with its way; most have one. */
export function RefundWays({ view }: { view: RefundPageView }) {
  const { t } = useTranslation('order-refund');
  const { reference, price, paidOn, refunds } = view;
  return (
    <>
      <p className="eyebrow">
        {t('eyebrow')} <span className="machine whitespace-nowrap">{reference}</span>
      </p>
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
