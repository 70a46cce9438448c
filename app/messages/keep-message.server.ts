import { randomUUID } from 'node:crypto';

import { audit } from '~/accounts/audit.server';
import { normalizeEmail } from '~/domain/accounts';
import { readReference } from '~/domain/application/reference';
import { makesLead } from '~/domain/leads';
import { env } from '~/env.server';
import type { Language } from '~/i18n/languages';
import { addMessageLead } from '~/leads/leads.server';
import { queueMail } from '~/mail/outbox.server';
import { blindIndexes } from '~/sealing/seal.server';
import { companySamples, defaultLanguage, siteSettings } from '~/settings/settings.server';
import { findByReference } from '~db/queries/applications.server';
import { insertContactMessage } from '~db/queries/contact-messages.server';
import { findUser } from '~db/queries/users.server';
import type { Database } from '~db/schema';
import { type MessageText, sealMessage } from './sealed-message.server';
import { EMAIL_INDEX } from '~/applications/answers.server';

interface SentMessage extends MessageText {
  email: string;
}

/**
 * Keeps a message of the contact form, in the transaction `db`: sealed, with a mail to the operator that
 * says nothing of what it says, and an automatic reply; `wakeOutbox()` after it. Where the sender has
 * had too many mails there is no reply, and the message is kept all the same.
 *
 * @param from `client`, the client's address as it is counted
 */
export async function keepMessage(
  db: Database,
  { email, ...text }: SentMessage,
  { client, language }: { client: string; language: Language },
  now: Date,
): Promise<string> {
  const id = randomUUID();
  await insertContactMessage(db, {
    id,
    state: 'new',
    category: text.category ?? null,
    language_code: language,
    ...sealMessage(id, email, text),
    application_id: (await applicationOf(db, text.applicationNumber ?? '', email)) ?? null,
    assigned_to: null,
    created_at: now.toISOString(),
    closed_at: null,
  });
  if (makesLead(text.category)) await addMessageLead(db, id, now);
  await audit(db, { kind: 'anybody' }, 'message.received', ['message', id], now, {
    category: text.category ?? 'none',
    language,
  });
  // Nobody reads the address of the sample company.
  if (!env().mail || !companySamples().has('email')) {
    const { email: to } = siteSettings().company;
    const parameters = { id, category: text.category ?? 'none' };
    const mail = {
      kind: 'messageToOperator',
      to,
      language: defaultLanguage(),
      parameters,
    } as const;
    await queueMail(db, mail, now);
  }
  const reply = { kind: 'messageReceived', to: email, language, unverified: { client } } as const;
  await queueMail(db, reply, now);
  return id;
}

/** The application of a typed reference, if who writes has its address: others learn nothing by it. */
async function applicationOf(
  db: Database,
  typed: string,
  email: string,
): Promise<string | undefined> {
  const reference = readReference(typed);
  const row = reference === undefined ? undefined : await findByReference(db, reference);
  if (!row) return undefined;
  const address = normalizeEmail(email);
  const isOfApplication =
    row.email_index !== null && blindIndexes(EMAIL_INDEX, address).includes(row.email_index);
  if (isOfApplication) return row.id;
  const user = row.user_id === null ? undefined : await findUser(db, row.user_id);
  return user?.email_normalized === address ? row.id : undefined;
}
