import { later, now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { wakeOutbox } from '~/mail/outbox.server';
import { queueStatusLink } from './links.server';

/** So long after it is queued a mail is looked for: the answer has gone by then. */
const AFTER_ANSWER_MS = 100;

/**
 * Sends the link to the state of an application, if reference and address belong together. The mail is
 * rendered and sent after the answer: its time does not tell whether there is one.
 *
 * @param asked `reference` as it is stored, `email` as it was typed
 * @throws {Response} 503 without a database
 */
export async function askForStatus(
  asked: { reference: string; email: string },
  client: string,
): Promise<void> {
  await requireDatabase((db) => queueStatusLink(db, asked, client, now()), writeDatabase);
  later(AFTER_ANSWER_MS, wakeOutbox);
}
