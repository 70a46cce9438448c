import { randomUUID } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { officialNumberColumns } from '~/desk/official-fee.server';
import { bundles } from '~/i18n/bundles.server';
import type { OrderRow } from '~db/queries/orders.server';
import { sampleAnswers } from './application';
import {
  agent,
  anyEmail,
  auditOf,
  boss,
  type Bought,
  buy,
  desk,
  rowOf,
  sendForm,
  setApplication,
  site,
  withSite,
} from './known-site';
import { plain } from './html';
import type { HtmlBrowser } from './html-browser';
import { linkIn, mailsTo } from './inbox';
import { expectDone, expectRefused } from './told';

withSite();

interface Case extends Bought {
  lastName?: string;
  passport?: string;
  citizenship?: string;
}

function addCase({ lastName = 'Müller', citizenship = 'DE', ...options }: Case = {}) {
  const { email = anyEmail(), passport = randomUUID().slice(0, 9), ...order } = options;
  const steps = {
    1: sampleAnswers(1, { email, last_name: lastName, citizenship }),
    2: sampleAnswers(2, { passport_number: passport }),
  };
  return buy({ email, steps, ...order });
}

const caseOf = (order: OrderRow) => rowOf(order.application_id);
const pageOf = (order: OrderRow) => `/crm/processing/${order.application_id}`;
/** Nobody's cases of other tests would be taken before those of the next. */
const emptyDesk = () => site.execute("update applications set state = 'expired'");

const words = bundles.en['desk-worklist'];
const LISTS = '/crm/processing';
async function search(reader: HtmlBrowser, typed: string): Promise<void> {
  reader.fill(words.search.q, typed);
  await reader.press(words.search.button);
}
/** Searches for whoever was born on that day of 1984, or another year. */
async function searchFor(reader: HtmlBrowser, name: string, year: string) {
  const { family_name, personButton } = words.search;
  const { parts } = bundles.en['application-fields'];
  reader.fill(family_name, name);
  reader.fill(parts.day, '29');
  reader.fill(parts.month, 'février');
  reader.fill(parts.year, year);
  await reader.press(personButton);
}

it('the next case is taken, released, given to somebody, held and cancelled by the pages', async () => {
  emptyDesk();
  const t = bundles.en['desk-assignment'];
  const order = await addCase();
  const reader = await desk(agent, LISTS);
  expect(reader.text).toContain('Mueller, Anna');
  await reader.press(words.takeNext);
  expectDone(reader, t.done.take);
  expect(reader.heading).toContain(order.reference);
  await reader.press(t.release);
  expectDone(reader, t.done.release);
  expect(caseOf(order)).toMatchObject({ state: 'in_review', assigned_to: null });
  for (let count = 0; count < 2; count += 1) {
    await reader.go(LISTS);
    await reader.press(words.takeNext);
    expect(caseOf(order)).toMatchObject({ state: 'in_review', assigned_to: agent.id });
  }
  expectDone(reader, words.noneFree);

  const other = await desk(boss, `${pageOf(order)}?reason=quality`);
  await sendForm(other, order.application_id, { intent: 'assign' });
  expectRefused(other, t.problems.person);
  await sendForm(other, order.application_id, { intent: 'assign', person: boss.id });
  expectDone(other, t.done.assign);
  expect(other.address).toContain('reason=quality');
  other.fill(t.fields.hold_reason, t.holdReasons.complaint);
  await other.press(t.hold.button);
  expect(caseOf(order)).toMatchObject({ assigned_to: boss.id, hold_reason: 'complaint' });
  await other.press(t.unhold.button);
  await sendForm(other, order.application_id, { intent: 'cancel' });
  expectRefused(other, t.problems.confirm);
  expect(caseOf(order)).toMatchObject({ state: 'in_review', hold_reason: null });
  other.tick(t.fields.confirm);
  await other.press(t.cancel.button);
  expectDone(other, t.done.cancel);
  expect(caseOf(order)['state']).toBe('cancelled');
  const refunds = site.query('select kind, state from refunds where order_id = ?', order.id);
  expect(refunds).toEqual([{ kind: 'cancellation', state: 'requested' }]);
  const events = auditOf(order.application_id).map(({ action }) => action);
  expect(events).toEqual(expect.arrayContaining(['case.assigned', 'case.released', 'case.held']));
});

it('nobody takes a case before the start of the work', async () => {
  emptyDesk();
  const { problems } = bundles.en['desk-assignment'];
  const order = await addCase();
  const reader = await desk(agent, pageOf(order));
  setApplication(order.application_id, { starts_at: '2999-01-01T00:00:00.000Z' });
  expect((await desk(agent, LISTS)).links(`${words.tabs.free} 0`)).toHaveLength(1);
  await sendForm(reader, order.application_id, { intent: 'take' });
  expectRefused(reader, problems.started);
  await sendForm(reader, order.application_id, { intent: 'take', version: 'x' });
  expect(reader.status).toBe(400);
  expect(caseOf(order)).toMatchObject({ state: 'paid', assigned_to: null });
});

describe('the lists', () => {
  it('are chosen and narrowed by the address, and counted', async () => {
    emptyDesk();
    const late = await addCase({ at: new Date('2026-01-01'), citizenship: 'LI' });
    const other = await addCase({ application: 'checked', citizenship: 'LI' });
    const reader = await desk(boss, `${LISTS}?tab=open&citizenship=LI`);
    expect(reader.hrefs()).toEqual(expect.arrayContaining([pageOf(late), pageOf(other)]));
    const toEnter = `${LISTS}?tab=toEnter&citizenship=LI`;
    expect(reader.links(`${words.tabs.toEnter} 1`)).toEqual([toEnter]);
    reader.fill(words.filters.due, words.filters.overdue);
    await reader.press(words.filters.apply);
    expect(reader.address).toContain('tab=open&package=&citizenship=LI&due=overdue');
    expect(reader.hrefs()).toContain(pageOf(late));
    expect(reader.hrefs()).not.toContain(pageOf(other));
    await reader.follow(words.filters.clear);
    expect(reader.address).toBe(`${LISTS}?tab=open`);
    await reader.go(`${LISTS}?tab=x&who=%00&after=1_2&package='&citizenship=deu&before=x`);
    expect(reader.status).toBe(200);
  });

  it('a supervisor assigns what is chosen at once, after one more press; what has ended is named', async () => {
    emptyDesk();
    const orders = [await addCase(), await addCase(), await addCase()];
    const reader = await desk(boss, `${LISTS}?tab=open`);
    await reader.press(words.bulk.assign);
    expectRefused(reader, words.bulk.problems.case);
    await reader.follow(words.bulk.all);
    const who = reader.page.all('option').at(-1)?.text ?? '';
    reader.fill(words.bulk.person, who);
    await reader.press(words.bulk.assign);
    expect(orders.map((order) => caseOf(order)['assigned_to'])).toEqual([null, null, null]);
    setApplication(orders[2]!.application_id, { state: 'cancelled' });
    await reader.press(words.bulk.yes);
    expectDone(reader, words.bulk.done_other.replace('{{count}}', '2').replace('{{who}}', who));
    expect(reader.text).toContain(orders[2]!.reference);
    const [one, two, three] = orders.map((order) => caseOf(order)['assigned_to']);
    expect([one === two, one === null, three]).toEqual([true, false, null]);
    const colleague = await desk(agent, `${LISTS}?tab=open`);
    expect(colleague.html).not.toContain('name="case"');
    const own = { case: orders[2]!.application_id, person: agent.id, confirm: 'yes' };
    setApplication(own.case, { state: 'paid' });
    await colleague.send(LISTS, { intent: 'assign', ...own });
    expect([colleague.status, caseOf(orders[2]!)['assigned_to']]).toEqual([403, null]);
  });

  it('lead from page to page, forwards and back', async () => {
    emptyDesk();
    for (let n = 0; n < 60; n += 1) await addCase();
    const reader = await desk(agent, LISTS);
    const shown = () => reader.html.match(/TRV-\w{4}-\w{4}/g) ?? [];
    const first = shown();
    await reader.follow(words.next);
    expect(new Set([...first, ...shown()]).size).toBe(60);
    await reader.follow(words.previous);
    expect(shown()).toEqual(first);
  });
});

describe('a search', () => {
  it.each([
    ['reference', (order: OrderRow) => order.reference.slice(4).toLowerCase()],
    ['email', () => ' Marker.Search@example.eu'],
    ['passport', () => 'mx 77 88 99x'],
  ])('finds by %s, and leaves nothing of it', async (by, typed) => {
    emptyDesk();
    const who = { email: 'marker.search@example.eu', passport: 'MX778899X' };
    const order = await addCase({ ...who, application: 'filed' });
    const reader = await desk(agent, LISTS);
    await search(reader, typed(order));
    expect(reader.address).toMatch(/^\/crm\/processing\?search=[\da-f-]{36}$/);
    expect(reader.links(order.reference)).toHaveLength(1);
    expect(reader.valueOf(words.search.q)).toBe(typed(order));
    const searched = "select * from audit_events where action = 'case.searched'";
    const [event] = site.query(`${searched} order by at desc limit 1`);
    const details = JSON.stringify({ by, found: 1 });
    expect(event).toMatchObject({ actor_id: agent.id, subject_id: null, details });
    expect(site.log()).not.toMatch(/marker\.search|mx778899|mx 77/i);
    site.execute(`update applications set email_index = null, passport_index = null`);
  });

  it('finds by family name with the day of birth, and says what it cannot look for', async () => {
    const order = await addCase({ lastName: 'Šuch-Märker' });
    const reader = await desk(agent, LISTS);
    await search(reader, '');
    expectRefused(reader, words.search.problems.required);
    await searchFor(reader, 'such-maerker', '');
    expectRefused(reader, words.search.problems.dateYear);
    expect(reader.valueOf(words.search.family_name)).toBe('such-maerker');
    await searchFor(reader, 'such-maerker', '1988');
    expect(reader.links(order.reference)).toEqual([]);
    // Alone it finds what is open; so do the official number and the invoice.
    const { invoice_number } = site.query('select * from orders where id = ?', order.id)[0] ?? {};
    setApplication(order.application_id, officialNumberColumns(order.application_id, 'WX12QY'));
    for (const text of ['such-maerker', 'wx12 qy', String(invoice_number)]) {
      await reader.go(LISTS);
      await search(reader, text);
      expect([text, reader.links(order.reference)]).toEqual([text, [pageOf(order)]]);
    }
    setApplication(order.application_id, { state: 'cancelled' });
    await reader.go(LISTS);
    await search(reader, 'such-maerker');
    expect(reader.links(order.reference)).toEqual([]);
  });

  it('is there again for who comes back to it, in each tab, and for nobody else', async () => {
    const order = await addCase({ lastName: 'Fundus' });
    // What nobody has paid for is found, and not opened: its link is sent again.
    const email = anyEmail();
    const unpaid = await addCase({ application: 'awaiting_payment', email });
    const reader = await desk(agent, LISTS);
    const searches: [text: string, address: string][] = [];
    for (const text of [order.reference, unpaid.reference]) {
      await search(reader, text);
      searches.push([text, reader.address]);
    }
    await reader.follow(words.search.back);
    for (const [text, address] of searches) {
      await reader.go(address);
      expect(reader.valueOf(words.search.q)).toBe(text);
      expect(reader.links(order.reference)).toHaveLength(text === order.reference ? 1 : 0);
      expect(reader.links(unpaid.reference)).toEqual([]);
    }
    expect(reader.text).toContain(unpaid.reference);
    await reader.press(words.search.sendLink);
    expect(reader.text).toContain(plain(words.search.link.sent));
    expect(linkIn((await mailsTo(site, email))[0], '/application/resume')).toContain('token=');
    const elsewhere = await desk(agent, searches[0]?.[1] ?? '');
    expect([elsewhere.status, elsewhere.valueOf(words.search.q)]).toEqual([200, '']);
    expect(JSON.stringify(site.query('select * from sessions'))).not.toContain(order.reference);
  });
});
