import { expect, it } from 'vitest';

import { amountsOfOrder, enterOrder, enterRefund, openBooks } from '~/domain/order/books';

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
