import { endAfterNotice } from '~/domain/application/retention';
import { queueMail } from '~/mail/outbox.server';
import { SealError } from '~/sealing/seal.server';
import type { Database } from '~db/schema';
import { noteEndUntold } from '~db/queries/application-retention.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { addresseeOf } from './traveller-mail.server';

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
  const addressee = await addresseeOf(db, row).catch((error: unknown) => {
    // One that does not open keeps nobody else's application from its end.
    if (error instanceof SealError) return undefined;
    throw error;
  });
  const mail = addressee && {
    kind,
    ...addressee,
    parameters: { reference: row.reference, due: endAfterNotice(end, now).toISOString() },
    // Nobody asks for it: of what one client may cause, each application has its own share.
    ...(!addressee.userId && { unverified: { client: `application ${row.id}` } }),
  };
  const isQueued = mail !== undefined && (await queueMail(db, mail, now));
  // The address has had all the mails of a day, or does not open: an hour later it is tried again.
  if (!isQueued) await noteEndUntold(db, row.id);
  return isQueued;
}
