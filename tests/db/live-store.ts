import { type Insertable, type Selectable, sql } from 'kysely';
import { afterAll, afterEach, beforeAll } from 'vitest';

import { openMigrated } from '~db/open-store.server';

import { insertUser } from '~db/queries/users.server';
import type { Database, Schema } from '~db/schema';
import { guardAuditEvents } from '~db/sqlite/sqlite-store.server';
import type { DatabaseAddress, Store } from '~db/store.server';
import { rowsIn } from '~db/queries/rows.server';

/** What was made last is emptied first: it may refer to the others. */
const TABLES = {
  sqlite: `select name from sqlite_master where type = 'table' and name not like 'sqlite_%'
    and name not like 'kysely_%' order by rowid desc`,
  postgres: `select relname as name from pg_class where relnamespace = 'public'::regnamespace
    and relkind = 'r' and relname !~ '^(kysely_|content_version|readiness)' order by oid desc`,
};

/** Deletes all rows, audit events too, of which a site may delete none. */
async function empty(db: Database, engine: DatabaseAddress['engine']): Promise<void> {
  const isSqlite = engine === 'sqlite';
  const disable = sql`alter table audit_events disable trigger audit_events_kept`;
  await (isSqlite ? sql`drop trigger audit_events_kept` : disable).execute(db);
  const { rows } = await sql.raw<{ name: keyof Schema }>(TABLES[engine]).execute(db);
  for (const { name } of rows) await db.deleteFrom(name).execute();
  if (isSqlite) await guardAuditEvents(db);
  else await sql`alter table audit_events enable trigger audit_events_kept`.execute(db);
}

type Work<T> = (db: Database) => Promise<T>;
type Details = Record<string, unknown>;

/** Each test finds the tables without a row: to make them for each takes minutes. */
export function freshStore({ makeMigrated }: { makeMigrated: () => Promise<DatabaseAddress> }) {
  let store: Store;
  let second: Store;
  let address: DatabaseAddress;
  beforeAll(async () => {
    address = await makeMigrated();
    store = second = await openMigrated(address);
  });
  afterEach(() =>
    store.write((db) => empty(db, address.engine)).then(() => store.finishSecureDelete()),
  );
  afterAll(async () => {
    await store.close();
    if (second !== store) await second.close();
  });
  const write = <T>(work: Work<T>): Promise<T> => store.write(work);
  const rows = <T extends keyof Schema>(table: T) =>
    // Whichever table it is, its first column is its key; those of the outbox are in their order.
    store.db
      .selectFrom(table as 'outbox')
      .selectAll()
      .orderBy(sql`1`)
      .execute() as unknown as Promise<Selectable<Schema[T]>[]>;
  const query = async (statement: string): Promise<Record<string, unknown>[]> =>
    (await sql<Record<string, unknown>>`${sql.raw(statement)}`.execute(store.db)).rows;
  return {
    get opened() {
      return store;
    },
    get db() {
      return store.db;
    },
    get address() {
      return address;
    },
    read: <T>(work: Work<T>): Promise<T> => work(store.db),
    write,
    /** All rows of a table, by its first column. */
    rows,
    query,
    /** A second connection, as another server has one: two of a file in one process wait for each other. */
    another: async (): Promise<Store> => {
      if (address.engine === 'postgres' && second === store) second = await openMigrated(address);
      return second;
    },
    /** What deletes, and leaves nothing in the files. */
    secureWrite: async <T>(work: Work<T>): Promise<T> => {
      const result = await store.write(work);
      await store.finishSecureDelete();
      return result;
    },
    count: async (table: keyof Schema): Promise<number> => {
      const [row] = await query(`select count(*) as n from ${table}`);
      return Number(row?.['n']);
    },
    /** Changes all applications, or the one with this id. */
    setApplications: async (values: Partial<Insertable<Schema['applications']>>, id?: string) => {
      const update = store.db.updateTable('applications').set(values);
      await (id === undefined ? update : update.where('id', '=', id)).execute();
    },
    mails: async (): Promise<string[]> => {
      const all = await rows('outbox');
      return all.filter(({ channel }) => channel === 'mail').map(({ kind }) => kind);
    },
    /** What the audit log says of somebody or something. */
    audited: async (subject: string): Promise<[action: string, details: Details][]> => {
      const rows = await store.db
        .selectFrom('audit_events')
        .select(['action', 'details'])
        .where('subject_id', '=', subject)
        .orderBy('at')
        .execute();
      return rows.map(({ action, details }) => [action, JSON.parse(details) as Details]);
    },
  };
}

type NewUser = Insertable<Schema['users']>;

/** Adds an account: a traveller's, unless it has a role. */
export function addUser(
  db: Database,
  { id, email, ...more }: Pick<NewUser, 'id' | 'email'> & Partial<NewUser>,
  at = new Date('2026-11-22T12:00:00.000Z'),
): Promise<boolean> {
  const own = { kind: more.role ? 'staff' : 'traveller', language_code: 'fr' } as const;
  return insertUser(db, { id, email, email_normalized: email, ...own, ...more }, at);
}

type NewSession = Insertable<Schema['sessions']>;

/** Adds a session with the password alone, whose token's hash is its id. */
export function addSession(
  db: Database,
  session: Pick<NewSession, 'id' | 'user_id'> & Partial<NewSession>,
  now = new Date(),
): Promise<void> {
  const [token_hash, at] = [session.id, now.toISOString()];
  return rowsIn(db).insert('sessions', {
    ...{ token_hash, refresh_hash: null, previous_refresh_hash: null, rotated_at: null },
    ...{ aal: 1, amr: '[]', client: '{}', created_at: at, last_seen_at: at, expires_at: at },
    ...session,
  });
}

/** How often each outcome came, as text: `{ done: 1, changed: 9 }`. */
export function tally(outcomes: readonly unknown[]): Record<string, number> {
  const counted: Record<string, number> = {};
  for (const one of outcomes) counted[String(one)] = (counted[String(one)] ?? 0) + 1;
  return counted;
}

export const atOnce = <T>(times: number, work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, (_, n) => work(n)));
