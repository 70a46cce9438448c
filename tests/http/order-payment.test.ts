import { randomUUID } from 'node:crypto';

import { addDays, addHours } from 'date-fns';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { dayOf } from '~/clock.server';
import { bundles } from '~/i18n/bundles.server';
import { formatMoment } from '~/i18n/locale.server';
import type { Language } from '~/i18n/languages';
import { payInDemo, startStripe, type Stripe } from '../payments';
import { LIVE, PROVIDER } from '../apps';
import { JOURNEY_LANGUAGES } from '../rounds';
import { startInProcess } from '../site-in-process';
import { PASSWORD } from './accounts';
import {
  allSamples,
  certified as certifiedBy,
  filledIn,
  fillApplication,
  hiddenFields,
  ORDER,
  sendAnswers,
  STATEMENTS,
} from './application';
import { plain } from './html';
import { addDraft, browser, draftCookie, type Entry, rowOf, setApplication } from './known-site';
import { HtmlBrowser } from './html-browser';
import { addPerson, signedIn } from './signed-in';
import { endsWithTest, site, withSite } from './site';
import { expectRefused } from './told';
import { Visitor } from './visitor';

const words = bundles.en['order-payment'];
const BUTTONS = {
  fr: 'Commande avec obligation de paiement',
  en: 'Order with obligation to pay',
  de: 'zahlungspflichtig bestellen',
};
const EUROS = ['39,95 €', '69,95 €', '89,95 €'];
const PRICES = { fr: EUROS, en: ['US$39.95', 'US$69.95', 'US$89.95'], de: EUROS };
const VAT = { fr: 'TVA de 20 % comprise', en: 'incl. 20% VAT', de: 'inkl. 20 % MwSt.' };
const FEE = { fr: '40,27 $US', en: 'US$40.27', de: '40,27 US-$' };

const LATER = 'after_14_days';
const EMAIL = 'anna.mueller@example.eu';
type Order = Partial<Record<keyof typeof ORDER, string>>;

withSite(LIVE, { clock: 'held' });

type Certified = Awaited<ReturnType<typeof certifiedBy>>;

interface Certifying {
  language?: Language;
  /** What the browser has besides. */
  others?: Entry[];
}

async function certified({ language = 'en', others = [] }: Certifying = {}) {
  const { id, token } = await addDraft({
    language,
    at: new Date(await site.clock.now()),
    email: EMAIL,
    steps: allSamples(),
    isComplete: true,
  });
  const path = `/application/${id}`;
  const entries = [...others, { id, token }];
  const reader = await browser(`${path}/step-8`, entries, language);
  await sendAnswers(reader, STATEMENTS);
  return { reader, path, id, page: `${path}/payment`, entries };
}

/** Orders from the page as it is. @returns where it leads */
const send = async ({ reader, page }: Certified, fields: Order) => {
  await reader.go(page);
  await reader.send(page, { ...hiddenFields(reader), ...fields });
  return reader.address;
};
const without = (name: keyof typeof ORDER): Order =>
  Object.fromEntries(Object.entries(ORDER).filter(([key]) => key !== name));
const ordersOf = (id: string) =>
  site.query('select * from orders where application_id = ? order by created_at', id);
/** As an owner does. */
const publish = (subject: string, value: unknown) => {
  const row = [randomUUID(), 'settings', subject, 1, JSON.stringify(value), '2026-01-01', ''];
  const columns = 'id, area, subject, version, value, from_day, made_at';
  site.execute(`insert into owner_edits (${columns}) values ('${row.join("', '")}')`);
};
afterEach(() => site.execute('delete from owner_edits'));
const ticked = (reader: HtmlBrowser) =>
  reader.page
    .all('input')
    .filter((input) => input.has('checked'))
    .map((input) => `${input.get('name')}=${input.get('value')}`);
const bills = (reader: HtmlBrowser): Record<string, string> =>
  Object.fromEntries(
    reader.page
      .all('div')
      .filter((one) => one.has('data-bill'))
      .map((one) => [one.get('data-bill') ?? '', one.text]),
  );

describe.each(JOURNEY_LANGUAGES)('who has certified, in %s', (language) => {
  const words = bundles[language]['order-payment'];
  let one: Certified;
  beforeAll(async () => void (one = await certified({ language })));

  it('reads what can be ordered, at which price and by when, with nothing chosen', async () => {
    const { reader, page } = one;
    expect([reader.status, reader.address]).toEqual([200, page]);
    expect(reader.text).toContain('Anna Zoé Müller-Lüdenscheidt');
    expect(reader.html).not.toContain('<script type="module"');
    await reader.go(`${page}?package=standard&start_choice=now`);
    expect(ticked(reader)).toEqual([]);
    expect(reader.text).toContain(EMAIL);
    expect(reader.links(words.email.change, 'main')).toEqual([`${one.path}/step-8`]);
    // Each price with its VAT, the official fee apart, and both added in one currency only.
    const found = bills(reader);
    PRICES[language].forEach((price, index) => {
      const bill = Object.values(found)[index];
      const texts = [price, VAT[language], FEE[language], words.receipt.fee];
      for (const text of texts) expect(bill).toContain(plain(text));
    });
    expect(reader.text.includes('80.22')).toBe(language === 'en');
    const now = new Date(await site.clock.now());
    const hours = { standard: [72, 432], express: [24], premium: [12] };
    expect(Object.keys(found)).toEqual(Object.keys(hours));
    for (const [name, all] of Object.entries(hours)) {
      for (const after of all) {
        const moment = formatMoment(addHours(now, after), language, 'Europe/Paris');
        expect(found[name]).toContain(plain(moment));
      }
    }
    // Nothing stands between what matters and the button but the end of a part and its beginning.
    const above = reader.html.slice(0, reader.html.lastIndexOf(BUTTONS[language]));
    const last = above.slice(above.lastIndexOf('</dl>'));
    expect(last.replaceAll(/<[^>]*>?/g, '').trim()).toBe('');
  });

  it('orders what was chosen, with the sentences as they were shown', async () => {
    const { reader, id, page } = one;
    expect(await send(one, { ...ORDER, package: 'express' })).toContain('/demo/checkout/');
    const [row] = ordersOf(id);
    expect(row).toMatchObject({
      ...{ state: 'created', package: 'express', start_choice: 'now', delivery_hours: 24 },
      ...{ amount_cents: 6995, currency: language === 'en' ? 'USD' : 'EUR', vat_rate: 2000 },
      language_code: language,
    });
    const consents = JSON.parse(String(row?.['consents'])) as Record<string, string>;
    const { terms } = bundles[language]['order-consents'];
    expect(plain(consents['terms'] ?? '')).toBe(plain(terms));
    await reader.go(page);
    for (const text of Object.values(consents)) expect(reader.text).toContain(plain(text));
  });
});

it('each package says whether its answer comes before the trip; in two currencies the sum is about, and honest', async () => {
  const settings = { vat: { eurPerUsd: { '2026-11': '0.85' } } };
  const there = { ...LIVE, TODAY: '2026-11-22' };
  const own = endsWithTest(await startInProcess(there, { settings }));
  const { package: said, receipt, email } = bundles.fr['order-payment'];
  const meant = `${plain(email.meant.replace(/<.*/, ''))} anna@gmail.com`;
  const mistyped = { email: 'anna@gmial.com' };
  const { reader, path, id } = await filledIn(own, 7, { 1: mistyped }, 'fr');
  await sendAnswers(reader, STATEMENTS);
  expect(reader.text).toContain(meant);
  const sure = { ...mistyped, 'sure.email': mistyped.email };
  const { reader: other } = await filledIn(own, 7, { 1: sure }, 'fr');
  await sendAnswers(other, STATEMENTS);
  expect([other.heading, other.text.includes(meant)]).toEqual([reader.heading, false]);
  const shown = () => reader.page.all('div').filter((div) => div.get('id')?.endsWith('-when'));
  const trip = async (day: string | null) => {
    own.execute(`update applications set travel_date = ${day && `'${day}'`} where id = '${id}'`);
    await reader.go(`${path}/payment`);
    return shown().slice(0, 3);
  };
  const day = (days: number) => dayOf(addDays(new Date(), days));
  // Three days of ours, one, half a day, and three of the authorities'.
  const before = await trip(day(5));
  const [late = '', early = ''] = [said.arrival.after, said.arrival.before].map((text) =>
    plain(text.replace(/\{\{.*/, '')),
  );
  expect(before.map(({ text }) => [text.includes(late), text.includes(early)])).toEqual([
    [true, false],
    ...[1, 2].map(() => [false, true]),
  ]);
  expect(before.map((one) => one.get('class')?.includes('text-good'))).toEqual([false, true, true]);
  const named = (await trip(null)).map(({ text }) => /\d+/.exec(text)?.[0]);
  expect(named).toContain(String(Number(day(6).slice(8))));
  const { standard = '' } = bills(reader);
  // 34.23 euros at the official site; with ours 74.18.
  for (const text of [receipt.withUs, '75 €', receipt.yourself, '34 €'])
    expect(standard).toContain(plain(text));
  expect(reader.text).toContain(plain(receipt.rate.split('{{')[0] ?? ''));
});

describe('an order that is not complete', () => {
  let one: Certified;
  beforeAll(async () => void (one = await certified()));

  const NAMES = Object.keys(ORDER) as (keyof typeof ORDER)[];
  it.each(NAMES)('is refused without %s, and keeps the rest', async (name) => {
    const { reader, id } = one;
    await send(one, without(name));
    expectRefused(reader, words.errors.required[name]);
    expect(reader.title).toMatch(/^Error: /);
    const kept = Object.entries(without(name)).map(([key, value]) => `${key}=${value}`);
    expect([ticked(reader), ordersOf(id)]).toEqual([kept, []]);
  });

  it('is not taken for a price that was not seen, nor in the currency of another language', async () => {
    const { reader, page, id } = one;
    await reader.go(page);
    const { offer = '', ...hidden } = hiddenFields(reader);
    publish('prices.standard.cents', { EUR: 3895, USD: 3895 });
    await reader.send(page, { ...ORDER, ...hidden, offer });
    expectRefused(reader, words.errors.changed.text, 409);
    expect(bills(reader)['standard']).toContain('US$38.95');
    // The ticks were made for something else.
    expect(ticked(reader)).toEqual(['package=standard', 'start_choice=now']);
    expect(hiddenFields(reader)['offer']).toBe(offer.replace('3995', '3895'));
    site.execute('delete from owner_edits');
    await reader.visitor.get('/?lng=de');
    await reader.send(page, { ...ORDER, ...hidden, offer });
    expectRefused(reader, bundles.de['order-payment'].errors.changed.text, 409);
    expect(reader.text).toContain('39,95 €');
    expect(ordersOf(id)).toEqual([]);
    await reader.visitor.get('/?lng=en');
  });
});

it('a later start is offered, and taken, where the trip does not begin too soon', async () => {
  const one = await certified();
  const { reader, id } = one;
  const later = { ...ORDER, start_choice: LATER };
  const travelIn = async (days: number) => {
    const day = addDays(await site.clock.now(), days).toISOString();
    setApplication(id, { travel_date: day.slice(0, 10) });
  };
  await travelIn(18);
  await send(one, later);
  expectRefused(reader, words.errors.tooLate);
  expect(reader.html).not.toContain('value="after_14_days"');
  expect(ordersOf(id)).toEqual([]);
  await travelIn(60);
  await send(one, later);
  expect(ordersOf(id)).toMatchObject([{ start_choice: LATER }]);
});

it('an order that waits for money is told of, led to again, and replaced by another choice', async () => {
  const one = await certified();
  const first = await send(one, ORDER);
  await site.clock.pass(5 * 60_000);
  expect(await send(one, ORDER)).toBe(first);
  // It keeps its price.
  publish('prices.standard.cents', { EUR: 3895, USD: 3895 });
  await one.reader.go(one.page);
  await one.reader.press(words.open.pay);
  expect(one.reader.address).toBe(new URL(String(first), site.origin).pathname);
  expect(one.reader.text).toContain('39.95');
  expect(await send(one, { ...ORDER, package: 'premium' })).not.toBe(first);
  expect(ordersOf(one.id)).toMatchObject([{ state: 'expired' }, { state: 'created' }]);
});

it('a package that is sold out today is said, and refused with all that was chosen', async () => {
  const one = await certified();
  await one.reader.go(one.page);
  const express = { ...ORDER, package: 'express' };
  const seen = hiddenFields(one.reader);
  publish('sales.express.soldOutOn', dayOf(addDays(await site.clock.now(), 0)));
  await one.reader.send(one.page, { ...express, ...seen });
  expectRefused(one.reader, words.errors.soldOut);
  const kept = Object.entries(express).map(([name, value]) => `${name}=${value}`);
  expect([ticked(one.reader), ordersOf(one.id)]).toEqual([kept, []]);
  expect(one.reader.text).toContain(words.package.soldOut);
  await one.reader.go('/services');
  expect(one.reader.text).toContain(bundles.en.services.tiers.soldOut);
  expect(await send(one, ORDER)).toContain('/demo/checkout/');
});

it('a day off moves what is told, and a notice stands once on every page', async () => {
  const one = await certified();
  const at = await site.clock.now();
  const [from, until] = [0, 1].map((days) => dayOf(addDays(at, days)));
  publish('closures', [{ from: until, until, who: null }]);
  const text = { fr: 'Fermé demain', en: 'Closed tomorrow', de: 'Morgen geschlossen' };
  publish('notice', { from, until, text });
  for (const path of ['/', '/services', '/', one.page]) {
    await one.reader.go(path);
    expect(one.reader.text.split(text.en)).toHaveLength(2);
  }
  const date = plain(formatMoment(addHours(at, 48), 'en', 'Europe/Paris'));
  expect(bills(one.reader)['express']).toContain(date);
  expect(one.reader.text).toContain(words.package.within.until.replace('{{date}}', date));
});

it('whose passport is paid for already is warned, unless that is another’s', async () => {
  const first = await certified();
  const again = async (others = first.entries) => (await certified({ others })).reader;
  const { title } = words.twin;
  expect((await again()).text).not.toContain(title);
  setApplication(first.id, { state: 'in_review' });
  const reader = await again();
  expect(reader.text).toContain(title);
  await reader.follow(String(rowOf(first.id)['reference']));
  expect(reader.address).toBe(`${first.path}/overview`);
  setApplication(first.id, { state: 'cancelled' });
  expect((await again()).text).not.toContain(title);
  setApplication(first.id, { state: 'in_review' });
  // Number and address are the same.
  expect((await again([])).text).not.toContain(title);
});

describe('with a provider elsewhere', () => {
  it('the forms of this page alone may lead there; unreachable, nothing is lost', async () => {
    const away = { ...LIVE, ...PROVIDER, STRIPE_API_BASE: 'http://127.0.0.1:9' };
    const real = endsWithTest(await startInProcess(away));
    const here = "form-action 'self'";
    const there = `${here} http://127.0.0.1:9`;
    const policyOf = ({ headers }: { headers: Headers }) =>
      /form-action [^;]*/.exec(headers.get('Content-Security-Policy') ?? '')?.[0];
    const reader = await HtmlBrowser.open(real.origin, '/', 'en');
    const path = await fillApplication(reader, 7);
    expect(policyOf(reader)).toBe(here);
    await sendAnswers(reader, STATEMENTS);
    const page = `${path}/payment`;
    expect([reader.address, policyOf(reader)]).toEqual([page, there]);
    const stranger = await new Visitor(real.origin).get(page);
    expect([stranger.status, policyOf(stranger)]).toEqual([404, here]);
    await reader.send(page, { ...hiddenFields(reader), ...ORDER });
    expectRefused(reader, words.errors.unavailable.text, 503);
    expect([policyOf(reader), reader.headers.get('Retry-After')]).toEqual([there, '60']);
    expect(ticked(reader)).toHaveLength(4);
    await reader.go(`${path}/overview`);
    expect(policyOf(reader)).toBe(here);
  });

  it('that refuses is no dead end: nothing is lost, and one can write to us or try again', async () => {
    const stripe = endsWithTest(await startStripe());
    const keys = { ...stripe.variables, STRIPE_SECRET_KEY: 'sk_test_of_another_account' };
    const real = endsWithTest(await startInProcess({ OFFLINE_MODE: 'false', ...keys }));
    const { reader, page } = await certifiedBy(real);
    await reader.send(page, { ...hiddenFields(reader), ...ORDER });
    expectRefused(reader, words.errors.refused.text);
    expect(reader.links(words.errors.contact, 'main')).toEqual(['/contact']);
    expect(ticked(reader)).toHaveLength(4);
    expect(real.query("select id from orders where state = 'failed'")).toHaveLength(1);
    expect(real.log()).not.toMatch(/of_another_account|example\.eu/);
    expect(await stripe.sessions()).toEqual([]);
  });
});

describe('where the demonstration is paid', () => {
  const words = bundles.en['order-success'];
  const ordered = async (fields = ORDER, language: Language = 'en') => {
    const one = await certified({ language });
    await send(one, fields);
    return one;
  };
  const paidOf = (id: string) =>
    site.query('select * from orders where application_id = ? and fulfilled_at is not null', id);

  describe.each(JOURNEY_LANGUAGES)('in %s', (language) => {
    it('who has paid reads what comes next and when', async () => {
      const words = bundles[language]['order-success'];
      const one = await ordered(ORDER, language);
      const { reader, path, id } = one;
      const sibling = await addDraft({ language });
      reader.visitor.setCookie('draft', draftCookie(...one.entries, sibling));
      await payInDemo(reader);
      // What is missing, and whoever travels along in this browser; with an account also there, by name.
      const ways = [`${path}/passport-photo`, `/application/${sibling.id}/overview`];
      expect(reader.hrefs('main')).toEqual(expect.arrayContaining(ways));
      expect(reader.address.split('?')[0]).toBe(`${path}/success`);
      const [order] = paidOf(id);
      expect(order?.['state']).toBe('paid');
      const due = addHours(new Date(String(order?.['paid_at'])), 72);
      const known = [EMAIL, order?.['reference'], order?.['invoice_number']].map(String);
      for (const text of [...known, formatMoment(due, language, 'Europe/Paris')]) {
        expect(reader.text).toContain(plain(text));
      }
      expect(reader.hrefs()).toContain(`${path}/invoice`);
      // The form of the withdrawal knows the order; the times have their zone.
      const form = `/withdrawal?reference=${String(order?.['reference'])}`;
      expect(reader.links(words.actions.withdraw, 'main')).toEqual([form]);
      expect(reader.text).toMatch(/Paris time|heure de Paris|ME[SZ]/);
      // Looked at again, it is the same, and nothing is taken twice.
      const person = addPerson(site);
      const child = await addDraft({ userId: person.id, steps: allSamples() });
      const session = signedIn(site, person).cookie('session');
      reader.visitor.setCookie('session', session ?? '');
      await reader.go(`${path}/success`);
      expect([reader.status, reader.heading]).toEqual([200, plain(words.title)]);
      const named = reader.links('Mueller-Luedenscheidt, Anna Zoe', 'main');
      expect(named).toEqual([`/application/${child.id}/overview`]);
      expect(paidOf(id)).toHaveLength(1);
      // The photo that was to come later is asked for, once.
      await reader.go(`${path}/overview`);
      expect(reader.hrefs()).toContain(`${path}/passport-photo`);
      const asked = 'select fields, state, created_by from application_requests';
      expect(site.query(`${asked} where application_id = ?`, id)).toEqual([
        { fields: '["passport_photo","portrait"]', state: 'open', created_by: null },
      ]);
      const mails = "select id from outbox where application_id = ? and kind = 'photoMissing'";
      expect(site.query(mails, id)).toHaveLength(1);
    });
  });

  it('after a card that was declined, or leaving, nothing was charged, and it can be paid still', async () => {
    const one = await ordered();
    const { reader, path, id } = one;
    for (const intent of ['decline', 'close'] as const) {
      await payInDemo(reader, intent);
      expect(paidOf(id)).toEqual([]);
      await reader.go(`${path}/success`);
      expect(reader.address).toBe(`${path}/payment?cancelled=1`);
      expect(reader.text).toContain(plain(bundles.en['order-payment'].cancelled.title));
      await reader.press(bundles.en['order-payment'].open.pay);
    }
    await payInDemo(reader);
    expect(reader.heading).toBe(plain(words.title));
    expect(paidOf(id)).toHaveLength(1);
  });

  it('a page of nobody’s, or of another’s order, is nothing', async () => {
    const [one, other] = [await certified(), await ordered()];
    const sessions = 'select provider_session_id from orders where application_id = ?';
    const [row] = site.query(sessions, other.id);
    for (const session of ['cs_test_invented', String(row?.['provider_session_id'])]) {
      await one.reader.go(`${one.path}/success?session_id=${session}`);
      expect(one.reader.address).toBe(`${one.path}/payment?cancelled=1`);
    }
  });

  it('who has paid gets an account by one field', async () => {
    const { auth } = bundles.en;
    const { reader } = await ordered();
    await payInDemo(reader);
    reader.fill(auth.fields.newPassword, PASSWORD);
    await reader.press(auth.signUp.button);
    expect(reader.heading).toBe(auth.inbox.title);
    expect(site.query('select first_name from users where email = ?', EMAIL)).toHaveLength(1);
  });

  it('who comes back in another browser is told not to pay twice', async () => {
    // Whose it is and whether it is there makes no difference.
    const path = '/application/4711';
    const other = await HtmlBrowser.open(site.origin, `${path}/success?session_id=cs_test_1`, 'en');
    expect(other.status).toBe(404);
    expect(other.text).toContain(plain(words.closed.text));
    await other.go(`${path}/success`);
    expect(other.text).not.toContain(plain(words.closed.title));
  });
});

describe('where the provider is elsewhere', () => {
  const words = bundles.en['order-success'];
  let stripe: Stripe;
  withSite(async () => {
    stripe = await startStripe();
    return { OFFLINE_MODE: 'false', ...stripe.variables };
  });
  afterAll(() => stripe.stop());

  const success = async (path: string) =>
    `${path}/success?session_id=${(await stripe.sessions()).at(-1)?.id}`;
  const pay = async () => void (await stripe.pay((await stripe.sessions()).at(-1)?.id ?? ''));

  it('the page says what it knows: nothing paid, waiting, paid', async () => {
    const { reader, path, page: payment } = await certifiedBy(site);
    const answer = await reader.visitor.post(payment, { ...hiddenFields(reader), ...ORDER });
    expect(answer.status).toBe(303);
    // Sent along on the way back from another site.
    expect(answer.headers.get('Set-Cookie')).toMatch(/draft=[^;]+;.*SameSite=Lax/);
    await reader.go(await success(path));
    expect(reader.address).toBe(`${path}/payment?cancelled=1`);
    // As browsers come from another site, with the cookie that is sent along then.
    await pay();
    const crossing = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' };
    Object.assign(reader.visitor.headers, { ...crossing, 'Sec-Fetch-Dest': 'document' });
    await reader.go(await success(path));
    expect([reader.status, reader.heading]).toEqual([200, plain(words.title)]);
    stripe.deliversTo(site);
    expect(await stripe.deliver()).toEqual([200]);
    expect(site.query('select id from orders where paid_at is not null')).toHaveLength(1);
  });

  it('while the provider cannot be asked, it waits and says so', async () => {
    const { reader, path } = await certifiedBy(site);
    await reader.visitor.post(`${path}/payment`, { ...hiddenFields(reader), ...ORDER });
    await pay();
    const address = await success(path);
    await stripe.stop();
    await reader.go(address);
    expect([reader.status, reader.heading]).toEqual([200, plain(words.waiting.title)]);
    expect(reader.text).toContain(plain(words.waiting.text));
    expect(reader.links(words.waiting.again, 'main')).toEqual([reader.address]);
  });
});
