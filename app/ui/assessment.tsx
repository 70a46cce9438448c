import { useTranslation } from 'react-i18next';

import type { AssessmentView, FactorView } from '~/content/views';
import { isExplainedByFactors, type Outcome } from '~/domain/eligibility';
import { Icon } from './icon';
import type { IconName } from './icon-names';

const LOOKS: Record<Outcome, { icon: IconName; colours: string }> = {
  eligible: { icon: 'circle-check', colours: 'bg-success-soft text-success' },
  probably_not_eligible: { icon: 'circle-question-mark', colours: 'bg-danger-soft text-danger' },
  not_eligible: { icon: 'circle-x', colours: 'bg-danger-soft text-danger' },
  other_citizenship: { icon: 'info', colours: 'bg-info-soft text-info' },
  no_esta_needed: { icon: 'info', colours: 'bg-info-soft text-info' },
};

interface AssessmentTicketProps {
  assessment: AssessmentView;
  /** The day of the check, formatted; only for a saved assessment. */
  date?: string;
}

/** The outcome as a ticket: result, country and disqualifying factors. */
export function AssessmentTicket({ assessment, date }: AssessmentTicketProps) {
  const { t } = useTranslation('eligibility');
  const { outcome, country, estaValidityMonths, remark, factors } = assessment;
  const { icon, colours } = LOOKS[outcome];
  return (
    <section className="card" aria-label={t('result.title')}>
      <p
        className={`flex items-center gap-3 rounded-t-card px-5 py-4 text-xl font-bold sm:px-8 ${colours}`}
      >
        <Icon name={icon} className="size-7" />
        {t(`result.${outcome}.label`)}
      </p>
      <div className="p-5 sm:px-8">
        <p className="text-lg">{t(`result.${outcome}.text`)}</p>
        {remark && (
          <p className="mt-5 flex gap-3 rounded-field bg-info-soft p-4">
            <Icon name="info" className="mt-0.5 size-5 text-info" />
            {remark}
          </p>
        )}
      </div>
      <dl className="perforation flex flex-wrap gap-x-12 gap-y-4 p-5 sm:px-8">
        <Entry term={t('result.citizenship')} detail={country} />
        {estaValidityMonths && (
          <Entry
            term={t('result.validity')}
            detail={t('result.validityMonths', { count: estaValidityMonths })}
          />
        )}
        {date && <Entry term={t('result.date')} detail={date} />}
      </dl>
      {isExplainedByFactors(outcome) && factors.length > 0 && (
        <div className="border-t border-rule p-5 sm:px-8">
          <h2 className="text-xl">{t('result.factorsTitle')}</h2>
          <ul className="mt-3 grid gap-5">
            {factors.map((factor) => (
              <Factor key={factor.key} factor={factor} />
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

function Entry({ term, detail }: { term: string; detail: string }) {
  return (
    <div>
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="font-bold">{detail}</dd>
    </div>
  );
}

function Factor({ factor }: { factor: FactorView }) {
  const { t } = useTranslation('eligibility');
  const { question, text, language, severity, rule } = factor;
  return (
    <li className="flex gap-3">
      <Icon name="triangle-alert" className="mt-1 size-5 text-danger" />
      <div>
        {question && (
          <p lang={language} className="font-semibold">
            {question}
          </p>
        )}
        <p lang={language} className={question ? '' : 'font-semibold'}>
          {text}
        </p>
        {severity && <p className="text-base text-muted">{t(`result.severity.${severity}`)}</p>}
        {rule && (
          <p className="text-base text-muted">
            {t('result.rule')}{' '}
            {rule.url ? (
              <a href={rule.url} rel="noreferrer">
                {rule.reference}
              </a>
            ) : (
              rule.reference
            )}
          </p>
        )}
      </div>
    </li>
  );
}
