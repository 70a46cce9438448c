import { randomUUID } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { SYSTEM } from '~/accounts/audit.server';
import { writeDatabase } from '~/database.server';
import { splitVat } from '~/domain/order/vat';
import { translator } from '~/i18n/locale.server';
import { correctBuyer } from '~/orders/order.server';
import { seeded } from '../domain/application/specimen';
import { JOURNEY_LANGUAGES, LONG } from '../rounds';
import { plain } from './html';
import { boss, desk, site, withSite } from './known-site';
import { addOrder, addOrderTo, addRefund, addRefundTo, BUYER } from './orders';
import { addPerson, signedIn } from './signed-in';

withSite();

type Table = 'orders' | 'refunds' | 'invoices';
type Row = Record<string, string>;

const fileOf = (month: string, table: string, form = 'comma') =>
  `/crm/export.csv?${new URLSearchParams({ month, table, form })}`;

/** A file as a spreadsheet reads it (RFC 4180): rows by the names of their columns. */
async function rowsOf(month: string, table: Table, form = 'comma'): Promise<Row[]> {
  const response = await signedIn(site, boss).get(fileOf(month, table, form));
  expect(response.status).toBe(200);
  const text = Buffer.from(await response.arrayBuffer()).toString('utf8');
  const [names = [], ...rows] = readCsv(text.replace(/^\ufeff/, ''), form === 'comma' ? ',' : ';');
  return rows.map((row) => {
    expect(row).toHaveLength(names.length);
    return Object.fromEntries(row.map((cell, index) => [names[index] ?? '', cell]));
  });
}

function readCsv(text: string, separator: string): string[][] {
  const cell = new RegExp(`("(?:[^"]|"")*"|[^"${separator}\r\n]*)(${separator}|\r\n|$)`, 'gy');
  const rows: string[][] = [[]];
  for (const [whole, value = '', end] of text.matchAll(cell)) {
    if (whole === '') break;
    rows.at(-1)?.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value);
    if (end === '\r\n') rows.push([]);
  }
  expect(rows.pop()).toEqual([]);
  return rows;
}

/** An amount of a file in whole cents; nothing is lost by binary fractions. */
const centsOf = (decimal = ''): number => {
  expect(decimal).toMatch(/^(-?\d+\.\d\d)?$/);
  return Number(decimal.replace('.', ''));
};
const sumOf = (rows: Row[], column: string) =>
  rows.reduce((sum, row) => sum + centsOf(row[column]), 0);
const sumsOf = (rows: Row[], ...columns: string[]) => columns.map((column) => sumOf(rows, column));

const COUNT = LONG ? 5000 : 1200;

describe('a month', () => {
  it(`of ${COUNT} orders has the same sums in orders, invoices, refunds and on the page`, async () => {
    const random = seeded(40);
    const below = (limit: number) => Math.floor(random() * limit);
    const none = { paid: 0, net: 0, vat: 0, returned: 0, late: 0 };
    const sums = { EUR: { ...none }, USD: { ...none } };
    let corrected = 0;
    await writeDatabase(async (db) => {
      for (let index = 0; index < COUNT; index += 1) {
        const currency = below(3) === 0 ? 'USD' : 'EUR';
        const rate = [2000, 1900, 810, 0][below(4)] ?? 0;
        const amount = 1 + below(99_999);
        const isLate = below(40) === 0;
        // Many at the same instant, too: none is left out between two parts.
        const at = new Date(Date.UTC(2027, 1, 1 + below(28), below(20))).toISOString();
        const number = `R-2027-${String(index).padStart(5, '0')}`;
        const { order } = await addOrderTo(db, {
          ...{ currency, eur_rate: currency === 'USD' ? '0.8612' : null },
          ...{ vat_rate: rate, vat_country: rate === 1900 ? 'DE' : rate === 810 ? 'CH' : null },
          ...{ amount_cents: amount, paid_at: at },
          ...(isLate ? { invoice_number: null, fulfilled_at: null } : { invoice_number: number }),
        });
        const own = sums[currency];
        own.paid += amount;
        if (isLate) own.late += amount;
        else {
          const { net, vat } = splitVat(amount, rate);
          own.net += net;
          own.vat += vat;
        }
        if (!isLate && below(40) === 0) {
          const correction = { name: 'Ada King', version: order.version, actor: SYSTEM };
          await correctBuyer(db, order, correction, new Date('2027-02-26T10:00:00.000Z'));
          corrected += 1;
        }
        for (let left = amount, part = 0; left > 0 && part < 3 && below(3) === 0; part += 1) {
          const cents = part === 2 ? left : 1 + below(left);
          left -= cents;
          own.returned += cents;
          await addRefundTo(db, order, {
            amount_cents: cents,
            kind: below(10) === 0 ? 'dispute' : 'withdrawal',
            credit_note_number: isLate ? null : `A-2027-${index}-${part}`,
            sent_at: `2027-02-27T1${part}:00:00.000Z`,
          });
        }
      }
    });
    const orders = await rowsOf('2027-02', 'orders');
    const refunds = await rowsOf('2027-02', 'refunds');
    const documents = await rowsOf('2027-02', 'invoices');
    expect([orders.length, new Set(orders.map(({ order }) => order)).size]).toEqual([COUNT, COUNT]);
    for (const currency of ['EUR', 'USD'] as const) {
      const { paid, net, vat, returned, late } = sums[currency];
      const of = (rows: Row[], kind?: string) =>
        rows.filter((row) => row['currency'] === currency && (!kind || row['kind'] === kind));
      expect(sumsOf(of(orders), 'gross', 'net', 'vat')).toEqual([paid, net, vat]);
      const issued = of(documents, 'invoice');
      const again = issued.filter(({ corrects }) => corrects !== '');
      expect(new Set(again.map(({ buyer }) => buyer))).toEqual(new Set(['Ada King']));
      corrected -= again.length;
      const invoices = issued.filter((row) => !again.includes(row));
      expect(sumsOf(invoices, 'gross', 'net', 'vat')).toEqual([paid - late, net, vat]);
      expect(sumOf(of(refunds), 'gross')).toBe(returned);
      const credited = of(refunds).filter(({ credit_note: note }) => note !== '');
      const notes = of(documents, 'credit_note');
      expect(notes).toHaveLength(credited.length + again.length);
      for (const column of ['gross', 'net', 'vat', 'net_eur', 'vat_eur']) {
        expect(sumOf(notes, column)).toBe(0 - sumOf(credited, column) - sumOf(again, column));
      }
      for (const row of of(documents)) {
        expect(centsOf(row['net']) + centsOf(row['vat'])).toBe(centsOf(row['gross']));
      }
    }
    // On the page both ways to each sum agree, and the VAT has the same total.
    const t = translator('en');
    const reader = await desk(boss, '/crm/export?month=2027-02');
    const endsOf = (caption: string, count: number) =>
      reader.page
        .all('table')
        .filter((table) => table.all('caption')[0]?.text === plain(caption))
        .map((table) => table.all('tr').slice(-count))
        .map((rows) => rows.map((row) => row.all('th', 'td').map(({ text }) => text)));
    const cents = (text = '') => Number(text.replace(/[^\d-]/g, ''));
    const left = endsOf(t('staff:export.captions.money'), 1).map(([line]) => cents(line?.[2]));
    expect(left).toEqual([sums.EUR, sums.USD].map(({ paid, returned }) => paid - returned));
    for (const lines of endsOf(t('staff:export.captions.checks'), 3)) {
      expect(lines.map((line) => line.at(-1))).toEqual(Array(3).fill(t('staff:export.agrees')));
    }
    const [[total] = []] = endsOf(t('staff:export.captions.vat'), 1);
    const inEuros = documents.filter((row) => row['currency'] === 'EUR');
    expect(total?.slice(2, 5).map(cents)).toEqual(sumsOf(inEuros, 'net', 'vat', 'gross'));
    expect(site.log()).not.toContain('"level":"error"');
  });

  it('has a refund when it was sent, with what was credited in months before', async () => {
    const { order } = await addOrder({ paid_at: '2028-05-10T10:00:00.000Z', amount_cents: 999 });
    for (const month of ['06', '07', '08']) {
      await addRefund(order, { amount_cents: 333, sent_at: `2028-${month}-05T10:00:00.000Z` });
    }
    await addRefund(order, { state: 'requested', sent_at: null, credit_note_number: null });
    expect(await rowsOf('2028-05', 'refunds')).toEqual([]);
    const vats = { '2028-06': '0.56', '2028-07': '0.55', '2028-08': '0.56' };
    for (const [month, vat] of Object.entries(vats)) {
      expect(await rowsOf(month, 'refunds')).toMatchObject([{ vat }]);
    }
  });
});

describe('a file', () => {
  it('has names as text that runs nothing, numbers as numbers and days as ISO 8601 has them', async () => {
    // Behind the last of them stands a line break.
    const names = ['=HYPERLINK("http://x.example")', 'O’Neill; "Zoë", Łukasz\n'];
    for (const [index, name] of names.entries()) {
      await addOrder({
        buyer: { ...BUYER, name, country: 'FR' },
        paid_at: `2029-01-0${index + 1}T10:00:00.000Z`,
        ...{ vat_rate: 810, currency: 'USD', eur_rate: '0.87' },
        invoice_number: `R-2029-0000${index + 1}`,
      });
    }
    const rows = await rowsOf('2029-01', 'invoices', 'semicolon');
    expect(rows.map(({ buyer }) => buyer)).toEqual([`'${names[0]}`, names[1]]);
    expect(rows[0]).toMatchObject({
      ...{ kind: 'invoice', number: 'R-2029-00001', date: '2029-01-01', buyer_country: 'FR' },
      ...{ currency: 'USD', net: '36,96', vat: '2,99', gross: '39,95', vat_rate: '8,1' },
      ...{ eur_rate: '0,87', vat_eur: '2,60' },
    });
  });

  it.each([
    ['comma', [0x6b, 0x69]],
    ['semicolon', [0xef, 0xbb]],
  ])('in the form with %s begins as its spreadsheets want, and is no page', async (form, bytes) => {
    const response = await signedIn(site, boss).get(fileOf('2026-11', 'invoices', form));
    const body = Buffer.from(await response.arrayBuffer());
    expect([...body.subarray(0, 2)]).toEqual(bytes);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="invoices-2026-11.csv"',
      ...{ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    });
    expect(body.toString().trimEnd().split('\r\n')).toHaveLength(1);
  });

  it('without a name that opens has its figures all the same', async () => {
    const { order } = await addOrder({ paid_at: '2029-03-01T10:00:00.000Z' });
    site.execute(`update orders set buyer_sealed = 'k1.broken' where id = '${order.id}'`);
    expect(await rowsOf('2029-03', 'invoices')).toMatchObject([{ buyer: '', gross: '39.95' }]);
  });

  it('is recorded by its month, table and form; what was asked wrongly is not', async () => {
    const person = addPerson(site, { role: 'auditor' });
    const visitor = signedIn(site, person);
    for (const wrong of [
      ...['/crm/export.csv', fileOf('2026-13', 'orders'), fileOf('2026-11', 'users')],
      fileOf('2026-11', 'orders', 'tabs'),
    ]) {
      expect([wrong, (await visitor.get(wrong)).status]).toEqual([wrong, 404]);
    }
    await visitor.get(fileOf('2026-11', 'refunds'));
    const events = site.query('select * from audit_events where actor_id = ?', person.id);
    const details = JSON.stringify({ month: '2026-11', table: 'refunds', form: 'comma' });
    const kind = { action: 'orders.exported', actor_kind: 'staff', subject_type: 'order' };
    expect(events).toMatchObject([{ ...kind, details }]);
  });
});

describe.each(JOURNEY_LANGUAGES)('the page in %s', (language) => {
  const t = translator(language);

  it('leads from the menu to a month and its files', async () => {
    await addOrder({ paid_at: '2026-11-03T10:00:00.000Z', invoice_number: `R-${randomUUID()}` });
    const reader = await desk(addPerson(site, { role: 'auditor' }), '/crm/dashboard', language);
    await reader.follow(t('staff:pages.export'), 'header');
    expect([reader.status, reader.heading]).toEqual([200, plain(t('staff:export.title'))]);
    const month = { fr: 'novembre 2026', en: 'November 2026', de: 'November 2026' }[language];
    reader.fill(t('staff:export.month'), month);
    await reader.press(t('staff:export.show'), 'main');
    expect(reader.address).toBe('/crm/export?month=2026-11');
    expect(reader.valueOf(t('staff:export.month'))).toBe(month);
    expect(reader.text).toContain(t('staff:export.agrees'));
    const files = reader.hrefs('main').filter((href) => href.includes('.csv'));
    expect(files).toHaveLength(6);
    for (const file of files) expect((await reader.visitor.get(file)).status).toBe(200);
    await reader.go('/crm/export?month=2020-01');
    expect(reader.text).toContain(plain(t('staff:export.empty')));
    await reader.go('/crm/export?month=nonsense');
    expect(reader.status).toBe(200);
  });

  it('says what came back, what was lost and what has no rate', async () => {
    const month = { fr: '2030-01', en: '2030-02', de: '2030-03' }[language];
    const { order } = await addOrder({ currency: 'USD', paid_at: `${month}-05T10:00:00.000Z` });
    const sent_at = `${month}-06T10:00:00.000Z`;
    await addRefund(order, { state: 'failed', amount_cents: 500, sent_at });
    await addRefund(order, { kind: 'dispute', state: 'settled', amount_cents: 3495, sent_at });
    const reader = await desk(boss, `/crm/export?month=${month}`, language);
    const amount = { fr: '5,00 $US', en: 'US$5.00', de: '5,00 US-$' }[language];
    expect(reader.text).toContain(plain(t('staff:export.failed', { count: 1, amount })));
    expect(reader.text).toContain(plain(t('staff:export.withoutRate', { count: 3 })));
    const money = reader.page.all('table')[0]?.all('td') ?? [];
    const figures = money.map(({ text }) => text.replace(/US-|[^\d,.-]/g, '').replace(',', '.'));
    expect(figures.join(' ')).toBe('1 39.95 1 -5.00 1 -34.95  0.00');
  });
});
