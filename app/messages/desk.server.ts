import { randomUUID } from 'node:crypto';

import { redirect } from '@remix-run/node';

import { audit } from '~/accounts/audit.server';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { ANSWER_FORM, messageAfter, type MessageEvent } from '~/domain/messages';
import { readForm, refuse } from '~/http/form.server';
import { contactLead } from '~/leads/leads.server';
import { queueMail, wakeOutbox } from '~/mail/outbox.server';
import {
  type ContactMessageRow,
  findContactMessage,
  insertContactReply,
  replaceContactMessage,
} from '~db/queries/contact-messages.server';
import type { Database } from '~db/schema';
import { emailOfMessage, sealReply } from './sealed-message.server';

/** What somebody of the staff does with a message, of the version that their page showed. */
interface Deed {
  id: string;
  version: number;
  staffId: string;
  text?: string | undefined;
}

const ACTIONS = {
  answer: 'message.answered',
  close: 'message.closed',
  reopen: 'message.reopened',
  take: 'message.assigned',
} as const;

/**
 * Answers, closes, reopens or takes a message, in the transaction `db`; `wakeOutbox()` after an answer.
 *
 * @returns `gone`: there is none; `changed`: somebody else was faster
 */
export async function actOnMessage(
  db: Database,
  event: MessageEvent,
  deed: Deed,
  now: Date,
): Promise<'done' | 'gone' | 'changed'> {
  const row = await findContactMessage(db, deed.id);
  if (!row) return 'gone';
  const to = messageAfter(row.state, event);
  if (to === undefined || row.version !== deed.version) return 'changed';
  const isMoved = await replaceContactMessage(db, row, {
    state: to,
    closed_at: to === 'new' ? null : now.toISOString(),
    ...((event === 'take' || (event === 'answer' && row.assigned_to === null)) && {
      assigned_to: deed.staffId,
    }),
  });
  if (!isMoved) return 'changed';
  if (event === 'answer') await answer(db, row, deed, now);
  await audit(db, { kind: 'staff', id: deed.staffId }, ACTIONS[event], ['message', row.id], now);
  return 'done';
}

async function answer(
  db: Database,
  row: ContactMessageRow,
  { staffId, text = '' }: Deed,
  now: Date,
): Promise<void> {
  const id = randomUUID();
  await insertContactReply(db, {
    id,
    message_id: row.id,
    text_sealed: sealReply(id, text),
    written_by: staffId,
    created_at: now.toISOString(),
  });
  await contactLead(db, row.id, staffId, now);
  const to = { to: emailOfMessage(row), language: row.language_code };
  await queueMail(db, { kind: 'messageAnswer', ...to, parameters: { reply: id } }, now);
}

/**
 * Takes a form of a message's page.
 *
 * @throws {Response} 400 for fields that no page has, 404 for an unknown message
 */
export async function takeMessageForm(
  event: MessageEvent,
  { id, sent, staffId }: { id: string; sent: FormData; staffId: string },
) {
  const version = sent.get('version');
  if (typeof version !== 'string' || !/^\d{1,9}$/.test(version)) {
    throw new Response(null, { status: 400 });
  }
  const read = readForm(sent, ANSWER_FORM);
  if (event === 'answer' && read.errors) return refuse('invalid', read);
  const text = event === 'answer' ? read.values?.answer : undefined;
  const deed = { id, version: Number(version), staffId, text };
  const done = await requireDatabase((db) => actOnMessage(db, event, deed, now()), writeDatabase);
  if (done === 'gone') throw new Response(null, { status: 404 });
  if (done === 'changed') return refuse('changed', { typed: read.typed }, { status: 409 });
  if (event === 'answer') wakeOutbox();
  return redirect(`/crm/messages/${id}?done=${event}`, 303);
}
