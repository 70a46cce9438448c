import type { ExpressionBuilder } from 'kysely';

import type { Database, Schema } from '../schema';
import { isNotHeld } from './applications.server';

/** Of messages those of an account, and those to its address that name no account. */
const isTo =
  (userId: string, toIndexes: string[]) => (where: ExpressionBuilder<Schema, 'outbox'>) =>
    where.or([
      where('user_id', '=', userId),
      where.and([where('user_id', 'is', null), where('to_index', 'in', toIndexes)]),
    ]);

/** What the other tables hold about an account, to be handed out to its owner. */
export async function listAccountRecords(db: Database, userId: string, toIndexes: string[]) {
  const messages = await db
    .selectFrom('outbox')
    .select(['channel', 'kind', 'created_at', 'sent_at'])
    .where(isTo(userId, toIndexes))
    .orderBy('created_at')
    .execute();
  const events = await db
    .selectFrom('audit_events')
    .select(['at', 'actor_kind', 'action', 'subject_type', 'details'])
    .where((where) => where.or([where('actor_id', '=', userId), where('subject_id', '=', userId)]))
    .orderBy('at')
    .execute();
  const removals = await db
    .selectFrom('factor_removals')
    .select(['requested_at', 'due_at'])
    .where('user_id', '=', userId)
    .execute();
  return { messages, events, removals };
}

/**
 * Deletes the messages of an account, sent or not, and those to its address that name no account. What
 * was sent about an application that is held stays.
 */
export const deleteMessagesOf = (db: Database, userId: string, toIndexes: string[]) =>
  db
    .deleteFrom('outbox')
    .where(isTo(userId, toIndexes))
    .where((where) => where.or([where('state', '=', 'queued'), isNotHeld('outbox.application_id')]))
    .execute();
