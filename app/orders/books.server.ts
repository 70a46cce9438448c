import { type Period, sumPayments, sumRefunds } from '~db/queries/order-books.server';
import { countryName } from '../applications/option-lists.server';
import { paidOrders, sentRefunds } from './export.server';
import { queryDatabase } from '../database.server';
import type { Currency } from '../domain/offer';
import { type Books, enterOrder, enterRefund, openBooks, type Tally } from '../domain/order/books';
import { formatMoney, formatNumber, formatPercent } from '../i18n/format.server';
import type { Language } from '../i18n/languages';
import { translator } from '../i18n/server.server';

/** A line of a table: its name, and its figures. */
export interface BooksLine {
  name: string;
  figures: string[];
  isTotal?: true;
}

/** What was paid and given back in one currency, formatted. */
export interface BooksView {
  currency: Currency;
  money: BooksLine[];
  vat: BooksLine[];
  /** The VAT in euros, and what is missing for it; of other currencies. */
  euros: string[];
  checks: (BooksLine & { agrees: boolean })[];
  /** Refunds that came back or have not gone again. */
  failed: string | null;
}

/**
 * A period's totals by currency: payments and refunds as the database adds them up, invoices and credit
 * notes document by document, and whether both agree.
 *
 * @throws if the database cannot be read
 */
export async function booksViews(period: Period, language: Language): Promise<BooksView[]> {
  const payments = await queryDatabase((db) => sumPayments(db, period));
  const refunds = await queryDatabase((db) => sumRefunds(db, period));
  const books = new Map<Currency, Books>();
  const of = (currency: Currency) => {
    const known = books.get(currency) ?? openBooks(currency);
    books.set(currency, known);
    return known;
  };
  for await (const part of paidOrders(period)) {
    for (const order of part) enterOrder(of(order.currency), order);
  }
  for await (const part of sentRefunds(period)) {
    for (const refund of part)
      enterRefund(of(refund.currency), refund, refund.before, refund.refund_cents);
  }
  return [...books.values()]
    .sort((a, b) => a.currency.localeCompare(b.currency))
    .map((own) =>
      viewOf(
        own,
        {
          payments: totalOf(payments.filter(({ currency }) => currency === own.currency)),
          refunds: refunds.filter(({ currency }) => currency === own.currency),
        },
        language,
      ),
    );
}

type Counted = Pick<Tally, 'count'> & { cents: number };

function totalOf(sums: readonly Counted[]): Counted {
  return sums.reduce(
    (total, { count, cents }) => ({ count: total.count + count, cents: total.cents + cents }),
    { count: 0, cents: 0 },
  );
}

interface Sums {
  payments: Counted;
  refunds: Awaited<ReturnType<typeof sumRefunds>>;
}

function viewOf(books: Books, { payments, refunds }: Sums, language: Language): BooksView {
  const t = translator(language);
  const money = (cents: number) => formatMoney(cents, books.currency, language);
  const number = (value: number) => formatNumber(value, language);
  const lost = totalOf(refunds.filter(({ kind }) => kind === 'dispute'));
  const sent = totalOf(refunds.filter(({ kind }) => kind !== 'dispute'));
  const failed = totalOf(refunds.filter((sum) => sum.failed));
  const { invoices, creditNotes, uninvoiced } = books;
  const counted = (name: string, count: number, cents: number) => ({
    name,
    figures: [number(count), money(cents)],
  });
  const check = (name: string, one: number, other: number) => ({
    name,
    figures: [one, other, one - other].map(money),
    agrees: one === other,
  });
  return {
    currency: books.currency,
    money: [
      counted(t('staff:export.lines.payments'), payments.count, payments.cents),
      counted(t('staff:export.lines.refunds'), sent.count, 0 - sent.cents),
      counted(t('staff:export.lines.disputes'), lost.count, 0 - lost.cents),
      {
        name: t('staff:export.lines.balance'),
        figures: ['', money(payments.cents - sent.cents - lost.cents)],
        isTotal: true,
      },
    ],
    vat: vatLines(books, language),
    euros: euroSentences(books, language),
    checks: [
      check(
        t('staff:export.checks.payments'),
        payments.cents,
        invoices.gross + uninvoiced.paid.gross,
      ),
      check(
        t('staff:export.checks.refunds'),
        sent.cents + lost.cents,
        creditNotes.gross + uninvoiced.returned.gross,
      ),
      check(
        t('staff:export.checks.vat'),
        invoices.gross - creditNotes.gross,
        invoices.net + invoices.vat - creditNotes.net - creditNotes.vat,
      ),
    ],
    failed:
      failed.count === 0
        ? null
        : t('staff:export.failed', { count: failed.count, amount: money(failed.cents) }),
  };
}

function vatLines({ currency, vat, invoices, creditNotes }: Books, language: Language) {
  const t = translator(language);
  const line = (name: string, side: Tally, sign: 1 | -1): BooksLine => ({
    name,
    figures: [
      formatNumber(side.count, language),
      ...[side.net, side.vat, side.gross].map((cents) =>
        formatMoney(0 + sign * cents, currency, language),
      ),
    ],
  });
  const lines = vat.flatMap(({ rate, country, ...sides }) => {
    const percent = formatPercent(rate / 100, language, 2);
    const name =
      country === null
        ? percent
        : t('staff:export.rateOf', { rate: percent, country: countryName(country, language) });
    return [
      line(t('staff:export.invoicesAt', { rate: name }), sides.invoices, 1),
      ...(sides.creditNotes.count > 0
        ? [line(t('staff:export.creditNotesAt', { rate: name }), sides.creditNotes, -1)]
        : []),
    ];
  });
  const balance = {
    count: invoices.count + creditNotes.count,
    net: invoices.net - creditNotes.net,
    vat: invoices.vat - creditNotes.vat,
    gross: invoices.gross - creditNotes.gross,
  };
  const total = { ...line(t('staff:export.lines.balance'), balance, 1), isTotal: true as const };
  return [...lines, total];
}

function euroSentences({ currency, euros }: Books, language: Language): string[] {
  if (currency === 'EUR') return [];
  const t = translator(language);
  const { invoices, creditNotes, without } = euros;
  const vat = formatMoney(invoices.vat - creditNotes.vat, 'EUR', language);
  const net = formatMoney(invoices.net - creditNotes.net, 'EUR', language);
  return [
    ...(invoices.count + creditNotes.count > 0 ? [t('staff:export.euros', { net, vat })] : []),
    ...(without > 0 ? [t('staff:export.withoutRate', { count: without })] : []),
  ];
}
