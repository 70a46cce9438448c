import { sql } from 'kysely';
import type pg from 'pg';

import { CONTENT_TABLES } from '../content-rows.server';
import { failureOf } from '../errors.server';
import { MIGRATIONS } from '../migrate.server';
import type { Database } from '../schema';
import type { Store } from '../store.server';
import { createPool, PAGES, PATIENT, queryBuilder } from './pool.server';

/** Who migrates or seeds holds this advisory lock; the number is nobody else's. */
const EXCLUSIVE_LOCK = 4_817_204_113;
const EXCLUSIVE_WAIT_MS = 15_000;
/**
 * The poll of the content's version is answered at once, or not at all: that it is not must be known
 * before a version that is not confirmed is none.
 */
const POLL = { most: 1, connectMs: 1000, limits: { statementMs: 900, answerMs: 1000 } };

/** A PostgreSQL database (14 or newer), which several servers may share. */
export class PostgresStore implements Store {
  readonly db: Database;
  migrations: readonly string[] = [];
  readonly #pool: pg.Pool;
  readonly #pollPool: pg.Pool;
  readonly #version: ContentVersion;

  constructor(
    private readonly url: string,
    readonly place: string,
  ) {
    this.#pool = createPool(url, PAGES);
    this.db = queryBuilder(this.#pool);
    this.#pollPool = createPool(url, POLL);
    this.#version = new ContentVersion(this.#pollPool);
  }

  get isNew(): boolean {
    return this.migrations.length === Object.keys(MIGRATIONS).length;
  }

  isCurrent(): boolean {
    return true;
  }

  version(): string | undefined {
    return this.#version.current;
  }

  async write<T>(work: (db: Database) => Promise<T>): Promise<T> {
    return this.db.transaction().execute(work);
  }

  async exclusively<T>(work: (db: Database) => Promise<T>): Promise<T> {
    const pool = createPool(this.url, PATIENT);
    const own = queryBuilder(pool);
    try {
      return await own.transaction().execute(async (transaction) => {
        await sql`set local lock_timeout = ${sql.lit(EXCLUSIVE_WAIT_MS)}`.execute(transaction);
        await sql`select pg_advisory_xact_lock(${EXCLUSIVE_LOCK})`.execute(transaction);
        return work(transaction);
      });
    } finally {
      await own.destroy();
    }
  }

  async completeSchema(db: Database): Promise<void> {
    await sql.raw(SCHEMA).execute(db);
  }

  async probe(): Promise<void> {
    const written = await this.#instant(
      'update readiness set probed_at = clock_timestamp() returning probed_at',
    );
    const read = await this.#instant('select probed_at from readiness');
    if (!written || !read || read < written) {
      throw new Error(`${this.place}: what was written cannot be read back`);
    }
  }

  async #instant(statement: string): Promise<Date | undefined> {
    const { rows } = await this.#pool.query<{ probed_at: Date }>(statement);
    return rows[0]?.probed_at;
  }

  async check(): Promise<void> {
    await sql`select 1`.execute(this.db);
  }

  /** The server itself reuses the room of what was deleted. */
  finishSecureDelete(): Promise<void> {
    return Promise.resolve();
  }

  async close(): Promise<void> {
    this.#version.stop();
    await Promise.all([this.#pool.end(), this.#pollPool.end()]);
  }

  abandon(): void {
    void this.close();
  }
}

const POLL_MS = 1000;
/** The version is not believed longer than this while the server answers. */
const MOST_UNCONFIRMED_MS = 3000;
/** While the server cannot be reached, pages are shown as they were for this long. */
const MOST_AWAY_MS = 15 * 60_000;

/**
 * Each statement that changes content draws a version: random, so that none comes back with a backup. What
 * the probe writes has a row of its own: an operator's open transaction may hold that of the content. Nobody
 * changes an audit event, nor deletes it before its time (live-mode.md, retention), by the server's clock: a
 * program that says it is later deletes nothing.
 */
const SCHEMA = `
  create table if not exists content_version (
    id integer primary key check (id = 1),
    version text not null
  );
  insert into content_version values (1, gen_random_uuid()::text) on conflict do nothing;
  create or replace function draw_content_version() returns trigger language plpgsql as $$
  begin
    update content_version set version = gen_random_uuid()::text;
    return null;
  end $$;
  ${[...CONTENT_TABLES, 'owner_edits']
    .map(
      (table) => `create or replace trigger content_version
      after insert or update or delete or truncate on ${table}
      for each statement execute function draw_content_version();`,
    )
    .join('\n')}

  create table if not exists readiness (
    id integer primary key check (id = 1),
    probed_at timestamptz not null
  );
  insert into readiness values (1, clock_timestamp()) on conflict do nothing;

  create or replace function refuse_audit_change() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' then
      if old.kept_until::timestamptz <= clock_timestamp() then
        return old;
      end if;
    end if;
    raise exception 'audit_events are kept until their time is over, and never changed'
      using errcode = 'restrict_violation';
  end $$;
  create or replace trigger audit_events_kept before update or delete on audit_events
    for each row execute function refuse_audit_change();
  create or replace trigger audit_events_never_emptied before truncate on audit_events
    for each statement execute function refuse_audit_change();`;

/** Asks for the version of the content each second, on a connection of its own. */
class ContentVersion {
  #known: { version: string; at: number } | undefined;
  #isReachable = false;
  readonly #timer: NodeJS.Timeout;
  #polling: Promise<void> | undefined;

  constructor(private readonly pool: pg.Pool) {
    this.#timer = setInterval(() => void this.poll(), POLL_MS).unref();
  }

  get current(): string | undefined {
    if (!this.#known) {
      // At the start nobody waits a second for the first answer.
      void this.poll();
      return undefined;
    }
    const age = performance.now() - this.#known.at;
    const most = this.#isReachable ? MOST_UNCONFIRMED_MS : MOST_AWAY_MS;
    return age <= most ? this.#known.version : undefined;
  }

  /** Asks now, unless an answer is awaited; failures are those of the queries of pages too. */
  poll(): Promise<void> {
    this.#polling ??= this.#ask().finally(() => (this.#polling = undefined));
    return this.#polling;
  }

  async #ask(): Promise<void> {
    const at = performance.now();
    try {
      const { rows } = await this.pool.query<{ version: string }>(
        'select version from content_version',
      );
      const version = rows[0]?.version;
      this.#known = version === undefined ? undefined : { version, at };
      this.#isReachable = true;
    } catch (error) {
      // Any other answer is one: then the version is not certain.
      this.#isReachable = failureOf(error) !== 'away';
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
