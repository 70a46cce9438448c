import type { Kysely } from 'kysely';

/** Where the traveller's own address is typed at the official site, entering is an appointment. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['code_at', 'code_sealed']) {
    await db.schema.alterTable('applications').addColumn(column, 'text').execute();
  }
}
