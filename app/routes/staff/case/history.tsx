import type { SerializeFrom } from '@remix-run/node';
import { useTranslation } from 'react-i18next';

import type { historySection } from './history.server';

interface CaseHistoryProps {
  view: SerializeFrom<Awaited<ReturnType<typeof historySection>>> | undefined;
}

/** What was done to the case, by whom. */
export function CaseHistory({ view }: CaseHistoryProps) {
  const { t } = useTranslation('desk-history');
  if (!view) return null;
  const { events, older, latest } = view;
  return (
    <section aria-labelledby="history" className="card p-4 sm:p-5">
      <h2 id="history" tabIndex={-1} className="text-lg">
        {t('title')}
      </h2>
      {events.length === 0 && <p className="mt-2 text-muted">{t('none')}</p>}
      <ol className="mt-2 grid gap-2 text-sm">
        {events.map(({ id, at, time, what, who, times }) => (
          <li key={id} className="border-t border-rule pt-2">
            <p className="wrap-anywhere">
              {what}
              {times > 1 && (
                <span className="text-muted">{` ${t('times', { number: times })}`}</span>
              )}
            </p>
            <p className="wrap-anywhere text-muted">
              <time dateTime={at}>{time}</time>
              {` · ${who}`}
            </p>
          </li>
        ))}
      </ol>
      {(older ?? latest) && (
        <p className="mt-2 flex flex-wrap gap-x-6">
          {latest && (
            <a href={latest} className="inline-flex min-h-11 items-center">
              {t('latest')}
            </a>
          )}
          {older && (
            <a href={older} className="inline-flex min-h-11 items-center">
              {t('older')}
            </a>
          )}
        </p>
      )}
    </section>
  );
}
