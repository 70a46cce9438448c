import type { Insertable, Selectable } from 'kysely';

import type { Database, Schema } from '../schema';

type AuditRow = Selectable<Schema['audit_events']>;

/** Adds an event; it can never be changed. */
export async function insertAuditEvent(
  db: Database,
  event: Insertable<Schema['audit_events']>,
): Promise<void> {
  await db.insertInto('audit_events').values(event).execute();
}

/** Which events somebody reads. */
export interface AuditFilter {
  /** Without, everybody's. */
  scope?:
    | { /** What this account did, and what was done to it. */ own: string }
    | { /** Those with one of these names. */ actions: readonly string[] };
  /** Only those with a name that begins with this. */
  group?: string | undefined;
  /** After so many. */
  offset: number;
  limit: number;
}

/** An event; of staff with the address, of travellers with nothing but the id. */
export interface ListedEvent extends AuditRow {
  actorEmail: string | null;
  subjectEmail: string | null;
}

/** Events, the latest first. */
export async function listAuditEvents(
  db: Database,
  { scope, group, offset, limit }: AuditFilter,
): Promise<ListedEvent[]> {
  let query = db
    .selectFrom('audit_events')
    .leftJoin('users as actor', (join) =>
      join.onRef('actor.id', '=', 'audit_events.actor_id').on('actor.kind', '=', 'staff'),
    )
    .leftJoin('users as subject', (join) =>
      join.onRef('subject.id', '=', 'audit_events.subject_id').on('subject.kind', '=', 'staff'),
    )
    .selectAll('audit_events')
    .select(['actor.email as actorEmail', 'subject.email as subjectEmail']);
  if (scope && 'own' in scope) {
    query = query.where((where) =>
      where.or([
        where('audit_events.actor_id', '=', scope.own),
        where('audit_events.subject_id', '=', scope.own),
      ]),
    );
  }
  if (scope && 'actions' in scope) {
    query = query.where('audit_events.action', 'in', [...scope.actions]);
  }
  if (group !== undefined) query = query.where('audit_events.action', 'like', `${group}.%`);
  return query
    .orderBy('audit_events.at', 'desc')
    .orderBy('audit_events.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

/**
 * When somebody of the staff signed in, the latest first: with the second factor, or the first time by
 * the invitation.
 */
export async function listSignIns(db: Database, userId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_events')
    .select('at')
    .where('actor_id', '=', userId)
    .where((where) =>
      where.or([
        where('action', '=', 'staff.joined'),
        where.and([
          where('action', '=', 'session.started'),
          where('details', 'like', '%"complete":true%'),
        ]),
      ]),
    )
    .orderBy('at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ at }) => at);
}

/**
 * Deletes the events that are kept no longer; the database refuses to delete others.
 *
 * @returns how many there were
 */
export async function deleteAuditEventsBefore(db: Database, instant: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('audit_events')
    .where('kept_until', '<=', instant.toISOString())
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** The moves of an application from state to state, in their order; `details` are codes. */
export async function listMoves(
  db: Database,
  applicationId: string,
): Promise<Pick<AuditRow, 'at' | 'details'>[]> {
  return db
    .selectFrom('audit_events')
    .select(['at', 'details'])
    .where('subject_type', '=', 'application')
    .where('subject_id', '=', applicationId)
    .where('action', '=', 'application.moved')
    .orderBy('at')
    .execute();
}

/** Whether something was done to somebody or something at least once. */
export async function wasRecorded(
  db: Database,
  { action, subjectId }: { action: string; subjectId: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('audit_events')
    .select('id')
    .where('subject_id', '=', subjectId)
    .where('action', '=', action)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** What was done to one subject, the earliest first. */
export async function listEventsAbout(
  db: Database,
  { type, id }: { type: string; id: string },
): Promise<(AuditRow & { actorEmail: string | null })[]> {
  return db
    .selectFrom('audit_events')
    .leftJoin('users as actor', (join) =>
      join.onRef('actor.id', '=', 'audit_events.actor_id').on('actor.kind', '=', 'staff'),
    )
    .selectAll('audit_events')
    .select('actor.email as actorEmail')
    .where('subject_type', '=', type)
    .where('subject_id', '=', id)
    .orderBy('audit_events.at')
    .orderBy('audit_events.id')
    .execute();
}

/** Which orders something was done to since an instant, the latest first. */
export async function listOrderEvents(
  db: Database,
  action: string,
  since: Date,
): Promise<{ at: string; orderId: string; reference: string }[]> {
  return db
    .selectFrom('audit_events')
    .innerJoin('orders', 'orders.id', 'audit_events.subject_id')
    .select(['audit_events.at', 'orders.id as orderId', 'orders.reference'])
    .where('action', '=', action)
    .where('audit_events.at', '>=', since.toISOString())
    .orderBy('audit_events.at', 'desc')
    .execute();
}
