import { useTranslation } from 'react-i18next';

import type { GuideView } from '~/content/guide.server';
import { SourceLink } from './source-link';

/** Links to the authorities' own pages. */
export function Resources({ resources }: Pick<GuideView, 'resources'>) {
  const { t } = useTranslation('guide');
  return (
    <section className="print:mt-10">
      <h2 className="text-2xl">{t('resources.title')}</h2>
      <p className="lead mt-2">{t('resources.text')}</p>
      <ul className="mt-6 grid gap-x-16 lg:grid-cols-2">
        {resources.map(({ key, title, language, url }) => (
          <li key={key} lang={language} className="border-t border-rule py-2">
            <SourceLink label={title} url={url} />
            <span className="block text-sm text-muted print:hidden">{new URL(url).hostname}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
