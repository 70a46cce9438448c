import { randomUUID } from 'node:crypto';

import { addDays, addYears, subDays, subHours } from 'date-fns';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { now } from '~/clock.server';
import { writeWithSecureDelete, writeDatabase } from '~/database.server';
import { bundles } from '~/i18n/bundles.server';
import { openRefund } from '~/orders/refunds.server';
import type { OrderRow } from '~db/queries/orders.server';
import { hourlyJobs } from '../../operations/jobs';
import { startStripe, type Stripe } from '../payments';
import { PASSWORD, passwordHash } from './accounts';
import { awaitingPayment, ORDER } from './awaiting-payment';
import { plain } from './html';
import type { HtmlBrowser } from './html-browser';
import { mailsTo } from './inbox';
import {
  agent,
  anyEmail,
  auditOf,
  boss,
  type Bought,
  browser,
  buy,
  desk,
  rowOf,
  setApplication,
  site,
  withSite,
} from './known-site';
import { takenPayment } from './orders';
import { addPerson, signedIn } from './signed-in';
import { expectDone, expectRefused } from './told';
import type { Visitor } from './visitor';

let stripe: Stripe;
withSite(async () => {
  stripe = await startStripe();
  return stripe.variables;
});
beforeAll(() => stripe.deliversTo(site));
afterAll(() => stripe.stop());

async function asked(options: Bought = {}): Promise<OrderRow> {
  const bought = await buy({ payment: await takenPayment(stripe), ...options });
  await writeDatabase((db) => openRefund(db, bought, { kind: 'guarantee' }, new Date()));
  return bought;
}

const refundsOf = (orderId: string) =>
  site.query('select * from refunds where order_id = ? order by created_at', orderId);
const refundOf = (orderId: string) => refundsOf(orderId)[0] ?? {};
const caseOf = (bought: OrderRow) => `/crm/refunds/${String(refundOf(bought.id)['id'])}`;
const stateOf = ({ application_id: id }: OrderRow) => rowOf(id)['state'];

async function proposes(bought: OrderRow, amount: string, reason: string) {
  const reader = await desk(agent, caseOf(bought));
  reader.fill('Amount', amount);
  reader.fill('Reason', reason);
  await reader.press('Propose');
  return reader;
}

const traveller = ({ application_id: id }: OrderRow, token: string, page = 'refund') =>
  browser(`/application/${id}/${page}`, [{ id, token }]);
async function atRefund(options: Bought = {}) {
  const token = randomUUID();
  const bought = await buy({ token, ...options });
  return { bought, reader: await traveller(bought, token) };
}

describe('the traveller’s page', () => {
  const words = bundles.en['order-refund'];

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
    const isAsked = title === words.ask.title;
    expect(reader.text.includes(plain(words.ask.cancelled))).toBe(isAsked);
    await reader.send(reader.address, { reason: '' });
    expect(refundsOf(bought.id)).toHaveLength(isAsked ? 1 : 0);
    expect(stateOf(bought)).toBe(isAsked ? 'cancelled' : 'paid');
  });

  it('of a filed application leaves it as it is, and keeps a reason that is too long', async () => {
    const { bought, reader } = await atRefund({ application: 'filed' });
    const long = 'a'.repeat(1001);
    reader.fill(words.ask.reason, long);
    await reader.press(words.ask.button);
    expect([reader.status, reader.valueOf(words.ask.reason)]).toEqual([422, long]);
    expect(refundsOf(bought.id)).toEqual([]);
    reader.fill(words.ask.reason, '');
    await reader.press(words.ask.button);
    expect([stateOf(bought), refundsOf(bought.id).length]).toEqual(['filed', 1]);
  });

  it('tells what was answered, and nothing of proposals and failures', async () => {
    const token = randomUUID();
    const bought = await asked({ token, payment: 'pi_unknown' });
    await proposes(bought, '10,00', 'The application had been filed.');
    const reader = await traveller(bought, token);
    expect(reader.text).not.toMatch(/The application had been filed\.|\$10\.00/);
    const second = await desk(boss, caseOf(bought));
    await second.press('Approve and send');
    expect(refundOf(bought.id)).toMatchObject({ state: 'proposed' });
    await second.press('Yes, send it');
    // The provider knows no such payment.
    const failure_code = 'resource_missing';
    expect(refundOf(bought.id)).toMatchObject({ state: 'failed', failure_code });
    expect(second.text).toContain('resource_missing');
    await reader.go(reader.address);
    expect(reader.text).toContain('The application had been filed.');
    expect(reader.text).toContain(plain(words.way.heldUp));
    expect(reader.text).not.toMatch(/resource_missing|fail/i);
    const known = await takenPayment(stripe);
    site.execute(`update orders set provider_payment_id = '${known}' where id = '${bought.id}'`);
    await second.press('Send again');
    expect(refundOf(bought.id)).toMatchObject({ state: 'settled', attempt: 2 });
    const order = site.query('select state from orders where id = ?', bought.id);
    expect(order).toEqual([{ state: 'part_refunded' }]);
  });

  it('of a refusal says why, and who mediates', async () => {
    const token = randomUUID();
    const bought = await asked({ token });
    const refused = { intent: 'refuse', version: '1', reason: 'It was filed.' };
    await (await desk(boss, caseOf(bought))).send(caseOf(bought), refused);
    const { text } = await traveller(bought, token);
    for (const said of ['It was filed.', 'Médiateur Exemple']) expect(text).toContain(said);
  });

  it('opens a refund when a paid application is cancelled', async () => {
    const email = anyEmail();
    const { bought, reader } = await atRefund({ email });
    const overview = `/application/${bought.application_id}/overview`;
    await reader.send(overview, { intent: 'cancel', confirm: 'yes' });
    expect(stateOf(bought)).toBe('cancelled');
    expect(refundsOf(bought.id)).toMatchObject([{ kind: 'cancellation', state: 'requested' }]);
    expect(await mailsTo(site, email)).toHaveLength(1);
    await reader.go(overview);
    expect(reader.text).toMatch(/requested on .*\. We refund what you are owed by \d/);
    expect(reader.text).not.toMatch(/Reviewed and entered by [A-Z]/);
  });
});

describe('who is asked whether to cancel what was paid', () => {
  const at = (days: number) => subDays(new Date(), days);
  async function asks(options: Bought, hasRefund = false) {
    const token = randomUUID();
    const bought = await buy({ token, ...options });
    const kind = 'goodwill';
    if (hasRefund) await writeDatabase((db) => openRefund(db, bought, { kind }, new Date()));
    return traveller(bought, token, 'overview?ask=cancel');
  }

  it.each([
    ['whole', 'within the guarantee', { at: at(20) }],
    ['part', 'within the days of the law alone', { at: at(2), guaranteeDays: 0 }],
    ['look', 'after all days', { at: at(40) }],
    ['known', 'while a refund is open', { at: at(2) }],
  ] as const)('reads what becomes of the money: %s, %s', async (is, _, options) => {
    const reader = await asks(options, is === 'known');
    const { money, button } = bundles.en['application-overview'].cancel;
    const [, said = ''] = money[is].split('{{paidOn}}');
    const [sentence = ''] = said.replace('{{price}}', '').split('{{');
    expect(reader.text).toContain(plain(sentence).replace(/^\S+ /, ''));
    expect(reader.page.all('button').map(({ text }) => text)).toContain(
      plain(is === 'known' ? button : bundles.en['order-refund'].ask.buttonCancel),
    );
  });

  it('learns that the bank decides while it does, and reads nothing of money where none was paid', async () => {
    const disputed = await asks({ state: 'disputed' });
    expect(disputed.text).toContain('is disputed at your bank');
    expect(disputed.text).toContain('Cancel the application');
    const unpaid = await asks({ payment: null });
    expect(unpaid.heading).toBe('Cancel this application?');
    expect(unpaid.text).not.toContain('Your money');
  });
});

it('confirmation and invoice go out again from the case, once for two presses, four times a day at most', async () => {
  const { confirmAgain, done, errors } = bundles.en['desk-conversation'];
  const bought = await buy({ application: 'filed', language: 'de' });
  setApplication(bought.application_id, { assigned_to: agent.id });
  const talk = `/crm/processing/${bought.application_id}/conversation`;
  const sent = () =>
    site.query(
      "select language_code from outbox where application_id = ? and kind = 'orderConfirmation'",
      bought.application_id,
    );
  const [reader, late] = [await desk(agent, talk), await desk(agent, talk)];
  for (const one of [reader, late]) {
    await one.press(confirmAgain);
    expectDone(one, done.confirmation);
  }
  expect(sent()).toEqual([{ language_code: 'de' }]);
  const events = auditOf(bought.id).filter(({ action }) => action === 'order.confirmed');
  expect(events).toEqual([{ action: 'order.confirmed', by: agent.id, details: {} }]);
  const hoursAgo = (hours: number) =>
    site.execute(
      `update outbox set created_at = '${subHours(new Date(), hours).toISOString()}' where application_id = '${bought.application_id}'`,
    );
  for (const hours of [1, 2, 3]) {
    hoursAgo(hours);
    await reader.press(confirmAgain);
  }
  hoursAgo(4);
  await reader.press(confirmAgain);
  expectRefused(reader, errors.tooMany, 422);
  expect(sent()).toHaveLength(4);
});

it('a wrong name on the invoice is corrected from the case, once for two who do, and told', async () => {
  const { buyer, done, errors } = bundles.en['desk-conversation'];
  const [email, token] = [anyEmail(), randomUUID()];
  const bought = await buy({ application: 'filed', email, token });
  setApplication(bought.application_id, { assigned_to: agent.id });
  const talk = `/crm/processing/${bought.application_id}/conversation`;
  const correct = async (reader: HtmlBrowser, name: string) => {
    reader.fill(buyer.label, name);
    await reader.press(buyer.send);
  };
  const [reader, late] = [await desk(agent, talk), await desk(agent, talk)];
  await correct(reader, ' ');
  expectRefused(reader, buyer.errors.required);
  await correct(reader, 'Anna Müller');
  expectRefused(reader, buyer.errors.same);
  await correct(reader, 'Anna Mueller <b>');
  expectDone(reader, done.buyer);
  await correct(late, 'Anna Other');
  expectRefused(late, errors.changed, 409);
  expect(late.valueOf(buyer.label)).toBe('Anna Other');
  const [first, mail] = await mailsTo(site, email);
  expect([first?.subject, mail]).toEqual([
    bundles.en.mail.mails.invoiceCorrected.subject,
    undefined,
  ]);
  const entry = { id: bought.application_id, token };
  const owner = await browser(`/application/${bought.application_id}/invoice`, [entry]);
  expect(owner.text).toContain('Anna Mueller <b>');
  const others = owner.hrefs('main').filter((href) => href.includes('/invoice?'));
  expect(others).toHaveLength(2);
  await owner.go(others.find((href) => href.includes('credit-note')) ?? '');
  const { reasons, unmoved } = bundles.en['order-invoice'].sheet;
  for (const said of ['Anna Müller', reasons.correction, unmoved]) {
    expect(owner.text).toContain(plain(said));
  }
});

it('begun at the desk by who has the case it waits for a proposal, once, and for somebody else’s approval', async () => {
  const bought = await buy({ payment: await takenPayment(stripe), application: 'filed' });
  setApplication(bought.application_id, { assigned_to: agent.id });
  const { beginRefund, refundSure } = bundles.en['desk-conversation'];
  const talk = `/crm/processing/${bought.application_id}/conversation`;
  const [reader, late] = [await desk(agent, talk), await desk(agent, talk)];
  for (const one of [reader, late]) {
    await one.press(beginRefund);
    await one.press(refundSure.yes);
    expect(one.address).toBe(caseOf(bought));
  }
  expect(refundsOf(bought.id)).toMatchObject([{ kind: 'goodwill', state: 'requested' }]);
  const own = await proposes(bought, '10,00', 'A kindness.');
  expect(own.text).not.toContain('Approve and send');
  expect(own.links('Write to the customer')).toEqual([`${talk}#write`]);
  // What waits is counted for who may do it.
  for (const [who, last] of [
    [agent, 1],
    [boss, 3],
  ] as const) {
    const all = ['requested', 'proposed', 'failed'].slice(0, last).map((one) => `'${one}'`);
    const { length } = site.query(`select id from refunds where state in (${all.join()})`);
    const { text } = await desk(who, '/crm/dashboard');
    expect(text).toContain(`${length} ${bundles.en['desk-dashboard'].queues.refunds}`);
  }
  // The case is another's: from here, too, each look asks why.
  const { gate, reasons } = bundles.en['desk-case'];
  const chief = await desk(boss, caseOf(bought));
  for (const reason of [reasons.refund, reasons.complaint]) {
    expect(chief.text).toContain('Approve and send');
    await chief.follow(bought.reference);
    chief.fill(gate.label, reason);
    await chief.press(gate.open);
    expect(chief.address).toContain('?reason=');
    await chief.go(caseOf(bought));
  }
});

it('the desk lists what is to be decided, what is overdue first, disputes, and payments that do not match', async () => {
  const [late, soon] = [await asked(), await asked()];
  const [disputed, wrong] = [await buy({ state: 'disputed' }), await buy()];
  const [long, at] = [subDays(new Date(), 30).toISOString(), new Date().toISOString()];
  site.execute(`update refunds set created_at = '${long}' where order_id = '${late.id}'`);
  site.execute(`insert into audit_events (id, at, actor_kind, action, subject_type, subject_id,
    details, kept_until) values ('${randomUUID()}', '${at}', 'system', 'order.mismatched', 'order',
    '${wrong.id}', '{}', '${addDays(new Date(), 1).toISOString()}')`);
  const reader = await desk(boss, '/crm/refunds');
  const links = reader.page.all('a').map(({ text }) => text);
  const both = [late.reference, soon.reference];
  expect(links.filter((text) => both.includes(text))).toEqual(both);
  for (const text of ['16 d late', disputed.reference, wrong.reference]) {
    expect(reader.text).toContain(text);
  }
});

describe('an order that nobody wants any more', () => {
  let visitor: Visitor;
  let id: string;
  let session: string;
  beforeEach(async () => {
    const person = addPerson(site, { passwordHash: await passwordHash() });
    visitor = signedIn(site, person);
    id = await awaitingPayment(person);
    session = (await pressed())?.split('/').at(-1) ?? '';
  });

  const pressed = async (order = ORDER) =>
    (await visitor.post(`/application/${id}/payment`, order)).headers.get('Location');
  const overview = async (intent: string) =>
    (await visitor.post(`/application/${id}/overview`, { intent, confirm: 'yes' })).status;
  const pageIs = async () => (await stripe.sessions()).find((one) => one.id === session)?.status;
  const applications = () =>
    site.query('select state, user_id, purged_at from applications where id = ?', id);
  const orders = () =>
    site.query('select id, state, invoice_number from orders where application_id = ?', id);
  const refunds = () => site.query('select * from refunds where order_id = ?', orders()[0]?.['id']);
  const leave = () => visitor.post('/auth/security', { intent: 'delete', password: PASSWORD });

  it.each([
    ['an application', () => overview('delete')],
    ['an account', leave],
  ])('%s is deleted with its order, whose page is closed first', async (_, empty) => {
    await empty();
    expect([applications(), orders(), await pageIs()]).toEqual([[], [], 'expired']);
  });

  it('an application that was paid just before is not deleted', async () => {
    await stripe.pay(session);
    expect(await overview('delete')).toBe(303);
    expect(applications()).toMatchObject([{ state: 'paid' }]);
  });

  it('a cancelled application that was paid is emptied by its owner; its order stays', async () => {
    await stripe.pay(session);
    await stripe.deliver();
    expect(await overview('cancel')).toBe(303);
    expect(refunds()).toMatchObject([{ kind: 'cancellation' }]);
    const question = await visitor.get(`/application/${id}/overview?ask=delete`);
    expect(await question.text()).toContain('stay in our accounts');
    await overview('delete');
    const any = expect.any(String) as string;
    expect(applications()).toMatchObject([{ state: 'cancelled', purged_at: any }]);
    expect(orders()).toMatchObject([{ state: 'paid', invoice_number: any }]);
    const answers = 'select step from application_answers where application_id = ?';
    expect(site.query(answers, id)).toEqual([]);
    expect((await visitor.get(`/application/${id}/invoice`)).status).toBe(200);
  });

  it('money that came for an application that is cancelled goes back by the hourly work', async () => {
    setApplication(id, { state: 'cancelled' });
    await stripe.pay(session);
    await stripe.deliver();
    expect(refunds()).toMatchObject([{ kind: 'late_payment', state: 'approved' }]);
    const page = await visitor.get(`/application/${id}/success?session_id=${session}`);
    expect(page.headers.get('Location')).toBe(`/application/${id}/overview`);
    expect((await visitor.get(`/application/${id}/invoice`)).status).toBe(404);
    const way = await (await visitor.get(`/application/${id}/refund`)).text();
    expect(way).toContain('Refund of a payment that came too late');
    // Asked what would be due in years, too, it is booked on this day.
    for (const job of hourlyJobs()) await job.run(writeWithSecureDelete, addYears(now(), 5));
    expect(refunds()).toMatchObject([{ state: 'settled', credit_note_number: null }]);
    expect(Date.parse(String(refunds()[0]?.['sent_at']))).toBeLessThanOrEqual(Date.now());
    expect(orders()).toMatchObject([{ state: 'refunded', invoice_number: null }]);
  });

  it('a page where somebody may be paying stays open, whoever asks what would be due in years', async () => {
    const reconciling = hourlyJobs().find(({ name }) => name === 'payments reconciled');
    await reconciling?.run(writeWithSecureDelete, addYears(now(), 70));
    expect(await pageIs()).toBe('open');
    expect(orders()).toMatchObject([{ state: 'created' }]);
  });
});
