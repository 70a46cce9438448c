import { Trans, useTranslation } from 'react-i18next';

import type { FactView } from '~/content/views';

/**
 * Shows an official fact: value, optional label, day of the check and source. Every page uses this
 * component for facts.
 */
export function Fact({ fact, label }: { fact: FactView; label?: string }) {
  const { t } = useTranslation();
  return (
    <span>
      <strong className="tabular-nums">{fact.text}</strong> {label && <span>{label} </span>}
      <span className="text-sm text-muted">
        {'('}
        {[
          t('fact.checked', { date: fact.checkedOn }),
          ...fact.earlier.map(({ text, until }) => t('fact.earlier', { text, date: until })),
        ].join(', ')}
        {', '}
        <Trans
          i18nKey="fact.source"
          values={{ title: fact.source.title }}
          components={{ site: <SourceLink url={fact.source.url} /> }}
        />
        {')'}
      </span>
    </span>
  );
}

function SourceLink({ url, children }: { url: string; children?: React.ReactNode }) {
  return (
    // The titles of the sources are in English.
    <a href={url} lang="en" hrefLang="en" rel="noreferrer">
      {children}
    </a>
  );
}
