import { describe, expect, it } from 'vitest';

import { closedTimes, dueAfter, dueAfterWait, dueByOthers } from '~/domain/closures';
import type { StaffRole } from '~/access';
import { creditAmounts, invoiceAmounts } from '~/domain/order/amounts';
import { amountsOfOrder, enterOrder, enterRefund, openBooks } from '~/domain/order/books';
import { buyerOf } from '~/domain/order/buyer';
import { arrivalFor, offerCode, orderProblems, packageOffers } from '~/domain/order/choice';
import {
  businessDaysAfter,
  lastWithdrawalDay,
  refundDueDay,
  standingOn,
} from '~/domain/order/deadlines';
import { inEuros, rateOn } from '~/domain/order/eur-rate';
import { isMonth, monthPeriod } from '~/domain/order/month';
import {
  amountProblem,
  type DeskEvent,
  deskEvents,
  deskProblem,
  leftToRefund,
  readAmount,
  refundedSoFar,
  refundEvent,
  refundWay,
  typedAmount,
} from '~/domain/order/refund-rules';
import {
  orderMove,
  type OrderState,
  REFUND_STATES,
  type RefundKind,
  type RefundState,
} from '~/domain/order/states';
import { basisPoints, splitVat, vatOf } from '~/domain/order/vat';
import { repeatable } from '~/domain/order/withdrawal';
import { calendarDay, monthAfter } from '~/domain/timeline';
import { decisionTables } from '../../decision-tables';
import { seeded } from '../application/specimen';

const RATES = { '2026-11': '0.8612', '2026-09': '0.85', '2027-01': '0.871234' };

const HOME = {
  ...{ address_line1: ' Domkloster 4 ', address_line2: 'c/o Becker', address_apartment: '12' },
  ...{ address_city: 'Köln', address_region: 'Nordrhein-Westfalen', address_country: 'DE' },
};
const NAME = { first_name: 'Anna Zoé', last_name: 'Müller' };
const PERSON = { ...NAME, email: 'anna@example.eu', postal_code: '50667' };

describe('the buyer', () => {
  it('is the traveller, at home', () =>
    expect(buyerOf({ 1: PERSON, 3: HOME })).toEqual({
      name: 'Anna Zoé Müller',
      address: ['Domkloster 4', 'c/o Becker', '12', '50667 Köln', 'Nordrhein-Westfalen'],
      country: 'DE',
      email: 'anna@example.eu',
    }));

  it('is written to at the address of the account, and has no country if none was sent', () => {
    const { email } = buyerOf({ 1: PERSON, 3: HOME }, 'account@example.eu');
    expect(email).toBe('account@example.eu');
    for (const address_country of ['', 'Germany', 'de', 'XXX']) {
      expect(buyerOf({ 3: { address_country } }).country).toBeNull();
    }
  });
});

const HOURS = { standard: 72, express: 24, premium: 12 };
const DAY = { at: new Date('2026-11-22T09:30:00Z'), today: '2026-11-22', closed: [] };
const time = (travelDate: string | null) => ({ ...DAY, travelDate });

describe('what can be ordered', () => {
  it('offers a later start with Standard alone, after the fourteen days', () => {
    const offers = packageOffers(HOURS, time(null));
    const starts = offers.map(({ later }) => later?.startsAt.toISOString().slice(0, 10));
    expect(starts).toEqual(['2026-12-07', undefined, undefined]);
    expect(offers[0]?.later?.dueAt.toISOString().slice(0, 10)).toBe('2026-12-10');
    // 15 days, 72 hours of ours and 72 hours of the authorities' before the trip.
    const trips = ['2026-11-20', '2026-12-12', '2026-12-13', '2027-06-01', null];
    const isOffered = (trip: string | null) => packageOffers(HOURS, time(trip))[0]?.later;
    expect(trips.filter(isOffered)).toEqual(['2026-12-13', '2027-06-01', null]);
  });
});

const SEEN = {
  ...{ language: 'de', currency: 'EUR' as const, vatRate: 2000, hours: HOURS },
  cents: { standard: 3995, express: 6995, premium: 8995 },
};

const ORDER = {
  ...{ amount_cents: 3995, currency: 'EUR' as const, invoice_number: 'R-1' },
  ...{ vat_rate: 2000, vat_country: null, eur_rate: null },
};
const NOTHING = { count: 0, net: 0, vat: 0, gross: 0 };

it('books are apart by rate and country, and together the whole', () => {
  const books = openBooks('EUR');
  const german = { ...ORDER, vat_rate: 1900, vat_country: 'DE' };
  for (const order of [german, ORDER, ORDER]) enterOrder(books, order);
  enterRefund(books, german, 0, 1000);
  enterRefund(books, german, 1000, 2995);
  const whole = { count: 1, net: 3357, vat: 638, gross: 3995 };
  const two = { count: 2, net: 6658, vat: 1332, gross: 7990 };
  expect(books.vat).toEqual([
    { rate: 2000, country: null, invoices: two, creditNotes: NOTHING },
    { rate: 1900, country: 'DE', invoices: whole, creditNotes: { ...whole, count: 2 } },
  ]);
  expect(books.invoices).toEqual({ count: 3, net: 10015, vat: 1970, gross: 11985 });
  expect(books.creditNotes).toEqual({ ...whole, count: 2 });
  expect(books.euros).toEqual({ invoices: NOTHING, creditNotes: NOTHING, without: 0 });
});

it('a payment without an invoice has no VAT, nor what of it goes back', () => {
  const books = openBooks('USD');
  const late = { ...ORDER, currency: 'USD' as const, invoice_number: null };
  enterOrder(books, late);
  enterRefund(books, late, 0, 3995);
  const tally = { count: 1, net: 3995, vat: 0, gross: 3995 };
  expect(books.uninvoiced).toEqual({ paid: tally, returned: tally });
  expect([books.invoices, books.creditNotes, books.vat]).toEqual([NOTHING, NOTHING, []]);
  expect(amountsOfOrder(late)).toBeUndefined();
});

it('documents in dollars are in euros, too, or counted as without a rate', () => {
  const books = openBooks('USD');
  const dollars = { ...ORDER, currency: 'USD' as const };
  enterOrder(books, { ...dollars, eur_rate: '0.8612' });
  enterRefund(books, { ...dollars, eur_rate: '0.8612' }, 0, 3995);
  enterOrder(books, dollars);
  // 33.29 and 6.66 dollars.
  const euros = { count: 1, net: 2867, vat: 574, gross: 3441 };
  expect(books.euros).toEqual({ invoices: euros, creditNotes: euros, without: 1 });
});

const PERCENTS = [0, 5.5, 7, 8.1, 19, 20, 21, 25.5, 27];
const PRICES = Array.from({ length: 99_999 }, (_, index) => index + 1);

/** The VAT in a price, half up, by whole numbers without limit. */
function exactVat(gross: number, rate: number): number {
  const [cents, points] = [BigInt(gross), BigInt(rate)];
  const whole = 10_000n + points;
  // The part of a cent that is left is compared with half a cent, not added to it.
  const [below, rest] = [(cents * points) / whole, (cents * points) % whole];
  return Number(rest * 2n >= whole ? below + 1n : below);
}

const vat = { rate: 20, byCountry: { DE: 19, CH: 8.1, NO: 0 }, exempt: null };

describe('the VAT in a price', () => {
  it.each(PERCENTS)('is exact at %f percent for every price from 0.01 to 999.99', (percent) => {
    const rate = basisPoints(percent);
    const wrong = PRICES.filter((gross) => {
      const { net, vat, gross: same } = splitVat(gross, rate);
      const isExact = vat === exactVat(gross, rate) && net + vat === gross && same === gross;
      return !isExact || net < 0 || vat < 0 || !Number.isInteger(vat);
    });
    expect(wrong).toEqual([]);
  });

  it('takes each rate of the settings as it stands there', () => {
    expect(PERCENTS.map(basisPoints)).toEqual([0, 550, 700, 810, 1900, 2000, 2100, 2550, 2700]);
    const all = Array.from({ length: 10_001 }, (_, points) => points);
    const read = (points: number) => basisPoints(Number((points / 100).toFixed(2)));
    expect(all.map(read)).toEqual(all);
  });
});

describe('credit notes', () => {
  it.each(PERCENTS)('at %f percent are together their invoice, however it is split', (percent) => {
    const random = seeded(17);
    const below = (limit: number) => Math.floor(random() * limit);
    for (let round = 0; round < 500; round += 1) {
      const price = 1 + below(99_999);
      const eurRate = round % 2 === 0 ? null : `0.${String(50 + below(9949)).padStart(4, '0')}`;
      const terms = { vat_rate: basisPoints(percent), eur_rate: eurRate };
      const whole = invoiceAmounts(terms, price);
      expect(whole.net + whole.vat).toBe(price);
      const parts: ReturnType<typeof creditAmounts>[] = [];
      for (let before = 0; before < price;) {
        const amount = 1 + below(price - before);
        parts.push(creditAmounts(terms, before, amount));
        before += amount;
      }
      const figures = ({ net, vat, gross, euros }: (typeof parts)[0]) => [
        ...[net, vat, gross],
        ...[euros?.net ?? 0, euros?.vat ?? 0, euros?.gross ?? 0],
      ];
      for (const part of parts) {
        expect(part.net + part.vat).toBe(part.gross);
        expect(Math.min(...figures(part))).toBeGreaterThanOrEqual(0);
      }
      expect(
        figures(whole).map((_, n) => parts.reduce((sum, part) => sum + (figures(part)[n] ?? 0), 0)),
      ).toEqual(figures(whole));
    }
  });
});

it('the rate is none where the operator is exempt, with the reason', () => {
  const exempt = { fr: 'TVA non applicable, article 293 B du CGI', en: 'No VAT' };
  for (const country of [null, 'FR', 'DE']) {
    expect(vatOf({ ...vat, exempt }, country)).toEqual({ rate: 0, country: null, note: exempt });
  }
});

const TIMES = {
  created_at: '2026-11-26T12:00:00.000Z',
  approved_at: '2026-11-27T12:00:00.000Z',
  sent_at: '2026-11-28T12:00:00.000Z',
  settled_at: '2026-11-29T12:00:00.000Z',
};

it('what was refused or failed takes nothing of what is left; what is asked for does', () => {
  for (const state of REFUND_STATES) {
    const refunds = [
      { state, amount_cents: 1000 },
      { state: 'settled', amount_cents: 500 },
    ] as const;
    const isFree = state === 'refused' || state === 'failed';
    expect([state, leftToRefund(3995, refunds)]).toEqual([state, isFree ? 3495 : 2495]);
    const isGone = state === 'sent' || state === 'settled';
    expect([state, refundedSoFar(refunds)]).toEqual([state, isGone ? 1500 : 500]);
  }
  expect(leftToRefund(100, [{ state: 'settled', amount_cents: 101 }])).toBe(0);
});

it('what stands in a field is read back as the same', () => {
  for (const cents of [1, 10, 99, 100, 3995, 99_999, 1_234_567]) {
    for (const mark of [',', '.'] as const)
      expect(readAmount(typedAmount(cents, mark))).toBe(cents);
  }
  expect(typedAmount(3990, ',')).toBe('39,90');
});

/** Such as `25 28-29`: of December 2026, in Paris; one of the staff is away the whole month. */
const closedOn = (days = '') =>
  closedTimes(
    ['01-31', ...days.split(' ').filter(Boolean)].map((some, n) => {
      const [from = '', until = from] = some.split('-').map((day) => `2026-12-${day}`);
      return { from, until, who: n === 0 ? 'agent@example.eu' : null };
    }),
    'Europe/Paris',
  );

const promised = (due_at: string | null = null, paused_at: string | null = null) => ({
  ...{ due_at, paused_at, starts_at: '2026-12-20T00:00:00.000Z' },
});

decisionTables(import.meta.url, {
  'when hours are over, by the days on which we are closed': (at, hours, days?: string) =>
    dueAfter(new Date(at), Number(hours), closedOn(days)).toISOString(),
  'when it is due that was paused, once work goes on': (due?: string, paused?: string, ...more) =>
    dueAfterWait(promised(due, paused), new Date(more[0]!), closedOn(more[1])),
  'when it is due after closures have changed: due, now, paused, before, after': (due, ...more) => {
    const [now, paused] = [new Date(more[0]!), more[1]];
    const [before, after] = [closedOn(more[2]), closedOn(more[3])];
    const moved = dueByOthers(promised(due, paused), now, { before, after });
    const again = promised(moved, paused);
    expect(dueByOthers(again, now, { before: after, after })).toBe(moved);
    return moved;
  },
  'business days after a day': (day, count) => businessDaysAfter(day, Number(count)),
  'last day to withdraw from a contract': lastWithdrawalDay,
  'what somebody has who wants the price back, with so many days of guarantee': (day, days) =>
    standingOn(day, { contractDay: '2026-11-26', guaranteeDays: Number(days) }),
  'when a refund is due that is asked for on 26 November': (kind) =>
    refundDueDay(kind as RefundKind, '2026-11-26', 5),
  'instants of a month': (month, timeZone) => {
    const { from, to } = monthPeriod(month, timeZone);
    const before = (at: Date) => calendarDay(new Date(at.getTime() - 1), timeZone);
    expect(calendarDay(from, timeZone)).toBe(`${month}-01`);
    expect(before(from) < `${month}-01`).toBe(true);
    expect(before(to).slice(0, 7)).toBe(month);
    return `from ${from.toISOString().slice(0, 16)} to ${to.toISOString().slice(0, 16)}`;
  },
  'whether a text is a month': isMonth,
  'next month': (month) => monthAfter(month),
  'rate of dollars on a day': (day) => rateOn(RATES, day)?.rate,
  'cents in euros': (cents, rate) => inEuros(Number(cents), rate),
  'the name of a buyer, of a first and a last name': (first_name, last_name) =>
    buyerOf({ 1: { last_name, ...(first_name && { first_name }) } }).name,
  'whether what was seen is another offer, where that is changed': (change) =>
    offerCode({ ...SEEN, ...(JSON.parse(change) as object) }) !== offerCode(SEEN),
  'an answer on a day, and a departure': (day, travel?: string) => arrivalFor(day, travel ?? null),
  'a package, now or later, for a trip on a day': (name, start_choice, trip) =>
    orderProblems({ package: name, start_choice }, packageOffers(HOURS, time(trip))).start_choice,
  'the VAT of credit notes: a price, its rate in points, its parts': (price, rate, parts) => {
    let before = 0;
    const found = parts.split(' ').map((amount) => {
      const terms = { vat_rate: Number(rate), eur_rate: null };
      const { vat } = creditAmounts(terms, before, Number(amount));
      before += Number(amount);
      return vat;
    });
    expect(found.reduce((sum, vat) => sum + vat)).toBe(splitVat(Number(price), Number(rate)).vat);
    return found.join(' ');
  },
  'the VAT in a price, net and VAT': (price, percent) => {
    const { net, vat, gross } = splitVat(Number(price), basisPoints(Number(percent)));
    expect(gross).toBe(Number(price));
    return `${net} + ${vat}`;
  },
  'the rate of somebody who lives in a country': (lives?: string) => {
    const { rate, country, note } = vatOf(vat, lives ?? null);
    expect(note).toBeNull();
    return `${rate} ${country ?? '-'}`;
  },
  'what staff may do with a refund: its state, theirs or not, the order': (
    role,
    state,
    whose,
    order,
  ) =>
    deskEvents({
      ...{ role: role as StaffRole, state: state as RefundState, order: order as OrderState },
      ...{ isProposer: whose === 'own', fourEyes: whose !== 'own, two eyes' },
    }).join(' ') || undefined,
  'what keeps a supervisor from it': (event, state, whose, order) =>
    deskProblem(event as DeskEvent, {
      ...{ role: 'supervisor', state: state as RefundState, order: order as OrderState },
      ...{ isProposer: whose !== 'other', fourEyes: whose !== 'own, two eyes' },
    }),
  'what is wrong with an amount, of 3995 cents': (event, amount, reason) =>
    amountProblem(event as DeskEvent, { amount: Number(amount), left: 3995, reason }),
  'what becomes of an order of which so much went back': (state, refunded) => {
    const sums = { paid: 3995, refunded: Number(refunded) };
    return orderMove(state as OrderState, refundEvent(sums), sums);
  },
  // What is done, where it is (>), what is ahead (?), and with its time (@) what has one.
  'the way of a refund': (state) =>
    refundWay({ ...TIMES, state: state as RefundState })
      .map(({ name, state: where, at }) => {
        const mark = { done: '', now: '>', ahead: '?' }[where];
        return mark + name + (at === undefined ? '' : `@${at.slice(8, 10)}`);
      })
      .join(' '),
  'cents as they are typed': readAmount,
  'a name in a mail': (name) => repeatable({ name, reference: 'x' }).name,
  'a reference in a mail': (reference) => repeatable({ name: 'x', reference }).reference,
});
