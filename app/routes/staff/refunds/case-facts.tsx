import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import type { ApplicationState } from '~/domain/application/states';
import type { Package } from '~/domain/offer';
import type { CaseView } from './case.server';

/** What was ordered and paid. */
export function CaseFacts({ view }: { view: CaseView }) {
  const { t } = useTranslation('staff');
  const { facts, item, most, creditNote } = view;
  return (
    <section aria-labelledby="order" className="card p-4 sm:p-6">
      <h2 id="order" className="text-xl">
        {t('refunds.order')}
      </h2>
      <dl className="mt-3 grid gap-2">
        <Fact label={t('refunds.facts.package')}>
          {t(`refunds.packages.${facts.package as Package}`)}
        </Fact>
        <Fact label={t('refunds.facts.price')}>{facts.price}</Fact>
        <Fact label={t('refunds.facts.paid')}>{facts.paidOn}</Fact>
        <Fact label={t('refunds.facts.asked')}>{item.askedOn}</Fact>
        <Fact label={t('refunds.facts.refunded')}>{facts.refunded}</Fact>
        <Fact label={t('refunds.facts.most')}>{most}</Fact>
        {facts.invoice && <Fact label={t('refunds.facts.invoice')}>{facts.invoice}</Fact>}
        {creditNote && <Fact label={t('refunds.facts.creditNote')}>{creditNote}</Fact>}
        {facts.application && (
          <Fact label={t('refunds.facts.application')}>
            {t(`refunds.applications.${facts.application as ApplicationState}`)}
          </Fact>
        )}
      </dl>
    </section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="font-[650] wrap-anywhere">{children}</dd>
    </div>
  );
}

type Step = CaseView['history'][number];
type StepName = 'open' | 'propose' | 'approve' | 'refuse' | 'send' | 'settle' | 'fail' | 'retry';

/** What was done to the refund, by whom. */
export function History({ steps }: { steps: readonly Step[] }) {
  const { t } = useTranslation('staff');
  return (
    <section aria-labelledby="history">
      <h2 id="history" className="text-xl">
        {t('refunds.history')}
      </h2>
      <ol className="mt-3 grid gap-3">
        {steps.map(({ id, at, event, who, amount, isAlone }) => (
          <li key={id} className="border-l-4 border-rule pl-3">
            <strong>{t(`refunds.steps.${event as StepName}`)}</strong>
            {amount && ` · ${amount}`}
            {isAlone && ` · ${t('refunds.alone')}`}
            <br />
            <span className="text-sm wrap-anywhere text-muted">
              {at} · {who.email ?? t(`audit.actors.${who.kind as 'system'}`, { id: '' })}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
