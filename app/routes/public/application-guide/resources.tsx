import { useTranslation } from 'react-i18next';

import type { GuideView } from '~/content/guide.server';
import { SourceLink } from './source-link';

/** Links to the authorities' own pages. */
export function Resources({ resources }: Pick<GuideView, 'resources'>) {
  const { t } = useTranslation('guide');
  return (
    <section className="print:mt-10">
      <h2 className="text-2xl">{t('resources.title')}</h2>
      <p className="mt-2 max-w-[62ch]">{t('resources.text')}</p>
      <ul className="mt-4 border-b border-rule">
        {resources.map(({ key, title, language, url }) => (
          <li key={key} lang={language} className="border-t border-rule py-1">
            <SourceLink label={title} url={url} />
            <span className="block text-sm text-muted print:hidden">{new URL(url).hostname}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
