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
    <div className="gap-x-16 lg:grid lg:grid-cols-[17rem_minmax(0,1fr)] print:block">
      <StepList steps={steps} current={current} />
      <div>
        {steps.map((step, index) => (
          <div key={step.key} className={index + 1 === current ? '' : 'hidden print:block'}>
            <StepArticle step={step} number={index + 1} total={steps.length} />
          </div>
        ))}
        <nav
          aria-label={t('steps.neighbours')}
          className="mt-8 flex max-w-[44rem] flex-wrap gap-3 print:hidden"
        >
          {current > 1 && (
            <Link
              to={stepAddress(current - 1)}
              preventScrollReset
              className="button button-quiet mr-auto max-sm:px-4"
            >
              <Icon name="arrow-left" />
              {t('steps.previous')}
            </Link>
          )}
          {current < steps.length && (
            <Link
              to={stepAddress(current + 1)}
              preventScrollReset
              className="button ml-auto max-sm:px-4"
            >
              {t('steps.next')}
              <Icon name="arrow-right" />
            </Link>
          )}
        </nav>
      </div>
    </div>
  );
}

const LOOKS = { completed: 'is-done', current: 'is-now', open: '' };

/** All steps as stops of a route: completed, current, open (specification, section 4). */
function StepList({ steps, current }: { steps: GuideStep[]; current: number }) {
  const { t } = useTranslation('guide');
  return (
    <nav aria-label={t('steps.label')} className="mb-6 self-start lg:sticky lg:top-6 print:hidden">
      <ol className="route route-steps route-digits route-row">
        {steps.map(({ key, title, language }, index) => {
          const state = stepState(index + 1, current);
          return (
            <li key={key} data-step={index + 1} className={LOOKS[state]}>
              <Link
                to={stepAddress(index + 1)}
                preventScrollReset
                aria-current={state === 'current' ? 'step' : undefined}
                className="route-link"
              >
                <span className="sr-only lg:not-sr-only">
                  <span lang={language}>{title}</span>{' '}
                  {state !== 'open' && (
                    <span className="block text-xs font-normal text-muted">
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
