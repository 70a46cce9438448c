import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { type Site, startSite } from '../production-server';
import { Visitor } from './visitor';

let site: Site;
let visitor: Visitor;
beforeAll(async () => {
  site = await startSite({}, { clock: 'held' });
});
afterAll(() => site.stop());
beforeEach(() => {
  visitor = new Visitor(site.origin, { 'Accept-Language': 'en' });
});

const good = {
  leaveEmpty: '',
  name: 'Ada Martin',
  email: 'ada@example.com',
  phone: '',
  subject: 'My passport',
  category: 'eligibility',
  message: 'c4n4ry: is it valid?',
  applicationNumber: '',
};

describe('the contact form', () => {
  it('takes a message, waits the two seconds, shows the toast once and is empty', async () => {
    const sent = visitor.post('/contact', good);
    const { value: response, ms } = await site.clock.until(sent);
    expect(ms).toBe(2000);
    expect([response.status, response.headers.get('Location')]).toEqual([303, '/contact']);
    const page = await (await visitor.get('/contact')).text();
    expect(page).toContain('Message Sent!');
    expect(page).toContain('Thank you for contacting us. We’ll respond within 24 hours.');
    expect(page).not.toContain('Ada Martin');
    expect(await (await visitor.get('/contact')).text()).not.toContain('Message Sent!');
    expect(site.log()).not.toContain('c4n4ry');
    expect(site.log()).not.toContain('ada@example.com');
  });

  it('refuses what is missing or wrong, beside the field, with the rest kept', async () => {
    const wrong = { email: 'ada<at>example', subject: '', category: 'spam' };
    const response = await visitor.post('/contact', { ...good, ...wrong });
    expect(response.status).toBe(422);
    const page = await response.text();
    expect(page).toMatch(/<title>Error: /);
    expect(page.match(/aria-invalid="true"/g)).toHaveLength(3);
    expect(page).toContain('Please enter a valid email address');
    expect(page).toContain('value="ada&lt;at&gt;example"');
    expect(page).toContain('value="Ada Martin"');
    expect(page).toContain('c4n4ry: is it valid?</textarea>');
    for (const field of ['email', 'subject', 'category']) {
      expect(page).toContain(`<a href="#${field}"`);
    }
  });

  it('needs no category, phone or application number', async () => {
    const { name, email, subject, message } = good;
    const sent = visitor.post('/contact', { leaveEmpty: '', name, email, subject, message });
    expect((await site.clock.until(sent)).value.status).toBe(303);
  });

  it.each<[string, [string, string][]]>([
    ['nothing', []],
    ['5,000 fields', Array.from({ length: 5000 }, (_, n): [string, string] => [`f${n}`, 'x'])],
    ['an array', [['name[10000000]', 'x']]],
    ['a command of the form library', [['__intent__', '{"type":"reset"}']]],
    ['a very long message', [...Object.entries({ ...good, message: 'x'.repeat(50_000) })]],
  ])('%s is refused, not a fault', async (_name, fields) => {
    expect((await visitor.post('/contact', fields)).status).toBe(422);
  });

  it('says that it is a demonstration', async () => {
    const page = await (await visitor.get('/contact')).text();
    expect(page).toContain(bundles.en.contact.demonstration);
  });
});
