import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { subDays } from 'date-fns';
import { describe, expect, it } from 'vitest';

import { writeDatabase } from '~/database.server';
import { bundles } from '~/i18n/bundles.server';
import { type Language, LANGUAGES } from '~/i18n/languages';
import { addressesIn } from '~/site-map';
import type { OrderRow } from '~db/queries/orders.server';
import { addPaidOrder } from '../paid-orders';
import { startSite } from '../production-server';
import { JOURNEY_LANGUAGES, someOf } from '../rounds';
import { makePerson } from './accounts';
import { plain } from './html';
import { mailsTo } from './inbox';
import { agent, anyEmail, browser, draftCookie, rowOf, site, withSite } from './known-site';
import { Reader } from './reader';
import { addPerson, signedIn } from './signed-in';

withSite();

/** The words that the law has for link and button (article 11a; L221-21 C. conso; § 356a BGB). */
const LAW = {
  en: ['Withdraw from contract here', 'Confirm withdrawal'],
  fr: ['Renoncer au contrat ici', 'Confirmer la rétractation'],
  de: ['Vertrag widerrufen', 'Widerruf bestätigen'],
} as const;

/** The cookies of the browsers that orders were placed in. */
const browsers = new Map<string, string>();
async function order(options: Partial<Parameters<typeof addPaidOrder>[1]> = {}): Promise<OrderRow> {
  const token = randomUUID();
  const added = await writeDatabase((db) =>
    addPaidOrder(db, { at: new Date(), token, ...options }),
  );
  browsers.set(added.id, draftCookie({ id: added.application_id, token }));
  return added;
}

interface Declared {
  name?: string;
  reference: string;
  email: string;
}

/**
 * Goes the whole way, by the pages' own links and buttons.
 *
 * @param from the order whose browser it is, or a session; without, somebody's who has neither
 */
async function withdraw(
  declared: Declared,
  language: Language = 'en',
  from?: OrderRow | { session: string },
): Promise<Reader> {
  const words = bundles[language]['order-withdrawal'];
  const reader = await Reader.open(site.origin, '/about', language);
  if (from && 'session' in from) reader.visitor.setCookie('session', from.session);
  else if (from) reader.visitor.setCookie('draft', browsers.get(from.id) ?? '');
  await reader.follow(LAW[language][0], 'footer');
  expect([reader.status, reader.heading]).toEqual([200, plain(words.title)]);
  reader.fill(words.fields.name, declared.name ?? 'Anna Müller');
  reader.fill(words.fields.reference, declared.reference);
  reader.fill(words.fields.email, declared.email);
  await reader.press(words.button);
  expect([reader.status, reader.heading]).toEqual([200, plain(words.confirm.title)]);
  for (const text of Object.values(declared)) expect(reader.text).toContain(plain(text as string));
  await reader.press(LAW[language][1]);
  return reader;
}

const withdrawals = (orderId: string) =>
  site.query('select * from withdrawals where order_id = ? order by received_at', orderId);
const refunds = (orderId: string) =>
  site.query('select * from refunds where order_id = ?', orderId);
const applicationOf = ({ application_id: id }: OrderRow) =>
  site.query('select state from applications where id = ?', id)[0];
/** Until what follows from an order's withdrawals is done: after the answer. */
const followed = (orderId: string, count = 1) =>
  expect
    .poll(() => withdrawals(orderId).filter(({ handled_at }) => handled_at !== null).length)
    .toBe(count);

describe.each(JOURNEY_LANGUAGES)('in %s', (language) => {
  it('a contract is withdrawn from without a script, an account or a reason', async () => {
    const bought = await order({ language });
    const email = anyEmail();
    const own = await order({ language, email });
    const reader = await withdraw({ reference: own.reference, email }, language, own);
    const words = bundles[language]['order-withdrawal'];
    expect([reader.status, reader.heading]).toEqual([200, plain(words.receipt.title)]);
    // Nothing of it stands in the address; the time does, in the page.
    expect(reader.address).toMatch(/^\/withdrawal\?receipt=[0-9a-f-]{36}$/);
    expect(reader.headers.get('Cache-Control')).toBe('no-store');
    const [time] = reader.page.all('time');
    const received = new Date(time?.get('datetime') ?? '');
    expect(Math.abs(Date.now() - received.getTime())).toBeLessThan(60_000);
    expect(time?.text).toContain(String(received.getFullYear()));
    expect(reader.text).toContain('Anna Müller');

    await followed(own.id);
    expect(applicationOf(own)).toEqual({ state: 'cancelled' });
    expect(refunds(own.id)).toMatchObject([
      { kind: 'withdrawal', state: 'requested', amount_cents: 3995 },
    ]);
    expect(withdrawals(own.id)).toMatchObject([{ outcome: 'matched', language_code: language }]);
    const mails = await mailsTo(site, email, 2);
    const receipt = mails.find(({ subject }) =>
      subject.includes(plain(bundles[language].mail.mails.withdrawalReceived.subject)),
    );
    const said = receipt?.text.replaceAll(/\s+/g, ' ') ?? '';
    for (const part of ['Anna Müller', own.reference, email, plain(time?.text ?? '?')]) {
      expect(plain(said)).toContain(part);
    }
    // Another’s is as it was.
    expect([applicationOf(bought), refunds(bought.id)]).toEqual([{ state: 'paid' }, []]);
  });

  it('a form that is not complete comes back with all that was typed, in any language', async () => {
    const words = bundles[language]['order-withdrawal'];
    const reader = await Reader.open(site.origin, '/withdrawal', language);
    reader.fill(words.fields.name, 'Anna Müller');
    reader.fill(words.fields.email, 'no address');
    await reader.press(words.button);
    expect(reader.status).toBe(422);
    expect(reader.announced('alert')).toContain(plain(words.errors.required.reference));
    expect(reader.announced('alert')).toContain(plain(words.errors.email));
    expect(reader.valueOf(words.fields.name)).toBe('Anna Müller');
    expect(reader.valueOf(words.fields.email)).toBe('no address');
    expect(reader.page.all('main')[0]?.text).toContain('contact@example.com');
  });
});

it.each(LANGUAGES)(
  'every page has the link with the words of the law in %s, pages of errors too',
  async (language) => {
    const reader = await Reader.open(site.origin, '/', language);
    const paths = addressesIn('live')
      .filter(({ path, kind }) => !/[:*]/.test(path) && /static|interactive|private/.test(kind))
      .map(({ path }) => path)
      .filter((path) => !/^\/crm|^\/outbox/.test(path));
    const errors = ['/nowhere', '/application/x/overview', '/too-many-requests'];
    for (const path of [...someOf(paths, language === 'de' ? paths.length : 3), ...errors]) {
      await reader.go(path);
      expect([path, reader.links(LAW[language][0], 'footer')]).toEqual([path, ['/withdrawal']]);
    }
  },
);

describe('nobody learns what exists', () => {
  it('of a known order, an unknown reference and another’s address, the answers are the same', async () => {
    const [email, strangers] = [anyEmail(), anyEmail()];
    const own = await order({ email });
    const pages = await Promise.all([
      withdraw({ reference: own.reference, email }),
      withdraw({ reference: own.reference, email: strangers }),
      withdraw({ reference: 'TRV-0000-0000', email: strangers }),
      withdraw({ reference: 'I do not know', email: strangers }),
    ]);
    const typed = [own.reference, 'TRV-0000-0000', 'I do not know', email, strangers];
    const bare = pages.map(({ html, address }) =>
      [...typed, address.split('=')[1] ?? '?']
        .reduce((text, one) => text.replaceAll(one, '…'), html)
        .replaceAll(/without an answer, on [^<.]*\./g, '')
        .replaceAll(/<time.*?<\/time>/g, '')
        .replaceAll(/nonce="[^"]*"|"nonce":"[^"]*"/g, ''),
    );
    expect(new Set(bare).size).toBe(1);
    expect(applicationOf(own)).toEqual({ state: 'paid' });
    expect(refunds(own.id)).toEqual([]);
    const found = site.query("select * from withdrawals where outcome = 'unmatched'");
    expect(found.filter(({ order_id }) => order_id === null).length).toBeGreaterThanOrEqual(3);
    // Each is recorded, and each gets its receipt.
    expect(await mailsTo(site, strangers, 3)).toHaveLength(3);
  });

  it('what was declared lies sealed in the file', async () => {
    const marker = 'Zwiebelturm';
    await withdraw({ name: marker, reference: `${marker}-1`, email: `${marker}@example.com` });
    const bytes = ['', '-wal'].map((end) => readFileSync(`${site.databaseFile}${end}`, 'latin1'));
    expect(bytes.join('').toLowerCase()).not.toContain(marker.toLowerCase());
    expect(site.log().toLowerCase()).not.toContain(marker.toLowerCase());
  });
});

it('one that matched no order is handed out with the account of its address', async () => {
  const { email, visitor } = await makePerson(site);
  await withdraw({ name: 'Ada', reference: 'I do not know', email: email.toUpperCase() });
  await withdraw({ name: 'Bea', reference: 'I do not know', email: anyEmail() });
  const file = await (await visitor.post('/auth/security/export', {})).text();
  const { withdrawals_without_order: found } = JSON.parse(file) as Record<string, object[]>;
  expect(found).toMatchObject([{ name: 'Ada', reference: 'I do not know', outcome: 'unmatched' }]);
});

describe('it is matched', () => {
  it.each([
    ['in small letters', (text: string) => text.toLowerCase()],
    ['with spaces', (text: string) => text.replaceAll('-', ' ')],
    ['with O for 0, and I for 1', (text: string) => text.replaceAll('0', 'O').replaceAll('1', 'I')],
    ['without the prefix', (text: string) => text.slice(4)],
  ])('by a reference %s', async (_, typed) => {
    const email = anyEmail();
    const own = await order({ email });
    await withdraw({ reference: typed(own.reference), email: email.toUpperCase() }, 'en', own);
    await followed(own.id);
    expect(refunds(own.id)).toHaveLength(1);
  });

  it('by the address of the buyer, or of the account; each gets the receipt that bought', async () => {
    const buyer = anyEmail();
    const own = await order({ buyerEmail: buyer });
    await withdraw({ reference: own.reference, email: buyer }, 'en', own);
    await followed(own.id);

    const person = addPerson(site);
    const hers = await order({ userId: person.id, buyerEmail: anyEmail() });
    const session = signedIn(site, person).cookie('session') ?? '';
    await withdraw({ reference: hers.reference, email: person.email }, 'en', { session });
    await followed(hers.id);
    expect(refunds(hers.id)).toHaveLength(1);
    const { subject } = bundles.en.mail.mails.withdrawalReceived;
    const all = [...(await mailsTo(site, person.email)), ...(await mailsTo(site, buyer, 2))];
    expect(all.filter((mail) => mail.subject === plain(subject))).toHaveLength(2);
  });
});

describe('what follows', () => {
  it.each([
    ['within 14 days', 3, 30, 'paid', 'matched', 'withdrawal', 'cancelled'],
    ['while it is checked', 3, 0, 'in_review', 'matched', 'withdrawal', 'cancelled'],
    ['after it was filed', 3, 30, 'filed', 'matched', 'withdrawal', 'filed'],
    ['by the guarantee alone, later', 25, 30, 'paid', 'late', 'guarantee', 'cancelled'],
  ] as const)('%s', async (_, days, guaranteeDays, application, outcome, kind, after) => {
    const email = anyEmail();
    const own = await order({ at: subDays(new Date(), days), guaranteeDays, application, email });
    await withdraw({ reference: own.reference, email }, 'en', own);
    await followed(own.id);
    expect(withdrawals(own.id)).toMatchObject([{ outcome }]);
    expect(refunds(own.id)).toMatchObject([{ kind, state: 'requested', amount_cents: 3995 }]);
    expect(applicationOf(own)).toEqual({ state: after });
  });

  it('of an order that nobody has paid, the application is cancelled and nothing refunded', async () => {
    const email = anyEmail();
    const unpaid = { payment: null, state: 'created', application: 'awaiting_payment' } as const;
    const own = await order({ email, ...unpaid });
    await withdraw({ reference: own.reference, email }, 'en', own);
    await followed(own.id);
    expect([applicationOf(own), refunds(own.id)]).toEqual([{ state: 'cancelled' }, []]);
  });
});

describe('the form', () => {
  it('is filled in for who has the application open, and by the reference of an address', async () => {
    const email = anyEmail();
    const token = randomUUID();
    const own = await order({ email, token });
    const words = bundles.en['order-withdrawal'].fields;
    const reader = await browser('/withdrawal', [{ id: own.application_id, token }]);
    const labels = [words.name, words.reference, words.email];
    const shown = labels.map((label) => reader.valueOf(label));
    expect(shown).toEqual(['Anna Müller', own.reference, email]);
    // A stranger sees the reference of the link, and nothing of whom it belongs to.
    const link = `/withdrawal?reference=${own.reference.toLowerCase()}`;
    const stranger = await Reader.open(site.origin, link, 'en');
    expect(stranger.valueOf(words.reference)).toBe(own.reference);
    expect(stranger.html).not.toContain(email);
    expect(stranger.valueOf(words.name)).toBe('');
  });

  it('keeps everything when the language changes, on both pages; nothing is recorded', async () => {
    const before = site.query('select id from withdrawals').length;
    const { de, en } = bundles;
    const reader = await Reader.open(site.origin, '/withdrawal', 'en');
    reader.fill(en['order-withdrawal'].fields.name, 'Anna Müller');
    reader.fill(en['order-withdrawal'].fields.reference, 'TRV-1');
    reader.fill(en['order-withdrawal'].fields.email, 'anna@example.com');
    await reader.press('Deutsch', 'footer');
    expect(reader.valueOf(de['order-withdrawal'].fields.name)).toBe('Anna Müller');
    await reader.press(de['order-withdrawal'].button);
    expect(reader.heading).toBe(plain(de['order-withdrawal'].confirm.title));
    await reader.press('English', 'footer');
    expect(reader.heading).toBe(plain(en['order-withdrawal'].confirm.title));
    await reader.press(en['order-withdrawal'].confirm.change);
    expect(reader.valueOf(en['order-withdrawal'].fields.reference)).toBe('TRV-1');
    expect(site.query('select id from withdrawals')).toHaveLength(before);
  });

  it('is held back after many, never silently: with all that was typed and the other ways', async () => {
    const words = bundles.en['order-withdrawal'];
    const reader = await Reader.open(site.origin, '/withdrawal', 'en');
    const declared = { name: 'Anna', reference: 'TRV-1', email: anyEmail(), intent: 'confirm' };
    for (let count = 0; count < 20; count += 1) await reader.send('/withdrawal', declared);
    const before = site.query('select id from withdrawals').length;
    await reader.send('/withdrawal', declared);
    expect(reader.status).toBe(429);
    expect(Number(reader.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(reader.announced('alert')).toContain(plain(words.errors.tooMany.title));
    expect(reader.text).toContain('contact@example.com');
    expect(reader.text).toContain('1 rue de l’Exemple');
    expect(reader.html).toContain(`value="${declared.email}"`);
    expect(site.query('select id from withdrawals')).toHaveLength(before);
    // The mails to an address that nobody has confirmed stay few; the declarations are all recorded.
    expect((await mailsTo(site, declared.email, 3)).length).toBe(3);
  });

  it('does not exist while the site is offline, for staff, or ahead of time', async () => {
    const headers = { 'Sec-Purpose': 'prefetch' };
    // Staff who are signed in have no contract.
    const page = await (await signedIn(site, agent).get('/crm/dashboard')).text();
    expect(page).not.toContain('/withdrawal');
    const ahead = await fetch(`${site.origin}/withdrawal`, { headers });
    expect(ahead.status).toBe(403);
    const offline = await startSite({});
    const reader = await Reader.open(offline.origin, '/withdrawal', 'en');
    expect(reader.status).toBe(404);
    expect(reader.links(LAW.en[0])).toEqual([]);
    await offline.stop();
  });
});

describe('who has reference and address alone', () => {
  const words = bundles.en['order-withdrawal'];
  /** The mail that asks, and its two links as paths. */
  const asked = async (email: string, count = 1) => {
    const subject = (reference: string) =>
      plain(bundles.en.mail.mails.withdrawalAsked.subject.replace('{{reference}}', reference));
    const isAsking = (mail: { subject: string }) =>
      mail.subject.startsWith(subject('').slice(0, 20));
    await expect.poll(async () => (await mailsTo(site, email)).filter(isAsking).length).toBe(count);
    const [mail] = (await mailsTo(site, email)).filter(isAsking);
    return (mail?.links ?? []).map((link) => link.replace(/^https?:\/\/[^/]+/, ''));
  };

  it('cancels nothing at once: the owner is asked, says that it was not them, and all goes on', async () => {
    const email = anyEmail();
    const own = await order({ email, application: 'checked' });
    const reader = await withdraw({ reference: own.reference, email });
    expect(reader.heading).toBe(plain(words.receipt.title));
    expect(reader.text).toContain('without an answer, on');
    const [no = '', yes = ''] = await asked(email);
    expect([applicationOf(own), refunds(own.id)]).toEqual([{ state: 'checked' }, []]);

    // The desk sees what it waits for, and enters nothing meanwhile.
    const visitor = signedIn(site, agent);
    const list = await (await visitor.get('/crm/refunds')).text();
    expect(list).toContain(plain(bundles.en.staff.refunds.held));
    expect(list).toContain(own.reference);
    site.execute(
      `update applications set assigned_to = '${agent.id}' where id = '${own.application_id}'`,
    );
    const address = `/crm/processing/${own.application_id}`;
    const page = await (await visitor.get(address)).text();
    expect(page).toContain('A withdrawal was received on');
    const sheet = await visitor.get(`${address}/copy-sheet`);
    expect([sheet.status, sheet.headers.get('Location')]).toEqual([303, address]);
    const version = String(rowOf(own.application_id)['version']);
    const official_number = 'AB12CD34EF56GH78';
    const sent = { intent: 'enter', version, official_number, confirm: 'yes' };
    expect((await visitor.post(address, sent)).status).toBe(422);

    const owner = await Reader.open(site.origin, no, 'en');
    expect([owner.status, owner.heading]).toEqual([200, plain(words.answer.askNo.title)]);
    // What scans mails opens links.
    await owner.go(yes);
    expect(owner.heading).toBe(plain(words.answer.askYes.title));
    expect(withdrawals(own.id)).toMatchObject([{ handled_at: null, answer: null }]);
    await owner.go(no);
    await owner.press(words.answer.askNo.button);
    expect(owner.heading).toBe(plain(words.answer.no.title));
    expect([applicationOf(own), refunds(own.id)]).toEqual([{ state: 'checked' }, []]);
    await owner.go(yes);
    expect(owner.heading).toBe(plain(words.answer.no.title));
    expect((await visitor.get(`${address}/copy-sheet`)).status).toBe(200);
  });

  it('is believed once the owner says yes, by the mail or in their own browser', async () => {
    const email = anyEmail();
    const own = await order({ email });
    await withdraw({ reference: own.reference, email });
    const [, yes = ''] = await asked(email);
    const owner = await Reader.open(site.origin, yes, 'en');
    await owner.press(words.answer.askYes.button);
    expect(owner.heading).toBe(plain(words.answer.yes.title));
    expect([applicationOf(own), refunds(own.id).length]).toEqual([{ state: 'cancelled' }, 1]);
    await owner.go('/withdrawal/answer?token=none');
    expect([owner.status, owner.heading]).toEqual([410, plain(words.answer.ended.title)]);

    const other = await order({ email });
    await withdraw({ reference: other.reference, email });
    await asked(email, 2);
    const reader = await withdraw({ reference: other.reference, email }, 'en', other);
    expect(reader.text).not.toContain('without an answer, on');
    await followed(other.id, 2);
    expect([applicationOf(other), refunds(other.id).length]).toEqual([{ state: 'cancelled' }, 1]);
  });
});

describe('the receipt', () => {
  it('is shown for an hour, to the browser that withdrew alone', async () => {
    const reader = await withdraw({ reference: 'TRV-1', email: anyEmail(), name: 'Zora Quitte' });
    const id = reader.address.split('=')[1] ?? '';
    expect(reader.text).toContain('Zora Quitte');
    const other = await Reader.open(site.origin, reader.address, 'en');
    expect(other.status).toBe(410);
    expect(other.html).not.toContain('Zora Quitte');
    const gone = new Date(Date.now() - 61 * 60_000).toISOString();
    site.execute(`update withdrawals set received_at = '${gone}' where id = '${id}'`);
    await reader.go(reader.address);
    expect(reader.status).toBe(410);
    expect(reader.html).not.toContain('Zora Quitte');
    expect(reader.heading).toBe(plain(bundles.en['order-withdrawal'].gone.title));
    await reader.go(`/withdrawal?receipt=${randomUUID()}`);
    expect(reader.status).toBe(410);
  });
});
