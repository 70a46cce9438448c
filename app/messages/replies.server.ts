import { randomUUID } from 'node:crypto';

import { audit } from '~/accounts/audit.server';
import { issueToken, lastingLink } from '~/accounts/one-time-tokens.server';
import { addresseeOf, applicationEmail } from '~/applications/address.server';
import { EMAIL_INDEX as APPLICATION_EMAIL } from '~/applications/answers.server';
import { now as clockNow } from '~/clock.server';
import { normalizeEmail } from '~/domain/accounts';
import { isCase } from '~/domain/application/states';
import { siteOrigin } from '~/env.server';
import { formatMoment, translator } from '~/i18n/locale.server';
import { type Language, toLanguage } from '~/i18n/languages';
import { contactLead } from '~/leads/leads.server';
import { mailLanguage } from '~/mail/language';
import { queueMail } from '~/mail/outbox.server';
import { signatureOf } from '~/mail/render.server';
import { paragraph, type ReadContents } from '~/mail/sections';
import { blindIndexes, sealColumn, unsealColumn } from '~/sealing/seal.server';
import {
  type ApplicationRow,
  findApplication,
  listApplicationsByEmail,
  listApplicationsOfUser,
} from '~db/queries/applications.server';
import {
  type ContactMessageRow,
  type ContactReplyRow,
  findContactMessage,
  listContactMessagesOf,
  listMessagesWith,
  listRepliesTo,
  settleMessages,
} from '~db/queries/contact-messages.server';
import { holdLimits } from '~db/queries/outbox.server';
import { rowsIn } from '~db/queries/rows.server';
import { findUser, findUserByEmail } from '~db/queries/users.server';
import type { Database } from '~db/schema';
import { emailOfMessage, keepMessage, senderIndexes, textOfMessage } from './messages.server';

/** What a conversation is read from: a message, or an application; of a case's message both. */
export interface About {
  message?: ContactMessageRow | undefined;
  application?: ApplicationRow | undefined;
}

export const textOfReply = (reply: Pick<ContactReplyRow, 'id' | 'text_sealed'>) =>
  unsealColumn('contact_replies', reply, 'text_sealed');

export async function threadOf(db: Database, { message, application }: About) {
  const addressee = application && (await addresseeOf(db, application));
  const written = message && emailOfMessage(message);
  const known = [written, addressee?.to, application && applicationEmail(application)];
  const emails = [...new Set(known.flatMap((email) => (email ? normalizeEmail(email) : [])))];
  const indexes = emails.flatMap(senderIndexes);
  const applications = new Map(application && [[application.id, application]]);
  const ofAddress = emails.flatMap((email) => blindIndexes(APPLICATION_EMAIL, email));
  for (const row of emails.length > 0 ? await listApplicationsByEmail(db, ofAddress) : []) {
    applications.set(row.id, row);
  }
  for (const email of emails) {
    const owner = await findUserByEmail(db, 'traveller', email);
    // Who has not shown an address to be theirs has nothing by it.
    if (!owner?.email_verified_at) continue;
    for (const row of await listApplicationsOfUser(db, owner.id)) applications.set(row.id, row);
  }
  const ids = [...applications.keys()];
  const messages = await listMessagesWith(db, indexes, ids);
  const all = await listRepliesTo(db, {
    messages: messages.map(({ id }) => id),
    applications: ids,
  });
  const to = message ? { to: emailOfMessage(message), language: message.language_code } : undefined;
  return {
    key: indexes[0] ?? application?.id ?? '',
    addressee: addressee ?? to,
    applications: [...applications.values()],
    messages,
    replies: all.filter(({ sent_at }) => sent_at !== null),
    drafts: all.filter(({ sent_at }) => sent_at === null),
  };
}
export type Thread = Awaited<ReturnType<typeof threadOf>>;

/** What somebody has read of a thread when they write: the latest answer. */
export const seenOf = ({ replies: [latest] }: Thread): string => latest?.id ?? '';

type Written = { text: string; staffId: string };

const draftOf = ({ message, application }: About) =>
  application ? { application_id: application.id } : { message_id: message?.id ?? '' };

export async function keepDraft(
  db: Database,
  about: About,
  { text, fields, staffId }: Written & { fields: readonly string[] },
  now: Date,
) {
  const own = draftOf(about);
  const known = { ...own, written_by: staffId, sent_at: null };
  const draft = await rowsIn(db).find('contact_replies', known);
  if (text.trim() === '' && fields.length === 0) return endDraft(db, about, staffId);
  const id = draft?.id ?? randomUUID();
  const text_sealed = sealColumn('contact_replies', id, 'text_sealed', text);
  const kept = { text_sealed, fields: JSON.stringify(fields) };
  if (draft) return void (await rowsIn(db).update('contact_replies', { id }, kept).execute());
  const row = { id, message_id: null, application_id: null, ...own, ...kept };
  await rowsIn(db).insert('contact_replies', {
    ...{ ...row, written_by: staffId, created_at: now.toISOString(), sent_at: null },
  });
}

export async function endDraft(db: Database, about: About, staffId: string): Promise<void> {
  const known = { ...draftOf(about), written_by: staffId, sent_at: null };
  await rowsIn(db).delete('contact_replies', known).execute();
}

/** Until the transaction ends, for who writes to it. @returns undefined if somebody has answered since */
export async function holdThread(db: Database, about: About, seen: string | undefined, now: Date) {
  const { key } = await threadOf(db, about);
  await holdLimits(db, [`conversation ${key}`], now);
  const thread = await threadOf(db, about);
  return seen === undefined || seenOf(thread) === seen ? thread : undefined;
}

export async function settle(db: Database, { messages }: Thread, staffId: string, now: Date) {
  const open = messages.filter(({ state }) => state === 'new');
  await settleMessages(db, open, staffId, now);
  const by = { kind: 'staff', id: staffId } as const;
  for (const { id } of open) {
    await contactLead(db, { message_id: id }, staffId, now);
    await audit(db, by, 'message.answered', ['message', id], now);
  }
}

/** @returns `answered`: by somebody else, since it was read; `tooMany`: mails of the day */
export async function sendReply(
  db: Database,
  about: About,
  { text, seen, staffId }: Written & { seen: string | undefined },
  now: Date,
): Promise<'done' | 'gone' | 'answered' | 'tooMany'> {
  const thread = await holdThread(db, about, seen, now);
  if (!thread) return 'answered';
  if (!thread.addressee) return 'gone';
  const id = randomUUID();
  const at = now.toISOString();
  const message = about.message ?? thread.messages[0];
  const application_id = about.application?.id ?? message?.application_id ?? null;
  const isConfirmed =
    !about.application || isCase(about.application) || 'userId' in thread.addressee;
  const mail = {
    ...({ kind: 'messageAnswer', parameters: { reply: id } } as const),
    ...(!isConfirmed && { unverified: { client: `application ${application_id}` } }),
  };
  if (!(await queueMail(db, { ...thread.addressee, ...mail }, now))) return 'tooMany';
  await rowsIn(db).insert('contact_replies', {
    ...{ id, message_id: message?.id ?? null, application_id, fields: null },
    text_sealed: sealColumn('contact_replies', id, 'text_sealed', text),
    ...{ written_by: staffId, created_at: at, sent_at: at },
  });
  await endDraft(db, about, staffId);
  if (message?.state !== 'new') {
    const by = { kind: 'staff', id: staffId } as const;
    const subject = message ? (['message', message.id] as const) : undefined;
    await audit(db, by, 'message.answered', subject ?? ['application', application_id ?? ''], now);
    if (message) await settleMessages(db, [message], staffId, now);
  }
  if (application_id) await contactLead(db, { application_id }, staffId, now);
  await settle(db, thread, staffId, now);
  return 'done';
}

/** As a mail has it: "Re: …", and our reference, by which mail programs and people find it. */
export function subjectOf({ message, application }: About, language: Language): string {
  const t = translator(language);
  const asked = message && textOfMessage(message).subject.replace(/^(re|aw)\s*:\s*/i, '');
  const subject = asked === undefined ? t('mail:letter.unasked') : `Re: ${asked}`;
  return application ? `${subject} [${application.reference}]` : subject;
}

const paragraphsOf = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const answerContents: ReadContents = async (db, { language, parameters }) => {
  const reply = await rowsIn(db).find('contact_replies', { id: parameters['reply'] ?? '' });
  if (!reply) return null;
  const about = await aboutOf(db, reply);
  const writer = await findUser(db, reply.written_by);
  const owner = about.application && { applicationId: about.application.id };
  const link = { purpose: 'replyMessage', payload: reply.id, ...owner } as const;
  const url = new URL('/contact', siteOrigin());
  url.searchParams.set('reply', await issueToken(db, link, clockNow()));
  url.searchParams.set('lng', language);
  const t = translator(language);
  const { message } = about;
  const quoted = message && {
    title: t('mail:letter.quoted', { at: formatMoment(new Date(message.created_at), language) }),
    blocks: paragraphsOf(textOfMessage(message).message).map(paragraph),
  };
  return {
    letter: {
      subject: subjectOf(about, language),
      paragraphs: [
        ...paragraphsOf(textOfReply(reply)),
        ...signatureOf(writer?.first_name, language),
      ],
      button: { words: t('mail:letter.button'), url: url.href, copy: t('mail:copyAddress') },
    },
    sections: quoted ? [quoted] : [],
    links: [],
  };
};

const aboutOf = async (db: Database, { message_id, application_id }: ContactReplyRow) => ({
  message: message_id === null ? undefined : await findContactMessage(db, message_id),
  application: application_id === null ? undefined : await findApplication(db, application_id),
});

/** What a mailed link leads back to; undefined if its time is over, or the answer is gone. */
export async function linkedReply(db: Database, token: string, now: Date) {
  const link = await lastingLink(db, 'replyMessage', token, now);
  const reply = link && (await rowsIn(db).find('contact_replies', { id: link.payload ?? '' }));
  return reply && { reply, ...(await aboutOf(db, reply)) };
}

/** What its reader writes back goes into the thread. @returns false if the link leads nowhere any more */
export async function answerByLink(db: Database, token: string, text: string, now: Date) {
  const found = await linkedReply(db, token, now);
  if (!found) return false;
  const { reply, message, application } = found;
  const addressee = application && (await addresseeOf(db, application));
  const email = message ? emailOfMessage(message) : addressee?.to;
  if (email === undefined) return false;
  const row = message ?? application;
  const language = row ? mailLanguage(row) : toLanguage('fr')!;
  const name = application && unsealColumn('applications', application, 'name_sealed');
  const asked = message
    ? textOfMessage(message)
    : { name: name ?? email, subject: translator(language)('mail:letter.unasked') };
  const who = { name: asked.name, subject: asked.subject, isLinked: true };
  await keepMessage(
    db,
    { email, message: text, category: message?.category ?? undefined, ...who },
    {
      language,
      applicationId: reply.application_id,
      assignedTo: application?.assigned_to ?? reply.written_by,
    },
    now,
  );
  return true;
}

export async function exportMessages(
  db: Database,
  { email, isVerified }: { email: string; isVerified: boolean },
) {
  if (!isVerified) return [];
  const exported = [];
  for (const row of await listContactMessagesOf(db, senderIndexes(email))) {
    exported.push({
      sent_at: row.created_at,
      state: row.state,
      language: toLanguage(row.language_code) ?? null,
      closed_at: row.closed_at,
      ...textOfMessage(row),
      answers: await exportReplies(db, { messages: [row.id], applications: [] }),
    });
  }
  return exported;
}

export async function exportReplies(db: Database, of: Parameters<typeof listRepliesTo>[1]) {
  const sent = (await listRepliesTo(db, of)).filter(({ sent_at }) => sent_at !== null).reverse();
  return sent.map((reply) => ({ sent_at: reply.sent_at, text: textOfReply(reply) }));
}
