import { randomUUID } from 'node:crypto';

import { addDays, subDays } from 'date-fns';
import { afterAll, describe, expect, it } from 'vitest';

import { writeDatabase } from '~/database.server';
import { bundles } from '~/i18n/bundles.server';
import { type Language, LANGUAGES } from '~/i18n/languages';
import { openRefund } from '~/orders/refunds.server';
import type { OrderRow } from '~db/queries/orders.server';
import { startStripe, type Stripe } from '../payments';
import { someOf } from '../rounds';
import { plain } from './html';
import { mailsTo } from './inbox';
import {
  agent,
  anyEmail,
  boss,
  type Bought,
  browser,
  buy,
  desk,
  rowOf,
  site,
  withSite,
} from './known-site';
import { takenPayment } from './orders';
import { expectRefused } from './told';

let stripe: Stripe;
withSite(async () => {
  stripe = await startStripe();
  return stripe.variables;
});
afterAll(() => stripe.stop());

/** A refund that somebody has asked for. */
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

/** Somebody in whose browser an application is, at one of its pages. */
const traveller = (
  { application_id: id }: OrderRow,
  token: string,
  page = 'refund',
  language: Language = 'en',
) => browser(`/application/${id}/${page}`, [{ id, token }], language);
/** An order of a browser, and the page on which its money is asked back. */
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
    expect(reader.text).toContain('Back to the application');
    const isAsked = title === words.ask.title;
    // What becomes of the application is said before.
    expect(reader.text.includes(plain(words.ask.cancelled))).toBe(isAsked);
    await reader.send(reader.address, { reason: '' });
    expect(refundsOf(bought.id)).toHaveLength(isAsked ? 1 : 0);
    expect(stateOf(bought)).toBe(isAsked ? 'cancelled' : 'paid');
  });

  it('of a filed application leaves it as it is', async () => {
    const { bought, reader } = await atRefund({ application: 'filed' });
    expect(reader.text).toContain(plain(words.ask.filed));
    await reader.press(words.ask.button);
    expect(stateOf(bought)).toBe('filed');
    expect(refundsOf(bought.id)).toHaveLength(1);
  });

  it('keeps a reason that is too long', async () => {
    const { bought, reader } = await atRefund();
    const long = 'a'.repeat(1001);
    reader.fill(words.ask.reason, long);
    await reader.press(words.ask.buttonCancel);
    expect(reader.status).toBe(422);
    expect(reader.valueOf(words.ask.reason)).toBe(long);
    expect(refundsOf(bought.id)).toEqual([]);
  });

  it('tells what was answered, and nothing of proposals and failures', async () => {
    const token = randomUUID();
    const bought = await asked({ token, payment: 'pi_unknown' });
    const first = await desk(agent, caseOf(bought));
    first.fill('Amount', '10,00');
    first.fill('Reason', 'The application had been filed.');
    await first.press('Propose');
    const reader = await traveller(bought, token);
    expect(reader.text).not.toMatch(/The application had been filed\.|\$10\.00/);
    const second = await desk(boss, caseOf(bought));
    await second.press('Approve and send');
    // The provider knows no such payment.
    const failed = { state: 'failed', failure_code: 'resource_missing' };
    expect(refundOf(bought.id)).toMatchObject(failed);
    expect(second.text).toContain('resource_missing');
    await reader.go(reader.address);
    expect(reader.text).toContain('The application had been filed.');
    expect(reader.text).toContain(plain(words.way.heldUp));
    expect(reader.text).not.toMatch(/resource_missing|fail/i);
    const known = await takenPayment(stripe);
    site.execute(`update orders set provider_payment_id = '${known}' where id = '${bought.id}'`);
    await second.press('Send again');
    expect(refundOf(bought.id)).toMatchObject({ state: 'settled', attempt: 2 });
    const [order] = site.query('select state from orders where id = ?', bought.id);
    expect(order).toEqual({ state: 'part_refunded' });
  });

  it('of a refusal says why, and what one can do', async () => {
    const [token, email] = [randomUUID(), anyEmail()];
    const bought = await asked({ token, email });
    const reader = await desk(boss, caseOf(bought));
    const refuse = (reason: string) =>
      reader.send(caseOf(bought), { intent: 'refuse', version: '1', reason });
    await refuse('');
    expect(reader.status).toBe(422);
    await refuse('It was filed.');
    expect(refundOf(bought.id)).toMatchObject({ state: 'refused' });
    const own = await traveller(bought, token);
    expect(own.text).toContain('Médiateur Exemple');
    const [mail] = await mailsTo(site, email);
    for (const text of [own.text, plain(mail?.text ?? '')]) expect(text).toContain('It was filed.');
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
    // By when it is paid, and no longer by when it is checked.
    expect(reader.text).toMatch(/requested on .*\. We refund what you are owed by \d/);
    expect(reader.text).not.toMatch(/Checked and entered by [A-Z]/);
  });
});

describe('who is asked whether to cancel what was paid', () => {
  const at = (days: number) => subDays(new Date(), days);
  /** Asks, of work that begins in so many days, or with a refund that is open. */
  async function asks(options: Bought, startDays?: number, hasRefund = false) {
    const token = randomUUID();
    const bought = await buy({ token, ...options });
    if (startDays !== undefined) {
      const start = addDays(new Date(), startDays).toISOString();
      site.execute(`update orders set starts_at = '${start}' where id = '${bought.id}'`);
    }
    const kind = 'goodwill';
    if (hasRefund) await writeDatabase((db) => openRefund(db, bought, { kind }, new Date()));
    return traveller(bought, token, 'overview?ask=cancel', options.language);
  }

  it.each([
    ['whole', 'within the guarantee', { at: at(20) }, undefined],
    ['part', 'within the days of the law alone', { at: at(2), guaranteeDays: 0 }, undefined],
    ['whole', 'before our work has begun', { at: at(2), guaranteeDays: 0 }, 12],
    ['look', 'after all days', { at: at(40) }, undefined],
    ['known', 'while a refund is open', { at: at(2) }, undefined],
  ] as const)('reads what becomes of the money: %s, %s', async (is, _, options, startDays) => {
    for (const language of someOf(LANGUAGES, 1)) {
      const reader = await asks({ ...options, language }, startDays, is === 'known');
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

  it('learns that the bank decides while it does, and reads nothing of money where none was paid', async () => {
    const disputed = await asks({ state: 'disputed' });
    expect(disputed.text).toContain('is disputed at your bank');
    expect(disputed.text).toContain('Cancel the application');
    const unpaid = await asks({ payment: null });
    expect(unpaid.heading).toBe('Cancel this application?');
    expect(unpaid.text).not.toContain('Your money');
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

  it('shows payments that do not match, and disputes', async () => {
    const [disputed, wrong] = [await buy({ state: 'disputed' }), await buy()];
    const at = new Date().toISOString();
    site.execute(`insert into audit_events (id, at, actor_kind, action, subject_type, subject_id,
      details, kept_until) values ('${randomUUID()}', '${at}', 'system', 'order.mismatched', 'order',
      '${wrong.id}', '{}', '${addDays(new Date(), 1).toISOString()}')`);
    const reader = await desk(boss, '/crm/refunds');
    for (const { reference } of [disputed, wrong]) expect(reader.text).toContain(reference);
  });

  it.each([
    ['39,96', '', 'more than can still be refunded'],
    ['1.234', 'x', 'enter an amount'],
    ['', 'x', 'fill in'],
    ['10', '', 'why you are not refunding everything'],
  ])('takes no proposal of “%s” with “%s”', async (amount, reason, said) => {
    const bought = await asked();
    const reader = await desk(agent, caseOf(bought));
    reader.fill('Amount', amount);
    reader.fill('Reason', reason);
    await reader.press('Propose');
    expectRefused(reader, said);
    expect([reader.valueOf('Amount'), reader.valueOf('Reason')]).toEqual([amount, reason]);
    expect(refundOf(bought.id)).toMatchObject({ state: 'requested', version: 1 });
  });
});
