import { useTranslation } from 'react-i18next';

import { Fold } from '~/ui/elements';

interface PreviewProps {
  from: string | null;
  sentences:
    | readonly { language: string; pages: string[]; before: string; after: string }[]
    | null
    | undefined;
}

/** So many sentences of a language are seen at once. */
const SHOWN = 4;

/** What visitors will read, in each language, beside what they read now. */
export function Preview({ from, sentences }: PreviewProps) {
  const { t } = useTranslation(['owner', 'desk-messages']);
  if (!sentences) return <p>{t('preview.notHere')}</p>;
  const languages = [...new Set(sentences.map(({ language }) => language))];
  const listed = (list: typeof sentences) => (
    <ul className="mt-2 grid gap-3">
      {list.map(({ before, after, pages }) => (
        <li key={before + after} className="border-l-4 border-rule pl-3 wrap-anywhere">
          {before && <del className="block text-muted">{before}</del>}
          {after && <ins className="block no-underline">{after}</ins>}
          <small className="text-muted">
            {pages.length > 2 ? t('preview.pages', { count: pages.length }) : pages.join(', ')}
          </small>
        </li>
      ))}
    </ul>
  );
  return (
    <section
      aria-labelledby="preview"
      tabIndex={-1}
      className="rounded-card border border-edge p-4"
    >
      <h3 id="preview" className="text-lg">
        {from ? t('preview.from', { day: from }) : t('preview.now')}
      </h3>
      {sentences.length === 0 && <p className="mt-2">{t('preview.nothing')}</p>}
      <div className="mt-2 grid gap-5 md:grid-cols-3">
        {languages.map((language) => {
          const own = sentences.filter((one) => one.language === language);
          return (
            <div key={language} lang={language}>
              <h4 className="border-b border-ink font-[650]">
                {t(`desk-messages:languages.${language as 'fr'}`)}
              </h4>
              {listed(own.slice(0, SHOWN))}
              {own.length > SHOWN && (
                <Fold title={t('preview.more', { count: own.length - SHOWN })}>
                  {listed(own.slice(SHOWN))}
                </Fold>
              )}
            </div>
          );
        })}
      </div>
    </section>
  );
}
