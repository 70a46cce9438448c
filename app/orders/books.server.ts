import { dayOf } from '~/clock.server';
import { queryDatabase } from '~/database.server';
import type { Period } from '~/domain/day-period';
import { getOrInsert } from '~/domain/get-or-insert';
import { type Currency, decimalOf } from '~/domain/offer';
import { type Amounts, creditedBefore, negativeAmounts } from '~/domain/order/amounts';
import {
  amountsOfOrder,
  amountsOfRefund,
  type Books,
  enterCorrection,
  enterOrder,
  enterRefund,
  openBooks,
  type Tally,
} from '~/domain/order/books';
import type { Buyer } from '~/domain/order/buyer';
import { type Cell, CSV_BEGIN, type CsvForm, csvLine } from '~/http/csv.server';
import type { Language } from '~/i18n/languages';
import { formatMoney, formatNumber, formatPercent, translator } from '~/i18n/locale.server';
import { type PaidSum, sumPaid } from '~db/queries/numbers.server';
import {
  listCorrectedOrders,
  listCreditNotes,
  listPaidOrders,
  listSentRefunds,
  type PaidOrder,
  type SentRefund,
  sumRefunds,
} from '~db/queries/order-books.server';
import { listCorrections } from '~db/queries/orders.server';
import type { RowKey } from '~db/queries/rows.server';
import type { Database } from '~db/schema';
import { buyerOn, documentsOf, type OrderDocument } from './invoices.server';
import { countryName } from '~/applications/field-words.server';

export const EXPORT_TABLES = ['orders', 'refunds', 'invoices'] as const;
type ExportTable = (typeof EXPORT_TABLES)[number];

const PART = 500;

type BookedRefund = SentRefund & { document?: OrderDocument | undefined; before: number };

const ORDER_COLUMNS: Column<PaidOrder>[] = [
  ['paid_on', ({ paid_at }) => day(paid_at)],
  ['paid_at', ({ paid_at }) => paid_at],
  ['order', ({ id }) => id],
  ['application', ({ reference }) => reference],
  ['state', ({ state }) => state],
  ['package', (order) => order.package],
  ['language', ({ language_code }) => language_code],
  ['currency', ({ currency }) => currency],
  ['gross', ({ amount_cents }) => money(amount_cents)],
  ...amountColumns(amountsOfOrder).filter(([name]) => name !== 'gross'),
  ['invoice', ({ invoice_number }) => invoice_number],
  ['payment', ({ provider_payment_id }) => provider_payment_id],
];

const REFUND_COLUMNS: Column<BookedRefund>[] = [
  ['sent_on', ({ sent_at }) => day(sent_at)],
  ['sent_at', ({ sent_at }) => sent_at],
  ['settled_on', ({ settled_at }) => day(settled_at)],
  ['refund', ({ refund_id }) => refund_id],
  ['order', ({ id }) => id],
  ['application', ({ reference }) => reference],
  ['kind', ({ kind }) => kind],
  ['state', ({ refund_state }) => refund_state],
  ['currency', ({ currency }) => currency],
  ['gross', ({ refund_cents }) => money(refund_cents)],
  ...amountColumns(creditOf).filter(([name]) => name !== 'gross'),
  ['credit_note', ({ credit_note_number }) => credit_note_number],
  ['invoice', ({ document }) => document?.corrects?.number ?? null],
  ['provider_refund', ({ provider_refund_id }) => provider_refund_id],
];

const DOCUMENT_COLUMNS: Column<DocumentRow>[] = [
  ['kind', ({ document }) => (document.kind === 'invoice' ? 'invoice' : 'credit_note')],
  ['number', ({ document }) => document.number],
  ['date', ({ document }) => day(document.at)],
  ['corrects', ({ document }) => document.corrects?.number ?? null],
  ['application', ({ reference }) => reference],
  ['buyer', ({ buyer }) => buyer?.name ?? null],
  ['buyer_country', ({ buyer }) => buyer?.country ?? null],
  ['currency', ({ currency }) => currency],
  ...amountColumns<DocumentRow>(({ amounts }) => amounts),
];

type Column<Row> = [name: string, cell: (row: Row) => Cell];

function amountColumns<Row extends PaidOrder>(
  amounts: (row: Row) => Amounts | undefined,
): Column<Row>[] {
  const ifBooked = (row: Row, cell: (booked: Amounts) => Cell) => {
    const booked = amounts(row);
    return booked ? cell(booked) : null;
  };
  return [
    ['net', (row) => ifBooked(row, ({ net }) => money(net))],
    ['vat', (row) => ifBooked(row, ({ vat }) => money(vat))],
    ['gross', (row) => ifBooked(row, ({ gross }) => money(gross))],
    ['vat_rate', (row) => ifBooked(row, () => ({ decimal: String(row.vat_rate / 100) }))],
    ['vat_country', ({ vat_country }) => vat_country],
    ['vat_note', ({ vat_note }) => vat_note],
    ['eur_rate', ({ eur_rate }) => (eur_rate === null ? null : { decimal: eur_rate })],
    ['net_eur', (row) => ifBooked(row, ({ euros }) => euros && money(euros.net))],
    ['vat_eur', (row) => ifBooked(row, ({ euros }) => euros && money(euros.vat))],
  ];
}

type Rows<Row> = AsyncGenerator<Row[], void>;

const written = <Row>(columns: Column<Row>[], read: (period: Period) => Rows<Row>) => ({
  names: columns.map(([name]) => name),
  async *lines(period: Period, form: CsvForm) {
    for await (const rows of read(period)) {
      const cells = rows.map((row) => columns.map(([, cell]) => cell(row)));
      yield cells.map((line) => csvLine(line, form)).join('');
    }
  },
});

const FILES = {
  orders: written(ORDER_COLUMNS, paidOrders),
  refunds: written(REFUND_COLUMNS, sentRefunds),
  invoices: written(DOCUMENT_COLUMNS, documents),
};

export async function* exportFile(table: ExportTable, period: Period, form: CsvForm) {
  const file = FILES[table];
  yield CSV_BEGIN[form] + csvLine(file.names, form);
  yield* file.lines(period, form);
}

type DocumentRow = PaidOrder & {
  document: OrderDocument;
  buyer: Buyer | undefined;
  amounts: Amounts | undefined;
};

async function* documents(period: Period): Rows<DocumentRow> {
  const row = (order: PaidOrder, document: OrderDocument, amounts: Amounts | undefined) => ({
    ...order,
    ...{ document, buyer: buyerOn(document), amounts },
  });
  for await (const part of paidOrders(period)) {
    yield part.flatMap((order) =>
      documentsOf(order, []).map((invoice) => row(order, invoice, amountsOfOrder(order))),
    );
  }
  const corrections = await correctedIn(period);
  yield corrections.map(({ order, document }) => {
    const amounts = amountsOfOrder(order);
    const isInvoice = document.kind === 'invoice';
    return row(order, document, amounts && (isInvoice ? amounts : negativeAmounts(amounts)));
  });
  for await (const part of sentRefunds(period)) {
    yield part.flatMap((refund) => {
      const credit = creditOf(refund);
      return refund.document ? row(refund, refund.document, credit && negativeAmounts(credit)) : [];
    });
  }
}

/** Credit notes and invoices that no money moved for; of a month there are few. */
const correctedIn = (period: Period) =>
  queryDatabase(async (db) => {
    const orders = await listCorrectedOrders(db, period);
    const corrections = await listCorrections(db, idsOf(orders));
    return orders.flatMap((order) =>
      documentsOf(order, corrections)
        .filter(({ at, corrects }) => corrects && isWithin(at, period))
        .map((document) => ({ order, document })),
    );
  });

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
const isWithin = (at: string, { from, to }: Period) =>
  at >= from.toISOString() && at < to.toISOString();

function paidOrders(period: Period): Rows<PaidOrder> {
  return parts(
    (after) => queryDatabase((db) => listPaidOrders(db, period, after, PART)),
    ({ paid_at, id }) => ({ at: paid_at ?? '', id }),
  );
}

function sentRefunds(period: Period): Rows<BookedRefund> {
  return parts(
    (after) => queryDatabase((db) => bookedRefunds(db, period, after)),
    ({ sent_at, refund_id }) => ({ at: sent_at ?? '', id: refund_id }),
  );
}

async function bookedRefunds(db: Database, period: Period, after: RowKey | undefined) {
  const refunds = await listSentRefunds(db, period, after, PART);
  const notes = await listCreditNotes(db, idsOf(refunds));
  const corrections = await listCorrections(db, idsOf(refunds));
  return refunds.map((refund) => {
    const own = notes.filter(({ order_id }) => order_id === refund.id);
    const document = documentsOf(refund, corrections, [refund]).find((one) => one.refund);
    return { ...refund, document, before: creditedBefore(own, refund) };
  });
}

async function* parts<Row>(
  read: (after: RowKey | undefined) => Promise<Row[]>,
  keyOf: (row: Row) => RowKey,
): Rows<Row> {
  let after: RowKey | undefined;
  for (;;) {
    const rows = await read(after);
    yield rows;
    const last = rows.at(-1);
    if (rows.length < PART || !last) return;
    after = keyOf(last);
  }
}

function creditOf(refund: BookedRefund): Amounts | undefined {
  return amountsOfRefund(refund, refund.before, refund.refund_cents);
}

const money = (cents: number): Cell => ({ decimal: decimalOf(cents) });
const day = (at: string | null): Cell => (at === null ? null : dayOf(new Date(at)));

export type BooksLine = { name: string; figures: string[]; isTotal?: boolean };

export type BooksView = ReturnType<typeof viewOf>;

/** Documents one by one, payments as the database adds them up, and whether both agree. */
export async function booksViews(period: Period, language: Language): Promise<BooksView[]> {
  const payments = await queryDatabase((db) => sumPaid(db, period));
  const refunds = await queryDatabase((db) => sumRefunds(db, period));
  const books = new Map<Currency, Books>();
  const of = (currency: Currency) => getOrInsert(books, currency, () => openBooks(currency));
  for await (const part of paidOrders(period)) {
    for (const order of part) enterOrder(of(order.currency), order);
  }
  for await (const part of sentRefunds(period)) {
    for (const refund of part)
      enterRefund(of(refund.currency), refund, refund.before, refund.refund_cents);
  }
  for (const { order, document } of await correctedIn(period)) {
    if (document.kind === 'invoice') enterCorrection(of(order.currency), order);
  }
  return [...books.values()]
    .sort((a, b) => a.currency.localeCompare(b.currency))
    .map((own) => viewOf(own, { payments, refunds }, language));
}

type Counted = Pick<Tally, 'count'> & { cents: number };

function totalOf(sums: readonly Counted[]): Counted {
  return sums.reduce(
    (total, { count, cents }) => ({ count: total.count + count, cents: total.cents + cents }),
    { count: 0, cents: 0 },
  );
}

interface Sums {
  payments: PaidSum[];
  refunds: Awaited<ReturnType<typeof sumRefunds>>;
}

function viewOf(books: Books, sums: Sums, language: Language) {
  const t = translator(language);
  const payments = totalOf(sums.payments.filter(({ currency }) => currency === books.currency));
  const refunds = sums.refunds.filter(({ currency }) => currency === books.currency);
  const money = (cents: number) => formatMoney(cents, books.currency, language);
  const number = (value: number) => formatNumber(value, language);
  const lost = totalOf(refunds.filter(({ kind }) => kind === 'dispute'));
  const sent = totalOf(refunds.filter(({ kind }) => kind !== 'dispute'));
  const failed = totalOf(refunds.filter((sum) => sum.failed));
  const { invoices, creditNotes, corrected, uninvoiced } = books;
  const counted = (name: string, count: number, cents: number) => ({
    name,
    figures: [number(count), money(cents)],
  });
  const check = (name: string, one: number, other: number) => ({
    name,
    figures: [
      ...[one, other, one - other].map(money),
      t(one === other ? 'staff:export.agrees' : 'staff:export.differs'),
    ],
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
        invoices.gross - corrected + uninvoiced.paid.gross,
      ),
      check(
        t('staff:export.checks.refunds'),
        sent.cents + lost.cents,
        creditNotes.gross - corrected + uninvoiced.returned.gross,
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
  const total = { ...line(t('staff:export.lines.balance'), balance, 1), isTotal: true };
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
