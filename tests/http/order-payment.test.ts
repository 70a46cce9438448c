import { addDays, addHours } from 'date-fns';
import { beforeAll, describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { formatMoment } from '~/i18n/format.server';
import { startStripe } from '../payments';
import { startInProcess as startSite } from '../site-in-process';
import { JOURNEY_LANGUAGES } from '../rounds';
import {
  certified,
  fillApplication,
  hiddenFields,
  ORDER,
  sendAnswers,
  STATEMENTS,
} from './application';
import { plain } from './html';
import { Reader } from './reader';
import { endsWithTest, site, withSite } from './site';
import { expectRefused } from './told';
import { Visitor } from './visitor';

const words = bundles.en['order-payment'];
const BUTTONS = {
  fr: 'Commande avec obligation de paiement',
  en: 'Order with obligation to pay',
  de: 'zahlungspflichtig bestellen',
};
const PRICES = {
  fr: ['39,95 €', '69,95 €', '89,95 €'],
  en: ['US$39.95', 'US$69.95', 'US$89.95'],
  de: ['39,95 €', '69,95 €', '89,95 €'],
};
const VAT = { fr: 'TVA de 20 % comprise', en: 'incl. 20% VAT', de: 'inkl. 20 % MwSt.' };
const FEE = { fr: '40,27 $US', en: 'US$40.27', de: '40,27 US-$' };

type Order = Partial<Record<keyof typeof ORDER, string>>;

withSite({ OFFLINE_MODE: 'false' }, { clock: 'held' });

type Certified = Awaited<ReturnType<typeof certified>>;

/** Orders from the page as it is, and sees what that shows. */
const send = async ({ reader, page }: Certified, fields: Order) => {
  await reader.go(page);
  await reader.send(page, { ...hiddenFields(reader), ...fields });
};
/** The same. @returns where it leads */
const goal = async ({ reader, page }: Certified, fields: Order) => {
  await reader.go(page);
  const { status, headers } = await reader.visitor.post(page, {
    ...hiddenFields(reader),
    ...fields,
  });
  expect(status).toBe(303);
  return headers.get('Location');
};
const without = (name: keyof typeof ORDER): Order =>
  Object.fromEntries(Object.entries(ORDER).filter(([key]) => key !== name));
const setState = (id: string, state: string) =>
  site.execute(`update applications set state = '${state}' where id = '${id}'`);
const ordersOf = (id: string) =>
  site.query('select * from orders where application_id = ? order by created_at', id);
const ticked = (reader: Reader) =>
  reader.page
    .all('input')
    .filter((input) => input.has('checked'))
    .map((input) => `${input.get('name')}=${input.get('value')}`);
/** Nothing that was chosen is lost. */
function expectKept(reader: Reader, { email }: Order = ORDER): void {
  expect(ticked(reader)).toHaveLength(4);
  expect(reader.page.all('input').map((input) => input.get('value'))).toContain(email);
}
/** The words of the parts that show what can be ordered, by what they are for. */
const glances = (reader: Reader): Record<string, string> =>
  Object.fromEntries(
    reader.page
      .all('dl')
      .filter((list) => list.has('data-glance'))
      .map((list) => [list.get('data-glance') ?? '', list.text]),
  );

describe.each(JOURNEY_LANGUAGES)('who has certified, in %s', (language) => {
  const words = bundles[language]['order-payment'];
  let one: Certified;
  beforeAll(async () => void (one = await certified(site, language)));

  it('reads what can be ordered, at which price and by when, with nothing chosen', async () => {
    const { reader, page } = one;
    expect([reader.status, reader.address]).toEqual([200, page]);
    expect(reader.text).toContain('Anna Zoé Müller-Lüdenscheidt');
    expect(reader.headers.get('Cache-Control')).toBe('no-store');
    expect(reader.html).not.toContain('<script type="module"');
    for (const wish of ['', '?package=express', '?package=standard&start_choice=now']) {
      await reader.go(page + wish);
      expect(ticked(reader)).toEqual([]);
      expect(reader.valueOf(words.email.label)).toBe('');
    }
    // Each price with its VAT, the official fee apart, and no sum of both: 39.95 and 40.27.
    const prices = PRICES[language].map((price) => `${price} ${VAT[language]}`);
    const fee = words.glance.feeOf.replace('{{fee}}', FEE[language]);
    for (const text of [...prices, words.fee.title, fee]) {
      expect(reader.text).toContain(plain(text));
    }
    expect(reader.text).not.toMatch(/80[,.]22/);
    // By when it is checked, in the time of the operator.
    const now = new Date(await site.clock.now());
    const found = Object.entries(glances(reader));
    const hours = [[72], [15 * 24, 15 * 24 + 72], [24], [12]];
    const names = ['standard-now', 'standard-later', 'express-now', 'premium-now'];
    expect(found.map(([name]) => name)).toEqual(names);
    for (const [n, [, text]] of found.entries()) {
      for (const after of hours[n] ?? []) {
        const moment = formatMoment(addHours(now, after), language, 'Europe/Paris');
        expect(text).toContain(plain(moment));
      }
    }
    // Nothing stands between what matters and the button but the end of a part and its beginning.
    const above = reader.html.slice(0, reader.html.lastIndexOf(BUTTONS[language]));
    const last = above.slice(above.lastIndexOf('</dl>'));
    expect(last.replaceAll(/<[^>]*>?/g, '').trim()).toBe('');
  });

  it('orders what was chosen, with the sentences as they were shown', async () => {
    const { reader, id, page } = one;
    expect(await goal(one, { ...ORDER, package: 'express' })).toContain('/demo/checkout/');
    const [row] = ordersOf(id);
    expect(row).toMatchObject({
      state: 'created',
      package: 'express',
      start_choice: 'now',
      amount_cents: 6995,
      currency: language === 'en' ? 'USD' : 'EUR',
      vat_rate: 2000,
      language_code: language,
      delivery_hours: 24,
    });
    const consents = JSON.parse(String(row?.['consents'])) as Record<string, string>;
    const { start, terms } = bundles[language]['order-consents'];
    const said = { start_choice: plain(start.now), terms: plain(terms) };
    for (const [name, text] of Object.entries(said)) expect(plain(consents[name] ?? '')).toBe(text);
    await reader.go(page);
    for (const sentence of Object.values(consents)) {
      expect(reader.text).toContain(plain(sentence));
    }
  });
});

describe('an order that is not complete', () => {
  let one: Certified;
  beforeAll(async () => void (one = await certified(site)));

  it.each(Object.keys(ORDER) as (keyof typeof ORDER)[])(
    'is refused without %s, and keeps the rest',
    async (name) => {
      const { reader, id } = one;
      await send(one, without(name));
      expectRefused(reader, words.errors.required[name]);
      expect(reader.title).toMatch(/^Error: /);
      const kept = Object.entries(without(name)).map(([key, value]) => `${key}=${value}`);
      expect(ticked(reader)).toEqual(kept.filter((each) => !each.startsWith('email=')));
      expect(reader.valueOf(words.email.label)).toBe(name === 'email' ? '' : ORDER.email);
      expect(ordersOf(id)).toEqual([]);
    },
  );

  it.each([
    ['an invented package', { package: 'gold' }, words.errors.choice],
    ['an invented start', { start_choice: 'yesterday' }, words.errors.choice],
    ['a box that says no', { terms: 'no' }, words.errors.choice],
    ['another address', { email: 'anna.mueller@example.com' }, words.errors.differs],
    ['half an address', { email: 'anna.mueller@' }, words.errors.email],
    [
      'Express later',
      { package: 'express', start_choice: 'after_14_days' },
      words.errors.standardOnly,
    ],
  ])('is refused with %s', async (_, change, message) => {
    await send(one, { ...ORDER, ...change });
    expectRefused(one.reader, message);
    expect(ordersOf(one.id)).toEqual([]);
  });

  it('is asked whether a well-known domain is mistyped in the address of the application', async () => {
    const reader = await Reader.open(site.origin, '/', 'en');
    await fillApplication(reader, 7, { 1: { email: 'anna@hotmial.com' } });
    await sendAnswers(reader, STATEMENTS);
    expect(reader.text).toContain('did you mean anna@hotmail.com?');
  });

  it('is not taken for a price that was not seen, nor in the currency of another language', async () => {
    const { reader, page, id } = one;
    await reader.go(page);
    const { offer = '', ...hidden } = hiddenFields(reader);
    await reader.send(page, { ...ORDER, ...hidden, offer: offer.replace('3995', '2995') });
    expectRefused(reader, words.errors.changed.text, 409);
    // The ticks were made for something else.
    expect(ticked(reader)).toEqual(['package=standard', 'start_choice=now']);
    expect(hiddenFields(reader)['offer']).toBe(offer);
    await reader.visitor.get('/?lng=de');
    await reader.send(page, { ...ORDER, ...hidden, offer });
    expectRefused(reader, bundles.de['order-payment'].errors.changed.text, 409);
    expect(reader.text).toContain('39,95 €');
    expect(ordersOf(id)).toEqual([]);
    await reader.visitor.get('/?lng=en');
  });
});

it('a later start is offered, and taken, where the trip does not begin too soon', async () => {
  const one = await certified(site);
  const { reader, id } = one;
  const later = { ...ORDER, start_choice: 'after_14_days' };
  const travelIn = async (days: number) => {
    const day = addDays(await site.clock.now(), days)
      .toISOString()
      .slice(0, 10);
    site.execute(`update applications set travel_date = '${day}' where id = '${id}'`);
  };
  await travelIn(18);
  await send(one, later);
  expectRefused(reader, words.errors.tooLate);
  expect(Object.keys(glances(reader))).not.toContain('standard-later');
  expect(reader.html).not.toContain('value="after_14_days"');
  expect(ordersOf(id)).toEqual([]);
  await travelIn(60);
  await goal(one, later);
  expect(ordersOf(id)).toMatchObject([{ start_choice: 'after_14_days' }]);
});

it('an order that waits for money is told of, led to again, and replaced by another choice', async () => {
  const one = await certified(site);
  const first = await goal(one, ORDER);
  await site.clock.pass(5 * 60_000);
  expect(await goal(one, ORDER)).toBe(first);
  await one.reader.go(one.page);
  expect(one.reader.text).toContain(plain(words.open.title));
  expect(ticked(one.reader)).toEqual([]);
  expect(await goal(one, { ...ORDER, package: 'premium' })).not.toBe(first);
  expect(ordersOf(one.id)).toMatchObject([
    { state: 'expired', package: 'standard' },
    { state: 'created', package: 'premium' },
  ]);
});

it('whose passport is paid for already is warned, unless that is another’s', async () => {
  const first = await certified(site);
  const { reader } = first;
  const again = async (own: Reader) => {
    await fillApplication(own);
    await sendAnswers(own, STATEMENTS);
    return own.text.includes(words.twin.title);
  };
  expect(await again(reader)).toBe(false);
  setState(first.id, 'in_review');
  expect(await again(reader)).toBe(true);
  const { reference } = site.query('select reference from applications where id = ?', first.id)[0]!;
  await reader.follow(String(reference));
  expect(reader.address).toBe(`${first.path}/overview`);
  setState(first.id, 'cancelled');
  expect(await again(reader)).toBe(false);
  setState(first.id, 'in_review');
  // Number and address are the same.
  expect(await again(await Reader.open(site.origin, '/', 'en'))).toBe(false);
});

describe('with a provider elsewhere', () => {
  it('the forms of this page alone may lead there; unreachable, nothing is lost', async () => {
    const real = endsWithTest(
      await startSite({
        OFFLINE_MODE: 'false',
        STRIPE_SECRET_KEY: 'sk_test_of_nobody',
        STRIPE_WEBHOOK_SECRET: 'whsec_of_nobody',
        // Nobody listens there.
        STRIPE_API_BASE: 'http://127.0.0.1:9',
      }),
    );
    const here = "form-action 'self'";
    const there = `${here} http://127.0.0.1:9`;
    const policyOf = ({ headers }: { headers: Headers }) =>
      /form-action [^;]*/.exec(headers.get('Content-Security-Policy') ?? '')?.[0];
    const reader = await Reader.open(real.origin, '/', 'en');
    const path = await fillApplication(reader, 7);
    expect(policyOf(reader)).toBe(here);
    await sendAnswers(reader, STATEMENTS);
    const page = `${path}/payment`;
    expect([reader.address, policyOf(reader)]).toEqual([page, there]);
    const stranger = await new Visitor(real.origin).get(page);
    expect([stranger.status, policyOf(stranger)]).toEqual([404, here]);
    await reader.send(page, hiddenFields(reader));
    expect([reader.status, policyOf(reader)]).toEqual([422, there]);
    await reader.send(page, { ...hiddenFields(reader), ...ORDER });
    expectRefused(reader, words.errors.unavailable.text, 503);
    expect([policyOf(reader), reader.headers.get('Retry-After')]).toEqual([there, '60']);
    expectKept(reader);
    await reader.go(`${path}/overview`);
    expect(policyOf(reader)).toBe(here);
  });

  it('that refuses is no dead end: nothing is lost, and one can write to us or try again', async () => {
    const stripe = await startStripe();
    // Of another account: every call is refused.
    const keys = { ...stripe.variables, STRIPE_SECRET_KEY: 'sk_test_of_another_account' };
    const real = endsWithTest(await startSite({ OFFLINE_MODE: 'false', ...keys }));
    try {
      const { reader, page } = await certified(real);
      for (const tries of [1, 2]) {
        await reader.send(page, { ...hiddenFields(reader), ...ORDER });
        expectRefused(reader, words.errors.refused.text);
        expect(reader.links(words.errors.contact, 'main')).toEqual(['/contact']);
        expectKept(reader);
        // Whoever tries again orders anew.
        const failed = real.query("select id from orders where state = 'failed'");
        expect(failed).toHaveLength(tries);
      }
      expect(real.log()).not.toMatch(/of_another_account|example\.eu/);
      expect(await stripe.sessions()).toEqual([]);
    } finally {
      await stripe.stop();
    }
  });
});
