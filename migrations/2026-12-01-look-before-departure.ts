import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['look_on', 'birth_sealed']) {
    await db.schema.alterTable('applications').addColumn(column, 'text').execute();
  }
  await db.schema
    .createIndex('applications_look_on')
    .on('applications')
    .columns(['look_on'])
    .execute();
}
