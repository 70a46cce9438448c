import { sql } from 'kysely';
import type pg from 'pg';

import { CONTENT_TABLES } from '../content-rows.server';
import { failureOf } from '../errors.server';
import type { Database } from '../schema';

const POLL_MS = 1000;
/** The version is not believed longer than this while the server answers. */
const MOST_UNCONFIRMED_MS = 3000;
/** While the server cannot be reached, pages are shown as they were for this long. */
const MOST_AWAY_MS = 15 * 60_000;

/**
 * Makes the one row of `content_version`, and has each statement that changes content draw a new
 * version: random, so that none comes back when a backup is restored. To be done again is no error.
 */
export async function watchContent(db: Database): Promise<void> {
  await sql`
    create table if not exists content_version (
      id integer primary key check (id = 1),
      version text not null
    )`.execute(db);
  await sql`
    insert into content_version values (1, gen_random_uuid()::text) on conflict do nothing`.execute(
    db,
  );
  await sql`
    create or replace function draw_content_version() returns trigger language plpgsql as $$
    begin
      update content_version set version = gen_random_uuid()::text;
      return null;
    end $$`.execute(db);
  for (const table of CONTENT_TABLES) {
    await sql`
      create or replace trigger content_version
      after insert or update or delete or truncate on ${sql.table(table)}
      for each statement execute function draw_content_version()`.execute(db);
  }
}

/**
 * Makes the one row that is written for who asks whether the database is ready: of its own, because
 * an operator's open transaction holds that of the content. To be done again is no error.
 */
export async function prepareProbe(db: Database): Promise<void> {
  await sql`
    create table if not exists readiness (
      id integer primary key check (id = 1),
      probed_at timestamptz not null
    )`.execute(db);
  await sql`insert into readiness values (1, clock_timestamp()) on conflict do nothing`.execute(db);
}

/** Asks for the version of the content each second, on a connection of its own. */
export class ContentVersion {
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
