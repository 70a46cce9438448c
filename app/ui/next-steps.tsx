import { Link } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import type { AssessmentView } from '~/content/views';
import { nextTitle } from './assessment';
import { Icon } from './icon';
import type { IconName } from './icon-names';
import { Section } from './section';
import { Ways } from './ways';

const ALTERNATIVES: { name: 'visa' | 'embassy' | 'attorney'; icon: IconName; url: string }[] = [
  {
    name: 'visa',
    icon: 'stamp',
    url: 'https://travel.state.gov/content/travel/en/us-visas/tourism-visit/visitor.html',
  },
  { name: 'embassy', icon: 'landmark', url: 'https://www.usembassy.gov/' },
  { name: 'attorney', icon: 'scale', url: 'https://www.ailalawyer.com/' },
];

interface NextStepsProps {
  assessment: AssessmentView;
  /** Our lowest fee, formatted. */
  price: string;
}

/** What to do after an assessment: both ways to apply, or alternatives to an ESTA. */
export function NextSteps({ assessment, price }: NextStepsProps) {
  const { t } = useTranslation('eligibility');
  const { outcome } = assessment;
  if (outcome === 'other_citizenship') return null;
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
            <a href="/documents" className="jump">
              <Icon name="file-text" />
              <strong>{t('result.documents')}</strong>
              <Icon name="arrow-right" />
            </a>
            <Link to="/application-guide" className="jump">
              <Icon name="book-open" />
              <strong>{t('result.guide')}</strong>
              <Icon name="arrow-right" />
            </Link>
            <Link to="/timeline" className="jump">
              <Icon name="calendar-plus" />
              <strong>{t('result.planner')}</strong>
              <Icon name="arrow-right" />
            </Link>
          </div>
        </section>
      </div>
    );
  }
  // Travellers who need no ESTA need no visitor visa either; the embassy can tell them more.
  const relevant = ALTERNATIVES.filter(
    ({ name }) => outcome !== 'no_esta_needed' || name === 'embassy',
  );
  return (
    <div className="mt-8 sm:mt-12">
      <Section id="next" title={nextTitle(outcome, t)} tone="sea">
        <ul className="grid gap-x-12 gap-y-6 lg:grid-cols-3">
          {relevant.map(({ name, icon, url }) => (
            <li key={name} className="flex gap-4">
              <Icon name={icon} className="mt-0.5 size-6 text-action" />
              <div>
                <h3 className="text-lg">{t(`alternatives.${name}.title`)}</h3>
                <p className="mt-1">{t(`alternatives.${name}.text`)}</p>
                <p>
                  <a href={url} rel="noreferrer" className="inline-block py-2">
                    {t(`alternatives.${name}Link`)}{' '}
                    <Icon name="external-link" className="inline size-4 align-[-0.125em]" />
                  </a>
                </p>
              </div>
            </li>
          ))}
        </ul>
        <p className="mt-6 print:hidden">
          <a href="/contact" className="button w-full sm:w-auto">
            <Icon name="mail" />
            {t('result.contact')}
          </a>
        </p>
      </Section>
    </div>
  );
}
