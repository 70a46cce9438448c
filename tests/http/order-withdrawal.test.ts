import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { subDays, subMinutes } from 'date-fns';
import { describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES, type Language } from '~/i18n/languages';
import { addressesIn } from '~/site-map';
import type { OrderRow } from '~db/queries/orders.server';
import { JOURNEY_LANGUAGES, someOf } from '../rounds';
import { makePerson } from './accounts';
import { plain } from './html';
import { mailsTo } from './inbox';
import {
  agent,
  anyEmail,
  type Bought,
  browser,
  buy,
  desk,
  draftCookie,
  rowOf,
  sendForm,
  setApplication,
  site,
  withSite,
} from './known-site';
import { HtmlBrowser } from './html-browser';
import { addPerson, signedIn } from './signed-in';
import { expectRefused, expectToWait } from './told';

withSite();

/** The words that the law has for link and button (article 11a; L221-21 C. conso; § 356a BGB). */
const LAW = {
  en: ['Withdraw from contract here', 'Confirm withdrawal'],
  fr: ['Renoncer au contrat ici', 'Confirmer la rétractation'],
  de: ['Vertrag widerrufen', 'Widerruf bestätigen'],
} as const;

async function order(options: Bought = {}) {
  const [token, email] = [randomUUID(), anyEmail()];
  const added = await buy({ token, email, ...options });
  const typed: Declared = { reference: added.reference, email: options.email ?? email };
  return { ...added, typed, cookies: { draft: draftCookie({ id: added.application_id, token }) } };
}

interface Declared {
  name?: string;
  reference: string;
  email: string;
}

function fillIn(reader: HtmlBrowser, { name = 'Anna Müller', ...more }: Declared): void {
  const { fields } = bundles[reader.language]['order-withdrawal'];
  reader.fill(fields.name, name);
  reader.fill(fields.reference, more.reference);
  reader.fill(fields.email, more.email);
}

/** Goes the whole way, by the pages' own links and buttons; without cookies as a stranger. */
async function withdraw(
  declared: Declared,
  cookies: Record<string, string> = {},
  language: Language = 'en',
): Promise<HtmlBrowser> {
  const { button, confirm } = bundles[language]['order-withdrawal'];
  const reader = await HtmlBrowser.open(site.origin, '/about', language, cookies);
  await reader.follow(LAW[language][0], 'footer');
  fillIn(reader, declared);
  await reader.press(button);
  expect([reader.status, reader.heading]).toEqual([200, plain(confirm.title)]);
  const { reference, email, name = 'Anna Müller' } = declared;
  for (const text of [name, reference, email]) expect(reader.text).toContain(plain(text));
  await reader.press(LAW[language][1]);
  return reader;
}

const withdrawals = (orderId: string) =>
  site.query('select * from withdrawals where order_id = ? order by received_at', orderId);
const recorded = () => site.query('select id from withdrawals').length;
const outcomeOf = ({ id, application_id }: OrderRow) => [
  rowOf(application_id)['state'],
  ...site.query('select kind, state, amount_cents from refunds where order_id = ?', id),
];
const requested = (kind = 'withdrawal') => ({ kind, state: 'requested', amount_cents: 3995 });
const followed = (orderId: string, count = 1) =>
  expect
    .poll(() => withdrawals(orderId).filter(({ handled_at }) => handled_at !== null).length)
    .toBe(count);

describe.each(JOURNEY_LANGUAGES)('in %s', (language) => {
  it('a contract is withdrawn from without a script, an account or a reason', async () => {
    const [bought, own] = [await order({ language }), await order({ language })];
    const { email } = own.typed;
    const words = bundles[language]['order-withdrawal'];
    const reader = await HtmlBrowser.open(site.origin, '/withdrawal', language);
    fillIn(reader, { reference: '', email: 'no address' });
    await reader.press(words.button);
    for (const error of [words.errors.required.reference, words.errors.email]) {
      expectRefused(reader, error);
    }
    expect(reader.valueOf(words.fields.name)).toBe('Anna Müller');
    expect(reader.valueOf(words.fields.email)).toBe('no address');
    expect(reader.text).toContain('contact@example.com');

    const receipt = await withdraw(own.typed, own.cookies, language);
    expect([receipt.status, receipt.heading]).toEqual([200, plain(words.receipt.title)]);
    expect(receipt.address).toMatch(/^\/withdrawal\?receipt=[0-9a-f-]{36}$/);
    expect(receipt.headers.get('Cache-Control')).toBe('no-store');
    const [time] = receipt.page.all('time');
    const received = new Date(time?.get('datetime') ?? '');
    expect(Math.abs(Date.now() - received.getTime())).toBeLessThan(60_000);
    expect(time?.text).toContain(String(received.getFullYear()));
    expect(receipt.text).toContain('Anna Müller');

    await followed(own.id);
    expect(outcomeOf(own)).toEqual(['cancelled', requested()]);
    expect(withdrawals(own.id)).toMatchObject([{ outcome: 'matched', language_code: language }]);
    const subject = plain(bundles[language].mail.mails.withdrawalReceived.subject);
    const mail = (await mailsTo(site, email, 2)).find((one) => one.subject.includes(subject));
    for (const part of ['Anna Müller', own.reference, email, time?.text ?? '?']) {
      expect(plain(mail?.text ?? '')).toContain(plain(part));
    }
    expect(outcomeOf(bought)).toEqual(['paid']);
  });
});

it.each(LANGUAGES)(
  'every page has the link with the words of the law in %s, pages of errors too',
  async (language) => {
    const reader = await HtmlBrowser.open(site.origin, '/', language);
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
    const [own, strangers] = [await order(), anyEmail()];
    const { reference, email } = own.typed;
    const pages = await Promise.all([
      withdraw(own.typed),
      withdraw({ reference, email: strangers }),
      withdraw({ reference: 'TRV-0000-0000', email: strangers }),
      withdraw({ reference: 'I do not know', email: strangers }),
    ]);
    const typed = [reference, 'TRV-0000-0000', 'I do not know', email, strangers];
    const bare = pages.map(({ html, address }) =>
      [...typed, address.split('=')[1] ?? '?']
        .reduce((text, one) => text.replaceAll(one, '…'), html)
        .replaceAll(/without an answer, on [^<.]*\./g, '')
        .replaceAll(/<time.*?<\/time>/g, '')
        .replaceAll(/nonce="[^"]*"|"nonce":"[^"]*"/g, ''),
    );
    expect([new Set(bare).size, outcomeOf(own)]).toEqual([1, ['paid']]);
    const found = site.query("select * from withdrawals where outcome = 'unmatched'");
    expect(found.filter(({ order_id }) => order_id === null).length).toBeGreaterThanOrEqual(3);
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
  // An address that nobody has confirmed may be another's.
  const stranger = await makePerson(site, { isVerified: false });
  await withdraw({ name: 'Cleo', reference: 'I do not know', email: stranger.email });
  const others = await (await stranger.visitor.post('/auth/security/export', {})).text();
  expect(others).not.toContain('Cleo');
});

it('is matched by the reference as people type it, and the address of buyer or account; each gets the receipt that bought', async () => {
  const person = addPerson(site);
  const [buyer, session] = [anyEmail(), signedIn(site, person).cookie('session') ?? ''];
  const bought = await order({ buyerEmail: buyer });
  const reference = bought.reference.slice(4).toLowerCase().replace('-', ' ').replaceAll('0', 'o');
  await withdraw({ reference, email: buyer.toUpperCase() }, bought.cookies);
  const hers = await order({ userId: person.id, buyerEmail: anyEmail() });
  await withdraw({ ...hers.typed, email: person.email }, { session });
  for (const one of [bought, hers]) {
    await followed(one.id);
    expect(outcomeOf(one)).toEqual(['cancelled', requested()]);
  }
  const subject = plain(bundles.en.mail.mails.withdrawalReceived.subject);
  const all = [...(await mailsTo(site, person.email)), ...(await mailsTo(site, buyer, 2))];
  expect(all.filter((mail) => mail.subject === subject)).toHaveLength(2);
});

const LATE = { at: subDays(new Date(), 25) };
const UNPAID = { payment: null, state: 'created', application: 'awaiting_payment' } as const;
it.each<[string, Bought, string, unknown[]]>([
  ['after it was filed', { application: 'filed' }, 'matched', ['filed', requested()]],
  ['by the guarantee alone, later', LATE, 'late', ['cancelled', requested('guarantee')]],
  ['of an order that nobody has paid', UNPAID, 'matched', ['cancelled']],
])('what follows %s', async (_, bought, outcome, becomes) => {
  const own = await order(bought);
  await withdraw(own.typed, own.cookies);
  await followed(own.id);
  expect(withdrawals(own.id)).toMatchObject([{ outcome }]);
  expect(outcomeOf(own)).toEqual(becomes);
});

describe('the form', () => {
  it('is filled in for who has the application open, and by the reference of an address', async () => {
    const token = randomUUID();
    const own = await order({ token });
    const { name, reference, email } = bundles.en['order-withdrawal'].fields;
    const reader = await browser('/withdrawal', [{ id: own.application_id, token }]);
    const shown = [name, reference, email].map((label) => reader.valueOf(label));
    expect(shown).toEqual(['Anna Müller', own.reference, own.typed.email]);
    // A stranger sees the reference of the link, and nothing of whom it belongs to.
    const link = `/withdrawal?reference=${own.reference.toLowerCase()}`;
    const stranger = await HtmlBrowser.open(site.origin, link, 'en');
    expect([stranger.valueOf(reference), stranger.valueOf(name)]).toEqual([own.reference, '']);
    expect(stranger.html).not.toContain(own.typed.email);
  });

  it('keeps everything when the language changes, on both pages; nothing is recorded', async () => {
    const before = recorded();
    const [de, en] = [bundles.de['order-withdrawal'], bundles.en['order-withdrawal']];
    const reader = await HtmlBrowser.open(site.origin, '/withdrawal', 'en');
    fillIn(reader, { reference: 'TRV-1', email: 'anna@example.com' });
    await reader.press('Deutsch', 'footer');
    expect(reader.valueOf(de.fields.name)).toBe('Anna Müller');
    await reader.press(de.button);
    expect(reader.heading).toBe(plain(de.confirm.title));
    await reader.press('English', 'footer');
    expect(reader.heading).toBe(plain(en.confirm.title));
    await reader.press(en.confirm.change);
    expect(reader.valueOf(en.fields.reference)).toBe('TRV-1');
    expect(recorded()).toBe(before);
  });

  it('is held back after many, never silently: with all that was typed and the other ways', async () => {
    const words = bundles.en['order-withdrawal'];
    const reader = await HtmlBrowser.open(site.origin, '/withdrawal', 'en');
    const declared = { name: 'Anna', reference: 'TRV-1', email: anyEmail(), intent: 'confirm' };
    for (let count = 0; count < 20; count += 1) await reader.send('/withdrawal', declared);
    const before = recorded();
    await reader.send('/withdrawal', declared);
    expectRefused(reader, words.errors.tooMany.title, 429);
    expectToWait(reader);
    for (const way of ['contact@example.com', '1 rue de l’Exemple']) {
      expect(reader.text).toContain(way);
    }
    expect(reader.html).toContain(`value="${declared.email}"`);
    expect(recorded()).toBe(before);
    // The mails to an address that nobody has confirmed stay few; the declarations are all recorded.
    expect(await mailsTo(site, declared.email, 3)).toHaveLength(3);
  });
});

describe('who has reference and address alone', () => {
  const words = bundles.en['order-withdrawal'];
  const asked = async (email: string) => {
    const [subject = ''] = bundles.en.mail.mails.withdrawalAsked.subject.split('{{');
    const mails = async () =>
      (await mailsTo(site, email)).filter((mail) => mail.subject.startsWith(plain(subject)));
    await expect.poll(async () => (await mails()).length).toBe(1);
    const [mail] = await mails();
    return (mail?.links ?? []).map((link) => link.replace(/^https?:\/\/[^/]+/, ''));
  };

  it('cancels nothing at once: the owner is asked, says that it was not them, and all goes on', async () => {
    const own = await order({ application: 'checked' });
    const reader = await withdraw(own.typed);
    expect(reader.heading).toBe(plain(words.receipt.title));
    expect(reader.text).toContain('without an answer, on');
    const [no = '', yes = ''] = await asked(own.typed.email);
    expect(outcomeOf(own)).toEqual(['checked']);

    // The desk sees what it waits for, and enters nothing meanwhile.
    const { application_id: id } = own;
    setApplication(id, { assigned_to: agent.id });
    const address = `/crm/processing/${id}`;
    const staff = await desk(agent, '/crm/refunds');
    for (const text of [bundles.en.staff.refunds.held, own.reference]) {
      expect(staff.text).toContain(plain(text));
    }
    await staff.go(`${address}/copy-sheet`);
    expect(staff.address).toBe(address);
    expect(staff.text).toContain('A withdrawal was received on');
    const number = { official_number: 'AB12CD34EF56GH78', confirm: 'yes' };
    await sendForm(staff, id, { intent: 'enter', ...number });
    expect(staff.status).toBe(422);

    const owner = await HtmlBrowser.open(site.origin, no, 'en');
    expect([owner.status, owner.heading]).toEqual([200, plain(words.answer.askNo.title)]);
    await owner.go(yes);
    expect(owner.heading).toBe(plain(words.answer.askYes.title));
    expect(withdrawals(own.id)).toMatchObject([{ handled_at: null, answer: null }]);
    await owner.go(no);
    await owner.press(words.answer.askNo.button);
    for (const link of [owner.address, yes]) {
      expect(owner.heading).toBe(plain(words.answer.no.title));
      await owner.go(link);
    }
    expect(owner.heading).toBe(plain(words.answer.no.title));
    expect(outcomeOf(own)).toEqual(['checked']);
    await staff.go(`${address}/copy-sheet`);
    expect(staff.address).toBe(`${address}/copy-sheet`);
  });

  it('is believed once the owner says yes', async () => {
    const own = await order();
    await withdraw(own.typed);
    const [, yes = ''] = await asked(own.typed.email);
    const owner = await HtmlBrowser.open(site.origin, yes, 'en');
    await owner.press(words.answer.askYes.button);
    expect(owner.heading).toBe(plain(words.answer.yes.title));
    expect(outcomeOf(own)).toEqual(['cancelled', requested()]);
  });
});

it('the receipt is shown for an hour, to the browser that withdrew alone', async () => {
  const reader = await withdraw({ reference: 'TRV-1', email: anyEmail(), name: 'Zora Quitte' });
  expect(reader.text).toContain('Zora Quitte');
  const other = await HtmlBrowser.open(site.origin, reader.address, 'en');
  const gone = subMinutes(new Date(), 61).toISOString();
  site.execute(`update withdrawals set received_at = '${gone}'`);
  await reader.go(reader.address);
  for (const { status, heading, html } of [other, reader]) {
    expect([status, heading]).toEqual([410, plain(bundles.en['order-withdrawal'].gone.title)]);
    expect(html).not.toContain('Zora Quitte');
  }
  await reader.go(`/withdrawal?receipt=${randomUUID()}`);
  expect(reader.status).toBe(410);
});
