import { Link } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import type { AssessmentView } from '~/content/views';
import { Icon } from './icon';
import type { IconName } from './icon-names';

const ALTERNATIVES: { name: 'visa' | 'embassy' | 'attorney'; icon: IconName; url: string }[] = [
  {
    name: 'visa',
    icon: 'stamp',
    url: 'https://travel.state.gov/content/travel/en/us-visas/tourism-visit/visitor.html',
  },
  { name: 'embassy', icon: 'landmark', url: 'https://www.usembassy.gov/' },
  { name: 'attorney', icon: 'scale', url: 'https://www.ailalawyer.com/' },
];

/** What to do after an assessment: documents and guide, or alternatives to an ESTA. */
export function NextSteps({ assessment }: { assessment: AssessmentView }) {
  const { t } = useTranslation('eligibility');
  const { outcome, citizenship } = assessment;
  if (citizenship) {
    // The next step of the check, for the country of the passport.
    return (
      <form method="post" action="/eligibility-check?step=country" className="print:hidden">
        <input type="hidden" name="country" value={citizenship.code} />
        <button type="submit" className="button w-full sm:w-auto">
          {t('result.chooseCitizenship', { citizenship: citizenship.name })}
          <Icon name="arrow-right" />
        </button>
      </form>
    );
  }
  if (outcome === 'eligible') {
    return (
      <section aria-labelledby="next">
        <h2 id="next" className="text-2xl">
          {t('result.nextTitle')}
        </h2>
        <div className="mt-4 flex flex-wrap gap-3">
          <a href="/documents" className="button button-quiet w-full sm:w-auto">
            <Icon name="file-text" />
            {t('result.documents')}
          </a>
          <Link to="/application-guide" className="button button-quiet w-full sm:w-auto">
            <Icon name="book-open" />
            {t('result.guide')}
          </Link>
        </div>
      </section>
    );
  }
  // Travellers who need no ESTA need no visitor visa either; the embassy can tell them more.
  const relevant = ALTERNATIVES.filter(
    ({ name }) => outcome !== 'no_esta_needed' || name === 'embassy',
  );
  return (
    <section aria-labelledby="next">
      <h2 id="next" className="text-2xl">
        {t(outcome === 'no_esta_needed' ? 'alternatives.titleWithoutEsta' : 'alternatives.title')}
      </h2>
      <ul className="mt-4 grid gap-4">
        {relevant.map(({ name, icon, url }) => (
          <li key={name} className="flex gap-4 border-t border-rule pt-4">
            <Icon name={icon} className="mt-1 size-6 text-pine" />
            <div>
              <h3 className="text-lg">{t(`alternatives.${name}.title`)}</h3>
              <p>{t(`alternatives.${name}.text`)}</p>
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
      <p className="mt-4 print:hidden">
        <a href="/contact" className="button button-quiet w-full sm:w-auto">
          <Icon name="mail" />
          {t('result.contact')}
        </a>
      </p>
    </section>
  );
}
