import { languageOfUser } from '~/accounts/user-language';
import { DEFAULT_LANGUAGE, toLanguage } from '~/i18n/languages';
import { queueMail } from '~/mail/outbox.server';
import type { Database } from '~db/schema';
import { noteEndUntold } from '~db/queries/application-retention.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { findUser } from '~db/queries/users.server';
import { addressOf } from './address.server';

/**
 * Tells the owner of an application that was noted as told when its answers will be deleted, in the
 * owner's language.
 *
 * @returns whether a mail was queued
 */
export async function queueEndNotice(
  db: Database,
  row: ApplicationRow,
  { kind, due }: { kind: 'draftEnds' | 'caseEnds'; due: Date },
  now: Date,
): Promise<boolean> {
  const user = row.user_id === null ? undefined : await findUser(db, row.user_id);
  const to = user ? user.email : addressOf(row);
  if (to === undefined) return false;
  const isQueued = await queueMail(
    db,
    {
      kind,
      to,
      language: user ? languageOfUser(user) : (toLanguage(row.language_code) ?? DEFAULT_LANGUAGE),
      applicationId: row.id,
      parameters: { reference: row.reference, due: due.toISOString() },
      // Nobody asks for it: of what one client may cause, each application has its own share.
      ...(user ? { userId: user.id } : { unverified: { client: `application ${row.id}` } }),
    },
    now,
  );
  // The address has had all the mails of a day: an hour later it is tried again.
  if (!isQueued) await noteEndUntold(db, row.id);
  return isQueued;
}
