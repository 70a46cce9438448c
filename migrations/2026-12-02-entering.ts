import { type Kysely, sql } from 'kysely';

/** Who enters a case takes it first: what is checked belongs to nobody until then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['worked_at', 'entered_sections']) {
    await db.schema.alterTable('applications').addColumn(column, 'text').execute();
  }
  await db.schema
    .createIndex('applications_worked_at')
    .on('applications')
    .columns(['state', 'worked_at'])
    .execute();
  await sql`update applications set assigned_to = null where state = 'checked'`.execute(db);
}
