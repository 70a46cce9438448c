import SQLite from 'better-sqlite3';
import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';

import { openMigrated } from '~db/open-store.server';
import { type AuditListQuery, listAuditEvents } from '~db/queries/audit-events.server';
import { changeStaff } from '~db/queries/staff.server';
import type { Store } from '~db/store.server';
import { purge } from '../../operations/retention';
import { describeEngines } from './engines';
import { addUser } from './live-store';

const PAST = '2020-01-01T00:00:00.000Z';
const FUTURE = '2999-01-01T00:00:00.000Z';

async function add({ db }: Pick<Store, 'db'>, id: string, keptUntil: string): Promise<void> {
  await db
    .insertInto('audit_events')
    .values({
      ...{ id, at: '2019-01-01T00:00:00.000Z', kept_until: keptUntil, details: '{}' },
      ...{ actor_id: null, actor_kind: 'system', action: 'session.ended' },
      ...{ subject_type: 'user', subject_id: 'somebody' },
    })
    .execute();
}

const idsOf = async ({ db }: Pick<Store, 'db'>) =>
  (await db.selectFrom('audit_events').select('id').orderBy('id').execute()).map(({ id }) => id);

describeEngines('the audit log', (store, databases) => {
  beforeEach(async () => {
    await add(store, 'late', PAST);
    await add(store, 'new', FUTURE);
  });

  it.each(['late', 'new'])('refuses every change of an event: %s', async (id) => {
    for (const changes of [{ details: '{"a":1}' }, { kept_until: PAST }, { actor_id: 'another' }]) {
      const changed = store.write((db) =>
        db.updateTable('audit_events').set(changes).where('id', '=', id).execute(),
      );
      await expect(changed).rejects.toThrow(/never changed/);
    }
    const unchanged = { details: '{}', actor_id: null };
    expect(await store.rows('audit_events')).toMatchObject([unchanged, unchanged]);
  });

  it('refuses to delete an event before its time, and all that is deleted with it', async () => {
    const deleted = store.write((db) => db.deleteFrom('audit_events').execute());
    await expect(deleted).rejects.toThrow(/kept until their time is over/);
    expect(await idsOf(store)).toEqual(['late', 'new']);
  });

  it('refuses an event in the place of another, and lets one go whose time is over', async () => {
    await expect(add(store, 'new', PAST)).rejects.toThrow();
    expect(await idsOf(store)).toEqual(['late', 'new']);
    await store.write((db) => db.deleteFrom('audit_events').where('id', '=', 'late').execute());
    expect(await idsOf(store)).toEqual(['new']);
  });

  it('is purged by age alone, which leaves a row that says how many', async () => {
    await add(store, 'later', '2021-01-01T00:00:00.000Z');
    const now = new Date('2026-11-24T12:00:00.000Z');
    expect(await purge('audit', store.write, new Date('2019-12-31T00:00:00Z'))).toEqual({
      events: 0,
    });
    expect(await store.rows('deletions')).toEqual([]);
    expect(await purge('audit', store.write, new Date('2020-06-01T00:00:00Z'))).toEqual({
      events: 1,
    });
    expect(await purge('audit', store.write, now)).toEqual({ events: 1 });
    expect(await idsOf(store)).toEqual(['new']);
    const purged = { subject_type: 'audit', how_many: 1, reason: 'retention' };
    expect(await store.rows('deletions')).toMatchObject([purged, purged]);
    // Who asks what is due in a thousand years is told, and nothing is deleted for it.
    expect(await purge('audit', store.write, new Date('3000-01-01T00:00:00Z'))).toEqual({
      events: 0,
    });
    expect(await idsOf(store)).toEqual(['new']);
  });

  it('is listed by who did what', async () => {
    const { db } = store;
    await addUser(db, { id: 'somebody', email: 'Ada@example.eu', role: 'agent' });
    const change = { role: 'admin' } as const;
    // Of two who change a member of staff, the second has read what is no more.
    for (const done of [true, false])
      expect(await changeStaff(db, { id: 'somebody', version: 1 }, change)).toBe(done);
    const page = { queries: [{}], limit: 10 };
    const ids = async (asked: Partial<AuditListQuery>) =>
      (await listAuditEvents(db, { ...page, ...asked })).map(({ id }) => id);
    const [newest, oldest] = ['new', 'late'].map((id) => ({ at: '2019-01-01T00:00:00.000Z', id }));
    expect([await ids({}), await ids({ from: newest })]).toEqual([['new', 'late'], ['late']]);
    expect(await ids({ from: oldest })).toEqual([]);
    expect(await ids({ from: oldest, isNewer: true })).toEqual(['new']);
    // An event that somebody did to themselves is there once.
    const own = [{ actor: 'somebody' }, { subject: 'somebody' }, { subject: 'somebody' }];
    expect(await ids({ queries: own, limit: 1 })).toEqual(['new']);
    expect(await ids({ queries: own })).toEqual(['new', 'late']);
    for (const query of [{ actor: 'nobody' }, { action: 'staff.joined' }])
      expect(await ids({ queries: [query] })).toEqual([]);
    const ended = [{ subject: 'somebody', action: 'session.ended' }];
    expect(await ids({ queries: ended })).toEqual(['new', 'late']);
    expect(await ids({ only: { notBy: 'somebody', actions: ['session.ended'] } })).toEqual([
      ...['new', 'late'],
    ]);
    expect(await ids({ only: { since: '2019-01-01T00:00:00.001Z' } })).toEqual([]);
  });

  it('is neither emptied as a whole nor replaced in passing', async () => {
    if (store.address.engine === 'postgres') {
      await expect(sql`truncate audit_events`.execute(store.db)).rejects.toThrow(/never changed/);
      return;
    }
    // As another program would, whose triggers do not see the row deleted first.
    const other = new SQLite(store.address.file);
    const columns = 'action, subject_type, subject_id, details, kept_until';
    const row = `select id, at, 'another', actor_kind, ${columns} from audit_events`;
    const replace = () => other.exec(`insert or replace into audit_events ${row}`);
    expect(replace).toThrow(/never replaced/);
    other.close();
  });

  it('is guarded again after each migration, however often', async () => {
    const store = await openMigrated(await databases.make());
    await add(store, 'new', FUTURE);
    await store.exclusively((db) => store.completeSchema(db));
    await store.exclusively((db) => store.completeSchema(db));
    await expect(store.db.deleteFrom('audit_events').execute()).rejects.toThrow();
    await store.close();
  });
});
