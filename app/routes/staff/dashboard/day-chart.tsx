import { useTranslation } from 'react-i18next';

import type { figuresView } from './view.server';

type View = Pick<Awaited<ReturnType<typeof figuresView>>, 'days' | 'end' | 'totals'>;

/** Of a drawing that is stretched to its place: a day's width, and the height of either half. */
const DAY = 10;
const HALF = 100;
const BAR = 7;

/**
 * Orders and filings by day: orders stand above the line, filled; filings hang below it, in outline. Its
 * words are outside of the drawing, so that they are as large as all others.
 */
export function DayChart({ days, end, totals }: View) {
  const { t } = useTranslation('desk-dashboard');
  const [first] = days;
  const last = days.at(-1);
  const width = days.length * DAY;
  const height = (value: number) => (value / end) * HALF;
  return (
    <section aria-labelledby="days" className="card mt-6 p-4 sm:p-6">
      <h2 id="days" className="text-xl">
        {t('chart.title')}
      </h2>
      <ul className="board-legend mt-2">
        <li>
          <span aria-hidden="true" data-kind="orders" /> {t('chart.orders')}
        </li>
        <li>
          <span aria-hidden="true" data-kind="filed" /> {t('chart.filed')}
        </li>
      </ul>
      <div className="board-chart mt-3">
        <div aria-hidden="true" className="board-axis">
          <span>{end}</span>
          <span>0</span>
          <span>{end}</span>
        </div>
        <svg
          role="img"
          aria-labelledby="chart-title chart-desc"
          viewBox={`0 0 ${width} ${2 * HALF}`}
          preserveAspectRatio="none"
        >
          <title id="chart-title">{t('chart.title')}</title>
          <desc id="chart-desc">{t('chart.desc', totals)}</desc>
          {days.map(({ day, orders }, n) => (
            <rect
              key={day}
              className="board-orders"
              x={n * DAY + (DAY - BAR) / 2}
              width={BAR}
              y={HALF - height(orders)}
              height={height(orders)}
            />
          ))}
          {days.map(
            ({ day, filed }, n) =>
              filed > 0 && (
                <rect
                  key={day}
                  className="board-filed"
                  x={n * DAY + (DAY - BAR) / 2}
                  width={BAR}
                  y={HALF}
                  height={height(filed)}
                />
              ),
          )}
          <line className="board-line" x1={0} x2={width} y1={HALF} y2={HALF} />
        </svg>
        <div aria-hidden="true" className="board-dates">
          <span>{first?.label}</span>
          <span>{last?.label}</span>
        </div>
      </div>
      <details className="mt-3">
        <summary className="min-h-11 cursor-pointer py-2">{t('chart.table')}</summary>
        <table className="board-table mt-2">
          <caption className="sr-only">{t('chart.title')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('chart.day')}</th>
              <th scope="col">{t('chart.orders')}</th>
              <th scope="col">{t('chart.filed')}</th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, label, orders, filed }) => (
              <tr key={day}>
                <th scope="row">
                  <time dateTime={day}>{label}</time>
                </th>
                <td>{orders}</td>
                <td>{filed}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
