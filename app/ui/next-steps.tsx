import { useTranslation } from 'react-i18next';

import type { AlternativeView, AssessmentView } from '~/content/views';
import { isExplainedByFactors } from '~/domain/eligibility';
import { nextTitle } from './assessment';
import { Icon } from './icon';
import type { IconName } from './icon-names';
import { Jump } from './jump';
import { Section } from './section';
import { Ways } from './ways';

const ICONS: Record<AlternativeView['name'], IconName> = {
  visa: 'stamp',
  embassy: 'landmark',
  attorney: 'scale',
};

type NextStepsProps = { assessment: AssessmentView; price: string };

export function NextSteps({ assessment, price }: NextStepsProps) {
  const { t } = useTranslation('eligibility');
  const { outcome, alternatives } = assessment;
  if (outcome === 'eligible') {
    return (
      <div className="mt-8 sm:mt-12 print:hidden">
        <Section id="next" title={nextTitle(outcome, t)} lead={t('ways.lead')} tone="sand">
          <Ways price={price} />
        </Section>
        <section aria-labelledby="both" className="wrap pt-[var(--band)]">
          <h2 id="both" className="text-2xl">
            {t('result.bothTitle')}
          </h2>
          <div className="mt-4 grid gap-3 sm:mt-6 lg:grid-cols-3 lg:gap-6">
            <Jump href="/documents" icon="file-text" title={t('result.documents')} />
            <Jump to="/application-guide" icon="book-open" title={t('result.guide')} />
            <Jump to="/timeline" icon="calendar-plus" title={t('result.planner')} />
          </div>
        </section>
      </div>
    );
  }
  return (
    <div className="mt-8 sm:mt-12">
      <Section id="next" title={nextTitle(outcome, t)} tone="sea">
        <ul className="grid gap-x-12 gap-y-6 lg:grid-cols-3">
          {alternatives.map(({ name, title: heading, text, link, url }) => (
            <li key={name} className="flex gap-4">
              <Icon name={ICONS[name]} className="mt-0.5 size-6 text-action" />
              <div>
                <h3 className="text-lg">{heading}</h3>
                <p className="mt-1">{text}</p>
                <p>
                  <a href={url} rel="noreferrer" className="inline-block py-2">
                    {link} <Icon name="external-link" className="inline size-4 align-[-0.125em]" />
                  </a>
                </p>
              </div>
            </li>
          ))}
        </ul>
        <p className="mt-6 flex flex-wrap gap-3 print:hidden">
          <a href="/contact" className="button w-full sm:w-auto">
            <Icon name="mail" />
            {t('result.contact')}
          </a>
          {!isExplainedByFactors(outcome) && (
            <a href="/eligibility-check" className="button button-quiet w-full sm:w-auto">
              {t('result.another')}
            </a>
          )}
        </p>
      </Section>
    </div>
  );
}
