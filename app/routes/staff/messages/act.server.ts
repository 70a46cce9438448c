import { redirect } from '@remix-run/node';

import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { ANSWER_FORM, type MessageEvent } from '~/domain/messages';
import { readForm, refuse } from '~/http/form.server';
import { wakeOutbox } from '~/mail/outbox.server';
import { actOnMessage } from '~/messages/desk.server';

/**
 * Takes a form of a message's page.
 *
 * @throws {Response} 400 for fields that no page has, 404 for an unknown message
 */
export async function act(
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
