import { min, subDays, subSeconds } from 'date-fns';

import { now as clockNow } from '~/clock.server';
import { UNVERIFIED_LIMITS } from '~/domain/outbox';
import { retentionLimit, RUN_LIFETIME_S } from '~/domain/retention';
import { env } from '~/env.server';
import { siteSettings } from '~/settings/settings.server';
import { untilNone } from '~/until-none';
import type { Database } from '~db/schema';
import { deleteAuditEventsBefore } from '~db/queries/audit-events.server';
import { deleteAssessmentsBefore, forgetDeletionsBefore } from '~db/queries/assessments.server';
import { insertDeletion } from '~db/queries/deletions.server';
import { deleteEventsBefore } from '~db/queries/payment-events.server';
import { deleteStandInNewsBefore } from '~db/queries/stand-in-objects.server';
import {
  deleteMessagesBefore,
  forgetClientsBefore,
  forgetRendered,
} from '~db/queries/outbox.server';
import type { Erase } from './jobs';

export interface Purged {
  assessments: number;
  messages: number;
}

/** Deletes what is past its retention time: saved assessments, and sent messages. */
export async function purge(erase: Erase, now: Date): Promise<Purged> {
  const { assessmentDays, mailDays } = siteSettings();
  const all = (part: (db: Database) => Promise<number>) => untilNone(() => erase(part));
  await erase((db) => forgetDeletionsBefore(db, subSeconds(now, RUN_LIFETIME_S)));
  const messages = await all((db) => deleteMessagesBefore(db, retentionLimit(now, mailDays)));
  // Who asked for a message is known for as long as it counts.
  await all((db) => forgetClientsBefore(db, UNVERIFIED_LIMITS.to.since(now)));
  // Since a mail server is set, nothing is shown any more.
  if (env().mail) await all(forgetRendered);
  const limit = retentionLimit(now, assessmentDays);
  return { assessments: await all((db) => deleteAssessmentsBefore(db, limit)), messages };
}

/** The provider tells of an event for three days, and lets an operator send it anew for thirty. */
const PAYMENT_NEWS_DAYS = 60;

/**
 * Deletes the events of the payment provider that were taken, and nobody is told of again; and what its
 * stand-in remembers of calls and of events that were delivered. Orders, refunds and payments stay.
 *
 * @returns how many there were
 */
export async function purgePaymentNews(erase: Erase, now: Date): Promise<{ events: number }> {
  const limit = subDays(now, PAYMENT_NEWS_DAYS);
  const taken = await untilNone(() => erase((db) => deleteEventsBefore(db, limit)));
  const told = await untilNone(() => erase((db) => deleteStandInNewsBefore(db, limit)));
  return { events: taken + told };
}

/**
 * Deletes some of the audit events that were kept as long as they must be, and remembers that and how many.
 * Who asks what would be due later is told nothing of it: the database keeps them by the real clock.
 *
 * @returns how many
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
