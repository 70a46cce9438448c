import { randomBytes, randomUUID } from 'node:crypto';

import { addDays, subDays } from 'date-fns';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { closeDatabase, writeDatabase } from '~/database.server';
import { bundles } from '~/i18n/bundles.server';
import { COMPLETE_LANGUAGES, type Language } from '~/i18n/languages';
import { openRefund } from '~/orders/refunds.server';
import type { OrderRow } from '~db/queries/orders.server';
import { addPaidOrder } from '../paid-orders';
import { type Stripe, startStripe } from '../payments';
import { type Site, startSite } from '../production-server';
import { signedCookie } from '../signed-cookie';
import { plain } from './html';
import { mailsTo } from './inbox';
import { takenPayment } from './orders';
import { Reader } from './reader';
import { addPerson, type Person, signedIn } from './signed-in';

const KEYS = {
  OFFLINE_MODE: 'false',
  SESSION_SECRET: randomBytes(32).toString('base64url'),
  DATA_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
};

let site: Site;
let stripe: Stripe;
let agent: Person;
let boss: Person;
let other: Person;
beforeAll(async () => {
  stripe = await startStripe();
  const variables = { ...KEYS, ...stripe.variables };
  site = await startSite(variables);
  await fetch(`${site.origin}/readyz`);
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  vi.stubEnv('NODE_ENV', 'production');
  vi.stubEnv('DATABASE_URL', `file:${site.databaseFile}`);
  agent = addPerson(site, { role: 'agent' });
  boss = addPerson(site, { role: 'supervisor' });
  other = addPerson(site, { role: 'supervisor' });
});
afterAll(async () => {
  await closeDatabase();
  vi.unstubAllEnvs();
  await site.stop();
  await stripe.stop();
});

const anyEmail = () => `${randomUUID().slice(0, 13)}@example.com`;
type Options = Partial<Parameters<typeof addPaidOrder>[1]>;
const order = (options: Options = {}) =>
  writeDatabase((db) => addPaidOrder(db, { at: new Date(), ...options }));

const payment = (amountCents?: number) => takenPayment(stripe, amountCents);

/** A refund that somebody has asked for. */
async function asked(options: Options & { reason?: string } = {}): Promise<OrderRow> {
  const { reason, ...rest } = options;
  const bought = await order({ payment: await payment(options.amount), ...rest });
  await writeDatabase((db) => openRefund(db, bought, { kind: 'guarantee', reason }, new Date()));
  return bought;
}

const refundsOf = (orderId: string) =>
  site.query('select * from refunds where order_id = ? order by created_at', orderId);
const refundOf = (orderId: string) => refundsOf(orderId)[0] ?? {};
const stateOf = (table: 'orders' | 'applications', id: string) =>
  site.query(`select state from ${table} where id = ?`, id)[0]?.['state'];

/** Somebody in whose browser an application is. */
async function traveller(
  { application_id: id }: OrderRow,
  token: string,
  language: Language = 'en',
): Promise<Reader> {
  const reader = await Reader.open(site.origin, '/about', language);
  const cookie = signedCookie(KEYS.SESSION_SECRET, 'draft', [{ id, token }]);
  reader.visitor.setCookie('draft', cookie);
  await reader.go(`/application/${id}/refund`);
  return reader;
}

/** Somebody of the staff, at a page of the desk. */
async function desk(person: Person, address: string, language: Language = 'en'): Promise<Reader> {
  const reader = await Reader.open(site.origin, '/about', language);
  reader.visitor.setCookie('session', signedIn(site, person).cookie('session') ?? '');
  await reader.go(address);
  return reader;
}
const caseOf = (bought: OrderRow) => `/crm/refunds/${String(refundOf(bought.id)['id'])}`;

describe.each(COMPLETE_LANGUAGES)('in %s', (language) => {
  it('a refund is asked for, proposed, approved by another person and sent, without a script', async () => {
    const words = bundles[language]['order-refund'];
    const staffWords = bundles[language].staff.refunds;
    const [email, token] = [anyEmail(), randomUUID()];
    const bought = await order({ email, token, language, payment: await payment() });
    const reader = await traveller(bought, token, language);
    await reader.go(`/application/${bought.application_id}/overview`);
    await reader.follow(bundles[language]['application-overview'].order.askRefund);
    expect([reader.status, reader.heading]).toEqual([200, plain(words.ask.title)]);
    // What becomes of the application is said before.
    expect(reader.text).toContain(plain(words.ask.cancelled));
    reader.fill(words.ask.reason, 'Die Reise fällt aus.');
    await reader.press(words.ask.buttonCancel);
    expect([reader.status, reader.heading]).toEqual([200, plain(words.way.title)]);
    expect(reader.address).toBe(`/application/${bought.application_id}/refund`);
    expect(reader.text).toContain(plain(words.way.stations.checking.title));
    expect(stateOf('applications', bought.application_id)).toBe('cancelled');

    const first = await desk(agent, '/crm/refunds', language);
    await first.follow(bought.reference);
    expect(first.text).toContain('Die Reise fällt aus.');
    expect(first.text).not.toContain(plain(staffWords.forms.approveButton));
    await first.press(staffWords.forms.proposeButton);
    expect(first.announced('status')).toContain(plain(staffWords.did.propose));

    const second = await desk(boss, caseOf(bought), language);
    await second.press(staffWords.forms.approveButton);
    expect(second.announced('status')).toContain(plain(staffWords.did.approve));
    expect(refundOf(bought.id)).toMatchObject({
      state: 'settled',
      amount_cents: 3995,
      proposed_by: agent.id,
      approved_by: boss.id,
    });
    expect(refundOf(bought.id)['credit_note_number']).toMatch(/^A-\d{4}-\d{5}$/);
    expect(stateOf('orders', bought.id)).toBe('refunded');
    // What was sent and arrived at one instant was sent first.
    const steps = second.page.all('ol').at(-1)?.all('li') ?? [];
    const expected = (['open', 'propose', 'approve', 'send', 'settle'] as const).map((step) =>
      plain(staffWords.steps[step]),
    );
    const isSaid = (text: string, n: number) => plain(text).startsWith(expected[n] ?? '?');
    expect(steps.map(({ text }, n) => isSaid(text, n))).toEqual(expected.map(() => true));

    await reader.go(reader.address);
    expect(reader.text).toContain(plain(words.way.stations.arrived.text));
    const mails = (await mailsTo(site, email, 2)).map(({ subject }) => subject);
    for (const kind of ['refundRequested', 'refundSent'] as const) {
      expect(mails).toContain(plain(bundles[language].mail.mails[kind].subject));
    }
  });
});

describe('the traveller’s page', () => {
  const words = bundles.en['order-refund'];

  it('is nobody else’s, and of what was not paid leads to the application', async () => {
    const token = randomUUID();
    const bought = await order({ token });
    const stranger = await Reader.open(
      site.origin,
      `/application/${bought.application_id}/refund`,
      'en',
    );
    expect(stranger.status).toBe(404);
    await stranger.send(stranger.address, { reason: '' });
    expect([stranger.status, refundsOf(bought.id)]).toEqual([404, []]);

    const another = randomUUID();
    const unpaid = await order({ token: another, payment: null, state: 'created' });
    const reader = await traveller(unpaid, another);
    expect(reader.address).toBe(`/application/${unpaid.application_id}/overview`);
  });

  it.each([
    ['on the last day', 30, 30, words.ask.title],
    ['a day too late', 31, 30, words.over.title],
    ['without a guarantee, within the days of the law', 3, 0, words.withdraw.title],
    ['without a guarantee, after them', 20, 0, words.over.title],
  ])('%s', async (_, days, guaranteeDays, title) => {
    const token = randomUUID();
    // At noon: an hour before midnight another day began there in summer.
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Paris' }).format();
    const at = subDays(new Date(`${today}T11:00:00Z`), days);
    const bought = await order({ token, at, guaranteeDays });
    const reader = await traveller(bought, token);
    expect([reader.status, reader.heading]).toEqual([200, plain(title)]);
    expect(reader.text).toContain('Back to the application');
    await reader.send(reader.address, { reason: '' });
    expect(refundsOf(bought.id)).toHaveLength(title === words.ask.title ? 1 : 0);
  });

  it('asks once, however often it is sent', async () => {
    const [token, email] = [randomUUID(), anyEmail()];
    const bought = await order({ token, email });
    const readers = await Promise.all(Array.from({ length: 5 }, () => traveller(bought, token)));
    await Promise.all(readers.map((reader) => reader.press(words.ask.buttonCancel)));
    expect(refundsOf(bought.id)).toHaveLength(1);
    expect(await mailsTo(site, email)).toHaveLength(1);
  });

  it('of a filed application leaves it as it is', async () => {
    const token = randomUUID();
    const bought = await order({ token, application: 'filed' });
    const reader = await traveller(bought, token);
    expect(reader.text).toContain(plain(words.ask.filed));
    await reader.press(words.ask.button);
    expect(stateOf('applications', bought.application_id)).toBe('filed');
    expect(refundsOf(bought.id)).toHaveLength(1);
  });

  it('keeps a reason that is too long, and one whose language changes', async () => {
    const token = randomUUID();
    const bought = await order({ token });
    const reader = await traveller(bought, token);
    const long = 'a'.repeat(1001);
    reader.fill(words.ask.reason, long);
    await reader.press(words.ask.buttonCancel);
    expect(reader.status).toBe(422);
    expect(reader.valueOf(words.ask.reason)).toBe(long);
    await reader.press('Français', 'footer');
    expect(reader.valueOf(bundles.fr['order-refund'].ask.reason)).toBe(long);
    expect(refundsOf(bought.id)).toEqual([]);
  });

  it('tells what was answered, and nothing of proposals and failures', async () => {
    const token = randomUUID();
    const bought = await asked({ token, payment: 'pi_unknown' });
    const id = String(refundOf(bought.id)['id']);
    const first = await desk(agent, caseOf(bought));
    first.fill('Amount', '10,00');
    first.fill('Reason', 'The application had been filed.');
    await first.press('Propose');
    const reader = await traveller(bought, token);
    expect(reader.text).not.toContain('The application had been filed.');
    expect(reader.text).not.toContain('$10.00');
    const second = await desk(boss, caseOf(bought));
    await second.press('Approve and send');
    // The provider knows no such payment.
    expect(refundOf(bought.id)).toMatchObject({
      state: 'failed',
      failure_code: 'resource_missing',
    });
    await reader.go(reader.address);
    expect(reader.text).toContain('The application had been filed.');
    expect(reader.text).toContain(plain(words.way.heldUp));
    expect(reader.text).not.toMatch(/resource_missing|fail/i);
    await second.go(`/crm/refunds/${id}`);
    expect(second.text).toContain('resource_missing');
    site.execute(
      `update orders set provider_payment_id = '${await payment()}' where id = '${bought.id}'`,
    );
    await second.press('Send again');
    expect(refundOf(bought.id)).toMatchObject({ state: 'settled', attempt: 2 });
    expect(stateOf('orders', bought.id)).toBe('part_refunded');
  });

  it('of a refusal says why, and what one can do', async () => {
    const [token, email] = [randomUUID(), anyEmail()];
    const bought = await asked({ token, email });
    const reader = await desk(boss, caseOf(bought));
    await reader.send(caseOf(bought), { intent: 'refuse', version: '1', reason: '' });
    expect(reader.status).toBe(422);
    await reader.send(caseOf(bought), { intent: 'refuse', version: '1', reason: 'It was filed.' });
    expect(refundOf(bought.id)).toMatchObject({ state: 'refused' });
    const own = await traveller(bought, token);
    expect(own.text).toContain('It was filed.');
    expect(own.text).toContain('Médiateur Exemple');
    const [mail] = await mailsTo(site, email);
    expect(mail?.text.replaceAll(/\s+/g, ' ')).toContain('It was filed.');
  });

  it('opens a refund when a paid application is cancelled', async () => {
    const [token, email] = [randomUUID(), anyEmail()];
    const bought = await order({ token, email });
    const reader = await traveller(bought, token);
    const overview = `/application/${bought.application_id}/overview`;
    await reader.send(overview, { intent: 'cancel', confirm: 'yes' });
    expect(stateOf('applications', bought.application_id)).toBe('cancelled');
    expect(refundsOf(bought.id)).toMatchObject([{ kind: 'cancellation', state: 'requested' }]);
    expect(await mailsTo(site, email)).toHaveLength(1);
    await reader.go(overview);
    // By when it is paid, and no longer by when it is checked.
    expect(reader.text).toMatch(/requested on .*\. We refund what you are owed by \d/);
    expect(reader.text).not.toMatch(/Checked and entered by [A-Z]/);
  });
});

describe('who is asked whether to cancel what was paid', () => {
  const DAY = (days: number) => subDays(new Date(), days);
  const begins = (bought: OrderRow, at: Date) =>
    site.execute(`update orders set starts_at = '${at.toISOString()}' where id = '${bought.id}'`);
  const asksAbout = async (options: Options, change?: (bought: OrderRow) => unknown) => {
    const token = randomUUID();
    const bought = await order({ token, ...options });
    await change?.(bought);
    const reader = await traveller(bought, token, options.language);
    await reader.go(`/application/${bought.application_id}/overview?ask=cancel`);
    return reader;
  };

  it.each([
    ['whole', 'within the guarantee', { at: DAY(20), guaranteeDays: 30 }, undefined],
    ['part', 'within the days of the law alone', { at: DAY(2), guaranteeDays: 0 }, undefined],
    [
      'whole',
      'before our work has begun',
      { at: DAY(2), guaranteeDays: 0 },
      (bought: OrderRow) => begins(bought, addDays(new Date(), 12)),
    ],
    ['look', 'after all days', { at: DAY(40), guaranteeDays: 30 }, undefined],
    [
      'known',
      'while a refund is open',
      { at: DAY(2) },
      async (bought: OrderRow) =>
        writeDatabase((db) => openRefund(db, bought, { kind: 'goodwill' }, new Date())),
    ],
  ] as const)('reads what becomes of the money: %s, %s', async (is, _, options, change) => {
    for (const language of COMPLETE_LANGUAGES) {
      const reader = await asksAbout({ ...options, language }, change);
      const { money, button } = bundles[language]['application-overview'].cancel;
      const [, said = ''] = money[is].split('{{paidOn}}');
      const [sentence = ''] = said.replace('{{price}}', '').split('{{');
      expect(reader.text).toContain(plain(sentence).trim().replace(/^\S+ /, ''));
      const { buttonCancel, official } = bundles[language]['order-refund'].ask;
      expect(reader.text).toContain(plain(official));
      const buttons = reader.page.all('button').map(({ text }) => text);
      expect(buttons).toContain(plain(is === 'known' ? button : buttonCancel));
    }
  });

  it('learns that the bank decides while it does', async () => {
    const reader = await asksAbout({ state: 'disputed' });
    expect(reader.text).toContain('is disputed at your bank');
    expect(reader.text).toContain('Cancel the application');
  });

  it('reads nothing of money where nothing was paid', async () => {
    const reader = await asksAbout({ payment: null }, ({ id }) =>
      site.execute(`update orders set fulfilled_at = null where id = '${id}'`),
    );
    expect(reader.heading).toBe('Cancel this application?');
    expect(reader.text).not.toContain('Your money');
  });
});

describe('the desk', () => {
  it('lists what is to be decided with its day, and what is overdue first', async () => {
    const late = await asked();
    const soon = await asked();
    const long = subDays(new Date(), 30).toISOString();
    site.execute(`update refunds set created_at = '${long}' where order_id = '${late.id}'`);
    const reader = await desk(agent, '/crm/refunds');
    const references = reader.page
      .all('main')[0]
      ?.all('a')
      .map(({ text }) => text)
      .filter((text) => [late.reference, soon.reference].includes(text));
    expect(references).toEqual([late.reference, soon.reference]);
    expect(reader.text).toContain('Overdue');
  });

  it('shows withdrawals that were not matched: one is assigned, another closed', async () => {
    const bought = await order({ at: subDays(new Date(), 2), payment: await payment() });
    const declare = async (name: string) => {
      const reader = await Reader.open(site.origin, '/withdrawal', 'en');
      const fields = { name, reference: 'forgotten', email: anyEmail(), intent: 'confirm' };
      await reader.send('/withdrawal', fields);
      return site.query("select id from withdrawals where outcome = 'unmatched'").at(-1)?.['id'];
    };
    const id = String(await declare('Quitte Erste'));
    const closed = String(await declare('Quitte Zweite'));
    const reader = await desk(agent, '/crm/refunds');
    expect(reader.text).toContain('Quitte Erste');
    await reader.send('/crm/refunds', { intent: 'assign', id, reference: 'TRV-0000-0000' });
    expect([reader.status, reader.announced('alert')]).toEqual([
      422,
      expect.stringContaining('no order with this reference'),
    ]);
    await reader.send('/crm/refunds', {
      intent: 'assign',
      id,
      reference: bought.reference.toLowerCase(),
    });
    expect(reader.announced('status')).toContain('assigned');
    expect(refundsOf(bought.id)).toMatchObject([{ kind: 'withdrawal', state: 'requested' }]);
    expect(stateOf('applications', bought.application_id)).toBe('cancelled');
    await reader.send('/crm/refunds', { intent: 'close', id: closed });
    expect(reader.text).not.toContain('Quitte');
    // In another tab it is there still.
    await reader.send('/crm/refunds', { intent: 'close', id: closed });
    expect(reader.status).toBe(409);
    await reader.send('/crm/refunds', { intent: 'close', id: 'nonsense' });
    expect(reader.status).toBe(400);
  });

  it('shows payments that do not match, and disputes', async () => {
    const [disputed, wrong] = [await order({ state: 'disputed' }), await order()];
    const at = new Date().toISOString();
    site.execute(`insert into audit_events (id, at, actor_kind, action, subject_type, subject_id,
      details, kept_until) values ('${randomUUID()}', '${at}', 'system', 'order.mismatched', 'order',
      '${wrong.id}', '{}', '${addDays(new Date(), 1).toISOString()}')`);
    const reader = await desk(boss, '/crm/refunds');
    for (const { reference } of [disputed, wrong]) expect(reader.text).toContain(reference);
  });

  it.each([
    ['39,96', '', 'more than can still be refunded'],
    ['0', 'x', 'enter an amount'],
    ['1.234', 'x', 'enter an amount'],
    ['', 'x', 'fill in'],
    ['10', '', 'why you are not refunding everything'],
  ])('takes no proposal of “%s” with “%s”', async (amount, reason, said) => {
    const bought = await asked();
    const reader = await desk(agent, caseOf(bought));
    reader.fill('Amount', amount);
    reader.fill('Reason', reason);
    await reader.press('Propose');
    expect(reader.status).toBe(422);
    expect(reader.announced('alert')).toContain(said);
    expect([reader.valueOf('Amount'), reader.valueOf('Reason')]).toEqual([amount, reason]);
    expect(refundOf(bought.id)).toMatchObject({ state: 'requested', version: 1 });
  });

  it('lets nobody approve what they proposed, nor by an older page', async () => {
    const bought = await asked();
    const reader = await desk(boss, caseOf(bought));
    const old = await desk(other, caseOf(bought));
    await reader.press('Propose');
    expect(reader.text).toContain('another supervisor must approve it');
    await expect(reader.press('Approve and send')).rejects.toThrow();
    await reader.send(caseOf(bought), { intent: 'approve', version: '2' });
    expect([reader.status, refundOf(bought.id)['state']]).toEqual([422, 'proposed']);
    await old.send(caseOf(bought), { intent: 'approve', version: '1' });
    expect([old.status, refundOf(bought.id)['state']]).toEqual([409, 'proposed']);
    // The page of the refusal shows how it stands now.
    expect(old.announced('alert')).toContain('Somebody else has changed this refund');
    await old.press('Approve and send');
    expect(refundOf(bought.id)['state']).toBe('settled');
  });

  it('lets an agent propose, and decide nothing', async () => {
    const bought = await asked();
    const reader = await desk(agent, caseOf(bought));
    for (const intent of ['approve', 'refuse', 'retry']) {
      await reader.send(caseOf(bought), { intent, version: '1', reason: 'x' });
      expect([intent, reader.status]).toEqual([intent, 403]);
    }
    expect(refundOf(bought.id)['version']).toBe(1);
  });

  it('remembers who looked at a refund', async () => {
    const bought = await asked();
    await desk(agent, caseOf(bought));
    const id = String(refundOf(bought.id)['id']);
    const viewed = "select actor_id from audit_events where action = 'refund.viewed'";
    expect(site.query(`${viewed} and subject_id = ?`, id)).toEqual([{ actor_id: agent.id }]);
    expect((await desk(agent, `/crm/refunds/${randomUUID()}`)).status).toBe(404);
    expect((await desk(agent, '/crm/refunds/nonsense')).status).toBe(404);
  });
});
