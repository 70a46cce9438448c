import { min, subDays } from 'date-fns';

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
import {
  formatMoney,
  formatMonth,
  formatNumber,
  formatPercent,
  translator,
} from '~/i18n/locale.server';
import { offerOf } from '~/public/offer.server';
import { siteSettings } from '~/settings/settings.server';
import { countPeriod, listCountries, listDayCounts } from '~db/queries/day-counts.server';
import {
  listAnswered,
  listChecked,
  listFiled,
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

/** So many days after it was filed, a decision is said to be late. */
const PENDING_DAYS = 14;

/** A month, and the one beside it: the one before, or the same of a year ago. */
export function monthsAsked(asked: URLSearchParams, now: Date) {
  const latest = monthOf(dayOf(now));
  const named = asked.get('month');
  const month = isMonth(named) && named < latest ? named : latest;
  const isYear = asked.get('beside') === 'year';
  return { month, isYear, beside: monthAfter(month, isYear ? -12 : -1) };
}
type Months = ReturnType<typeof monthsAsked>;

/** A month and one beside it: each table with its words, for the page and for the file. */
export async function numbersView(
  db: Database,
  { month, beside }: Months,
  { language, now }: { language: Language; now: Date },
) {
  const t = translator(language);
  const { timeZone } = siteSettings();
  const both = [month, beside];
  const periods = both.map((one) => monthPeriod(one, timeZone));
  const period = monthPeriod(month, timeZone);
  const { number, share } = figuresIn(language);
  const steps = await Promise.all(both.map((one) => stepsOf(db, one, now)));
  const counted = STEPS.map((name) => steps[0]?.[name]);
  const yearAgo = await stepsOf(db, monthAfter(month, -12), now);
  const days = Array.from({ length: 31 }, (_, n) => addDays(`${month}-01`, n));
  const rowsOf: Record<TableName, Row[]> = {
    steps: STEPS.map((name, n) => ({
      name: t(`numbers:steps.${name}`),
      figures: [...steps.map((one) => number(one[name])), share(counted[n], counted[n - 1])],
    })),
    ...(await paidRows(db, periods, language)),
    countries: await countryRows(db, both, language),
    hours: await hourRows(db, period, language),
    refunds: await refundRows(db, period, language),
    decisions: await decisionRows(db, periods, { language, now }),
  };
  return {
    title: formatMonth(month, language),
    isEmpty: counted.every((count) => count === 0),
    hasYear: STEPS.some((name) => yearAgo[name] > 0),
    tables: TABLES.map((name) => ({
      ...{ name, title: t(`numbers:titles.${name}`), rows: withShares(rowsOf[name]) },
      columns: COLUMNS[name].map((column) =>
        column === 'before' ? formatMonth(beside, language) : t(`numbers:columns.${column}`),
      ),
    })),
    drawn: await dayView(
      db,
      days.filter((day) => monthOf(day) === month && day <= dayOf(now)),
      { language, now },
    ),
  };
}

const COLUMNS = {
  steps: ['number', 'before', 'share'],
  packages: ['number', 'before', 'amount'],
  languages: ['number', 'before', 'amount'],
  countries: ['number', 'before'],
  hours: ['half', 'promise', 'number', 'late'],
  refunds: ['number', 'amount'],
  decisions: ['number', 'before', 'share'],
} as const;
type TableName = keyof typeof COLUMNS;
const TABLES = Object.keys(COLUMNS) as TableName[];

type NumbersView = Awaited<ReturnType<typeof numbersView>>;

/** A figure a line, so that a spreadsheet can turn it as it likes; of one table, or of all. */
export function numbersLines(
  month: string,
  { tables, drawn }: NumbersView,
  { language, only }: { language: Language; only: string | null },
): Cell[][] {
  const t = translator(language);
  const head = (['month', 'table', 'row', 'figure', 'value'] as const).map((name) =>
    t(`numbers:file.${name}`),
  );
  const isAsked = (name: string) => only === null || only === name;
  const asked = tables.filter(({ name }) => isAsked(name));
  const ofTables = asked.flatMap(({ title, columns, rows }) =>
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
  return [head, ...ofTables, ...(isAsked('days') ? ofDays : [])];
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
    share: (part = 0, whole = 0): Figure => {
      if (whole === 0) return NONE;
      const percent = (part / whole) * 100;
      return { text: formatPercent(percent, language), values: [['%', percent.toFixed(1)]] };
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

/** Beside what was decided, what was still waiting when so many days were over. */
async function decisionRows(
  db: Database,
  periods: readonly Period[],
  { language, now }: { language: Language; now: Date },
): Promise<Row[]> {
  const t = translator(language);
  const { number, share } = figuresIn(language);
  const daysBefore = (at: Date | string) => subDays(at, PENDING_DAYS);
  const counts = await Promise.all(
    periods.map(async (period) => {
      const outcomes = await listOutcomes(db, period);
      const [from, to] = [daysBefore(period.from), daysBefore(min([period.to, now]))];
      const filed = await listFiled(db, { from, to });
      const pending = filed.filter(
        ({ filed_at, closed_at }) => !closed_at || daysBefore(closed_at) > new Date(filed_at ?? 0),
      );
      const decided = DECIDED.map((state) => outcomes.filter((one) => one === state).length);
      return [...decided, pending.length];
    }),
  );
  const whole = counts[0]?.reduce((sum, count) => sum + count);
  return [
    ...DECIDED.map((state) => t(`application-states:desk.${state}`)),
    t('numbers:pending', { days: PENDING_DAYS }),
  ].map((name, n) => ({
    name,
    figures: [...counts.map((each) => number(each[n] ?? 0)), share(counts[0]?.[n], whole)],
  }));
}

/** A country of which there are few in a month is among the others of that month. */
async function countryRows(db: Database, months: readonly string[], language: Language) {
  const t = translator(language);
  const counted = await Promise.all(months.map((one) => countriesOf(db, one)));
  const codes = [...new Set(counted.flat().map(({ code }) => code))];
  return codes
    .sort((a, b) => Number(a === null) - Number(b === null))
    .map((code) => ({
      name: code === null ? t('numbers:others', { few: FEW }) : countryName(code, language),
      figures: counted.map((all) => {
        const found = all.find((one) => one.code === code);
        return found ? figuresIn(language).number(found.count) : NONE;
      }),
    }));
}

async function stepsOf(db: Database, month: string, now: Date) {
  const { timeZone } = siteSettings();
  const today = dayOf(now);
  const counted = await listDayCounts(db, { first: `${month}-01`, last: `${month}-31` }, PASSING);
  const ofToday =
    monthOf(today) === month && (await countPeriod(db, PASSING, dayPeriod(today, timeZone)));
  const sumOf = (name: (typeof PASSING)[number]) =>
    counted.reduce(
      (sum, one) => (one.name === name ? sum + one.value : sum),
      ofToday ? ofToday[name] : 0,
    );
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
