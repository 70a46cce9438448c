import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { WIZARD_STEPS, wizardProgress, type WizardStep } from '~/domain/wizard';
import type { Refusal } from '~/http/form.server';
import { ErrorSummary } from '~/ui/error-summary';

/** The questions begin at a quarter of the way, so that the value is what is drawn. */
export function WizardProgress({
  step,
  countryChosen,
  answered = 0,
  total = 0,
  skipped,
}: {
  step: WizardStep;
  countryChosen: boolean;
  answered?: number;
  total?: number;
  skipped?: WizardStep | null;
}) {
  const { t } = useTranslation('eligibility');
  const current = WIZARD_STEPS.indexOf(step);
  const value = Math.round(wizardProgress(step, { countryChosen, answered, total }));
  const isBetween = step === 'questions' && answered > 0;
  const place = t('progress.step', { step: current + 1, total: WIZARD_STEPS.length });
  const lookOf = (station: WizardStep, index: number) => {
    if (station === skipped) return 'is-skipped';
    if (index < current || (index === current && isBetween)) return 'is-done';
    return index === current ? 'is-now' : undefined;
  };
  return (
    <div className="relative mb-6 max-w-176 pt-1 motion-safe:[view-transition-name:journey] sm:mb-8 print:hidden">
      <progress
        className={isBetween ? 'progress-line progress-line-between' : 'progress-line'}
        max={100}
        value={value}
        aria-label={t('progress.label')}
        aria-valuetext={place}
      >
        {place}
      </progress>
      <ol className="journey-stops">
        {WIZARD_STEPS.map((station, index) => (
          <li
            key={station}
            className={lookOf(station, index)}
            aria-current={index === current ? 'step' : undefined}
          >
            {station === skipped
              ? `${t(`progress.${station}`)} ${t('progress.skipped')}`
              : t(`progress.${station}`)}
          </li>
        ))}
      </ol>
    </div>
  );
}

interface RefusedProps extends Omit<ComponentProps<typeof ErrorSummary>, 'title' | 'description'> {
  refusal: Refusal | undefined;
}

export function Refused({ refusal, ...summary }: RefusedProps) {
  const { t } = useTranslation('eligibility');
  if (!refusal?.problem) return null;
  return (
    <ErrorSummary
      title={t(`${refusal.problem}.title`)}
      description={t(`${refusal.problem}.description`)}
      {...{ refusal, ...summary }}
    />
  );
}
