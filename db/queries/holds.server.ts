import { type RawBuilder, sql, type SqlBool } from 'kysely';

/** Whether what a column names, if anything, is no application that is held: then it may be deleted. */
export function isNotHeld(
  column: 'contact_messages.application_id' | 'outbox.application_id',
): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (
    select 1 from applications
    where applications.id = ${sql.ref(column)} and applications.hold_reason is not null
  )`;
}
