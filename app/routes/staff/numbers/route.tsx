import { json, type SerializeFrom } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { dayOf, now as clockNow } from '~/clock.server';
import { requireDatabase } from '~/database.server';
import { countDaysBefore } from '~/desk/dashboard.server';
import { deskLoader } from '~/desk/desk-page.server';
import { monthAsked, numbersView } from '~/desk/numbers.server';
import { monthAfter, monthOf } from '~/domain/timeline';
import { siteSettings } from '~/settings/settings.server';
import { DayChart } from '~/ui/day-chart';
import { ButtonLink, Part } from '~/ui/elements';

export const loader = deskLoader('numbers', async ({ language, t, asked }) => {
  const now = clockNow();
  const month = monthAsked(asked, now);
  await countDaysBefore(now);
  const view = await requireDatabase((db) => numbersView(db, month, { language, now }));
  return json({
    ...view,
    month,
    before: monthAfter(month, -1),
    after: month < monthOf(dayOf(now)) ? monthAfter(month) : null,
    timeZone: siteSettings().timeZone,
    page: { title: `${t('staff:pages.numbers')}, ${view.title}` },
  });
});

export default function Numbers() {
  const { t } = useTranslation('numbers');
  const { title, month, before, after, isEmpty, tables, drawn, timeZone } =
    useLoaderData<typeof loader>();
  const look = 'button-quiet';
  const address = (one: string, kind = '') => `/crm/numbers${kind}?month=${one}`;
  return (
    <div className="wrap py-6 sm:py-8">
      <div className="flex flex-wrap items-center gap-3">
        <h1 tabIndex={-1} className="mr-auto text-h1 first-letter:uppercase">
          {title}
        </h1>
        <ButtonLink {...{ look }} href={address(before)} before="arrow-left" words={t('before')} />
        {after && (
          <ButtonLink {...{ look }} href={address(after)} words={t('after')} after="arrow-right" />
        )}
        <ButtonLink {...{ look }} href={address(month, '.csv')} download words={t('csv')} />
      </div>
      {isEmpty && <p className="mt-4 text-lg">{t('empty')}</p>}
      <div className="mt-6 gap-6 lg:columns-2">
        {tables.map((table) => (
          <MonthTable key={table.name} {...table} />
        ))}
      </div>
      <DayChart {...drawn} title={t('titles.days')} />
      <p className="mt-6 max-w-[46rem] text-sm text-muted">{t('counted', { zone: timeZone })}</p>
    </div>
  );
}

type MonthTableProps = SerializeFrom<Awaited<ReturnType<typeof numbersView>>['tables'][number]>;

/** A bar below each name is as long as the first figure. */
function MonthTable({ name, title, columns, rows }: MonthTableProps) {
  const { t } = useTranslation('numbers');
  return (
    <Part
      id={name}
      title={title}
      className="card mb-6 break-inside-avoid overflow-x-auto p-3 sm:p-6"
    >
      {rows.length === 0 ? (
        <p className="mt-2 text-sm">{t('none')}</p>
      ) : (
        <table className="board-table mt-2 max-sm:text-(length:--text-xs)">
          <caption className="sr-only">{title}</caption>
          <thead>
            <tr>
              {[t(`rows.${name}`), ...columns].map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name}>
                <th scope="row">
                  {row.name}
                  <svg
                    aria-hidden="true"
                    viewBox="0 0 100 1"
                    preserveAspectRatio="none"
                    className="mt-1 block h-2 w-full"
                  >
                    <rect
                      className="fill-action forced-colors:fill-[CanvasText]"
                      width={row.share * 100}
                      height={1}
                    />
                  </svg>
                </th>
                {row.figures.map(({ text }, n) => (
                  <td key={columns[n]} className="whitespace-pre">
                    {text}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="mt-2 text-sm text-muted">{t(`notes.${name}`)}</p>
    </Part>
  );
}
