import type { Database } from '../schema';
import { type Row, type RowKey, beyond, isThere, rowsIn, selectIds } from './rows.server';
import { staffName } from './staff.server';

/** Events of one kind that an index has in their order; without a field, all of them. */
export type AuditQuery = { actor?: string | undefined; subject?: string; action?: string };

export interface AuditListQuery {
  queries: readonly AuditQuery[];
  /** Those before this one, or, `isNewer`, those after it. */
  from?: RowKey | undefined;
  isNewer?: boolean;
  limit: number;
  /** What is looked at row by row. */
  only?: {
    since?: string | undefined;
    until?: string | undefined;
    actions?: readonly string[] | undefined;
    except?: readonly string[] | undefined;
    actorKinds?: readonly Row<'audit_events'>['actor_kind'][] | undefined;
    notBy?: string | undefined;
    hasReason?: boolean | undefined;
  };
}

/** The application itself, and what belongs to it: what is done to these is done to the case. */
export async function subjectsOfCase(db: Database, applicationId: string): Promise<string[]> {
  const of = <T extends 'orders' | 'leads' | 'contact_messages'>(table: T) =>
    rowsIn(db).of(table, { application_id: applicationId } as never);
  const orders = await selectIds(of('orders'));
  const others = [await selectIds(of('leads')), await selectIds(of('contact_messages'))];
  if (orders.length > 0) {
    others.push(await selectIds(rowsIn(db).of('refunds').where('order_id', 'in', orders)));
    others.push(await selectIds(rowsIn(db).of('withdrawals').where('order_id', 'in', orders)));
  }
  return [applicationId, ...orders, ...others.flat()];
}

export async function casesOfSubjects(db: Database, ids: readonly string[]) {
  const direct = (table: 'orders' | 'leads' | 'contact_messages') =>
    db
      .selectFrom(`${table} as part` as 'orders as part')
      .innerJoin('applications', 'applications.id', 'part.application_id')
      .select(['part.id as subject', 'applications.id', 'applications.reference'])
      .where('part.id', 'in', ids)
      .execute();
  const byOrder = (table: 'refunds' | 'withdrawals') =>
    db
      .selectFrom(`${table} as part` as 'refunds as part')
      .innerJoin('orders', 'orders.id', 'part.order_id')
      .innerJoin('applications', 'applications.id', 'orders.application_id')
      .select([
        'part.id as subject',
        'applications.id',
        'applications.reference',
        'orders.currency',
      ])
      .where('part.id', 'in', ids)
      .execute();
  const own = await db
    .selectFrom('applications')
    .select(['id as subject', 'id', 'reference'])
    .where('id', 'in', ids)
    .execute();
  const found: ((typeof own)[number] & { currency?: 'EUR' | 'USD' })[] = [
    ...[...own, ...(await direct('orders')), ...(await direct('leads'))],
    ...[...(await direct('contact_messages')), ...(await byOrder('refunds'))],
    ...(await byOrder('withdrawals')),
  ];
  return new Map(found.map(({ subject, ...row }) => [subject, row]));
}

/**
 * The latest first. Each query is read from an index as far as it is needed, and only the events of the page
 * are looked up: a page costs the same however long the log is.
 */
export async function listAuditEvents(db: Database, asked: AuditListQuery) {
  const { isNewer = false, limit } = asked;
  const found = await Promise.all(asked.queries.map((query) => readQuery(db, query, asked)));
  const latestFirst = [...new Map(found.flat().map((key) => [key.id, key])).values()].sort((a, b) =>
    a.at > b.at || (a.at === b.at && a.id > b.id) ? -1 : 1,
  );
  const page = isNewer ? latestFirst.slice(-limit) : latestFirst.slice(0, limit);
  if (page.length === 0) return [];
  return rowsIn(db)
    .of('audit_events')
    .where(
      'id',
      'in',
      page.map(({ id }) => id),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

async function readQuery(
  db: Database,
  { actor, subject, action }: AuditQuery,
  { from, isNewer = false, limit, only = {} }: AuditListQuery,
): Promise<RowKey[]> {
  let query = db.selectFrom('audit_events').select(['at', 'id']);
  if (actor !== undefined) query = query.where('actor_id', '=', actor);
  if (subject !== undefined) query = query.where('subject_id', '=', subject);
  if (action !== undefined) query = query.where('action', '=', action);
  if (from) query = query.where(beyond(['at', 'id'], isNewer ? '>' : '<', from));
  const { since, until, actions, except, actorKinds, notBy, hasReason } = only;
  if (since !== undefined) query = query.where('at', '>=', since);
  if (until !== undefined) query = query.where('at', '<', until);
  if (actions) query = query.where('action', 'in', actions);
  if (except) query = query.where('action', 'not in', except);
  if (actorKinds) query = query.where('actor_kind', 'in', actorKinds);
  if (notBy !== undefined) {
    query = query.where((where) => where('actor_id', 'is', null).or('actor_id', '!=', notBy));
  }
  if (hasReason) query = query.where('details', 'like', '%"reason":%');
  const direction = isNewer ? 'asc' : 'desc';
  return query.orderBy('at', direction).orderBy('id', direction).limit(limit).execute();
}

export async function listAssignments(db: Database, applicationIds: readonly string[]) {
  // Not ordered by the database: for that SQLite reads all assignments there ever were.
  const rows = await rowsIn(db)
    .of('audit_events', { action: 'case.assigned' })
    .where('subject_id', 'in', applicationIds)
    .execute();
  return rows.sort((a, b) => (a.at < b.at ? -1 : 1));
}

export function listMoves(db: Database, subject_id: string) {
  const known = { subject_type: 'application', subject_id, action: 'application.moved' };
  return rowsIn(db).of('audit_events', known).orderBy('at').execute();
}

export const wasRecorded = (
  db: Database,
  { action, subjectId }: { action: string; subjectId: string },
) => isThere(rowsIn(db).of('audit_events', { subject_id: subjectId, action }).limit(1));

export const listEventsAbout = (db: Database, { type, id }: { type: string; id: string }) =>
  db
    .selectFrom('audit_events')
    .leftJoin('users as actor', (join) =>
      join.onRef('actor.id', '=', 'audit_events.actor_id').on('actor.kind', '=', 'staff'),
    )
    .selectAll('audit_events')
    .select(staffName('actor').as('actorName'))
    .where('subject_type', '=', type)
    .where('subject_id', '=', id)
    .orderBy('audit_events.at')
    .orderBy('audit_events.id')
    .execute();

export async function countPeopleWho(db: Database, action: string, subject_id: string) {
  const { count } = await rowsIn(db)
    .of('audit_events', { subject_id, action })
    .clearSelect()
    .select(({ fn }) => fn.count<string | number>('actor_id').distinct().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export const listOrderEvents = (db: Database, action: string, since: Date) =>
  db
    .selectFrom('audit_events')
    .innerJoin('orders', 'orders.id', 'audit_events.subject_id')
    .select(['audit_events.at', 'orders.id as orderId', 'orders.reference'])
    .where('action', '=', action)
    .where('audit_events.at', '>=', since.toISOString())
    .orderBy('audit_events.at', 'desc')
    .execute();

export const listDocumentChanges = (db: Database, subject_id: string) =>
  rowsIn(db)
    .of('audit_events', { subject_id })
    .where('action', 'in', ['document.added', 'document.removed'])
    .orderBy('at')
    .execute();
