import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { Heads } from './desk-list';
import { Part } from './elements';

/** Of a drawing that is stretched to its place: a day's width, and the height of either half. */
const DAY = 10;
const HALF = 100;
const BAR = 7;

interface DayChartProps {
  title: string;
  days: readonly { day: string; label: string; orders: number; filed: number }[];
  /** Where the axis ends. */
  end: number;
  totals: { orders: string; filed: string };
  children?: ReactNode;
}

/**
 * Orders and filings by day: orders stand above the line, filled; filings hang below it, in outline. Its
 * words are outside of the drawing, so that they are as large as all others.
 */
export function DayChart({ title, days, end, totals, children }: DayChartProps) {
  const { t } = useTranslation('desk-dashboard');
  const [first] = days;
  const last = days.at(-1);
  const width = days.length * DAY;
  const height = (value: number) => (value / end) * HALF;
  return (
    <Part id="days" {...{ title }} className="card mt-6 p-4 sm:p-6">
      <ul className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-sm/[1.6]">
        {(['orders', 'filed'] as const).map((kind) => (
          <li key={kind}>
            <span
              aria-hidden="true"
              className={`inline-block size-[0.8em] border-2 border-action ${
                kind === 'orders' ? 'bg-action forced-color-adjust-none' : ''
              }`}
            />{' '}
            {t(`chart.${kind}`)}
          </li>
        ))}
      </ul>
      <div className="mt-3 grid grid-cols-[auto_1fr] gap-x-2 gap-y-1 text-(length:--text-xs) text-muted tabular-nums">
        <div aria-hidden="true" className="flex flex-col justify-between text-right leading-none">
          <span>{end}</span>
          <span>0</span>
          <span>{end}</span>
        </div>
        <svg
          role="img"
          aria-labelledby="chart-title chart-desc"
          viewBox={`0 0 ${width} ${2 * HALF}`}
          preserveAspectRatio="none"
          className="h-44 w-full"
        >
          <title id="chart-title">{title}</title>
          <desc id="chart-desc">{t('chart.desc', totals)}</desc>
          {days.map(({ day, orders }, n) => (
            <rect
              key={day}
              className="fill-action forced-colors:fill-[CanvasText]"
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
                  // In outline, so that no colour is needed to tell it from the other.
                  className="fill-sea stroke-action stroke-[1.5px] [vector-effect:non-scaling-stroke] forced-colors:fill-[Canvas] forced-colors:stroke-[CanvasText]"
                  x={n * DAY + (DAY - BAR) / 2}
                  width={BAR}
                  y={HALF}
                  height={height(filed)}
                />
              ),
          )}
          <line
            className="stroke-ink stroke-1 [vector-effect:non-scaling-stroke] forced-colors:stroke-[CanvasText]"
            x1={0}
            x2={width}
            y1={HALF}
            y2={HALF}
          />
        </svg>
        <div aria-hidden="true" className="col-start-2 flex justify-between gap-4">
          <span>{first?.label}</span>
          <span>{last?.label}</span>
        </div>
      </div>
      <details className="mt-3">
        <summary className="min-h-11 cursor-pointer py-2">{t('chart.table')}</summary>
        <table className="board-table mt-2">
          <caption className="sr-only">{title}</caption>
          <Heads columns={[t('chart.day'), t('chart.orders'), t('chart.filed')]} />
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
      {children}
    </Part>
  );
}
