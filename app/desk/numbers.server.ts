import { countryName } from '~/applications/field-words.server';
import { dayOf } from '~/clock.server';
import { DECIDED } from '~/domain/application/states';
import { FEW, fewTogether, type Span, timeTaken } from '~/domain/dashboard';
import { dayPeriod, type Period } from '~/domain/day-period';
import { type Currency, decimalOf, PACKAGES } from '~/domain/offer';
import { isMonth, monthPeriod } from '~/domain/order/month';
import { REFUND_KINDS } from '~/domain/order/states';
import { addDays, monthAfter, monthOf } from '~/domain/timeline';
import type { Cell } from '~/http/csv.server';
import type { Language } from '~/i18n/languages';
import { formatMoney, formatMonth, formatNumber, translator } from '~/i18n/locale.server';
import { offerOf } from '~/public/offer.server';
import { siteSettings } from '~/settings/settings.server';
import { countPeriod, listCountries, sumDayCounts } from '~db/queries/day-counts.server';
import {
  listAnswered,
  listChecked,
  listFilings,
  listOutcomes,
  type PaidSum,
  sumPaid,
} from '~db/queries/numbers.server';
import { sumRefunds } from '~db/queries/order-books.server';
import type { Database } from '~db/schema';
import { dayView, PASSPORTS, passportsOf } from './dashboard.server';
import { promisedAnswers } from './due.server';

/** Deleted in time, so that they are counted day by day; and what stays. */
const PASSING = ['checks', 'drafts', 'certified'] as const;
const STAYING = ['orders', 'filed', 'decided'] as const;
const STEPS = [...PASSING, ...STAYING] as const;

/** As it is shown, and each value with what it is besides the column. */
type Figure = { text: string; values: [unit: string, decimal: string][] };
type Row = { name: string; figures: Figure[] };
const NONE: Figure = { text: '–', values: [] };

export const monthAsked = (asked: URLSearchParams, now: Date): string => {
  const latest = monthOf(dayOf(now));
  const month = asked.get('month');
  return isMonth(month) && month < latest ? month : latest;
};

/** A month beside the one before: each table with its words, for the page and for the file. */
export async function numbersView(
  db: Database,
  month: string,
  { language, now }: { language: Language; now: Date },
) {
  const t = translator(language);
  const { timeZone } = siteSettings();
  const both = [month, monthAfter(month, -1)];
  const periods = both.map((one) => monthPeriod(one, timeZone));
  const period = monthPeriod(month, timeZone);
  const { number } = figuresIn(language);
  const steps = await Promise.all(both.map((one) => stepsOf(db, one, now)));
  const outcomes = await Promise.all(periods.map((one) => listOutcomes(db, one)));
  const countries = await countriesOf(db, month);
  const days = Array.from({ length: 31 }, (_, n) => addDays(`${month}-01`, n));
  const rowsOf: Record<TableName, Row[]> = {
    steps: STEPS.map((name) => ({
      name: t(`numbers:steps.${name}`),
      figures: steps.map((one) => number(one[name])),
    })),
    ...(await paidRows(db, periods, language)),
    countries: countries.map(({ code, count }) => ({
      name: code ? countryName(code, language) : t('numbers:others', { few: FEW }),
      figures: [number(count)],
    })),
    hours: await hourRows(db, period, language),
    refunds: await refundRows(db, period, language),
    decisions: DECIDED.map((state) => ({
      name: t(`application-states:desk.${state}`),
      figures: outcomes.map((all) => number(all.filter((one) => one === state).length)),
    })),
  };
  return {
    title: formatMonth(month, language),
    isEmpty: STEPS.every((name) => steps[0]?.[name] === 0),
    tables: TABLES.map((name) => ({
      ...{ name, title: t(`numbers:titles.${name}`), rows: withShares(rowsOf[name]) },
      columns: COLUMNS[name].map((column) => t(`numbers:columns.${column}`)),
    })),
    drawn: await dayView(
      db,
      days.filter((day) => monthOf(day) === month && day <= dayOf(now)),
      { language, now },
    ),
  };
}

const COLUMNS = {
  steps: ['number', 'before'],
  packages: ['number', 'before', 'amount'],
  languages: ['number', 'before', 'amount'],
  countries: ['number'],
  hours: ['half', 'promise', 'number', 'late'],
  refunds: ['number', 'amount'],
  decisions: ['number', 'before'],
} as const;
type TableName = keyof typeof COLUMNS;
const TABLES = Object.keys(COLUMNS) as TableName[];

type NumbersView = Awaited<ReturnType<typeof numbersView>>;

/** A figure a line, so that a spreadsheet can turn it as it likes. */
export function numbersLines(
  month: string,
  { tables, drawn }: NumbersView,
  language: Language,
): Cell[][] {
  const t = translator(language);
  const head = (['month', 'table', 'row', 'figure', 'value'] as const).map((name) =>
    t(`numbers:file.${name}`),
  );
  const ofTables = tables.flatMap(({ title, columns, rows }) =>
    rows.flatMap(({ name, figures }) =>
      figures.flatMap(({ values }, n) =>
        values.map(([unit, decimal]) => [
          ...[month, title, name, [columns[n], unit].filter(Boolean).join(', ')],
          { decimal },
        ]),
      ),
    ),
  );
  const ofDays = drawn.days.flatMap((day) =>
    (['orders', 'filed'] as const).map((name) => [
      ...[month, t('numbers:titles.days'), day.day, t(`desk-dashboard:chart.${name}`)],
      { decimal: String(day[name]) },
    ]),
  );
  return [head, ...ofTables, ...ofDays];
}

function figuresIn(language: Language) {
  return {
    number: (value: number): Figure => ({
      ...{ text: formatNumber(value, language), values: [['', String(value)]] },
    }),
    hours: (value: number | undefined): Figure => {
      if (value === undefined) return NONE;
      const decimal = value.toFixed(value < 10 ? 1 : 0);
      const hours = formatNumber(Number(decimal), language);
      return { text: translator(language)('numbers:hours', { hours }), values: [['', decimal]] };
    },
    /** A line for each currency. */
    money: (sums: readonly { currency: Currency; cents: number }[]): Figure => {
      const currencies = [...new Set(sums.map(({ currency }) => currency))].sort();
      if (currencies.length === 0) return NONE;
      const totals = currencies.map((currency) => {
        const own = sums.filter((sum) => sum.currency === currency);
        return [currency, own.reduce((total, { cents }) => total + cents, 0)] as const;
      });
      return {
        text: totals.map(([currency, cents]) => formatMoney(cents, currency, language)).join('\n'),
        values: totals.map(([currency, cents]) => [currency, decimalOf(cents)]),
      };
    },
  };
}

async function paidRows(db: Database, periods: readonly Period[], language: Language) {
  const t = translator(language);
  const { number, money } = figuresIn(language);
  const paid = await Promise.all(periods.map((one) => sumPaid(db, one)));
  const row = (name: string, isOne: (sum: PaidSum) => boolean): Row => {
    const [own = [], ...before] = paid.map((sums) => sums.filter(isOne));
    return { name, figures: [...[own, ...before].map((one) => number(countOf(one))), money(own)] };
  };
  const languages = [...new Set(paid.flat().map((sum) => sum.language_code))].sort();
  return {
    packages: PACKAGES.map((name) =>
      row(t(`staff:refunds.packages.${name}`), (sum) => sum.package === name),
    ),
    languages: languages.map((code) =>
      row(t(`desk-messages:languages.${code as 'fr'}`), (sum) => sum.language_code === code),
    ),
  };
}

async function hourRows(db: Database, period: Period, language: Language) {
  const t = translator(language);
  const { number, hours } = figuresIn(language);
  const row = (name: string, promise: number, spans: readonly Span[]): Row => {
    const { count, half, late } = timeTaken(spans);
    return { name, figures: [hours(half), hours(promise), number(count), number(late)] };
  };
  const worked = {
    checked: await listChecked(db, period),
    filed: await listFilings(db, period),
  };
  const { generalHours } = siteSettings().support;
  const promisedBy = promisedAnswers();
  const answered = (await listAnswered(db, period)).map(({ from, done }) => ({
    ...{ from, done, due: promisedBy(from) },
  }));
  return [
    ...PACKAGES.flatMap((name) =>
      (['checked', 'filed'] as const).map((what) =>
        row(
          t(`numbers:${what}`, { package: t(`staff:refunds.packages.${name}`) }),
          offerOf(name, language, null).deliveryHours,
          worked[what].filter((span) => span.package === name),
        ),
      ),
    ),
    row(t('numbers:answered'), generalHours, answered),
  ];
}

async function refundRows(db: Database, period: Period, language: Language) {
  const t = translator(language);
  const { number, money } = figuresIn(language);
  const sent = (await sumRefunds(db, period)).filter(({ failed }) => !failed);
  return REFUND_KINDS.flatMap((kind): Row[] => {
    const own = sent.filter((one) => one.kind === kind);
    const figures = [number(countOf(own)), money(own)];
    return own.length === 0 ? [] : [{ name: t(`staff:refunds.kinds.${kind}`), figures }];
  });
}

async function stepsOf(db: Database, month: string, now: Date) {
  const { timeZone } = siteSettings();
  const today = dayOf(now);
  const counted = await sumDayCounts(db, { first: `${month}-01`, last: `${month}-31` }, PASSING);
  const ofToday =
    monthOf(today) === month && (await countPeriod(db, PASSING, dayPeriod(today, timeZone)));
  const sumOf = (name: (typeof PASSING)[number]) =>
    (counted[name] ?? 0) + (ofToday ? ofToday[name] : 0);
  return {
    ...{ checks: sumOf('checks'), drafts: sumOf('drafts'), certified: sumOf('certified') },
    ...(await countPeriod(db, STAYING, monthPeriod(month, timeZone))),
  };
}

/** As they were counted when the month ended; until then, as they stand. */
async function countriesOf(db: Database, month: string) {
  const last = addDays(`${monthAfter(month)}-01`, -1);
  const kept = await listCountries(db, last, PASSPORTS);
  return kept.length > 0 ? fewTogether(kept) : passportsOf(db, month);
}

const countOf = (sums: readonly { count: number }[]) =>
  sums.reduce((sum, { count }) => sum + count, 0);

/** Of the largest first figure: as long are the bars. */
function withShares(rows: readonly Row[]) {
  const firstOf = ({ figures }: Row) => Number(figures[0]?.values[0]?.[1] ?? 0);
  const most = Math.max(1, ...rows.map(firstOf));
  return rows.map((row) => ({ ...row, share: firstOf(row) / most }));
}
