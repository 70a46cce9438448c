import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { issueToken } from '~/accounts/one-time-tokens.server';
import { writeDatabase } from '~/database.server';
import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES, type Language } from '~/i18n/languages';
import { sellerSnapshot } from '~/orders/order.server';
import { temporaryFolder } from '../production-server';
import { plain } from './html';
import { browser, buy, withSite } from './known-site';
import { type AddedOrder, addOrder, addRefund, BUYER } from './orders';
import type { HtmlBrowser } from './html-browser';

const PAID_ON = { fr: '21 novembre 2026', en: '21 November 2026', de: '21. November 2026' };
const COUNTRY = { fr: 'Allemagne', en: 'Germany', de: 'Deutschland' };
const NOTE = { fr: 'Note en français', en: 'A note in English', de: 'Ein Hinweis auf Deutsch' };

withSite(() => {
  const SITE_CONFIG = join(temporaryFolder(), 'site.json');
  writeFileSync(SITE_CONFIG, JSON.stringify({ invoices: { note: NOTE } }));
  return { SITE_CONFIG };
});

const owner = ({ entry }: AddedOrder, address: string, language: Language = 'en') =>
  browser(address, [entry], language);

const invoiceOf = ({ path }: AddedOrder) => `${path}/invoice`;
const sheetOf = (reader: HtmlBrowser) => reader.page.all('article')[0];
const expectOnSheet = (reader: HtmlBrowser, parts: readonly (string | undefined)[]) => {
  for (const part of parts) expect(sheetOf(reader)?.text).toContain(plain(part ?? 'what?'));
};
const rowsOf = (reader: HtmlBrowser) =>
  sheetOf(reader)
    ?.all('tr')
    .map((row) => row.all('th', 'td').map(({ text }) => text)) ?? [];

describe.each(LANGUAGES)('an invoice in %s', (language) => {
  const words = bundles[language]['order-invoice'];
  const other = language === 'de' ? 'fr' : 'de';

  it('names who, what, when and how much, in the language of the order', async () => {
    const bought = { package: 'express', amount_cents: 6995 } as const;
    const added = await addOrder({ language_code: language, ...bought });
    const reader = await owner(added, invoiceOf(added), other);
    const number = added.order.invoice_number ?? '';
    const { title } = bundles[other]['order-invoice'];
    expect(reader.heading).toBe(plain(title.invoice.replace('{{number}}', number)));
    expect(sheetOf(reader)?.get('lang')).toBe(language);
    expectOnSheet(reader, [
      ...[`${words.sheet.invoice} ${number}`, added.order.reference, PAID_ON[language], 'Express'],
      ...[BUYER.name, ...BUYER.address, COUNTRY[language], words.sheet.serviceNote, NOTE[language]],
      ...['Traversée Voyages SAS', 'RCS Paris 000 000 000', 'FR00 000000000', '10 000 €'],
      // The shipped company is a sample, and says so.
      words.sheet.sample,
    ]);
    const isEnglish = language === 'en';
    const [net, vat, gross] = isEnglish
      ? ['€58.29', '€11.66', '€69.95']
      : ['58,29 €', '11,66 €', '69,95 €'];
    const figures = rowsOf(reader).map((row) => row.slice(1));
    expect(figures.slice(1)).toEqual([['1', net], [net], [vat], [gross]]);
    const rate = words.sheet.vat.replace('{{rate}}', isEnglish ? '20%' : '20 %');
    expect(rowsOf(reader)[3]?.[0]).toBe(plain(rate));
  });

  it('has its credit notes, which say what they correct and are together the whole', async () => {
    const added = await addOrder({ language_code: language });
    const credit = async (kind: 'goodwill' | 'dispute', amount_cents: number, day: number) => {
      const sent_at = `2026-12-0${day}T10:00:00.000Z`;
      return (await addRefund(added.order, { kind, amount_cents, sent_at })).credit_note_number;
    };
    const [first, second] = [await credit('goodwill', 1000, 1), await credit('dispute', 2995, 2)];
    const reader = await owner(added, invoiceOf(added), language);
    const label = (number: string, date: string) =>
      words.documents.creditNote.replace('{{number}}', number).replace('{{date}}', date);
    const days = {
      fr: ['1er décembre 2026', '2 décembre 2026'],
      en: ['1 December 2026', '2 December 2026'],
      de: ['1. Dezember 2026', '2. Dezember 2026'],
    }[language];
    await reader.follow(label(first ?? '', days[0] ?? ''));
    expect(reader.address).toBe(`${invoiceOf(added)}?credit-note=${first}`);
    const [{ creditNote, reasons }, { invoice_number: invoice }] = [words.sheet, added.order];
    const corrected = [`${creditNote} ${first}`, invoice ?? '', reasons.goodwill, days[0]];
    expectOnSheet(reader, [...corrected, PAID_ON[language]]);
    const euros = ['-8,33 €', '-1,67 €', '-10,00 €'];
    const negative = language === 'en' ? ['-€8.33', '-€1.67', '-€10.00'] : euros;
    const figures = rowsOf(reader).map((row) => row[1]);
    expect(figures.slice(2)).toEqual(negative);
    await reader.go(`${invoiceOf(added)}?credit-note=${second}`);
    // 6.66 of the invoice, less 1.67: 4.99.
    expect(rowsOf(reader)[3]?.[1]).toMatch(/4[.,]99/);
    expectOnSheet(reader, [reasons.dispute]);
    const back = words.documents.invoice.replace('{{date}}', PAID_ON[language]);
    await reader.follow(back.replace('{{number}}', invoice ?? ''));
    expect(reader.address).toBe(invoiceOf(added));
  });

  it('in dollars has its VAT in euros, too; the credit note by the same rate', async () => {
    const german = { language_code: language, vat_rate: 1900, vat_country: 'DE' };
    const added = await addOrder({ currency: 'USD', eur_rate: '0.8612', ...german });
    const { credit_note_number: number } = await addRefund(added.order, { amount_cents: 3995 });
    const reader = await owner(added, invoiceOf(added), language);
    // 6.38 dollars at 0.8612: 5.494… euros.
    const figures = {
      fr: ['5,49 €', '0,8612', 'novembre 2026'],
      en: ['€5.49', '0.8612', 'November 2026'],
      de: ['5,49 €', '0,8612', 'November 2026'],
    }[language];
    expectOnSheet(reader, figures);
    expect(rowsOf(reader)[3]?.[0]).toContain(COUNTRY[language]);
    await reader.go(`${invoiceOf(added)}?credit-note=${number}`);
    expectOnSheet(reader, [`-${figures[0]}`]);
  });
});

describe('an invoice', () => {
  it('without VAT says why', async () => {
    const vat_note = 'TVA non applicable, article 293 B du CGI';
    const added = await addOrder({ vat_rate: 0, vat_note });
    const reader = await owner(added, invoiceOf(added));
    expectOnSheet(reader, [vat_note]);
    expect(rowsOf(reader)[1]?.[2]).toBe(rowsOf(reader).at(-1)?.[1]);
  });

  it('opens by a link to the state of the application', async () => {
    const { application_id: id } = await buy({ email: BUYER.email });
    const link = { purpose: 'resumeApplication', applicationId: id } as const;
    const resume = await writeDatabase((db) =>
      issueToken(db, { ...link, payload: BUYER.email }, new Date()),
    );
    const path = `/application/${id}`;
    const reader = await browser(`${path}/invoice`, [{ id, resume }]);
    expect(reader.status).toBe(200);
    await reader.go(`${path}/border`);
    expect(reader.status).toBe(404);
  });

  it('has no credit note of another order, nor one that was never sent', async () => {
    const added = await addOrder();
    const { credit_note_number: foreign } = await addRefund((await addOrder()).order);
    await addRefund(added.order, { credit_note_number: null, sent_at: null, state: 'requested' });
    for (const number of [foreign, 'A-2026-99999', '', 'null']) {
      const reader = await owner(added, `${invoiceOf(added)}?credit-note=${number}`);
      expect([number, reader.status]).toEqual([number, 404]);
    }
  });

  it('says what it said, when the company has changed', async () => {
    const now = JSON.parse(sellerSnapshot('en')) as object;
    const seller = JSON.stringify({ ...now, name: 'Before SARL', note: 'Old' });
    const added = await addOrder({ seller });
    const reader = await owner(added, invoiceOf(added));
    expectOnSheet(reader, ['Before SARL', 'Old']);
    expect(sheetOf(reader)?.text).not.toMatch(new RegExp(`Traversée Voyages|${NOTE.en}`));
  });
});
