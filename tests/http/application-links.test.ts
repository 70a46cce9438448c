import { describe, expect, it } from 'vitest';

import { hashOfToken } from '~/accounts/tokens.server';
import { saveStep } from '~/applications/answers.server';
import { writeDatabase } from '~/database.server';
import { bundles } from '~/i18n/bundles.server';
import { typed } from '../domain/application/full';
import { JOURNEY_LANGUAGES } from '../rounds';
import { contentOf } from '../signed-cookie';
import { goalOf } from './accounts';
import { plain } from './html';
import { linkIn, mailsTo, tokenOf } from './inbox';
import {
  addDraft,
  anyEmail,
  buy,
  type Entry,
  mailed,
  rowOf,
  setApplication,
  site,
  withSite,
} from './known-site';
import { HtmlBrowser } from './html-browser';
import { addPerson } from './signed-in';
import { whileAway } from './site';
import { expectRefused, expectSubject, expectToWait } from './told';
import { Visitor } from './visitor';

const STATUS = '/application/status';
const RESUME = '/application/resume';
const BIRTH = typed('date_of_birth', '1971-08-09');
const WRONG = typed('date_of_birth', '1972-08-09');
const NAME = 'Markerskaja';
const words = bundles.en['application-links'];

withSite();

type Draft = Awaited<ReturnType<typeof addDraft>>;

const makeDraft = (options: Parameters<typeof addDraft>[0] = {}) =>
  addDraft({ ...options, steps: { 1: { last_name: NAME, ...BIRTH } } });

const anyVisitor = () => new Visitor(site.origin, { 'Accept-Language': 'en' });
const ask = ({ reference, email }: Pick<Draft, 'reference' | 'email'>, visitor = anyVisitor()) =>
  visitor.post(STATUS, { reference, email });

async function linkFor(draft: Draft): Promise<string> {
  const before = (await mailsTo(site, draft.email, 0)).length;
  expect(goalOf(await ask(draft))).toEqual([303, `${STATUS}?sent`]);
  return linkIn((await mailsTo(site, draft.email, before + 1))[0]);
}

const open = (visitor: Visitor, link: string, birth = BIRTH) =>
  visitor.post(link, { token: tokenOf(link), ...birth });
const looked = async (link: string) => (await anyVisitor().get(link)).status;
const opened = async (link: string) => (await open(anyVisitor(), link)).status;

const entriesOf = (visitor: Visitor) => contentOf(visitor.cookie('draft')).value as Entry[];

const opensAnswers = (visitor: Visitor, { id }: Draft) =>
  rowOf(id)['draft_token_hash'] ===
  hashOfToken(entriesOf(visitor).find((one) => one.id === id)?.token ?? '');
const eventsOf = ({ id }: Draft, action: string) =>
  site.query('select * from audit_events where subject_id = ? and action = ?', id, action);

it.each(JOURNEY_LANGUAGES)(
  'who comes back asks for a link, gets it in the language of the application, and goes on, in %s',
  async (language) => {
    const own = bundles[language]['application-links'];
    const { parts, errors } = bundles[language]['application-fields'];
    const { inbox } = bundles[language].auth;
    const draft = await makeDraft({ language });
    const reader = await HtmlBrowser.open(site.origin, STATUS, language);
    await reader.press(own.status.button);
    for (const problem of Object.values(own.status.errors.required)) expectRefused(reader, problem);
    reader.fill(own.status.fields.reference, draft.reference.toLowerCase().replaceAll('-', ' '));
    reader.fill(own.status.fields.email, draft.email.toUpperCase());
    await reader.press(own.status.button);
    expect([reader.address, reader.heading]).toEqual([`${STATUS}?sent`, plain(inbox.title)]);
    expect(reader.announced('status')).toContain(draft.email.toUpperCase());
    const [mail] = await mailsTo(site, draft.email);
    expectSubject(mail, bundles[language].mail.mails.resumeApplication.subject);
    await reader.go(linkIn(mail, RESUME));
    expect([reader.status, reader.heading]).toEqual([200, plain(own.resume.title)]);
    reader.fill(parts.day, '9');
    reader.fill(parts.year, '1971');
    await reader.press(own.resume.button);
    expectRefused(reader, errors.dateMonth);
    expect(reader.valueOf(parts.year)).toBe('1971');
    expect(reader.field(parts.day).get('aria-invalid')).toBe('true');
    reader.fill(parts.month, { fr: 'août', en: 'Aug', de: 'August' }[language]);
    await reader.press(own.resume.button);
    expect(reader.address).toBe(`/application/${draft.id}/step-1`);
    expect(reader.html).toContain(NAME);
    expect(opensAnswers(reader.visitor, draft)).toBe(true);
    expect(site.query('select tries from throttles where tries > 0')).toEqual([]);

    const late = await HtmlBrowser.open(site.origin, linkIn(mail), language);
    expect([late.status, late.heading]).toEqual([410, plain(own.ended.title)]);
    expect(late.links(own.ended.again)).toEqual([STATUS]);
    expect(late.html).not.toContain(draft.id);
  },
);

describe('a link to go on with an application', () => {
  it('is good for seven days, changes nothing when mail programs look at it, takes the application from the browser that had it, and is in the audit', async () => {
    const draft = await makeDraft();
    const link = await linkFor(draft);
    const row = 'select * from one_time_tokens where token_hash = ?';
    const [{ created_at, expires_at } = {}] = site.query(row, hashOfToken(tokenOf(link)));
    expect(Date.parse(String(expires_at)) - Date.parse(String(created_at))).toBe(7 * 86_400_000);
    for (let n = 0; n < 3; n += 1) expect(await looked(link)).toBe(200);
    const before = rowOf(draft.id)['draft_token_hash'];
    const visitor = anyVisitor();
    expect(goalOf(await open(visitor, link))).toEqual([303, `/application/${draft.id}/step-1`]);
    expect(rowOf(draft.id)['draft_token_hash']).not.toBe(before);
    expect(opensAnswers(visitor, draft)).toBe(true);
    expect(eventsOf(draft, 'application.opened_by_link')).toMatchObject([
      { actor_kind: 'anybody', actor_id: null, details: '{"what":"answers"}' },
    ]);
  });

  it('says how many tries are left, and is dead after five', async () => {
    const draft = await makeDraft();
    const link = await linkFor(draft);
    for (const left of [4, 3, 2, 1]) {
      const refused = await open(anyVisitor(), link, WRONG);
      const html = await refused.text();
      expect([left, refused.status]).toEqual([left, 422]);
      const said = left === 1 ? words.resume.left_one : words.resume.left_other;
      expect(plain(html)).toContain(plain(said.replace('{{count}}', String(left))));
      expect(html).toContain('value="1972"');
    }
    const last = await open(anyVisitor(), link, WRONG);
    expect([last.status, await looked(link), await opened(link)]).toEqual([410, 410, 410]);
    expect(await last.text()).toContain(words.ended.title);
    expect(eventsOf(draft, 'application.opened_by_link')).toEqual([]);
    // A second link is no second five: the application has had its free tries.
    const again = await open(anyVisitor(), await linkFor(draft), WRONG);
    expectToWait(again);
    expect(await again.text()).toContain('value="1972"');
  });

  it('holds back who guesses with the links of many applications', async () => {
    const visitor = anyVisitor();
    for (const status of [422, 422, 422, 422, 422, 429]) {
      const { status: found } = await open(visitor, await linkFor(await makeDraft()), WRONG);
      expect(found).toBe(status);
    }
  });

  it('ends when the address in the application changes: it may have gone to a stranger', async () => {
    const draft = await makeDraft();
    const link = await linkFor(draft);
    const mended = { ...draft, email: anyEmail() };
    const answers = { email: mended.email, ...BIRTH };
    const step = { application: draft, step: 1, answers, isComplete: false, version: 1 } as const;
    await writeDatabase((db) => saveStep(db, step, new Date()));
    expect([await looked(link), await opened(link)]).toEqual([410, 410]);
    expect(await opened(await linkFor(mended))).toBe(303);
  });
});

describe('the status page', () => {
  it('answers the same whether reference and address belong together or not', async () => {
    const [draft, other] = [await makeDraft(), await makeDraft()];
    const answers: unknown[] = [];
    const unknown = { ...draft, reference: 'TRV-0000-0000' };
    const strange = { ...unknown, email: anyEmail() };
    for (const one of [draft, { ...draft, email: other.email }, unknown, strange]) {
      const visitor = anyVisitor();
      const response = await ask(one, visitor);
      const headers = [...response.headers]
        .filter(([name]) => !/^(date|x-request-id|content-security-policy)$/.test(name))
        // The address as it was typed, signed.
        .map(([name, value]) => [name, value.replace(/^toast=[^;]{300,}/, 'toast=')]);
      const page = await visitor.get(response.headers.get('Location') ?? '');
      const html = (await page.text()).replaceAll(/nonce="[^"]*"/g, '');
      answers.push([response.status, headers, await response.text(), page.status, html.length]);
    }
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await mailsTo(site, draft.email)).toHaveLength(1);
    expect(mailed(other.id)).toEqual([]);
  });

  it('opens the state by a button, once, and the answers after the date of birth only', async () => {
    const draft = await makeDraft({ state: 'awaiting_payment' });
    const link = await linkFor(draft);
    const reader = await HtmlBrowser.open(site.origin, link, 'en');
    expect([reader.status, reader.heading]).toEqual([200, words.status.link.title]);
    expect(reader.html).not.toContain(draft.id);
    expect(await looked(`${RESUME}?token=${tokenOf(link)}`)).toBe(410);
    await reader.press(words.status.link.button);
    expect(reader.address).toBe(`/application/${draft.id}/overview`);
    expect(opensAnswers(reader.visitor, draft)).toBe(false);
    const closed = await reader.visitor.get(`/application/${draft.id}/step-1`);
    expect(await closed.text()).not.toContain(NAME);
    const [{ resume = '' } = {}] = entriesOf(reader.visitor);
    const [event] = eventsOf(draft, 'application.opened_by_link');
    expect(event?.['details']).toBe('{"what":"state"}');
    const again = anyVisitor();
    expect((await again.get(link)).status).toBe(410);
    expect((await again.post(STATUS, { token: tokenOf(link) })).status).toBe(410);
    expect(again.cookie('draft')).toBeUndefined();
    const opened = await open(reader.visitor, `${RESUME}?token=${resume}`);
    expect(goalOf(opened)).toEqual([303, `/application/${draft.id}/overview`]);
    expect(opensAnswers(reader.visitor, draft)).toBe(true);
    // Another look at the state closes no answers.
    await reader.visitor.post(STATUS, { token: tokenOf(await linkFor(draft)) });
    expect(opensAnswers(reader.visitor, draft)).toBe(true);
    expect(entriesOf(reader.visitor)).toHaveLength(1);
  });

  it('sends a mail an hour to who has paid, whatever strangers do with the address', async () => {
    const email = anyEmail();
    const paid = await buy({ email });
    const draft = await makeDraft({ email });
    // Three a day, as long as nobody has confirmed the address.
    for (let n = 0; n < 4; n += 1) await ask(draft);
    expect(mailed(draft.id)).toHaveLength(3);
    for (let n = 0; n < 3; n += 1) {
      expect((await ask({ ...paid, email })).status).toBe(303);
      expect(mailed(paid.application_id)).toHaveLength(1);
    }
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    site.execute(`update outbox set created_at = '${hourAgo}'`);
    await ask({ ...paid, email });
    expect(mailed(paid.application_id)).toHaveLength(2);
  });
});

describe('an application that belongs to an account', () => {
  it('is led to by a mail to the account, in the language of the application', async () => {
    const person = addPerson(site, { columns: { language_code: 'fr' } });
    const { email: another, reference } = await makeDraft({ userId: person.id, language: 'de' });
    for (const email of [another, person.email, anyEmail()])
      expect((await ask({ reference, email })).status).toBe(303);
    const mails = await mailsTo(site, person.email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain(reference);
    expectSubject(mails[0], bundles.de.mail.mails.applicationOfAccount.subject);
    expect(linkIn(mails[0])).toBe('/application-status?lng=de');
  });

  it.each([
    ['to go on', {}],
    ['to the state', { state: 'awaiting_payment' }],
  ] as const)('leads every earlier link %s to its sign-in, opening nothing', async (_, options) => {
    const draft = await makeDraft(options);
    const [link, used] = [await linkFor(draft), await linkFor(draft)];
    await open(anyVisitor(), used);
    setApplication(draft.id, { user_id: addPerson(site).id, draft_token_hash: null });
    const signIn = [303, `/auth?returnTo=/application/${draft.id}/overview`];
    for (const one of [link, used]) {
      const visitor = anyVisitor();
      for (const answer of [await visitor.get(one), await open(visitor, one)])
        expect(goalOf(answer)).toEqual(signIn);
      expect(visitor.cookie('draft')).toBeUndefined();
    }
    expect(rowOf(draft.id)['draft_token_hash']).toBeNull();
  });
});

describe('“Close on this device”', () => {
  function copyOf(visitor: Visitor) {
    const copy = anyVisitor();
    copy.setCookie('draft', visitor.cookie('draft') ?? '');
    return copy;
  }

  it('takes the answers from this browser and from a copy of its cookie', async () => {
    const both = [await makeDraft(), await makeDraft()] as const;
    const visitor = anyVisitor();
    for (const one of both) await open(visitor, await linkFor(one));
    const copy = copyOf(visitor);
    const stepOf = (one: Draft) => copy.get(`/application/${one.id}/step-1`);
    expect((await stepOf(both[0])).status).toBe(200);
    const closed = await visitor.post('/application/close', {});
    expect([goalOf(closed), closed.headers.get('Clear-Site-Data')]).toEqual([
      [303, '/'],
      '"cache"',
    ]);
    expect(visitor.cookie('draft')).toBeFalsy();
    for (const one of both) {
      const page = await stepOf(one);
      expect([page.status, (await page.text()).includes(NAME)]).toEqual([404, false]);
      expect(rowOf(one.id)['draft_token_hash']).toBeNull();
      expect(eventsOf(one, 'application.closed_on_device')).toHaveLength(1);
    }
    // It is kept: a link opens it again. What another browser has by now stays open there.
    const now = anyVisitor();
    for (const one of [visitor, now]) await open(one, await linkFor(both[0]));
    await visitor.post('/application/close', {});
    expect(opensAnswers(now, both[0])).toBe(true);
  });

  it('ends what opens the answers after a look at the state, and the state for a copy', async () => {
    const draft = await makeDraft({ state: 'awaiting_payment' });
    const visitor = anyVisitor();
    await visitor.post(STATUS, { token: tokenOf(await linkFor(draft)) });
    const [{ resume = '' } = {}] = entriesOf(visitor);
    const copy = copyOf(visitor);
    const stateOf = async () => (await copy.get(`/application/${draft.id}/overview`)).status;
    expect(await stateOf()).toBe(200);
    await visitor.post('/application/close', {});
    expect([await looked(`${RESUME}?token=${resume}`), await stateOf()]).toEqual([410, 404]);
  });
});

it('while the database is away nothing typed is lost, and the link stays good', async () => {
  const link = await linkFor(await makeDraft());
  const visitor = anyVisitor();
  await whileAway('one_time_tokens', async () => {
    const tried = await open(visitor, link);
    expectToWait(tried, 503);
    expect(await tried.text()).toContain('value="1971"');
  });
  expect((await open(visitor, link)).status).toBe(303);
});
