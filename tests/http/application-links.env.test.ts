import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { type Language, LANGUAGES } from '~/i18n/languages';
import { openMigrated } from '~db/open-store.server';
import { type Site, startSite } from '../production-server';
import { contentOf } from '../signed-cookie';
import { makeAccount, makePerson } from './accounts';
import { fillApplication, sendAnswers } from './application';
import { plain } from './html';
import { linkIn, mailsTo, tokenOf } from './inbox';
import { Reader } from './reader';
import { Visitor } from './visitor';

const DATA_KEYS = `k1:${randomBytes(32).toString('base64')}`;
const STATUS = '/application/status';
const RESUME = '/application/resume';
/** 9 August 1971; what a test looks for where no answer may stand. */
const BIRTH = { day: '9', month: '8', year: '1971' };
const NAME = 'Markerskaja';

let site: Site;
let save: (draft: Draft, options: DraftOptions) => Promise<void>;
/** An application with a paid order. */
let pay: (email: string) => Promise<{ application_id: string; reference: string }>;
beforeAll(async () => {
  site = await startSite({ OFFLINE_MODE: 'false', DATA_KEYS });
  await fetch(`${site.origin}/readyz`);
  vi.stubEnv('DATA_KEYS', DATA_KEYS);
  vi.resetModules();
  const { beginDraft } = await import('~/applications/drafts.server');
  const { saveStep } = await import('~/applications/answers.server');
  save = async (
    { id, token, email },
    { language = 'en', userId, birth = BIRTH, state, version = 0 },
  ) => {
    const store = await openMigrated({ engine: 'sqlite', file: site.databaseFile });
    const at = new Date();
    const answers = {
      email,
      last_name: NAME,
      ...Object.fromEntries(
        Object.entries(birth).map(([part, text]) => [`date_of_birth.${part}`, text]),
      ),
    };
    await store.write(async (db) => {
      const row = await beginDraft(db, { id, language, ...(userId ? { userId } : { token }) }, at);
      if (!row) throw new Error('no draft');
      const step = { application: row, step: 1, answers, isComplete: false, version } as const;
      await saveStep(db, step, at);
      if (state) await db.updateTable('applications').set({ state }).where('id', '=', id).execute();
    });
    await store.close();
  };
  const { addPaidOrder } = await import('../paid-orders');
  pay = async (email) => {
    const store = await openMigrated({ engine: 'sqlite', file: site.databaseFile });
    const order = await store.write((db) => addPaidOrder(db, { at: new Date(), email }));
    await store.close();
    return order;
  };
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await site.stop();
});

interface DraftOptions {
  language?: Language;
  email?: string;
  userId?: string;
  birth?: Partial<typeof BIRTH>;
  state?: 'awaiting_payment';
  /** Of step 1 as it is saved; 0: for the first time. */
  version?: number;
}
interface Draft {
  id: string;
  token: string;
  reference: string;
  email: string;
}

const anyEmail = () => `marker-${randomUUID().slice(0, 13)}@example.com`;

/** An application as it is once step 1 was saved. */
async function makeDraft(options: DraftOptions = {}): Promise<Draft> {
  const draft = {
    id: randomUUID(),
    token: randomBytes(32).toString('base64url'),
    reference: '',
    email: options.email ?? anyEmail(),
  };
  await save(draft, options);
  return { ...draft, reference: String(rowOf(draft)['reference']) };
}

const rowOf = ({ id }: { id: string }) =>
  site.query('select * from applications where id = ?', id)[0] ?? {};
const anyVisitor = (language: Language = 'en') =>
  new Visitor(site.origin, { 'Accept-Language': language });
const ask = ({ reference, email }: Pick<Draft, 'reference' | 'email'>, visitor = anyVisitor()) =>
  visitor.post(STATUS, { reference, email });

/** The link that the status page sends. */
async function linkFor(draft: Draft): Promise<string> {
  const { status, headers } = await ask(draft);
  expect([status, headers.get('Location')]).toEqual([303, `${STATUS}?sent`]);
  return linkIn((await mailsTo(site, draft.email))[0]);
}

const birthFields = (token: string, birth: Partial<typeof BIRTH> = BIRTH) => ({
  token,
  ...Object.fromEntries(
    Object.entries(birth).map(([part, text]) => [`date_of_birth.${part}`, text]),
  ),
});
const open = (visitor: Visitor, link: string, birth: Partial<typeof BIRTH> = BIRTH) =>
  visitor.post(link, birthFields(tokenOf(link), birth));
const WRONG = { ...BIRTH, year: '1972' };

/** What a browser's cookie opens. */
const entriesOf = (visitor: Visitor) =>
  contentOf(visitor.cookie('draft')).value as { id: string; token?: string; resume?: string }[];
const opensAnswers = (visitor: Visitor, { id }: Draft) => {
  const token = entriesOf(visitor).find((entry) => entry.id === id)?.token ?? '';
  const hash = createHash('sha256').update(token).digest('base64url');
  return rowOf({ id })['draft_token_hash'] === hash;
};
const eventsOf = ({ id }: { id: string }, action: string) =>
  site.query('select * from audit_events where subject_id = ? and action = ?', id, action);

describe.each(LANGUAGES)('who comes back in %s, without a script', (language) => {
  const words = bundles[language]['application-links'];
  const fields = bundles[language]['application-fields'];
  const auth = bundles[language].auth;
  let draft: Draft;
  beforeAll(async () => void (draft = await makeDraft({ language })));

  it('asks for the link, gets a mail in the language of the application, and goes on', async () => {
    const reader = await Reader.open(site.origin, STATUS, language);
    expect(reader.headers.get('Cache-Control')).toBe('no-store');
    expect(reader.html).toContain('<meta name="robots" content="noindex"/>');
    await reader.press(words.status.button);
    expect(reader.status).toBe(422);
    expect(reader.announced('alert')).toContain(plain(words.status.errors.required.reference));
    expect(reader.announced('alert')).toContain(plain(words.status.errors.required.email));
    // As somebody types it who has it from a screen.
    reader.fill(words.status.fields.reference, draft.reference.toLowerCase().replaceAll('-', ' '));
    reader.fill(words.status.fields.email, draft.email.toUpperCase());
    await reader.press(words.status.button);
    expect([reader.address, reader.heading]).toEqual([`${STATUS}?sent`, plain(auth.inbox.title)]);
    expect(reader.links(auth.inbox.outbox)).toEqual(['/outbox']);
    const [mail] = await mailsTo(site, draft.email);
    expect(plain(mail?.subject ?? '')).toBe(
      plain(bundles[language].mail.mails.resumeApplication.subject),
    );
    await reader.go(linkIn(mail, RESUME));
    expect([reader.status, reader.heading]).toEqual([200, plain(words.resume.title)]);
    expect(reader.headers.get('Cache-Control')).toBe('no-store');
    expect(reader.headers.get('Referrer-Policy')).toBe('strict-origin-when-cross-origin');
    expect(reader.html).not.toContain('<script type="module"');
    reader.fill(fields.parts.day, '9');
    reader.fill(fields.parts.year, '1971');
    await reader.press(words.resume.button);
    expect(reader.status).toBe(422);
    expect(reader.announced('alert')).toContain(plain(fields.errors.dateMonth));
    expect(reader.valueOf(fields.parts.year)).toBe('1971');
    expect(reader.field(fields.parts.day).get('aria-invalid')).toBe('true');
    reader.fill(fields.parts.month, { fr: 'août', en: 'Aug', de: 'August' }[language]);
    await reader.press(words.resume.button);
    expect(reader.address).toBe(`/application/${draft.id}/step-1`);
    expect([reader.status, reader.html.includes(NAME)]).toEqual([200, true]);
    expect(opensAnswers(reader.visitor, draft)).toBe(true);
    // What was incomplete was no try, and nothing is left of the right one.
    expect(site.query('select tries from throttles where tries > 0')).toEqual([]);
  });

  it('is told kindly that a link was used, and how to get another', async () => {
    const [mail] = await mailsTo(site, draft.email);
    const reader = await Reader.open(site.origin, linkIn(mail), language);
    expect([reader.status, reader.heading]).toEqual([410, plain(words.ended.title)]);
    expect(reader.links(words.ended.again)).toEqual([STATUS]);
    expect(reader.html).not.toContain(draft.id);
  });

  it('keeps what was typed in another language', async () => {
    const other = language === 'en' ? 'fr' : 'en';
    const page = await anyVisitor(language).post(`${STATUS}?lng=${other}`, {
      reference: 'TRV-4T7K',
      email: 'not yet',
      lng: other,
    });
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(html).toContain('value="TRV-4T7K"');
    expect(html).toContain('value="not yet"');
    expect(html).toContain(bundles[other]['application-links'].status.button);
  });
});

describe('a link to go on with an application', () => {
  it('comes with “Save and come back later”, and opens what was saved on another device', async () => {
    const email = anyEmail();
    const reader = await Reader.open(site.origin, '/', 'fr');
    const path = await fillApplication(reader, 2, { 1: { email } });
    await sendAnswers(reader, { address_city: NAME }, 'later');
    const [mail] = await mailsTo(site, email);
    const elsewhere = await Reader.open(site.origin, linkIn(mail, RESUME), 'fr');
    const { fields, parts } = bundles.fr['application-fields'];
    expect(elsewhere.text).toContain(fields.date_of_birth.label);
    elsewhere.fill(parts.day, '29');
    elsewhere.fill(parts.month, 'févr.');
    elsewhere.fill(parts.year, '1984');
    await elsewhere.press(bundles.fr['application-links'].resume.button);
    expect(elsewhere.address).toBe(`${path}/step-3`);
    expect(elsewhere.valueOf(fields.address_city.label)).toBe(NAME);
    await reader.go(`${path}/step-3`);
    expect(reader.status).toBe(404);
  });

  it('changes nothing when it is opened, as mail programs do', async () => {
    const draft = await makeDraft();
    const link = await linkFor(draft);
    for (let n = 0; n < 3; n += 1) expect((await anyVisitor().get(link)).status).toBe(200);
    const { status, headers } = await open(anyVisitor(), link);
    expect(status).toBe(303);
    expect(headers.get('Location')).toBe(`/application/${draft.id}/step-1`);
  });

  it('takes the application from the browser that had it, and is in the audit', async () => {
    const draft = await makeDraft();
    const before = rowOf(draft)['draft_token_hash'];
    const visitor = anyVisitor();
    await open(visitor, await linkFor(draft));
    expect(rowOf(draft)['draft_token_hash']).not.toBe(before);
    expect(opensAnswers(visitor, draft)).toBe(true);
    expect(eventsOf(draft, 'application.opened_by_link')).toMatchObject([
      { actor_kind: 'anybody', actor_id: null, details: '{"what":"answers"}' },
    ]);
  });

  it('is good once, also for two at the same moment', async () => {
    const link = await linkFor(await makeDraft());
    const visitors = Array.from({ length: 4 }, () => anyVisitor());
    const answers = await Promise.all(visitors.map((visitor) => open(visitor, link)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 410, 410, 410]);
  });

  it('says how many tries are left, and is dead after five', async () => {
    const draft = await makeDraft();
    const link = await linkFor(draft);
    const words = bundles.en['application-links'];
    // Of several browsers: the tries are the link's.
    for (const left of [4, 3, 2, 1]) {
      const refused = await open(anyVisitor(), link, WRONG);
      const html = await refused.text();
      expect([left, refused.status]).toEqual([left, 422]);
      const said = left === 1 ? words.resume.left_one : words.resume.left_other;
      expect(plain(html)).toContain(plain(said.replace('{{count}}', String(left))));
      expect(html).toContain('value="1972"');
    }
    const last = await open(anyVisitor(), link, WRONG);
    expect([last.status, await last.text()]).toEqual([
      410,
      expect.stringContaining(words.ended.title),
    ]);
    expect((await anyVisitor().get(link)).status).toBe(410);
    expect((await open(anyVisitor(), link)).status).toBe(410);
    expect(eventsOf(draft, 'application.opened_by_link')).toEqual([]);
    // A second link is no second five: the application has had its free tries.
    const again = await open(anyVisitor(), await nextLinkFor(draft), WRONG);
    expect(again.status).toBe(429);
    expect(Number(again.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await again.text()).toContain('value="1972"');
  });

  it('lets five of thirty at once try', async () => {
    const link = await linkFor(await makeDraft());
    const tries = Array.from({ length: 30 }, () => open(anyVisitor(), link, WRONG));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 422)).toHaveLength(4);
    expect(new Set(statuses)).not.toContain(303);
  });

  it('holds back who guesses with the links of many applications', async () => {
    const visitor = anyVisitor();
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const link = await linkFor(await makeDraft());
      statuses.push((await open(visitor, link, WRONG)).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
  });

  it.each([
    ['no token', RESUME],
    ['an empty one', `${RESUME}?token=`],
    ['an invented one', `${RESUME}?token=${'A'.repeat(43)}`],
    ['a long one', `${RESUME}?token=${'%F0%9F%98%80'.repeat(100)}`],
  ])('is a kind page with %s', async (_, address) => {
    expect((await anyVisitor().get(address)).status).toBe(410);
    const visitor = anyVisitor();
    const sent = await visitor.post(address, birthFields(tokenOf(address)));
    expect([sent.status, visitor.cookie('draft')]).toEqual([410, undefined]);
  });

  it('of another purpose opens nothing', async () => {
    const status = await linkFor(await makeDraft({ state: 'awaiting_payment' }));
    expect(new URL(status, site.origin).pathname).toBe(STATUS);
    expect((await anyVisitor().get(`${RESUME}?token=${tokenOf(status)}`)).status).toBe(410);
    expect((await anyVisitor().get(status)).status).toBe(200);
  });

  it('is good for seven days', async () => {
    const link = await linkFor(await makeDraft());
    const end = (ms: number) =>
      site.execute(`update one_time_tokens set expires_at =
        '${new Date(Date.now() + ms).toISOString()}' where token_hash = '${hashIn(link)}'`);
    const [{ created_at, expires_at } = {}] = site.query(
      'select * from one_time_tokens where token_hash = ?',
      hashIn(link),
    );
    expect(Date.parse(String(expires_at)) - Date.parse(String(created_at))).toBe(7 * 86_400_000);
    end(60_000);
    expect((await anyVisitor().get(link)).status).toBe(200);
    end(-1);
    expect((await anyVisitor().get(link)).status).toBe(410);
    expect((await open(anyVisitor(), link)).status).toBe(410);
  });

  it('ends when the address in the application changes: it may have gone to a stranger', async () => {
    const draft = await makeDraft();
    const link = await linkFor(draft);
    const mended = { ...draft, email: anyEmail() };
    await save(mended, { version: 1 });
    expect((await anyVisitor().get(link)).status).toBe(410);
    expect((await open(anyVisitor(), link)).status).toBe(410);
    expect((await open(anyVisitor(), await linkFor(mended))).status).toBe(303);
  });
});

const hashIn = (link: string) => createHash('sha256').update(tokenOf(link)).digest('base64url');

/** The link of one more mail. */
async function nextLinkFor(draft: Draft): Promise<string> {
  const before = (await mailsTo(site, draft.email)).length;
  await ask(draft);
  return linkIn((await mailsTo(site, draft.email, before + 1))[0]);
}

describe('the status page', () => {
  it('answers the same whether reference and address belong together or not', async () => {
    const draft = await makeDraft();
    const other = await makeDraft();
    const asked = [
      draft,
      { reference: draft.reference, email: other.email },
      { reference: 'TRV-0000-0000', email: draft.email },
      { reference: 'TRV-0000-0000', email: anyEmail() },
    ];
    const answers: unknown[] = [];
    for (const one of asked) {
      const visitor = anyVisitor();
      const response = await ask(one, visitor);
      const headers = [...response.headers]
        .filter(([name]) => !['date', 'x-request-id'].includes(name))
        .map(([name, value]) => [name, name === 'content-security-policy' ? '' : value]);
      const page = await visitor.get(response.headers.get('Location') ?? '');
      const html = (await page.text()).replaceAll(/nonce="[^"]*"/g, '');
      answers.push([response.status, headers, await response.text(), page.status, html.length]);
    }
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await mailsTo(site, draft.email)).toHaveLength(1);
    expect(site.query('select id from outbox where application_id = ?', other.id)).toEqual([]);
  });

  it('opens the state by a button, once, and the answers after the date of birth only', async () => {
    const draft = await makeDraft({ state: 'awaiting_payment' });
    const link = await linkFor(draft);
    const reader = await Reader.open(site.origin, link, 'en');
    const words = bundles.en['application-links'];
    expect([reader.status, reader.heading]).toEqual([200, words.status.link.title]);
    expect(reader.html).not.toContain(draft.id);
    await reader.press(words.status.link.button);
    expect(reader.address).toBe(`/application/${draft.id}/overview`);
    expect(opensAnswers(reader.visitor, draft)).toBe(false);
    const closed = await reader.visitor.get(`/application/${draft.id}/step-1`);
    expect(await closed.text()).not.toContain(NAME);
    const [{ resume = '' } = {}] = entriesOf(reader.visitor);
    expect(eventsOf(draft, 'application.opened_by_link')).toMatchObject([
      { details: '{"what":"state"}' },
    ]);
    const again = anyVisitor();
    expect((await again.get(link)).status).toBe(410);
    expect((await again.post(STATUS, { token: tokenOf(link) })).status).toBe(410);
    expect(again.cookie('draft')).toBeUndefined();
    // The answers.
    await reader.go(`${RESUME}?token=${resume}`);
    expect(reader.heading).toBe(words.resume.title);
    const opened = await open(reader.visitor, `${RESUME}?token=${resume}`);
    expect(opened.headers.get('Location')).toBe(`/application/${draft.id}/overview`);
    expect(opensAnswers(reader.visitor, draft)).toBe(true);
    expect(entriesOf(reader.visitor)).toHaveLength(1);
  });

  it('closes no answers that this browser can open', async () => {
    const draft = await makeDraft();
    const visitor = anyVisitor();
    await open(visitor, await linkFor(draft));
    site.execute(`update applications set state = 'awaiting_payment' where id = '${draft.id}'`);
    const link = await nextLinkFor(draft);
    expect((await visitor.post(STATUS, { token: tokenOf(link) })).status).toBe(303);
    expect(opensAnswers(visitor, draft)).toBe(true);
  });

  it('sends nothing for a draft without date of birth', async () => {
    for (const birth of [{}, { day: '31', month: '2', year: '1971' }, { year: '1971' }]) {
      const draft = await makeDraft({ birth });
      expect((await ask(draft)).status).toBe(303);
      expect(site.query('select id from outbox where application_id = ?', draft.id)).toEqual([]);
    }
  });

  it('sends three mails a day to an address, and says nothing of it', async () => {
    const draft = await makeDraft();
    for (let n = 0; n < 5; n += 1) expect((await ask(draft)).status).toBe(303);
    await mailsTo(site, draft.email, 3);
    expect(site.query('select id from outbox where application_id = ?', draft.id)).toHaveLength(3);
  });

  it('sends a mail an hour to who has paid, whatever strangers do with the address', async () => {
    const email = anyEmail();
    const paid = await pay(email);
    const draft = await makeDraft({ email });
    for (let n = 0; n < 4; n += 1) {
      await anyVisitor().post('/auth/sign-up', { email, password: 'vier Koffer und ein Schirm' });
      await ask(draft);
    }
    const sent = () =>
      site.query('select id from outbox where application_id = ?', paid.application_id).length;
    for (let n = 0; n < 3; n += 1) {
      expect((await ask({ ...paid, email })).status).toBe(303);
      expect(sent()).toBe(1);
    }
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    site.execute(`update outbox set created_at = '${hourAgo}'`);
    await ask({ ...paid, email });
    expect(sent()).toBe(2);
  });

  it('repeats nothing typed in a mail, an address, the log or the outbox', async () => {
    const draft = await makeDraft({ language: 'de' });
    const link = await linkFor(draft);
    await open(anyVisitor(), link, WRONG);
    await open(anyVisitor(), link);
    const [mail] = await mailsTo(site, draft.email);
    const text = `${mail?.subject} ${mail?.text}`;
    for (const typed of [NAME, draft.reference, draft.id, draft.email]) {
      expect(text).not.toContain(typed);
    }
    const kept = JSON.stringify([
      site.query('select * from outbox where application_id = ?', draft.id),
      site.query('select * from one_time_tokens where application_id = ?', draft.id),
      site.query('select * from audit_events where subject_id = ?', draft.id),
    ]);
    for (const secret of [NAME, draft.email, tokenOf(link)]) {
      expect(kept).not.toContain(secret);
      expect(site.log()).not.toContain(secret);
    }
  });
});

describe('an application that belongs to an account', () => {
  it('is one link away for who is signed in, and a sign-in for nobody else', async () => {
    const words = bundles.en['application-links'];
    const { visitor } = await makePerson(site);
    const own = plain(await (await visitor.get('/application/status')).text());
    expect(own).toContain(plain(words.status.ownAccount.link));
    expect(own).not.toContain(plain(words.signIn));
    const stranger = await new Visitor(site.origin, { 'Accept-Language': 'en' }).get(
      '/application/status',
    );
    expect(plain(await stranger.text())).toContain(plain(words.signIn));
  });

  it('is led to by a mail to the account, in its language, once an hour', async () => {
    const person = await makeAccount(site, { language: 'fr' });
    // The address in the application is another one: the mail goes to the account's.
    const draft = await makeDraft({ userId: person.id });
    for (const email of [draft.email, person.email, anyEmail()]) {
      expect((await ask({ reference: draft.reference, email })).status).toBe(303);
    }
    const mails = await mailsTo(site, person.email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain(draft.reference);
    expect(plain(mails[0]?.subject ?? '')).toBe(
      plain(bundles.fr.mail.mails.applicationOfAccount.subject),
    );
    expect(linkIn(mails[0])).toBe('/application-status?lng=fr');
    site.execute(`update outbox set created_at = '2020-01-01T00:00:00.000Z'
      where user_id = '${person.id}'`);
    await ask({ reference: draft.reference, email: person.email });
    await mailsTo(site, person.email, 2);
  });

  it.each([
    ['to go on', {}],
    ['to the state', { state: 'awaiting_payment' }],
  ] as const)(
    'leads every earlier link %s to its sign-in, and opens nothing',
    async (_, options) => {
      const draft = await makeDraft(options);
      const link = await linkFor(draft);
      const used = await nextLinkFor(draft);
      const { pathname } = new URL(used, site.origin);
      if (pathname === STATUS) await anyVisitor().post(STATUS, { token: tokenOf(used) });
      else await open(anyVisitor(), used);
      const { id } = await makeAccount(site);
      site.execute(`update applications set user_id = '${id}', draft_token_hash = null
      where id = '${draft.id}'`);
      const signIn = `/auth?returnTo=/application/${draft.id}/overview`;
      for (const one of [link, used]) {
        const visitor = anyVisitor();
        const opened = await visitor.get(one);
        expect([opened.status, opened.headers.get('Location')]).toEqual([303, signIn]);
        const sent = await open(visitor, one);
        expect([sent.status, sent.headers.get('Location')]).toEqual([303, signIn]);
        expect(visitor.cookie('draft')).toBeUndefined();
      }
      expect(rowOf(draft)['draft_token_hash']).toBeNull();
    },
  );
});

describe('“Close on this device”', () => {
  it('takes the answers from this browser and from a copy of its cookie', async () => {
    const [draft, other] = [await makeDraft(), await makeDraft()];
    const visitor = anyVisitor();
    for (const one of [draft, other]) await open(visitor, await linkFor(one));
    const copy = anyVisitor();
    copy.setCookie('draft', visitor.cookie('draft') ?? '');
    const stepOf = (one: Draft) => copy.get(`/application/${one.id}/step-1`);
    expect((await stepOf(draft)).status).toBe(200);
    const closed = await visitor.post('/application/close', {});
    expect([closed.status, closed.headers.get('Location')]).toEqual([303, '/']);
    expect(visitor.cookie('draft')).toBeFalsy();
    for (const one of [draft, other]) {
      const page = await stepOf(one);
      expect([page.status, (await page.text()).includes(NAME)]).toEqual([404, false]);
      expect(rowOf(one)['draft_token_hash']).toBeNull();
      expect(eventsOf(one, 'application.closed_on_device')).toHaveLength(1);
    }
    const page = await (await visitor.get('/')).text();
    expect(page).toContain(bundles.en.toasts.applicationClosed.title);
    // It is kept: a link opens it again.
    expect((await open(visitor, await nextLinkFor(draft))).status).toBe(303);
  });

  it('leaves an application open that another browser has by now', async () => {
    const draft = await makeDraft();
    const [before, now] = [anyVisitor(), anyVisitor()];
    await open(before, await linkFor(draft));
    await open(now, await nextLinkFor(draft));
    await before.post('/application/close', {});
    expect(opensAnswers(now, draft)).toBe(true);
    expect(eventsOf(draft, 'application.closed_on_device')).toEqual([]);
  });

  it('ends what opens the answers after a look at the state, and the state for a copy', async () => {
    const draft = await makeDraft({ state: 'awaiting_payment' });
    const visitor = anyVisitor();
    await visitor.post(STATUS, { token: tokenOf(await linkFor(draft)) });
    const [{ resume = '' } = {}] = entriesOf(visitor);
    const copy = anyVisitor();
    copy.setCookie('draft', visitor.cookie('draft') ?? '');
    const stateOf = async () => (await copy.get(`/application/${draft.id}/overview`)).status;
    expect(await stateOf()).toBe(200);
    await visitor.post('/application/close', {});
    expect((await anyVisitor().get(`${RESUME}?token=${resume}`)).status).toBe(410);
    expect(await stateOf()).toBe(404);
  });

  it('does nothing without a cookie, or when somebody only opens the address', async () => {
    expect((await anyVisitor().post('/application/close', {})).status).toBe(303);
    const { status, headers } = await anyVisitor().get('/application/close');
    expect([status, headers.get('Location')]).toEqual([302, '/']);
  });
});

describe('while the database is away', () => {
  it('nothing typed is lost, and the link stays good', async () => {
    const link = await linkFor(await makeDraft());
    const words = bundles.en['application-links'];
    const visitor = anyVisitor();
    renameSync(site.databaseFile, `${site.databaseFile}.away`);
    try {
      const typed = { reference: 'TRV-4T7K-X0QD', email: 'marie@example.com' };
      await expect.poll(async () => (await visitor.post(STATUS, typed)).status).toBe(503);
      const asked = await visitor.post(STATUS, typed);
      const page = await asked.text();
      expect(page).toContain(words.status.errors.busy.title);
      for (const value of Object.values(typed)) expect(page).toContain(`value="${value}"`);
      const tried = await open(visitor, link);
      expect([tried.status, tried.headers.get('Retry-After')]).toEqual([503, '10']);
      const form = await tried.text();
      expect(form).toContain(words.resume.errors.busy.title);
      expect(form).toContain('value="1971"');
    } finally {
      renameSync(`${site.databaseFile}.away`, site.databaseFile);
    }
    await expect.poll(async () => (await visitor.get(link)).status, { timeout: 10_000 }).toBe(200);
    expect((await open(visitor, link)).status).toBe(303);
  });
});
