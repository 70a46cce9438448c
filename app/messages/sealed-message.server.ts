import { normalizeEmail } from '~/domain/accounts';
import { blindIndex, blindIndexes, seal, unseal } from '~/sealing/seal.server';
import type { ContactMessageRow, ContactReplyRow } from '~db/queries/contact-messages.server';

/** What somebody typed into the contact form, but for the address; optional fields may be missing. */
export interface MessageText {
  name: string;
  phone?: string | undefined;
  category?: string | undefined;
  applicationNumber?: string | undefined;
  subject: string;
  message: string;
}

/** The purpose of the blind index, as `SEALED_TABLES` has it. */
const EMAIL_INDEX = 'contact_messages.email_index';

const placeOf = (id: string, field: string) => ({ table: 'contact_messages', row: id, field });
const replyPlace = (id: string) => ({ table: 'contact_replies', row: id, field: 'text_sealed' });

export function sealMessage(id: string, email: string, text: MessageText) {
  return {
    message_sealed: seal(JSON.stringify(text), placeOf(id, 'message_sealed')),
    email_sealed: seal(email, placeOf(id, 'email_sealed')),
    email_index: blindIndex(EMAIL_INDEX, normalizeEmail(email)),
  };
}

/** What was typed. @throws {SealError} if it does not open */
export function textOfMessage({
  id,
  message_sealed,
}: Pick<ContactMessageRow, 'id' | 'message_sealed'>): MessageText {
  return JSON.parse(unseal(message_sealed, placeOf(id, 'message_sealed'))) as MessageText;
}

/** Whom to answer. @throws {SealError} if it does not open */
export function emailOfMessage({
  id,
  email_sealed,
}: Pick<ContactMessageRow, 'id' | 'email_sealed'>): string {
  return unseal(email_sealed, placeOf(id, 'email_sealed'));
}

export function senderIndexes(email: string): string[] {
  return blindIndexes(EMAIL_INDEX, normalizeEmail(email));
}

export function sealReply(id: string, text: string): string {
  return seal(text, replyPlace(id));
}

/** The text of an answer. @throws {SealError} if it does not open */
export function textOfReply({
  id,
  text_sealed,
}: Pick<ContactReplyRow, 'id' | 'text_sealed'>): string {
  return unseal(text_sealed, replyPlace(id));
}
