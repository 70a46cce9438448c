import { createHash } from 'node:crypto';

import { beforeEach, expect, it, onTestFinished } from 'vitest';

import { LANGUAGES, type Language } from '~/i18n/languages';
import { bundles } from '~/i18n/bundles.server';
import { deliverDue } from '~/mail-features.server';
import { renderedOf } from '~/mail/shown.server';
import { saveContractText, queueOrderConfirmation } from '~/orders/order.server';
import type { OrderRow } from '~db/queries/orders.server';
import { becomeApp, PROVIDER, siteConfig, LIVE } from '../apps';
import { type MailServer, startMailServer } from '../mail-server';
import { addOrderTo } from '../http/orders';
import { describeStore } from './engines';

const NOON = new Date('2026-11-22T12:00:00.000Z');
const PAID = new Date('2026-11-22T12:03:00.000Z');
const BUYER = {
  ...{ name: 'Marker Surname', address: ['Marker Street 4'], country: 'FR' },
  email: 'buyer-4711@example.com',
};
const CONSENTS = {
  start_choice: 'I expressly ask you to start, in the words that were shown.',
  terms: 'I accept the terms, in the words that were shown.',
};
/** Nothing that a template has left open stands there, nor a sign that guides the breaking of lines. */
const OPEN_ENDS =
  /\{\{|\}\}|undefined|null|NaN|\b(order-mail|legal|legal-live|mail):|[\u00ad\u2060]/;

const PROVIDED = { ...LIVE, ...PROVIDER };
beforeEach(() => void becomeApp(PROVIDED));

const words = (text: string) => text.replaceAll(/\s+/g, ' ');
/** A paragraph of a text without its marks. */
const bare = (paragraph: string) => words(paragraph.replaceAll(/^- |^[=-]+$/gm, '')).trim();
const textOfHtml = (html: string) =>
  words(
    html
      .replace(/<style>.*?<\/style>/s, '')
      .replaceAll(/<\/?(a|strong)\b[^>]*>/g, '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&'),
  );

describeStore('the confirmation of an order', (store) => {
  const paidOrder = (language: Language, changes: Partial<OrderRow> = {}): Promise<OrderRow> =>
    store.write(async (db) => {
      const { order } = await addOrderTo(db, {
        ...{ language_code: language, currency: language === 'en' ? 'USD' : 'EUR', buyer: BUYER },
        ...{ reference: 'TRV-4T7K-X0QD', invoice_number: 'R-2026-00042' },
        consents: JSON.stringify(CONSENTS),
        ...{ package: 'express', amount_cents: 6995, delivery_hours: 24 },
        terms_hash: await saveContractText(db, language, NOON),
        ...{ paid_at: PAID.toISOString(), starts_at: PAID.toISOString() },
        due_at: '2026-11-23T12:03:00.000Z',
        ...changes,
      });
      return order;
    });

  const deliver = () => deliverDue({ read: store.read, write: store.write, clock: () => PAID });

  /** The confirmation of an order as it is kept where there is no mail server. */
  async function kept(order: OrderRow) {
    await store.write((db) => queueOrderConfirmation(db, order, PAID));
    expect(await deliver()).toEqual({ sent: 0, kept: 1, failed: 0 });
    const row = (await store.rows('outbox')).at(-1);
    const rendered = row && renderedOf(row);
    if (!rendered) throw new Error('It was not kept.');
    return { rendered, html: rendered.html ?? '' };
  }

  it.each(LANGUAGES)(
    'has in %s what the law wants: contract, price, consents, withdrawal, terms in full',
    async (language) => {
      const order = await paidOrder(language);
      const { rendered, html } = await kept(order);
      // As text and as HTML, whole, short enough for a mailbox and a line.
      const said = textOfHtml(html);
      for (const part of [rendered.subject, rendered.text, said])
        expect(part).not.toMatch(OPEN_ENDS);
      for (const line of rendered.text.split('\n').filter((one) => !/https?:/.test(one))) {
        expect(line.length).toBeLessThanOrEqual(72);
      }
      const [body = ''] = rendered.text.split('\n-- \n');
      // In HTML the button's address stands below it.
      const paragraphs = body.replace(`\n${rendered.links[0]}`, '').split('\n\n');
      for (const paragraph of paragraphs) expect(said).toContain(bare(paragraph));
      expect(Buffer.byteLength(rendered.text) + Buffer.byteLength(html)).toBeLessThan(100_000);

      const text = words(rendered.text);
      const { sections } = bundles[language]['legal-live'].conditions;
      const { sections: unchanged } = bundles[language].legal.conditions;
      const price = language === 'en' ? '$69.95' : '69,95 €';
      const vat = language === 'en' ? '$11.66 (20%), included' : '11,66 € (20 %)';
      for (const part of [
        ...['Traversée Voyages SAS', 'contact@example.com', '+33 1 99 00 00 00', 'R-2026-00042'],
        ...['TRV-4T7K-X0QD', 'Express', price, vat, '2026', ...Object.values(CONSENTS)],
        unchanged.mediation.title,
        sections.withdrawal.title,
        unchanged.withdrawalForm.title,
        unchanged.complaints.title,
        unchanged.conformity.title,
      ]) {
        expect(text).toContain(words(part.replaceAll(/[\u00ad\u2060]/g, '')));
      }
      // The official wording stands there twice: to be found, and in the terms.
      const rule = {
        fr: 'sans donner de motif dans un délai de quatorze jours',
        en: 'within 14 days without giving any reason',
        de: 'binnen vierzehn Tagen ohne Angabe von Gründen',
      }[language];
      expect(text.split(rule)).toHaveLength(3);
      const [terms] = await store.rows('contract_texts');
      for (const paragraph of terms?.text.split('\n\n').slice(1) ?? []) {
        expect(text).toContain(words(paragraph.replace(/^#+ /, '')));
      }
      expect(rendered.text).not.toMatch(/Marker/);
      const origin = /^http:\/\/localhost:\d+/;
      expect(rendered.links.map((link) => link.replace(origin, ''))).toEqual([
        `/application/${order.application_id}/invoice?lng=${language}`,
        '/withdrawal',
        `/application/${order.application_id}/refund`,
      ]);
      for (const link of rendered.links) expect(html).toContain(`href="${link}"`);
    },
  );

  it('leaves by mail, in its language', async () => {
    const server: MailServer = await startMailServer();
    onTestFinished(() => server.stop());
    becomeApp({ ...PROVIDED, MAIL_URL: server.url, MAIL_FROM: 'post@esta.example' });
    const order = await paidOrder('de');
    await store.write((db) => queueOrderConfirmation(db, order, PAID));
    await deliver();
    const [taken] = server.taken;
    expect(server.taken).toMatchObject([{ to: BUYER.email }]);
    expect(taken?.parsed.subject).toBe('Ihre Bestellung TRV-4T7K-X0QD ist bestätigt');
    for (const part of [taken?.text, taken?.parsed.html])
      expect(part).toContain('Muster-Widerrufsformular');
    // RFC 5321: no line of more than 998 letters.
    const lengths = (taken?.raw ?? '').split('\r\n').map((line) => line.length);
    expect(Math.max(...lengths)).toBeLessThan(998);
  });

  it('keeps the terms once a language and text, by their SHA-256', async () => {
    const keep = (language: Language) => store.write((db) => saveContractText(db, language, NOON));
    const hashes = new Set(await Promise.all((['fr', 'fr', 'de'] as const).map(keep)));
    expect(hashes.size).toBe(2);
    const rows = await store.rows('contract_texts');
    expect(new Set(rows.map(({ hash }) => hash))).toEqual(hashes);
    for (const { hash, language_code, text } of rows) {
      const expected = createHash('sha256').update(`${language_code}\n${text}`).digest('base64url');
      expect(hash).toBe(expected);
      expect(text).not.toMatch(/\{\{|[\u00ad\u2060]/);
    }
  });

  it('has the terms of the order, whatever the terms say by now', async () => {
    const order = await paidOrder('fr');
    becomeApp({ ...PROVIDED, ...siteConfig({ siteName: 'Autre Maison' }) });
    const { rendered } = await kept(order);
    expect(words(rendered.text)).toContain('commande passée par un consommateur sur Traversée.');
  });

  it('promises no guarantee where none is offered, and names the provider', async () => {
    becomeApp({ ...PROVIDED, ...siteConfig({ guarantee: { offered: false } }) });
    const real = await kept(await paidOrder('en', { guarantee_days: 0 }));
    expect(real.rendered.text).not.toMatch(/money-back|guarantees? a full refund/i);
    expect(real.rendered.links).toHaveLength(2);
    expect(words(real.rendered.text)).toContain('Stripe Payments Europe, Limited');
  });

  it('names no provider in a demonstration, and says that no money is taken', async () => {
    becomeApp(LIVE);
    const shown = await kept(await paidOrder('en', { invoice_number: null }));
    expect(shown.rendered.text).not.toContain('Stripe');
    expect(words(shown.rendered.text)).toContain('no money is taken');
  });

  it('says when work begins after the days of withdrawal, and why there is no VAT', async () => {
    const changes = { package: 'standard', start_choice: 'after_14_days', vat_rate: 0 } as const;
    const vat_note = 'TVA non applicable, article 293 B du CGI';
    const times = { starts_at: '2026-12-07T12:03:00.000Z' };
    const { rendered } = await kept(await paidOrder('fr', { ...changes, ...times, vat_note }));
    const text = words(rendered.text);
    expect(text).toContain('Nous commençons le lundi 7 décembre 2026 à 13 h 03 (heure de Paris)');
    expect(text).toContain(`TVA : ${vat_note}`);
  });

  it('is given up when its order is gone', async () => {
    const order = await paidOrder('fr');
    await store.write((db) => queueOrderConfirmation(db, { ...order }, PAID));
    await store.query('delete from orders');
    expect(await deliver()).toEqual({ sent: 0, kept: 0, failed: 1 });
    expect(await store.rows('outbox')).toMatchObject([{ state: 'failed', last_error: 'GONE' }]);
  });
});
