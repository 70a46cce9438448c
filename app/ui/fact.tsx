import type { ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';

import type { FactView } from '~/facts.server';
import { Icon } from './elements';

export function Fact({ fact, label }: { fact: FactView; label: string }) {
  return (
    <div>
      <p>
        <strong className="figure">{fact.text}</strong> {label}
      </p>
      <Source fact={fact} />
    </div>
  );
}

export function useFactText(): (fact: FactView | undefined) => string {
  const { t } = useTranslation();
  return (fact) => fact?.text ?? t('fact.notKnown');
}

export function Source({ fact, children }: { fact: FactView; children?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <details className="source text-(length:--text-xs) text-muted">
      <summary className="inline-flex min-h-11 list-none items-center gap-[0.3rem] underline decoration-dotted underline-offset-[0.25em]">
        {t('fact.summary', { date: fact.checkedShort })}
        <Icon name="chevron-down" className="size-4" />
      </summary>
      <p className="max-w-[40rem]">
        <Trans
          i18nKey="fact.source"
          values={{ title: fact.source.title, date: fact.checkedOn }}
          components={{ site: <SourceLink source={fact.source} /> }}
        />
      </p>
      {children}
      {fact.earlier.length > 0 && (
        <ul>
          {fact.earlier.map(({ text, until }) => (
            <li key={until}>{t('fact.earlier', { text, date: until })}</li>
          ))}
        </ul>
      )}
    </details>
  );
}

function SourceLink({ source, children }: { source: FactView['source']; children?: ReactNode }) {
  return (
    <a
      href={source.url}
      lang={source.language}
      hrefLang="en"
      rel="noreferrer"
      className="text-inherit"
    >
      {children}
    </a>
  );
}
