import { useTranslation } from 'react-i18next';

import type { AmendedView } from './amended.server';

/** What was changed in the answers since they were certified. */
export function Amended({ views }: { views: readonly AmendedView[] }) {
  const { t } = useTranslation('desk-case');
  if (views.length === 0) return null;
  return (
    <section aria-labelledby="amended">
      <h2 id="amended" className="text-2xl">
        {t('amended.title')}
      </h2>
      <ol className="mt-3 grid gap-4">
        {views.map(({ id, label, old, new: after, why, at, time, who }) => (
          <li key={id} className="border-l-4 border-rule pl-3">
            <h3 className="font-bold">{label}</h3>
            <dl className="case-change-values">
              <dt>{t('amended.old')}</dt>
              <dd>{old ? <del>{old}</del> : t('answers.none')}</dd>
              <dt>{t('amended.new')}</dt>
              <dd>{after ? <ins>{after}</ins> : t('answers.none')}</dd>
            </dl>
            {why && <p className="wrap-anywhere whitespace-pre-line">{why}</p>}
            <p className="text-sm wrap-anywhere text-muted">
              <time dateTime={at}>{time}</time>
              {` · ${who ?? t('amended.traveller')}`}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
