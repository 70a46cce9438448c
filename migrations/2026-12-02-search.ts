import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['family_index', 'official_index']) {
    await db.schema.alterTable('applications').addColumn(column, 'text').execute();
    await db.schema
      .createIndex(`applications_${column}`)
      .on('applications')
      .columns([column])
      .execute();
  }
  await db.schema
    .createIndex('contact_messages_application_id')
    .on('contact_messages')
    .columns(['application_id'])
    .execute();
}
