import { useTranslation } from 'react-i18next';

import type { figuresView } from './view.server';

type View = Pick<Awaited<ReturnType<typeof figuresView>>, 'promise' | 'outcomes' | 'funnel'>;

/** The last thirty days in figures: the promise, the decisions, and the way from a check to an order. */
export function Figures({ promise, outcomes, funnel }: View) {
  const { t } = useTranslation('desk-dashboard');
  const { t: stateWord } = useTranslation('desk');
  const { median } = promise;
  return (
    <section aria-labelledby="month" className="mt-6">
      <h2 id="month" className="text-xl">
        {t('month.title')}
      </h2>
      <p className="mt-1 text-sm text-muted">{t('month.hint')}</p>
      <div className="mt-3 grid items-start gap-6 lg:grid-cols-3">
        <div className="card p-4 sm:p-6">
          <table className="board-table">
            <caption>{t('promise.title')}</caption>
            <tbody>
              <tr>
                <th scope="row">{t('promise.inTime')}</th>
                <td>{promise.inTime}</td>
              </tr>
              <tr>
                <th scope="row">{t('promise.late')}</th>
                <td>{promise.late}</td>
              </tr>
            </tbody>
          </table>
          <p className="mt-3 text-sm">
            {median === null ? t('promise.none') : t('promise.median', { count: median })}{' '}
            {t('promise.hint')}
          </p>
        </div>
        <div className="card p-4 sm:p-6">
          <table className="board-table">
            <caption>{t('outcomes.title')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('outcomes.outcome')}</th>
                <th scope="col">{t('outcomes.month')}</th>
                <th scope="col">{t('outcomes.quarter')}</th>
              </tr>
            </thead>
            <tbody>
              {outcomes.map(({ state, month, quarter }) => (
                <tr key={state}>
                  <th scope="row">{stateWord(`states.${state}`)}</th>
                  <td>{month}</td>
                  <td>{quarter}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <div className="card p-4 sm:p-6">
          <table className="board-table">
            <caption>{t('funnel.title')}</caption>
            <tbody>
              {funnel.map(({ name, count }) => (
                <tr key={name}>
                  <th scope="row">{t(`funnel.${name}`)}</th>
                  <td>{count}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="mt-3 text-sm">{t('funnel.hint')}</p>
        </div>
      </div>
    </section>
  );
}
