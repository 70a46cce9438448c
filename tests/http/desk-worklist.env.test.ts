import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { saveStep } from '~/applications/answers.server';
import { shownColumns } from '~/applications/columns.server';
import { writeDatabase } from '~/database.server';
import type { ApplicationState } from '~/domain/application/states';
import { bundles } from '~/i18n/bundles.server';
import { deleteContents, EMPTIED } from '~db/queries/application-retention.server';
import type { OrderRow } from '~db/queries/orders.server';
import { addPaidOrder } from '../paid-orders';
import { type Site, startSite } from '../production-server';
import { JOURNEY_LANGUAGES } from '../rounds';
import { sampleAnswers } from './application';
import { plain } from './html';
import { agent, boss, desk, KEYS, rowOf, site, withSite } from './known-site';
import { addPerson, type Person } from './signed-in';

withSite();

interface Case {
  application?: ApplicationState;
  lastName?: string;
  email?: string;
  passport?: string;
  citizenship?: string;
  at?: Date;
}

/** A case that is paid, of somebody with these answers. */
async function addCase({ lastName = 'Müller', ...options }: Case = {}): Promise<OrderRow> {
  const email = options.email ?? `${randomUUID().slice(0, 13)}@example.com`;
  const answers = { email, last_name: lastName, citizenship: options.citizenship ?? 'DE' };
  return writeDatabase(async (db) => {
    const { application = 'paid', at = new Date() } = options;
    const order = await addPaidOrder(db, { at, email, application });
    const id = order.application_id;
    const passport = { passport_number: options.passport ?? randomUUID().slice(0, 9) };
    const columns = {
      ...shownColumns(id, 1, sampleAnswers(1, answers)),
      ...shownColumns(id, 2, sampleAnswers(2, passport)),
    };
    await db.updateTable('applications').set(columns).where('id', '=', id).execute();
    return order;
  });
}

const caseOf = (order: OrderRow) => rowOf(order.application_id);
const eventsAbout = (id: string) =>
  site
    .query('select action, details from audit_events where subject_id = ? order by at, action', id)
    .map((event) => [event['action'], JSON.parse(String(event['details']))] as const);
/** Nobody's cases of other tests would be taken before those of the next. */
const emptyDesk = () => site.execute("update applications set state = 'expired'");

const words = bundles.en['desk-worklist'];
const own = bundles.en['desk-assignment'];

it.each(JOURNEY_LANGUAGES)(
  'in %s the next case is taken, released, given to somebody, held and cancelled, without a script',
  async (language) => {
    emptyDesk();
    const list = bundles[language]['desk-worklist'];
    const t = bundles[language]['desk-assignment'];
    const order = await addCase();
    const { application_id: id, reference } = order;
    const reader = await desk(agent, '/crm/processing', language);
    expect([reader.status, reader.heading]).toEqual([200, plain(list.title)]);
    expect(reader.text).toContain('MUELLER, ANNA');
    await reader.press(list.takeNext);
    expect(reader.status).toBe(200);
    expect(reader.heading).toContain(reference);
    expect(reader.announced('status')).toContain(plain(t.done.take));
    expect(caseOf(order)).toMatchObject({ state: 'in_review', assigned_to: agent.id });
    await reader.press(t.release);
    expect(reader.announced('status')).toContain(plain(t.done.release));
    expect(caseOf(order)).toMatchObject({ state: 'in_review', assigned_to: null });
    // What was released is there for the next who asks.
    await reader.go('/crm/processing');
    await reader.press(list.takeNext);
    expect(caseOf(order)).toMatchObject({ state: 'in_review', assigned_to: agent.id });
    await reader.go('/crm/processing');
    await reader.press(list.takeNext);
    expect(reader.announced('status')).toContain(plain(list.noneFree));

    const other = await desk(boss, `/crm/processing/${id}?reason=quality`, language);
    await other.press(t.assign.button);
    expect(other.status).toBe(422);
    expect(other.announced('alert')).toContain(plain(t.problems.person));
    await other.send(other.address, {
      intent: 'assign',
      version: String(caseOf(order)['version']),
      person: boss.id,
    });
    expect(other.announced('status')).toContain(plain(t.done.assign));
    expect(other.address).toContain('reason=quality');
    expect(caseOf(order)['assigned_to']).toBe(boss.id);
    other.fill(t.fields.hold_reason, t.holdReasons.complaint);
    await other.press(t.hold.button);
    expect(caseOf(order)['hold_reason']).toBe('complaint');
    await other.press(t.unhold.button);
    expect(caseOf(order)['hold_reason']).toBeNull();
    await other.press(t.cancel.button);
    expect([other.status, caseOf(order)['state']]).toEqual([422, 'in_review']);
    other.tick(t.fields.confirm);
    await other.press(t.cancel.button);
    expect(other.announced('status')).toContain(plain(t.done.cancel));
    expect(caseOf(order)['state']).toBe('cancelled');
    expect(site.query('select kind, state from refunds where order_id = ?', order.id)).toEqual([
      { kind: 'cancellation', state: 'requested' },
    ]);
    const events = eventsAbout(id).map(([action]) => action);
    for (const action of ['case.assigned', 'case.released', 'case.held', 'application.moved']) {
      expect(events).toContain(action);
    }
  },
);

describe('the lists', () => {
  it('are chosen and narrowed by the address, and counted', async () => {
    emptyDesk();
    const late = await addCase({ at: new Date('2026-01-01'), citizenship: 'LI' });
    const other = await addCase({ application: 'checked', citizenship: 'LI' });
    const reader = await desk(boss, '/crm/processing?tab=open&citizenship=LI');
    expect(reader.links(late.reference)).toEqual([`/crm/processing/${late.application_id}`]);
    expect(reader.links(other.reference)).toHaveLength(1);
    expect(reader.text).toContain(words.overdue);
    // Tabs keep the filters.
    expect(reader.links(`${words.tabs.toEnter} 1`)).toEqual([
      '/crm/processing?tab=toEnter&citizenship=LI',
    ]);
    reader.fill(words.filters.due, words.filters.overdue);
    await reader.press(words.filters.apply);
    expect(reader.address).toContain('tab=open&package=&citizenship=LI&due=overdue');
    expect(reader.links(late.reference)).toHaveLength(1);
    expect(reader.links(other.reference)).toEqual([]);
    await reader.follow(words.filters.clear);
    expect(reader.address).toBe('/crm/processing?tab=open');
    for (const strange of ['?tab=x&who=%00&after=1_2', "?package='&citizenship=deu&before=x"]) {
      await reader.go(`/crm/processing${strange}`);
      expect(reader.status).toBe(200);
    }
  });

  it('lead from page to page, forwards and back', async () => {
    emptyDesk();
    for (let n = 0; n < 30; n += 1) await addCase();
    const reader = await desk(agent, '/crm/processing');
    const shown = () => reader.html.match(/TRV-\w{4}-\w{4}/g) ?? [];
    const first = shown();
    expect(reader.links(`${words.tabs.free} 30`)).toHaveLength(1);
    await reader.follow(words.next);
    const second = shown();
    expect(new Set([...first, ...second]).size).toBe(30);
    expect(reader.address).toMatch(/after=2\d{3}-[\dTZ.%A-]+_[0-9a-f-]{36}$/);
    await reader.follow(words.previous);
    expect(shown()).toEqual(first);
  });
});

describe('a search', () => {
  it.each([
    ['a reference', 'reference', (order: OrderRow) => order.reference.slice(4).toLowerCase()],
    ['an address', 'email', () => ' Marker.Search@example.eu'],
    ['a passport’s number', 'passport', () => 'mx 77 88 99x'],
  ])('finds by %s, and leaves nothing of it', async (_, by, typed) => {
    emptyDesk();
    const who = { email: 'marker.search@example.eu', passport: 'MX778899X' };
    const order = await addCase({ ...who, application: 'filed' });
    const reader = await desk(agent, '/crm/processing');
    reader.fill(words.search.q, typed(order));
    await reader.press(words.search.button);
    // Nothing of whom somebody looks for.
    expect(reader.address).toMatch(/^\/crm\/processing\?search=[\da-f-]{36}$/);
    expect(reader.status).toBe(200);
    expect(reader.links(order.reference)).toHaveLength(1);
    expect(reader.valueOf(words.search.q)).toBe(typed(order));
    const [event] = site.query(
      "select * from audit_events where action = 'case.searched' order by at desc limit 1",
    );
    expect(event).toMatchObject({ actor_id: agent.id, subject_id: null });
    expect(JSON.parse(String(event?.['details']))).toEqual({ by, found: 1 });
    for (const marker of ['marker.search', 'mx778899', 'mx 77']) {
      expect(site.log().toLowerCase()).not.toContain(marker);
    }
    site.execute(`update applications set email_index = null, passport_index = null`);
  });

  it('finds by family name, however it is typed, with the day of birth', async () => {
    const order = await addCase({ lastName: 'Šuch-Märker' });
    const reader = await desk(agent, '/crm/processing');
    reader.fill(words.search.family_name, 'such-maerker');
    reader.fill(words.search.parts.day, '29');
    reader.fill(words.search.parts.month, 'février');
    await reader.press(words.search.personButton);
    expect(reader.status).toBe(422);
    expect(reader.announced('alert')).toContain(words.search.problems.dateYear);
    expect(reader.valueOf(words.search.family_name)).toBe('such-maerker');
    reader.fill(words.search.parts.year, '1984');
    await reader.press(words.search.personButton);
    expect(reader.links(order.reference)).toHaveLength(1);
    reader.fill(words.search.parts.year, '1988');
    await reader.press(words.search.personButton);
    expect(reader.links(order.reference)).toEqual([]);
  });

  it('is there again for who comes back to it, in each tab, and for nobody else', async () => {
    const order = await addCase({ lastName: 'Fundus' });
    const reader = await desk(agent, '/crm/processing');
    const searches = [order.reference, 'TRV-0000-0000'];
    const addresses: string[] = [];
    for (const text of searches) {
      reader.fill(words.search.q, text);
      await reader.press(words.search.button);
      addresses.push(reader.address);
    }
    await reader.follow(words.search.back);
    for (const [at, address] of addresses.entries()) {
      await reader.go(address);
      expect(reader.valueOf(words.search.q)).toBe(searches[at]);
      expect(reader.links(order.reference)).toHaveLength(at === 0 ? 1 : 0);
    }
    // The same person at another desk: what is typed belongs to the session.
    const elsewhere = await desk(agent, addresses[0] ?? '');
    expect([elsewhere.status, elsewhere.valueOf(words.search.q)]).toEqual([200, '']);
    expect(JSON.stringify(site.query('select * from sessions'))).not.toContain(order.reference);
  });

  it('finds nothing that nobody has paid for, and says what it cannot look for', async () => {
    const order = await addCase({ application: 'awaiting_payment' });
    const reader = await desk(agent, '/crm/processing');
    reader.fill(words.search.q, order.reference);
    await reader.press(words.search.button);
    expect([reader.status, reader.links(order.reference)]).toEqual([200, []]);
    reader.fill(words.search.q, '');
    await reader.press(words.search.button);
    expect(reader.status).toBe(422);
    expect(reader.announced('alert')).toContain(words.search.problems.required);
  });
});

describe('the assignment of a case', () => {
  const send = async (person: Person, order: OrderRow, fields: Record<string, string>) => {
    const reader = await desk(person, '/crm/dashboard');
    const version = String(caseOf(order)['version']);
    await reader.send(`/crm/processing/${order.application_id}`, { version, ...fields });
    return reader;
  };

  it('is refused to who comes too late', async () => {
    const order = await addCase();
    expect((await send(boss, order, { intent: 'take', version: 'x' })).status).toBe(400);
    for (const person of [addPerson(site).id, 'x']) {
      expect((await send(boss, order, { intent: 'assign', person })).status).toBe(422);
    }
    const stale = await send(agent, order, { intent: 'take', version: '99' });
    expect(stale.status).toBe(409);
    expect(stale.announced('alert')).toContain(own.problems.changed);
    expect((await send(agent, order, { intent: 'take' })).status).toBe(200);
    const second = await send(boss, order, { intent: 'take' });
    expect(second.status).toBe(409);
    expect(second.announced('alert')).toContain(own.problems.taken);
    expect(caseOf(order)).toMatchObject({ state: 'in_review', assigned_to: agent.id });
  });

  it('waits for the start of the work', async () => {
    const order = await addCase();
    site.execute(`update applications set starts_at = '2999-01-01T00:00:00.000Z'
      where id = '${order.application_id}'`);
    const reader = await send(agent, order, { intent: 'take' });
    expect(reader.status).toBe(422);
    expect(reader.announced('alert')).toContain(own.problems.started);
    expect(caseOf(order)).toMatchObject({ state: 'paid', assigned_to: null });
  });
});

// The last one: afterwards the site of this file has no key for its own database.
it('a case is found by name, passport and address before and after the data keys are changed', async () => {
  emptyDesk();
  const who = { lastName: 'Šuch-Märker', email: 'rotated@example.eu', passport: 'MX778899X' };
  const order = await addCase(who);
  const older = await addCase({ ...who, application: 'filed', email: 'emptied@example.eu' });
  await writeDatabase(async (db) => {
    const id = order.application_id;
    const answers = sampleAnswers(1, { email: who.email, last_name: who.lastName });
    const step = { step: 1, answers, isComplete: true, version: 1 } as const;
    await db.updateTable('applications').set({ state: 'draft' }).where('id', '=', id).execute();
    expect(await saveStep(db, { application: { id }, ...step }, new Date())).toBe('saved');
    await db.updateTable('applications').set({ state: 'paid' }).where('id', '=', id).execute();
    // Its time is over: nothing of it is made anew.
    await deleteContents(db, older.application_id);
    await db
      .updateTable('applications')
      .set({ ...EMPTIED, purged_at: new Date().toISOString() })
      .where('id', '=', older.application_id)
      .execute();
  });
  const found = async (at: Site) => {
    const reader = await desk(agent, '/crm/processing', 'en', at);
    const links: string[][] = [];
    for (const typed of [who.passport, who.email]) {
      reader.fill(words.search.q, typed);
      await reader.press(words.search.button);
      links.push(reader.links(order.reference));
    }
    await reader.go('/crm/processing');
    reader.fill(words.search.family_name, 'such-maerker');
    const { day, month, year } = words.search.parts;
    for (const [label, text] of [
      [day, '29'],
      [month, '2'],
      [year, '1984'],
    ] as const) {
      reader.fill(label, text);
    }
    await reader.press(words.search.personButton);
    return [...links, reader.links(order.reference), reader.links(older.reference)];
  };
  const address = `/crm/processing/${order.application_id}`;
  const all = [[address], [address], [address], []];
  expect(await found(site)).toEqual(all);

  const [old, newer] = [KEYS.DATA_KEYS, `k2:${randomBytes(32).toString('base64url')}`];
  const DATABASE_URL = `file:${site.databaseFile}`;
  const { status } = spawnSync(process.execPath, ['build/server/database.js', 'reseal'], {
    env: { ...KEYS, NODE_ENV: 'production', DATABASE_URL, DATA_KEYS: `${newer},${old}` },
  });
  expect(status).toBe(0);
  const after = await startSite({ ...KEYS, DATABASE_URL, DATA_KEYS: newer });
  try {
    expect(await found(after)).toEqual(all);
  } finally {
    await after.stop();
  }
});
