import { sql } from 'kysely';

import type { Database } from '../schema';

/**
 * Has the database refuse every change of an audit event, and that one is deleted or replaced before
 * it was kept as long as it must be (live-mode.md, retention). By the machine's clock: a program that
 * says it is later deletes nothing. To be done again is no error.
 */
export async function guardAuditEvents(db: Database): Promise<void> {
  await sql`
    create trigger if not exists audit_events_unchanged before update on audit_events
    begin select raise(abort, 'audit_events are never changed'); end`.execute(db);
  await sql`
    create trigger if not exists audit_events_kept before delete on audit_events
    when old.kept_until > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
    begin select raise(abort, 'audit_events are kept until their time is over'); end`.execute(db);
  // What replaces a row deletes the old one without asking the trigger above.
  await sql`
    create trigger if not exists audit_events_added before insert on audit_events
    when exists (select 1 from audit_events where id = new.id)
    begin select raise(abort, 'audit_events are never replaced'); end`.execute(db);
}
