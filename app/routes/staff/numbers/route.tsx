import { json, type SerializeFrom } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { dayOf, now as clockNow } from '~/clock.server';
import { requireDatabase } from '~/database.server';
import { countDaysBefore } from '~/desk/dashboard.server';
import { deskLoader } from '~/desk/desk-page.server';
import { monthsAsked, numbersView } from '~/desk/numbers.server';
import { monthAfter, monthOf } from '~/domain/timeline';
import { siteSettings } from '~/settings/settings.server';
import { DayChart } from '~/ui/day-chart';
import { Heads } from '~/ui/desk-list';
import { ButtonLink, LinkLine, Part, TextLink } from '~/ui/elements';

export const loader = deskLoader('numbers', async ({ language, t, asked }) => {
  const now = clockNow();
  const months = monthsAsked(asked, now);
  const { month, isYear } = months;
  await countDaysBefore(now);
  const view = await requireDatabase((db) => numbersView(db, months, { language, now }));
  return json({
    ...view,
    ...{ month, isYear },
    before: monthAfter(month, -1),
    after: month < monthOf(dayOf(now)) ? monthAfter(month) : null,
    timeZone: siteSettings().timeZone,
    page: { title: `${t('staff:pages.numbers')}, ${view.title}` },
  });
});

export default function Numbers() {
  const { t } = useTranslation('numbers');
  const { title, month, isYear, hasYear, before, after, isEmpty, tables, drawn, timeZone } =
    useLoaderData<typeof loader>();
  const look = 'button-quiet';
  const year = isYear ? '&beside=year' : '';
  const address = (one: string, more = year) => `/crm/numbers?month=${one}${more}`;
  const file = `/crm/numbers.csv?month=${month}${year}`;
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
        <ButtonLink {...{ look }} href={file} download words={t('csv')} />
      </div>
      {isYear ? (
        <LinkLine href={address(month, '')} words={t('besideMonth')} />
      ) : (
        hasYear && <LinkLine href={address(month, '&beside=year')} words={t('besideYear')} />
      )}
      {isEmpty && <p className="mt-4 text-lg">{t('empty')}</p>}
      <div className="mt-6 gap-6 lg:columns-2">
        {tables.map((table) => (
          <MonthTable key={table.name} {...table} file={file} />
        ))}
      </div>
      <DayChart {...drawn} title={t('titles.days')}>
        <TableFile {...{ file }} name="days" title={t('titles.days')} />
      </DayChart>
      <p className="mt-6 max-w-[46rem] text-sm text-muted">{t('counted', { zone: timeZone })}</p>
    </div>
  );
}

type Table = SerializeFrom<Awaited<ReturnType<typeof numbersView>>['tables'][number]>;
type MonthTableProps = Table & { file: string };

/** Beside which the site says something by itself. */
const CLAIMED = ['hours', 'decisions'];

/** A bar below each name is as long as the first figure. */
function MonthTable({ name, title, columns, rows, file }: MonthTableProps) {
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
          <Heads columns={[t(`rows.${name}`), ...columns]} />
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
      <div className="flex flex-wrap gap-x-6">
        {CLAIMED.includes(name) && <TextLink href="/crm/prices?of=claims" words={t('claims')} />}
        <TableFile {...{ name, title, file }} />
      </div>
    </Part>
  );
}

function TableFile({ name, title, file }: { name: string; title: string; file: string }) {
  const { t } = useTranslation('numbers');
  return <TextLink href={`${file}&table=${name}`} download words={t('tableCsv', { title })} />;
}
