import { sql } from 'kysely';

import type { Database } from '../schema';

/**
 * Has the database refuse every change of an audit event, and that one is deleted before it was kept
 * as long as it must be (live-mode.md, retention). By the server's clock: a program that says it is
 * later deletes nothing. To be done again is no error.
 */
export async function guardAuditEvents(db: Database): Promise<void> {
  await sql`
    create or replace function refuse_audit_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        if old.kept_until::timestamptz <= clock_timestamp() then
          return old;
        end if;
      end if;
      raise exception 'audit_events are kept until their time is over, and never changed'
        using errcode = 'restrict_violation';
    end $$`.execute(db);
  await sql`
    create or replace trigger audit_events_kept before update or delete on audit_events
    for each row execute function refuse_audit_change()`.execute(db);
  await sql`
    create or replace trigger audit_events_never_emptied before truncate on audit_events
    for each statement execute function refuse_audit_change()`.execute(db);
}
