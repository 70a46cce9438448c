import { useTranslation } from 'react-i18next';

import type { siteView } from './view.server';

/** How the site itself does: what no case shows. */
export function SiteState({ failed, hasMoreFailed, purged }: Awaited<ReturnType<typeof siteView>>) {
  const { t } = useTranslation('desk-dashboard');
  return (
    <section aria-labelledby="site" className="card mt-6 p-4 sm:p-6">
      <h2 id="site" className="text-xl">
        {t('site.title')}
      </h2>
      <dl className="mt-3 grid gap-3 sm:grid-cols-2">
        <div>
          <dt className="text-sm text-muted">{t('site.failed')}</dt>
          <dd>
            {failed.length === 0 ? (
              t('site.noneFailed')
            ) : (
              <ul className="grid gap-1">
                {failed.map(({ id, kind, time }) => (
                  <li key={id}>
                    <span className="wrap-anywhere">{kind}</span>,{' '}
                    <time dateTime={time.at}>{time.text}</time>
                  </li>
                ))}
                {hasMoreFailed && <li>{t('site.more')}</li>}
              </ul>
            )}
          </dd>
        </div>
        <div>
          <dt className="text-sm text-muted">{t('site.purged')}</dt>
          <dd>
            {purged ? <time dateTime={purged.at}>{purged.text}</time> : t('site.neverPurged')}
          </dd>
        </div>
      </dl>
    </section>
  );
}
