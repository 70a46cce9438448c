import { randomUUID } from 'node:crypto';

import { addDays, subDays } from 'date-fns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { writeDatabase } from '~/database.server';
import { bundles } from '~/i18n/bundles.server';
import { type Language, LANGUAGES } from '~/i18n/languages';
import { openRefund } from '~/orders/refunds.server';
import type { OrderRow } from '~db/queries/orders.server';
import { addPaidOrder } from '../paid-orders';
import { startStripe, type Stripe } from '../payments';
import { someOf } from '../rounds';
import { plain } from './html';
import { mailsTo } from './inbox';
import { agent, anyEmail, boss, browser, desk, site, withSite } from './known-site';
import { takenPayment } from './orders';
import { Reader } from './reader';
import { addPerson, type Person } from './signed-in';

let stripe: Stripe;
let second: Person;
withSite(async () => {
  stripe = await startStripe();
  return stripe.variables;
});
beforeAll(() => void (second = addPerson(site, { role: 'supervisor' })));
afterAll(() => stripe.stop());

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

/** Somebody in whose browser an application is, where money is asked back. */
const traveller = ({ application_id: id }: OrderRow, token: string, language: Language = 'en') =>
  browser(`/application/${id}/refund`, [{ id, token }], language);
/** An order of a browser, and the page on which its money is asked back. */
async function atRefund(options: Options = {}) {
  const token = randomUUID();
  const bought = await order({ token, ...options });
  return { bought, reader: await traveller(bought, token) };
}
const caseOf = (bought: OrderRow) => `/crm/refunds/${String(refundOf(bought.id)['id'])}`;

describe('the traveller’s page', () => {
  const words = bundles.en['order-refund'];

  it('of what was not paid leads to the application', async () => {
    const { bought, reader } = await atRefund({ payment: null, state: 'created' });
    expect(reader.address).toBe(`/application/${bought.application_id}/overview`);
  });

  it.each([
    ['on the last day', 30, 30, words.ask.title],
    ['a day too late', 31, 30, words.over.title],
    ['without a guarantee, within the days of the law', 3, 0, words.withdraw.title],
    ['without a guarantee, after them', 20, 0, words.over.title],
  ])('%s', async (_, days, guaranteeDays, title) => {
    // At noon: an hour before midnight another day began there in summer.
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Paris' }).format();
    const at = subDays(new Date(`${today}T11:00:00Z`), days);
    const { bought, reader } = await atRefund({ at, guaranteeDays });
    expect([reader.status, reader.heading]).toEqual([200, plain(title)]);
    expect(reader.text).toContain('Back to the application');
    const isAsked = title === words.ask.title;
    // What becomes of the application is said before.
    expect(reader.text.includes(plain(words.ask.cancelled))).toBe(isAsked);
    await reader.send(reader.address, { reason: '' });
    expect(refundsOf(bought.id)).toHaveLength(isAsked ? 1 : 0);
    const state = stateOf('applications', bought.application_id);
    expect(state).toBe(isAsked ? 'cancelled' : 'paid');
  });

  it('of a filed application leaves it as it is', async () => {
    const { bought, reader } = await atRefund({ application: 'filed' });
    expect(reader.text).toContain(plain(words.ask.filed));
    await reader.press(words.ask.button);
    expect(stateOf('applications', bought.application_id)).toBe('filed');
    expect(refundsOf(bought.id)).toHaveLength(1);
  });

  it('keeps a reason that is too long, and one whose language changes', async () => {
    const { bought, reader } = await atRefund();
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
    const failed = { state: 'failed', failure_code: 'resource_missing' };
    expect(refundOf(bought.id)).toMatchObject(failed);
    await reader.go(reader.address);
    expect(reader.text).toContain('The application had been filed.');
    expect(reader.text).toContain(plain(words.way.heldUp));
    expect(reader.text).not.toMatch(/resource_missing|fail/i);
    await second.go(`/crm/refunds/${id}`);
    expect(second.text).toContain('resource_missing');
    const known = await payment();
    site.execute(`update orders set provider_payment_id = '${known}' where id = '${bought.id}'`);
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
    const email = anyEmail();
    const { bought, reader } = await atRefund({ email });
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
    for (const language of someOf(LANGUAGES, 1)) {
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
    const links = reader.page
      .all('main')[0]
      ?.all('a')
      .map(({ text }) => text);
    const both = [late.reference, soon.reference];
    expect(links?.filter((text) => both.includes(text))).toEqual(both);
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
    expect(reader.status).toBe(422);
    expect(reader.announced('alert')).toContain('no order with this reference');
    const reference = bought.reference.toLowerCase();
    await reader.send('/crm/refunds', { intent: 'assign', id, reference });
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
    const old = await desk(second, caseOf(bought));
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
