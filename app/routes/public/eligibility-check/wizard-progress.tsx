import { useTranslation } from 'react-i18next';

import { WIZARD_STEPS, type WizardStep, wizardProgress } from '~/domain/wizard';
import { Icon } from '~/ui/icon';

interface WizardProgressProps {
  step: WizardStep;
  countryChosen: boolean;
  answered?: number;
  total?: number;
}

/** The current step as a route with three stations, and the progress bar of the specification. */
export function WizardProgress({
  step,
  countryChosen,
  answered = 0,
  total = 0,
}: WizardProgressProps) {
  const { t } = useTranslation('eligibility');
  const current = WIZARD_STEPS.indexOf(step);
  const value = Math.round(wizardProgress(step, { countryChosen, answered, total }));
  return (
    <div className="mb-8 print:hidden">
      <p className="font-semibold text-muted">
        {t('progress.step', { step: current + 1, total: WIZARD_STEPS.length })}
      </p>
      <ol className="mt-3 grid grid-cols-[1fr_1fr_auto]">
        {WIZARD_STEPS.map((station, index) => (
          <li
            key={station}
            aria-current={index === current ? 'step' : undefined}
            className="group relative flex flex-col gap-1 text-sm text-muted aria-[current]:font-bold aria-[current]:text-ink sm:text-base"
          >
            {index < WIZARD_STEPS.length - 1 && (
              <span
                className={`absolute top-3 right-1 left-8 border-t-4 border-dotted ${index < current ? 'border-pine' : 'border-rule'}`}
              />
            )}
            <span
              className={`grid size-7 place-items-center rounded-full border-2 text-sm tabular-nums ${
                index < current
                  ? 'border-pine bg-pine text-card'
                  : index === current
                    ? 'border-pine bg-card text-pine'
                    : 'border-field bg-paper text-muted'
              }`}
              aria-hidden="true"
            >
              {index < current ? <Icon name="check" className="size-4" /> : index + 1}
            </span>
            {t(`progress.${station}`)}
          </li>
        ))}
      </ol>
      <progress
        className="progress-line mt-4"
        max={100}
        value={value}
        aria-label={t('progress.label')}
      />
    </div>
  );
}
