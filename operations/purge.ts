import { min, subSeconds } from 'date-fns';

import { now as clockNow } from '~/clock.server';
import { UNVERIFIED_LIMITS } from '~/domain/outbox';
import { retentionLimit, RUN_LIFETIME_S } from '~/domain/retention';
import { env } from '~/env.server';
import { siteSettings } from '~/settings/settings.server';
import type { Database } from '~db/schema';
import { deleteAuditEventsBefore } from '~db/queries/audit-events.server';
import { deleteAssessmentsBefore, forgetDeletionsBefore } from '~db/queries/assessments.server';
import { insertDeletion } from '~db/queries/deletions.server';
import {
  deleteMessagesBefore,
  forgetClientsBefore,
  forgetRendered,
} from '~db/queries/outbox.server';

/** What a purge has deleted. */
export interface Purged {
  assessments: number;
  messages: number;
}

/** Deletes what is past its retention time: saved assessments, and sent messages. */
export async function purge(db: Database, now: Date): Promise<Purged> {
  const { assessmentDays, mailDays } = siteSettings();
  await forgetDeletionsBefore(db, subSeconds(now, RUN_LIFETIME_S));
  const messages = await deleteMessagesBefore(db, retentionLimit(now, mailDays));
  // Who asked for a message is known for as long as it counts.
  await forgetClientsBefore(db, UNVERIFIED_LIMITS.to.since(now));
  // Since a mail server is set, nothing is shown any more.
  if (env().mail) await forgetRendered(db);
  const limit = retentionLimit(now, assessmentDays);
  return { assessments: await deleteAssessmentsBefore(db, limit), messages };
}

/**
 * Deletes the audit events that were kept as long as they must be, and remembers that and how many.
 * Who asks what would be due later is told nothing of it: the database keeps them by the real clock.
 *
 * @returns how many there were
 */
export async function purgeAudit(db: Database, now: Date): Promise<number> {
  const limit = min([now, clockNow()]);
  const events = await deleteAuditEventsBefore(db, limit);
  if (events > 0) {
    const id = `until ${limit.toISOString()}`;
    await insertDeletion(db, { subject: 'audit', id, reason: 'retention', howMany: events }, limit);
  }
  return events;
}
