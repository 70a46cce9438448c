import { Link } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import type { GuideStep } from '~/content/guide.server';
import { stepState } from '~/domain/guide';
import { Icon } from '~/ui/icon';
import { useHeadingFocus } from '~/ui/use-heading-focus';
import { StepArticle } from './step-article';

const stepAddress = (number: number) => `/application-guide?tab=guide&step=${number}`;

/** The steps: one on screen, with links to its neighbours; all of them in print. */
export function Steps({ steps, current }: { steps: GuideStep[]; current: number }) {
  const { t } = useTranslation('guide');
  useHeadingFocus(String(current), `#step-${current}`);
  return (
    <div className="gap-10 lg:grid lg:grid-cols-[15rem_1fr] print:block">
      <StepList steps={steps} current={current} />
      <div>
        {steps.map((step, index) => (
          <div key={step.key} className={index + 1 === current ? '' : 'hidden print:block'}>
            <StepArticle step={step} number={index + 1} total={steps.length} />
          </div>
        ))}
        <nav aria-label={t('steps.neighbours')} className="mt-10 flex gap-3 print:hidden">
          {current > 1 && (
            <Link
              to={stepAddress(current - 1)}
              preventScrollReset
              className="button button-quiet mr-auto"
            >
              <Icon name="arrow-left" />
              {t('steps.previous')}
            </Link>
          )}
          {current < steps.length && (
            <Link to={stepAddress(current + 1)} preventScrollReset className="button ml-auto">
              {t('steps.next')}
              <Icon name="arrow-right" />
            </Link>
          )}
        </nav>
      </div>
    </div>
  );
}

const STATION = {
  completed: 'border-pine bg-pine text-card',
  current: 'border-pine bg-card text-pine',
  open: 'border-field bg-paper text-muted',
};

/** All steps as stations of a route: completed, current, open (specification, section 4). */
function StepList({ steps, current }: { steps: GuideStep[]; current: number }) {
  const { t } = useTranslation('guide');
  return (
    <nav aria-label={t('steps.label')} className="mb-8 print:hidden">
      <ol className="flex justify-between lg:block">
        {steps.map(({ key, title, language }, index) => {
          const state = stepState(index + 1, current);
          return (
            <li key={key} className="relative lg:pb-4">
              {index < steps.length - 1 && (
                <span
                  className={`absolute top-11 bottom-0 left-[1.3rem] hidden border-l-4 border-dotted lg:block ${state === 'completed' ? 'border-pine' : 'border-rule'}`}
                />
              )}
              <Link
                to={stepAddress(index + 1)}
                preventScrollReset
                aria-current={state === 'current' ? 'step' : undefined}
                className="group flex min-h-11 min-w-11 items-start gap-3 text-ink no-underline hover:underline aria-[current]:font-bold"
              >
                <span
                  aria-hidden="true"
                  className={`grid size-11 shrink-0 place-items-center rounded-full border-2 tabular-nums group-aria-[current]:border-4 ${STATION[state]}`}
                >
                  {state === 'completed' ? <Icon name="check" /> : index + 1}
                </span>
                <span className="sr-only lg:not-sr-only lg:pt-2">
                  <span lang={language}>{title}</span>{' '}
                  {state !== 'open' && (
                    <span className="block text-sm font-normal text-muted">
                      {t(`steps.${state}`)}
                    </span>
                  )}
                </span>
              </Link>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
