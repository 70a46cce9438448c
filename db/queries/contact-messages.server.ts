import type { MessageState } from '~/domain/messages';
import type { Database } from '../schema';
import type { OfStaff } from './application-requests.server';
import { isNotHeld } from './applications.server';
import { type Row, type RowKey, beyond, howMany, rowsIn } from './rows.server';
import { staffName } from './staff.server';

export type ContactMessageRow = Row<'contact_messages'>;
export type ContactReplyRow = Row<'contact_replies'>;

export const findContactMessage = (db: Database, id: string) =>
  rowsIn(db).find('contact_messages', { id });

export function listContactMessages(
  db: Database,
  state: MessageState,
  { after, limit }: { after: RowKey | undefined; limit: number },
) {
  const [order, operator] = state === 'new' ? (['asc', '>'] as const) : (['desc', '<'] as const);
  let query = db
    .selectFrom('contact_messages')
    .leftJoin('users', 'users.id', 'contact_messages.assigned_to')
    .select([
      'contact_messages.id',
      'category',
      'message_sealed',
      'contact_messages.language_code',
      'contact_messages.created_at',
      'assigned_to',
      staffName().as('assignee'),
    ])
    .where('state', '=', state);
  if (after) {
    query = query.where(
      beyond(['contact_messages.created_at', 'contact_messages.id'], operator, after),
    );
  }
  return query
    .orderBy('contact_messages.created_at', order)
    .orderBy('contact_messages.id', order)
    .limit(limit)
    .execute();
}

/** The one that has waited longest, and that nobody else has. */
export const findNextMessage = (db: Database, staffId: string, but = '') =>
  rowsIn(db)
    .of('contact_messages', { state: 'new' })
    .where((where) => where('assigned_to', 'is', null).or('assigned_to', '=', staffId))
    .where('id', '!=', but)
    .orderBy('created_at')
    .orderBy('id')
    .executeTakeFirst();

export const listContactMessagesOf = (db: Database, emailIndexes: readonly string[]) =>
  rowsIn(db)
    .of('contact_messages')
    .where('email_index', 'in', emailIndexes)
    .orderBy('created_at', 'desc')
    .execute();

export const listMessagesWith = (
  db: Database,
  emailIndexes: readonly string[],
  applicationIds: readonly string[],
) =>
  rowsIn(db)
    .of('contact_messages')
    .where((where) =>
      where('email_index', 'in', emailIndexes).or('application_id', 'in', applicationIds),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();

export const listRepliesTo = (
  db: Database,
  of: { messages: readonly string[]; applications: readonly string[] },
) =>
  rowsIn(db)
    .of('contact_replies')
    .where((where) =>
      where('message_id', 'in', of.messages).or('application_id', 'in', of.applications),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();

export const listNewMessagesFor = (db: Database, { staffId, applicationId, limit }: OfStaff) =>
  db
    .selectFrom('contact_messages')
    .leftJoin('applications', 'applications.id', 'contact_messages.application_id')
    .select(['contact_messages.id', 'contact_messages.created_at', 'application_id', 'reference'])
    .where('contact_messages.state', '=', 'new')
    .where((where) => {
      const isOwn = where('contact_messages.assigned_to', '=', staffId);
      return isOwn.or('applications.assigned_to', '=', staffId);
    })
    .$if(applicationId !== undefined, (query) =>
      query.where('applications.id', '=', applicationId ?? ''),
    )
    .orderBy('contact_messages.created_at')
    .limit(limit)
    .execute();

/** They are answered now; who answers what nobody has taken has it. */
export async function settleMessages(
  db: Database,
  messages: readonly ContactMessageRow[],
  staffId: string,
  now: Date,
): Promise<void> {
  for (const { id, assigned_to } of messages) {
    const answered = { state: 'answered', closed_at: now.toISOString() } as const;
    await rowsIn(db)
      .update('contact_messages', { id }, { ...answered, assigned_to: assigned_to ?? staffId })
      .set(({ eb }) => ({ version: eb('version', '+', 1) }))
      .execute();
  }
}

/** With their answers and leads; none about an application that is held. */
export const deleteContactMessagesBefore = (
  db: Database,
  { closed, unanswered }: { closed: Date; unanswered: Date },
) =>
  rowsIn(db).deleteSome('contact_messages', 'id', (where) => {
    const isOld = where('created_at', '<=', unanswered.toISOString()).and('closed_at', 'is', null);
    const isOver = where('closed_at', '<=', closed.toISOString()).or(isOld);
    return where.and([isOver, isNotHeld('contact_messages.application_id')]);
  });

export const deleteContactMessagesOf = (db: Database, emailIndexes: readonly string[]) =>
  howMany(
    db
      .deleteFrom('contact_messages')
      .where('email_index', 'in', emailIndexes)
      .where(isNotHeld('contact_messages.application_id')),
  );
