import { endAfterNotice } from '~/domain/application/retention';
import { mailLanguage } from '~/mail/language';
import { queueMail } from '~/mail/outbox.server';
import { SealError } from '~/sealing/seal.server';
import type { Database } from '~db/schema';
import { noteEndUntold } from '~db/queries/application-retention.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { findUser } from '~db/queries/users.server';
import { addressOf } from './address.server';

/**
 * Tells the owner of an application that was noted as told when its answers will be deleted: a
 * week from now at least. Who could not be told is noted as untold again.
 *
 * @param end when its time is over
 * @returns whether a mail was queued
 */
export async function queueEndNotice(
  db: Database,
  row: ApplicationRow,
  { kind, end }: { kind: 'draftEnds' | 'caseEnds'; end: Date },
  now: Date,
): Promise<boolean> {
  const user = row.user_id === null ? undefined : await findUser(db, row.user_id);
  const to = user ? user.email : openedAddress(row);
  const isQueued =
    to !== undefined &&
    (await queueMail(
      db,
      {
        kind,
        to,
        language: mailLanguage(row),
        applicationId: row.id,
        parameters: { reference: row.reference, due: endAfterNotice(end, now).toISOString() },
        // Nobody asks for it: of what one client may cause, each application has its own share.
        ...(user ? { userId: user.id } : { unverified: { client: `application ${row.id}` } }),
      },
      now,
    ));
  // The address has had all the mails of a day, or does not open: an hour later it is tried again.
  if (!isQueued) await noteEndUntold(db, row.id);
  return isQueued;
}

/** One that does not open keeps nobody else's application from its end. */
function openedAddress(row: ApplicationRow): string | undefined {
  try {
    return addressOf(row);
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}
