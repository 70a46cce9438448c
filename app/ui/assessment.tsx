import type { ReactNode } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';

import type { AssessmentView, FactorView } from '~/eligibility/assessment.server';
import { COUNTRY_FACTOR, isExplainedByFactors, type Outcome } from '~/domain/eligibility';
import { ButtonLink, Icon, Say, TextLink } from './elements';
import { Blank, Blanks, Ticket } from './ticket';

const STAMPS: Record<Outcome, string> = {
  eligible: '',
  probably_not_eligible: 'text-bad',
  not_eligible: 'text-bad',
  other_citizenship: 'text-action',
  no_esta_needed: 'text-action',
};

interface AssessmentReportProps {
  assessment: AssessmentView;
  date: string;
  /** What the saved ticket of an eligible traveller has: a stub of its own, lines to write on. */
  saved?: { stub: ReactNode; lines: ReactNode };
  children: ReactNode;
}

export function AssessmentReport({ children, ...shown }: AssessmentReportProps) {
  const { assessment } = shown;
  if (assessment.outcome === 'eligible') {
    return (
      <>
        {children}
        {assessment.remark && <Remark text={assessment.remark} />}
        {!shown.saved && <Preparing className="mt-4 max-w-[48rem] sm:grid-cols-2" />}
        <div className="mt-6 sm:mt-8">
          <AssessmentTicket {...shown} />
        </div>
      </>
    );
  }
  const { outcome, remark, factors } = assessment;
  return (
    <div className="grid items-start gap-x-16 gap-y-6 lg:grid-cols-[1.08fr_1fr] lg:grid-rows-[auto_1fr] print:block">
      <div>
        {children}
        {remark && <Remark text={remark} />}
      </div>
      <div className="lg:row-span-2 print:mt-6">
        <AssessmentTicket {...shown} />
      </div>
      {isExplainedByFactors(outcome) && factors.length > 0 && <Factors factors={factors} />}
    </div>
  );
}

function Remark({ text }: { text: string }) {
  return <Say icon="info" className="mt-4 max-w-2xl" words={text} />;
}

function AssessmentTicket({ assessment, date, saved }: Omit<AssessmentReportProps, 'children'>) {
  const { t } = useTranslation('eligibility');
  const { t: tShell } = useTranslation();
  const { outcome, country, estaValidityMonths, factors } = assessment;
  const isEligible = outcome === 'eligible';
  const isByAnswers =
    isEligible ||
    (isExplainedByFactors(outcome) && factors.every(({ key }) => key !== COUNTRY_FACTOR));
  return (
    <section aria-label={t('result.title')}>
      <Ticket
        stop={isEligible ? 'apply' : 'check'}
        flat={isEligible}
        note={`${t('result.date')} ${date}`}
        verdict={
          <p
            className={`stamp ${STAMPS[outcome]} ${saved ? '' : 'motion-safe:animate-press print:animate-none'}`}
          >
            {t(`result.${outcome}.label`)}
            <small>{t(isByAnswers ? 'result.byAnswers' : 'result.byCitizenship')}</small>
          </p>
        }
        stub={saved && isEligible ? saved.stub : <Stub assessment={assessment} canKeep={!saved} />}
      >
        <Blanks wide={isEligible}>
          <Blank
            label={t('result.citizenship')}
            value={country}
            {...(!isEligible && { size: 'whole' })}
          />
          {isEligible && <Blank label={tShell('ticket.departure')} />}
          {estaValidityMonths && (
            <Blank
              size="wide"
              label={t('result.validity')}
              value={t('result.validityMonths', { count: estaValidityMonths })}
            />
          )}
        </Blanks>
        {isEligible && saved?.lines}
      </Ticket>
    </section>
  );
}

function Stub({ assessment, canKeep }: { assessment: AssessmentView; canKeep: boolean }) {
  const { t } = useTranslation('eligibility');
  const { outcome, citizenship } = assessment;
  if (citizenship) {
    return (
      <form method="post" action="/eligibility-check?step=country" className="print:hidden">
        <input type="hidden" name="country" value={citizenship.code} />
        <button type="submit" className="button w-full">
          {t('result.chooseCitizenship', { citizenship: citizenship.name })}
          <Icon name="arrow-right" />
        </button>
      </form>
    );
  }
  const isEligible = outcome === 'eligible';
  return (
    <>
      <p className="font-bold">{t('result.nextTitle')}</p>
      <p className="mt-1 text-sm">{t('result.note')}</p>
      <ul className="mt-1 print:hidden">
        <li>
          <TextLink href="#next" words={nextTitle(outcome, t)} />
        </li>
        {isEligible && (
          <li>
            <TextLink href="/timeline" words={t('result.planner')} />
          </li>
        )}
        {canKeep && (
          <li>
            <TextLink href="#keep" words={t('notice.title')} />
          </li>
        )}
      </ul>
    </>
  );
}

/** The two actions of an eligible traveller (specification, section 2). */
export function Preparing({ className }: { className: string }) {
  const { t } = useTranslation('eligibility');
  return (
    <div className={`grid gap-3 print:hidden ${className}`}>
      <ButtonLink href="/documents" words={t('result.documents')} before="file-text" />
      <ButtonLink
        href="/application-guide"
        look="button-quiet"
        words={t('result.guide')}
        before="book-open"
      />
    </div>
  );
}

export function nextTitle(outcome: Outcome, t: TFunction<'eligibility'>): string {
  if (outcome === 'eligible') return t('options.title');
  return t(isExplainedByFactors(outcome) ? 'alternatives.title' : 'alternatives.titleWithoutEsta');
}

function Factors({ factors }: { factors: FactorView[] }) {
  const { t } = useTranslation('eligibility');
  return (
    <div className="max-w-2xl print:mt-6">
      <h2 className="text-xl">{t('result.factorsTitle')}</h2>
      <ul className="mt-3 grid gap-3">
        {factors.map((factor) => (
          <Factor key={factor.key} factor={factor} />
        ))}
      </ul>
    </div>
  );
}

function Factor({ factor }: { factor: FactorView }) {
  const { t } = useTranslation('eligibility');
  const { question, text, language, severity, rule } = factor;
  return (
    <li className="say say-bad">
      <Icon name="triangle-alert" />
      <div>
        {question && (
          <p lang={language} className="font-semibold">
            {question}
          </p>
        )}
        <p lang={language} className={question ? 'mt-1' : 'font-semibold'}>
          {text}
        </p>
        {severity && <p className="mt-1 text-sm">{t(`result.severity.${severity}`)}</p>}
        {rule && (
          <p className="text-sm">
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
