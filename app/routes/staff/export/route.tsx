import { json } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { type BooksLine, type BooksView, booksViews, EXPORT_TABLES } from '~/orders/books.server';
import { dayOf, today } from '~/clock.server';
import { requireDatabase } from '~/database.server';
import { deskLoader } from '~/desk/desk-page.server';
import { isMonth, monthPeriod } from '~/domain/order/month';
import { monthAfter } from '~/domain/timeline';
import { CSV_FORMS } from '~/http/csv.server';
import { formatMonth } from '~/i18n/locale.server';
import { siteSettings } from '~/settings/settings.server';
import { Scrolled } from '~/ui/desk-list';
import { PageHeading, Part, Submit } from '~/ui/elements';
import { SelectField } from '~/ui/form-fields';
import { PostForm } from '~/ui/post-form';
import { firstPaidAt } from '~db/queries/order-books.server';

export const loader = deskLoader('export', async ({ language, t, asked }) => {
  const { timeZone } = siteSettings();
  const latest = today().slice(0, 7);
  const chosen = asked.get('month');
  const month = isMonth(chosen) ? chosen : latest;
  const period = monthPeriod(month, timeZone);
  const books = await requireDatabase(() => booksViews(period, language));
  const paidAt = await requireDatabase(firstPaidAt);
  const first = paidAt === undefined ? latest : dayOf(new Date(paidAt)).slice(0, 7);
  const months = new Set([latest, month]);
  for (let one = first; one < latest; one = monthAfter(one)) months.add(one);
  const address = (table: string, form: string) =>
    `/crm/export.csv?${new URLSearchParams({ month, table, form })}`;
  return json({
    month,
    name: formatMonth(month, language),
    months: [...months]
      .sort()
      .reverse()
      .map((one) => [one, formatMonth(one, language)] as const),
    books,
    files: EXPORT_TABLES.map((table) => ({
      table,
      forms: CSV_FORMS.map((form) => ({ form, href: address(table, form) })),
    })),
    timeZone,
    page: { title: t('staff:export.title') },
  });
});

export default function Export() {
  const { t } = useTranslation('staff');
  const { month, name, months, books, files, timeZone } = useLoaderData<typeof loader>();
  return (
    <div className="wrap py-8 sm:py-12">
      <PageHeading title={t('export.title')} lead={t('export.lead')} />
      <PostForm
        id="month-form"
        action="/crm/export"
        method="get"
        refusal={{ errors: {}, values: { month } }}
        className="mt-6 flex flex-wrap items-end gap-3 print:hidden"
      >
        <SelectField name="month" label={t('export.month')} options={months} />
        <Submit look="button-quiet" words={t('export.show')} />
      </PostForm>
      <h2 className="mt-10 text-xl first-letter:uppercase">{name}</h2>
      {books.length === 0 && <p className="mt-3">{t('export.empty')}</p>}
      {books.map((one) => (
        <Books key={one.currency} {...one} />
      ))}
      <Part
        id="files"
        title={t('export.files')}
        size="text-xl"
        className="mt-12 max-w-[46rem] print:hidden"
      >
        <p className="mt-2">{t('export.filesText')}</p>
        {files.map(({ table, forms }) => (
          <div key={table} className="mt-4">
            <h3 className="text-lg">{t(`export.tables.${table}.title`)}</h3>
            <p className="text-sm text-muted">{t(`export.tables.${table}.text`)}</p>
            <p className="flex flex-wrap gap-x-6">
              {forms.map(({ form, href }) => (
                <a key={form} href={href} download className="inline-flex min-h-11 items-center">
                  {t(`export.forms.${form}`)}
                  <span className="sr-only">, {t(`export.tables.${table}.title`)}</span>
                </a>
              ))}
            </p>
          </div>
        ))}
      </Part>
      <p className="mt-6 text-sm text-muted">{t('export.zone', { zone: timeZone })}</p>
    </div>
  );
}

function Books({ currency, money, vat, euros, checks, failed }: BooksView) {
  const { t } = useTranslation('staff');
  const name = t(`export.currencies.${currency}`);
  return (
    <section aria-labelledby={`books-${currency}`} className="mt-6">
      <h3 id={`books-${currency}`} className="text-lg">
        {name}
      </h3>
      <Figures {...{ name }} what="money" columns={['count', 'amount']} lines={money} />
      {failed !== null && <p className="mt-2 max-w-[46rem]">{failed}</p>}
      <Figures {...{ name }} what="vat" columns={['count', 'net', 'vat', 'gross']} lines={vat} />
      {euros.map((sentence) => (
        <p key={sentence} className="mt-2 max-w-[46rem]">
          {sentence}
        </p>
      ))}
      <Figures
        {...{ name }}
        what="checks"
        columns={['booked', 'documents', 'difference', 'verdict']}
        lines={checks}
      />
    </section>
  );
}

interface FiguresProps {
  name: string;
  what: 'money' | 'vat' | 'checks';
  columns: (
    | ('count' | 'amount' | 'net' | 'vat' | 'gross')
    | ('booked' | 'documents' | 'difference' | 'verdict')
  )[];
  lines: BooksLine[];
}

function Figures({ name, what, columns, lines }: FiguresProps) {
  const { t } = useTranslation('staff');
  const caption = t(`export.captions.${what}`);
  return (
    <Scrolled
      label={`${caption}, ${name}`}
      className="mt-4 overflow-x-auto p-2 sm:p-4 print:overflow-visible"
    >
      <table className="w-full text-right text-sm tabular-nums">
        <caption className="px-2 pb-1 text-left text-base font-[650]">{caption}</caption>
        <thead>
          <tr>
            <th scope="col" className="px-2 py-2 text-left font-[650]">
              {t('export.columns.what')}
            </th>
            {columns.map((column) => (
              <th key={column} scope="col" className="px-2 py-2 font-[650]">
                {t(`export.columns.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ name, figures, isTotal }) => (
            <tr
              key={name}
              className={isTotal ? 'border-t-2 border-ink font-[650]' : 'border-t border-rule'}
            >
              <th scope="row" className="min-w-44 px-2 py-2 text-left font-[inherit]">
                {name}
              </th>
              {figures.map((figure, index) => (
                <td key={index} className="px-2 py-2 whitespace-nowrap">
                  {figure}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}
