import type { ExpressionBuilder, Insertable, Selectable } from 'kysely';

import type { MessageState } from '~/domain/messages';
import type { Database, Schema } from '../schema';
import { AT_ONCE } from './at-once.server';
import { isNotHeld } from './holds.server';
import type { RowKey } from './versioned-rows.server';

export type ContactMessageRow = Selectable<Schema['contact_messages']>;
export type ContactReplyRow = Selectable<Schema['contact_replies']>;

export const insertContactMessage = (db: Database, row: Insertable<Schema['contact_messages']>) =>
  db.insertInto('contact_messages').values(row).execute();

export const findContactMessage = (db: Database, id: string) =>
  db.selectFrom('contact_messages').selectAll().where('id', '=', id).executeTakeFirst();

/** The messages in a state, without what was typed: new ones the oldest first, others the latest first. */
export function listContactMessages(
  db: Database,
  state: MessageState,
  { after, limit }: { after: RowKey | undefined; limit: number },
) {
  const [order, beyond] = state === 'new' ? (['asc', '>'] as const) : (['desc', '<'] as const);
  return db
    .selectFrom('contact_messages')
    .leftJoin('users', 'users.id', 'contact_messages.assigned_to')
    .select([
      'contact_messages.id',
      'category',
      'contact_messages.language_code',
      'contact_messages.created_at',
      'assigned_to',
      'users.email as assignee',
    ])
    .where('state', '=', state)
    .$if(after !== undefined, (query) =>
      query.where((where) =>
        where(
          where.refTuple('contact_messages.created_at', 'contact_messages.id'),
          beyond,
          where.tuple(after?.at ?? '', after?.id ?? ''),
        ),
      ),
    )
    .orderBy('contact_messages.created_at', order)
    .orderBy('contact_messages.id', order)
    .limit(limit)
    .execute();
}

/** The messages of an address, by its indexes, the latest first. */
export const listContactMessagesOf = (db: Database, emailIndexes: readonly string[]) =>
  db
    .selectFrom('contact_messages')
    .selectAll()
    .where('email_index', 'in', emailIndexes)
    .orderBy('created_at', 'desc')
    .execute();

export const insertContactReply = (db: Database, row: Insertable<Schema['contact_replies']>) =>
  db.insertInto('contact_replies').values(row).execute();

export const findContactReply = (db: Database, id: string) =>
  db.selectFrom('contact_replies').selectAll().where('id', '=', id).executeTakeFirst();

/** The answers to a message, the earliest first, with who wrote them. */
export const listContactReplies = (db: Database, messageId: string) =>
  db
    .selectFrom('contact_replies')
    .leftJoin('users', 'users.id', 'contact_replies.written_by')
    .selectAll('contact_replies')
    .select('users.email as writer')
    .where('message_id', '=', messageId)
    .orderBy('contact_replies.created_at')
    .execute();

/**
 * Deletes some of what was closed, or left unanswered, before these instants, with its answers and leads,
 * unless the application that it is about is held.
 *
 * @returns how many
 */
export async function deleteContactMessagesBefore(
  db: Database,
  { closed, unanswered }: { closed: Date; unanswered: Date },
): Promise<number> {
  const isOver = (where: ExpressionBuilder<Schema, 'contact_messages'>) =>
    where.or([
      where('closed_at', '<=', closed.toISOString()),
      where.and([
        where('closed_at', 'is', null),
        where('created_at', '<=', unanswered.toISOString()),
      ]),
    ]);
  const over = db
    .selectFrom('contact_messages')
    .select('id')
    .where(isOver)
    .where(isNotHeld('contact_messages.application_id'))
    .limit(AT_ONCE);
  const { numDeletedRows } = await db
    .deleteFrom('contact_messages')
    .where('id', 'in', over)
    // One that is taken up again at this moment stays.
    .where(isOver)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes the messages of an address, but for those about what is held; returns how many there were. */
export async function deleteContactMessagesOf(
  db: Database,
  emailIndexes: readonly string[],
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('contact_messages')
    .where('email_index', 'in', [...emailIndexes])
    .where(isNotHeld('contact_messages.application_id'))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
