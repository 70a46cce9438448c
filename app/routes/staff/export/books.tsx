import { useTranslation } from 'react-i18next';

import type { BooksLine, BooksView } from '~/content/order-books.server';

/** What was paid and given back in one currency. */
export function Books({ currency, money, vat, euros, checks, failed }: BooksView) {
  const { t } = useTranslation('staff');
  const column = (what: 'count' | 'amount' | 'net' | 'vat' | 'gross') =>
    t(`export.columns.${what}`);
  const name = t(`export.currencies.${currency}`);
  const marked = checks.map(({ agrees, figures, ...line }) => ({
    ...line,
    figures: [...figures, t(agrees ? 'export.agrees' : 'export.differs')],
  }));
  return (
    <section aria-labelledby={`books-${currency}`} className="mt-6">
      <h3 id={`books-${currency}`} className="text-xl">
        {name}
      </h3>
      <Figures
        name={name}
        caption={t('export.captions.money')}
        columns={[column('count'), column('amount')]}
        lines={money}
      />
      {failed !== null && <p className="mt-2 max-w-[46rem]">{failed}</p>}
      <Figures
        name={name}
        caption={t('export.captions.vat')}
        columns={[column('count'), column('net'), column('vat'), column('gross')]}
        lines={vat}
      />
      {euros.map((sentence) => (
        <p key={sentence} className="mt-2 max-w-[46rem]">
          {sentence}
        </p>
      ))}
      <Figures
        name={name}
        caption={t('export.captions.checks')}
        columns={[
          t('export.columns.booked'),
          t('export.columns.documents'),
          t('export.columns.difference'),
          t('export.columns.verdict'),
        ]}
        lines={marked}
      />
    </section>
  );
}

interface FiguresProps {
  /** Of what it is one of several tables. */
  name: string;
  caption: string;
  columns: string[];
  lines: BooksLine[];
}

/** A table of figures; on a narrow screen it is moved sideways, by keys too. */
function Figures({ name, caption, columns, lines }: FiguresProps) {
  const { t } = useTranslation('staff');
  return (
    <div
      role="region"
      aria-label={`${caption}, ${name}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls takes the focus
      tabIndex={0}
      className="card mt-4 overflow-x-auto p-2 sm:p-4 print:overflow-visible"
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
                {column}
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
    </div>
  );
}
