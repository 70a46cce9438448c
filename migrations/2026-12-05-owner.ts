import { type Kysely, sql } from 'kysely';

/** The owner's role, alone or beside another, and what owners have changed, version by version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const users = () => db.schema.alterTable('users');
  await users().dropConstraint('users_role').execute();
  await users()
    .addCheckConstraint(
      'users_role',
      sql`(kind = 'traveller' and role is null) or
        (kind = 'staff' and role in ('agent', 'supervisor', 'auditor', 'admin', 'owner'))`,
    )
    .execute();
  await users()
    .addColumn('is_owner', 'integer', (column) =>
      column
        .notNull()
        .defaultTo(0)
        .check(sql`is_owner in (0, 1)`),
    )
    .execute();
  await db.schema.alterTable('sessions').addColumn('another_day', 'text').execute();
  await db.schema
    .createTable('owner_edits')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('area', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('from_day', 'text')
    .addColumn('made_by', 'text')
    .addColumn('made_at', 'text', (column) => column.notNull())
    .addUniqueConstraint('owner_edits_version', ['area', 'subject', 'version'])
    .execute();
}
