import type { MessageState } from '~/domain/messages';
import type { Database } from '../schema';
import { isNotHeld } from './applications.server';
import { type Row, type RowKey, beyond, howMany, rowsIn } from './rows.server';
import { staffName } from './staff.server';

export type ContactMessageRow = Row<'contact_messages'>;
export type ContactReplyRow = Row<'contact_replies'>;

export const findContactMessage = (db: Database, id: string) =>
  rowsIn(db).find('contact_messages', { id });

/** The messages in a state, without what was typed: new ones the oldest first, others the latest first. */
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

/** The messages of an address, by its indexes, the latest first. */
export const listContactMessagesOf = (db: Database, emailIndexes: readonly string[]) =>
  rowsIn(db)
    .of('contact_messages')
    .where('email_index', 'in', emailIndexes)
    .orderBy('created_at', 'desc')
    .execute();

/** The answers to a message, the earliest first, with who wrote them. */
export const listContactReplies = (db: Database, messageId: string) =>
  db
    .selectFrom('contact_replies')
    .leftJoin('users', 'users.id', 'contact_replies.written_by')
    .selectAll('contact_replies')
    .select(staffName().as('writer'))
    .where('message_id', '=', messageId)
    .orderBy('contact_replies.created_at')
    .execute();

/**
 * Deletes some of what was closed, or left unanswered, before these instants, with its answers and leads,
 * unless the application that it is about is held.
 *
 * @returns how many
 */
export const deleteContactMessagesBefore = (
  db: Database,
  { closed, unanswered }: { closed: Date; unanswered: Date },
) =>
  rowsIn(db).deleteSome('contact_messages', 'id', (where) =>
    where.and([
      where.or([
        where('closed_at', '<=', closed.toISOString()),
        where.and([
          where('closed_at', 'is', null),
          where('created_at', '<=', unanswered.toISOString()),
        ]),
      ]),
      isNotHeld('contact_messages.application_id'),
    ]),
  );

/** Deletes the messages of an address, but for those about what is held; returns how many there were. */
export const deleteContactMessagesOf = (db: Database, emailIndexes: readonly string[]) =>
  howMany(
    db
      .deleteFrom('contact_messages')
      .where('email_index', 'in', emailIndexes)
      .where(isNotHeld('contact_messages.application_id')),
  );
