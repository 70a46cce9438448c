import type { Kysely } from 'kysely';

/** Whom somebody at the desk looks for is kept with the session, sealed, and goes with it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('searches_sealed', 'text').execute();
}
