import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { formatMoment } from '~/i18n/format.server';
import { startStripe } from '../payments';
import { type Site, startSite } from '../production-server';
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
import { anyAddress, Visitor } from './visitor';

const WORDS = {
  fr: bundles.fr['order-payment'],
  en: bundles.en['order-payment'],
  de: bundles.de['order-payment'],
};
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
const PARIS = 'Europe/Paris';
const HOUR_MS = 3_600_000;
const A_MINUTE = 60_000;

const EMAIL = ORDER.email;
type Order = Partial<Record<keyof typeof ORDER, string>>;

let site: Site;
beforeAll(async () => {
  site = await startSite({ OFFLINE_MODE: 'false' }, { clock: 'held' });
});
afterAll(() => site.stop());

type Certified = Awaited<ReturnType<typeof certified>>;

/** What the answer to an order is, as it stands on the page that was opened before. */
const order = async ({ reader, page }: Certified, fields: Order) => {
  await reader.go(page);
  return reader.visitor.post(page, { ...hiddenFields(reader), ...fields });
};
/** The same, with the page that it shows. */
const send = async ({ reader, page }: Certified, fields: Order) => {
  await reader.go(page);
  await reader.send(page, { ...hiddenFields(reader), ...fields });
};
const without = (name: keyof typeof ORDER): Order =>
  Object.fromEntries(Object.entries(ORDER).filter(([key]) => key !== name));
const setState = (id: string, state: string) =>
  site.execute(`update applications set state = '${state}' where id = '${id}'`);
const ordersOf = (id: string) =>
  site.query('select * from orders where application_id = ? order by created_at', id);
const formOf = (reader: Reader) =>
  reader.page.all('form').find((each) => each.get('id') === 'page-form');
const ticked = (reader: Reader) =>
  reader.page
    .all('input')
    .filter((input) => input.has('checked'))
    .map((input) => `${input.get('name')}=${input.get('value')}`);
const policyOf = (headers: Headers) =>
  /form-action [^;]*/.exec(headers.get('Content-Security-Policy') ?? '')?.[0];
/** The words of the parts that show what can be ordered, by what they are for. */
const glances = (reader: Reader): Record<string, string> =>
  Object.fromEntries(
    reader.page
      .all('dl')
      .filter((list) => list.has('data-glance'))
      .map((list) => [list.get('data-glance') ?? '', list.text]),
  );

describe.each(JOURNEY_LANGUAGES)('who has certified, in %s', (language) => {
  const words = WORDS[language];
  let one: Certified;
  beforeAll(async () => void (one = await certified(site, language)));

  it('stands before what can be ordered, with nothing chosen', async () => {
    const { reader, page } = one;
    expect([reader.status, reader.address]).toEqual([200, page]);
    expect(reader.heading).toBe(plain(words.title));
    expect(reader.text).toContain('Anna Zoé Müller-Lüdenscheidt');
    expect(reader.headers.get('Cache-Control')).toBe('no-store');
    expect(reader.html).not.toContain('<script type="module"');
    for (const wish of ['', '?package=express', '?package=standard&start_choice=now']) {
      await reader.go(page + wish);
      expect(ticked(reader)).toEqual([]);
      expect(reader.field(words.email.label).get('value') ?? '').toBe('');
    }
  });

  it('reads each price with its VAT, the official fee apart, and no sum', async () => {
    const { reader, page } = one;
    await reader.go(page);
    for (const price of PRICES[language]) {
      expect(reader.text).toContain(plain(`${price} ${VAT[language]}`));
    }
    expect(reader.text).toContain(plain(words.fee.title));
    const fee = { fr: '40,27 $US', en: 'US$40.27', de: '40,27 $' }[language];
    expect(reader.text).toContain(plain(words.glance.feeOf.replace('{{fee}}', fee)));
    // 39.95 and 40.27
    expect(reader.text).not.toMatch(/80[,.]22/);
  });

  it('reads by when it is checked, in the time of the operator', async () => {
    const { reader, page } = one;
    await reader.go(page);
    const now = await site.clock.now();
    const at = (hours: number) =>
      plain(formatMoment(new Date(now + hours * HOUR_MS), language, PARIS));
    const found = glances(reader);
    expect(Object.entries(found)).toEqual([
      ['standard-now', expect.stringContaining(at(72))],
      ['standard-later', expect.stringContaining(at(15 * 24))],
      ['express-now', expect.stringContaining(at(24))],
      ['premium-now', expect.stringContaining(at(12))],
    ]);
    expect(found['standard-later']).toContain(at(15 * 24 + 72));
  });

  it('has what matters directly above a button with the words of the law', async () => {
    const { reader, page } = one;
    await reader.go(page);
    expect(
      formOf(reader)
        ?.all('button')
        .map(({ text }) => text),
    ).toEqual([BUTTONS[language]]);
    const above = reader.html.slice(0, reader.html.lastIndexOf(BUTTONS[language]));
    const last = above.slice(above.lastIndexOf('</dl>'));
    // Nothing stands between the two but the end of a part and the beginning of the button.
    expect(last.replaceAll(/<[^>]*>?/g, '').trim()).toBe('');
  });

  it('is refused without anything, and told each point', async () => {
    const { reader } = one;
    await send(one, {});
    expect(reader.status).toBe(422);
    const said = reader.announced('alert');
    for (const problem of Object.values(words.errors.required)) {
      expect(said).toContain(plain(problem));
    }
    expect(ticked(reader)).toEqual([]);
    expect(ordersOf(one.id)).toEqual([]);
  });

  it('orders by the form that is there, and is led to where it is paid', async () => {
    const { reader, id, page } = one;
    await reader.go(page);
    reader.choose(words.package.legend, 'Express');
    reader.choose(words.start.legend, words.start.now.label);
    reader.fill(words.email.label, EMAIL);
    const inputs = formOf(reader)?.all('input') ?? [];
    const boxes = inputs.filter((each) => each.get('type') === 'checkbox');
    const fields = Object.fromEntries(boxes.map((box) => [box.get('name') ?? '', 'yes']));
    expect(Object.keys(fields)).toEqual(['not_government_acknowledged', 'terms']);
    const sent = { ...hiddenFields(reader), ...ORDER, ...fields, package: 'express' };
    const answer = await reader.visitor.post(page, sent);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('Location')).toContain('/demo/checkout/');
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
    expect(plain(consents['start_choice'] ?? '')).toBe(plain(start.now));
    expect(plain(consents['terms'] ?? '')).toBe(plain(terms));
    await reader.go(page);
    // As it was shown, to the letter.
    for (const sentence of Object.values(consents)) {
      expect(reader.text).toContain(plain(sentence));
    }
  });
});

describe('an order that is not complete', () => {
  let one: Certified;
  beforeAll(async () => void (one = await certified(site)));
  const errors = WORDS.en.errors;

  it.each(Object.keys(ORDER) as (keyof typeof ORDER)[])(
    'is refused without %s, and keeps the rest',
    async (name) => {
      const { reader, id } = one;
      await send(one, without(name));
      expect(reader.status).toBe(422);
      expect(reader.announced('alert')).toContain(plain(errors.required[name]));
      expect(reader.title).toMatch(/^Error: /);
      const kept = Object.entries(without(name)).map(([key, value]) => `${key}=${value}`);
      expect(ticked(reader)).toEqual(kept.filter((each) => !each.startsWith('email=')));
      expect(reader.valueOf(WORDS.en.email.label)).toBe(name === 'email' ? '' : EMAIL);
      expect(ordersOf(id)).toEqual([]);
    },
  );

  it.each([
    ['an invented package', { package: 'gold' }, errors.choice],
    ['an invented start', { start_choice: 'yesterday' }, errors.choice],
    ['a box that says no', { terms: 'no' }, errors.choice],
    ['another address', { email: 'anna.mueller@example.com' }, errors.differs],
    ['half an address', { email: 'anna.mueller@' }, errors.email],
    ['Express later', { package: 'express', start_choice: 'after_14_days' }, errors.standardOnly],
    ['Premium later', { package: 'premium', start_choice: 'after_14_days' }, errors.standardOnly],
  ])('is refused with %s', async (_, change, message) => {
    await send(one, { ...ORDER, ...change });
    expect(one.reader.status).toBe(422);
    expect(one.reader.announced('alert')).toContain(plain(message));
    expect(ordersOf(one.id)).toEqual([]);
  });

  it('is not taken for a price that was not seen', async () => {
    const { reader, page, id } = one;
    await reader.go(page);
    const { offer = '' } = hiddenFields(reader);
    await reader.send(page, { ...ORDER, offer: offer.replace('3995', '2995') });
    expect(reader.status).toBe(409);
    expect(reader.announced('alert')).toContain(plain(errors.changed.text));
    // The ticks were made for something else.
    expect(ticked(reader)).toEqual(['package=standard', 'start_choice=now']);
    expect(hiddenFields(reader)['offer']).toBe(offer);
    expect(ordersOf(id)).toEqual([]);
  });

  it('nor in the currency of another language', async () => {
    const { reader, page, id } = one;
    await reader.go(page);
    const fields = { ...hiddenFields(reader), ...ORDER };
    const elsewhere = await reader.visitor.get('/?lng=de');
    expect(elsewhere.status).toBe(200);
    await reader.send(page, fields);
    expect(reader.status).toBe(409);
    expect(reader.announced('alert')).toContain(plain(WORDS.de.errors.changed.text));
    expect(reader.text).toContain('39,95 €');
    expect(ordersOf(id)).toEqual([]);
    await reader.visitor.get('/?lng=en');
  });

  it('too often at once is told how long to wait, and keeps the rest', async () => {
    const { reader, page, id } = one;
    await reader.go(page);
    const fields = { ...hiddenFields(reader), ...ORDER };
    const { visitor } = reader;
    const own = visitor.headers['X-Forwarded-For'] ?? '';
    visitor.headers['X-Forwarded-For'] = anyAddress();
    try {
      const broken = { ...fields, terms: '' };
      await Promise.all(Array.from({ length: 60 }, () => visitor.post(page, broken)));
      await reader.send(page, fields);
    } finally {
      visitor.headers['X-Forwarded-For'] = own;
    }
    expect(reader.status).toBe(429);
    expect(Number(reader.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(reader.announced('alert')).toContain(plain(errors.tooMany.title));
    expect(reader.announced('alert')).not.toContain('{{');
    expect(ticked(reader)).toHaveLength(4);
    expect(reader.valueOf(WORDS.en.email.label)).toBe(EMAIL);
    expect(ordersOf(id)).toEqual([]);
  });

  it('a change of language keeps what was chosen, and judges nothing', async () => {
    const { reader, page } = one;
    await reader.go(page);
    const fields = { ...hiddenFields(reader), ...ORDER, email: 'half@', lng: 'fr' };
    await reader.send(`${page}?lng=fr`, fields);
    expect([reader.status, reader.heading]).toEqual([200, plain(WORDS.fr.title)]);
    expect(reader.announced('alert')).toBe('');
    expect(ticked(reader)).toHaveLength(4);
    expect(reader.valueOf(WORDS.fr.email.label)).toBe('half@');
    expect(reader.text).toContain(plain(PRICES.fr[0] ?? ''));
    await reader.go(`${page}?lng=en`);
  });
});

describe('a later start', () => {
  let one: Certified;
  beforeAll(async () => void (one = await certified(site)));
  const travelIn = async (days: number) => {
    const at = new Date((await site.clock.now()) + days * 24 * HOUR_MS).toISOString().slice(0, 10);
    site.execute(`update applications set travel_date = '${at}' where id = '${one.id}'`);
  };

  it('is not offered, nor taken, where the trip begins too soon', async () => {
    const { reader, id } = one;
    await travelIn(18);
    await send(one, { ...ORDER, start_choice: 'after_14_days' });
    expect(reader.status).toBe(422);
    expect(reader.announced('alert')).toContain(plain(WORDS.en.errors.tooLate));
    expect(Object.keys(glances(reader))).not.toContain('standard-later');
    expect(reader.html).not.toContain('value="after_14_days"');
    expect(ordersOf(id)).toEqual([]);
  });

  it('is taken where there is time', async () => {
    await travelIn(60);
    const answer = await order(one, { ...ORDER, start_choice: 'after_14_days' });
    expect(answer.status).toBe(303);
    expect(ordersOf(one.id)).toMatchObject([{ start_choice: 'after_14_days' }]);
  });
});

describe('an order that waits for money', () => {
  let one: Certified;
  beforeAll(async () => void (one = await certified(site)));
  const goal = async (fields: Order) => (await order(one, fields)).headers.get('Location');

  it('is told of, led to again, and replaced by another choice', async () => {
    const { reader, page, id } = one;
    const first = await goal(ORDER);
    expect(await goal(ORDER)).toBe(first);
    await site.clock.pass(5 * A_MINUTE);
    expect(await goal(ORDER)).toBe(first);
    await reader.go(page);
    expect(reader.text).toContain(plain(WORDS.en.open.title));
    expect(ticked(reader)).toEqual([]);
    const second = await goal({ ...ORDER, package: 'premium' });
    expect(second).not.toBe(first);
    expect(ordersOf(id).map(({ state, package: name }) => [state, name])).toEqual([
      ['expired', 'standard'],
      ['created', 'premium'],
    ]);
  });
});

describe('who does not belong there', () => {
  let one: Certified;
  beforeAll(async () => void (one = await certified(site)));
  beforeEach(() => setState(one.id, 'awaiting_payment'));

  it.each([
    ['draft', 'step-8'],
    ['paid', 'success'],
    ['in_review', 'success'],
    ['filed', 'overview'],
    ['cancelled', 'overview'],
    ['expired', 'overview'],
  ])('of a state %s is led to %s, whatever is sent', async (state, goal) => {
    setState(one.id, state);
    const { visitor } = one.reader;
    for (const answer of [await visitor.get(one.page), await visitor.post(one.page, ORDER)]) {
      expect([answer.status, answer.headers.get('Location')]).toEqual([303, `${one.path}/${goal}`]);
    }
    expect(ordersOf(one.id)).toEqual([]);
  });

  it('without a database what was chosen is kept', async () => {
    const { reader, page } = one;
    await reader.go(page);
    const hidden = hiddenFields(reader);
    site.execute('alter table applications rename to put_away');
    try {
      await reader.send(page, { ...hidden, ...ORDER });
      expect(reader.status).toBe(503);
      expect(reader.announced('alert')).toContain(plain(WORDS.en.errors.busy.text));
      expect(ticked(reader)).toHaveLength(4);
      expect(reader.valueOf(WORDS.en.email.label)).toBe(EMAIL);
    } finally {
      site.execute('alter table put_away rename to applications');
    }
  });
});

describe('with a provider elsewhere', () => {
  it('the forms of this page alone may lead there; unreachable, nothing is lost', async () => {
    const real = await startSite({
      OFFLINE_MODE: 'false',
      STRIPE_SECRET_KEY: 'sk_test_of_nobody',
      STRIPE_WEBHOOK_SECRET: 'whsec_of_nobody',
      // Nobody listens there.
      STRIPE_API_BASE: 'http://127.0.0.1:9',
    });
    try {
      const reader = await Reader.open(real.origin, '/', 'en');
      const path = await fillApplication(reader, 7);
      expect(policyOf(reader.headers)).toBe("form-action 'self'");
      await sendAnswers(reader, STATEMENTS);
      const page = `${path}/payment`;
      const goal = "form-action 'self' http://127.0.0.1:9";
      expect([reader.address, policyOf(reader.headers)]).toEqual([page, goal]);
      const stranger = await new Visitor(real.origin).get(page);
      expect([stranger.status, policyOf(stranger.headers)]).toEqual([404, "form-action 'self'"]);
      await reader.send(page, hiddenFields(reader));
      expect([reader.status, policyOf(reader.headers)]).toEqual([422, goal]);
      await reader.send(page, { ...hiddenFields(reader), ...ORDER });
      expect([reader.status, policyOf(reader.headers)]).toEqual([503, goal]);
      expect(reader.headers.get('Retry-After')).toBe('60');
      expect(reader.announced('alert')).toContain(plain(WORDS.en.errors.unavailable.text));
      expect(ticked(reader)).toHaveLength(4);
      await reader.go(`${path}/overview`);
      expect(policyOf(reader.headers)).toBe("form-action 'self'");
    } finally {
      await real.stop();
    }
  });

  it('that refuses is no dead end: nothing is lost, and one can write to us or try again', async () => {
    const stripe = await startStripe();
    const real = await startSite({
      OFFLINE_MODE: 'false',
      ...stripe.variables,
      // Of another account: every call is refused.
      STRIPE_SECRET_KEY: 'sk_test_of_another_account',
    });
    try {
      const { reader, page } = await certified(real);
      for (const tries of [1, 2]) {
        await reader.send(page, { ...hiddenFields(reader), ...ORDER });
        expect([reader.status, reader.address]).toEqual([422, page]);
        expect(reader.announced('alert')).toContain(plain(WORDS.en.errors.refused.text));
        expect(reader.links(WORDS.en.errors.contact, 'main')).toEqual(['/contact']);
        expect(ticked(reader)).toHaveLength(4);
        // Whoever tries again orders anew.
        const failed = real.query('select state from orders');
        expect(failed).toEqual(Array.from({ length: tries }, () => ({ state: 'failed' })));
      }
      expect(real.log()).not.toMatch(/of_another_account|example\.eu/);
      expect(await stripe.sessions()).toEqual([]);
    } finally {
      await real.stop();
      await stripe.stop();
    }
  });
});
