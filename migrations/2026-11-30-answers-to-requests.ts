import type { Kysely } from 'kysely';

/** What a traveller types in answer to a request outlives the page where the photo is added. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('application_requests').addColumn('answer_sealed', 'text').execute();
}
