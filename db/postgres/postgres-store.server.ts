import { sql } from 'kysely';
import type pg from 'pg';

import { MIGRATIONS } from '../migrate.server';
import type { Database } from '../schema';
import type { Store } from '../store.server';
import { guardAuditEvents } from './audit-guard.server';
import { ContentVersion, prepareProbe, watchContent } from './content-version.server';
import { createPool, PAGES, PATIENT, queryBuilder } from './pool.server';

/** Who migrates or seeds holds this advisory lock; the number is nobody else's. */
const EXCLUSIVE_LOCK = 4_817_204_113;
/** Who waits longer for it tries again later. */
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

  /** As `Store`, on a connection that may take its time. */
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
    await watchContent(db);
    await prepareProbe(db);
    await guardAuditEvents(db);
  }

  async probe(): Promise<void> {
    const written = await this.#instant(
      'update readiness set probed_at = clock_timestamp() returning probed_at',
    );
    const read = await this.#instant('select probed_at from readiness');
    // Another server may have written meanwhile.
    if (!written || !read || read < written) {
      throw new Error(`${this.place}: what was written cannot be read back`);
    }
  }

  async #instant(statement: string): Promise<Date | undefined> {
    const { rows } = await this.#pool.query<{ probed_at: Date }>(statement);
    return rows[0]?.probed_at;
  }

  /** The server checks its files itself. */
  async check(): Promise<void> {
    await sql`select 1`.execute(this.db);
  }

  /** The server itself reuses the room of what was deleted. */
  scrub(): Promise<void> {
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
