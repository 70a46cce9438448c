import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import type { MailContents } from '~/mail/sections';
import { findContactReply } from '~db/queries/contact-messages.server';
import type { Database } from '~db/schema';
import { textOfReply } from './sealed-message.server';

/**
 * What a member of staff has answered, read when the mail is sent.
 *
 * @returns null if the answer is gone
 */
export async function answerContents(
  db: Database,
  { language, parameters }: { language: Language; parameters: Record<string, string> },
): Promise<MailContents | null> {
  const reply = await findContactReply(db, parameters['reply'] ?? '');
  if (!reply) return null;
  const paragraphs = textOfReply(reply)
    .split(/\r?\n/)
    .map((text) => text.trim())
    .filter((text) => text !== '');
  const blocks = paragraphs.map((text) => ({ kind: 'paragraph', text }) as const);
  return { sections: [{ title: translator(language)('mail:answer'), blocks }], links: [] };
}
