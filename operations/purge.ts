import { min, subDays, subSeconds } from 'date-fns';

import { now as clockNow } from '~/clock.server';
import { SESSION_LIFETIMES, triesLimit, unconfirmedLimit } from '~/domain/accounts';
import { UNVERIFIED_LIMITS } from '~/domain/outbox';
import { retentionLimit, RUN_LIFETIME_S } from '~/domain/retention';
import { env } from '~/env.server';
import { siteSettings } from '~/settings/settings.server';
import { untilNone } from '~/until-none';
import type { Database } from '~db/schema';
import { deleteAuditEventsBefore } from '~db/queries/audit-events.server';
import { deleteAssessmentsBefore, forgetDeletionsBefore } from '~db/queries/assessments.server';
import { insertDeletion } from '~db/queries/deletions.server';
import { deleteTokensBefore } from '~db/queries/one-time-tokens.server';
import { deleteEventsBefore } from '~db/queries/payment-events.server';
import { deleteSessionsBefore } from '~db/queries/sessions.server';
import { deleteStandInNewsBefore } from '~db/queries/stand-in-objects.server';
import { deleteTriesBefore } from '~db/queries/throttles.server';
import { deleteUnconfirmed, listUnconfirmedBefore } from '~db/queries/users.server';
import {
  deleteMessagesBefore,
  forgetClientsBefore,
  forgetRendered,
} from '~db/queries/outbox.server';
import type { Erase } from './jobs';

/** Deletes a part at a time, until nothing is left; returns how much it was. */
const inParts = (erase: Erase) => (part: (db: Database) => Promise<number>) =>
  untilNone(() => erase(part));

export interface Purged {
  assessments: number;
  messages: number;
}

/** Deletes what is past its retention time: saved assessments, and sent messages. */
export async function purge(erase: Erase, now: Date): Promise<Purged> {
  const { assessmentDays, mailDays } = siteSettings();
  const all = inParts(erase);
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
  const all = inParts(erase);
  const taken = await all((db) => deleteEventsBefore(db, limit));
  return { events: taken + (await all((db) => deleteStandInNewsBefore(db, limit))) };
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

/**
 * Deletes what has ended: sessions, links, the memory of tries, and accounts whose address nobody has
 * confirmed in 30 days, each with a line in `deletions`.
 *
 * @returns how many of each
 */
export async function purgeAccounts(erase: Erase, now: Date): Promise<Record<string, number>> {
  const all = inParts(erase);
  const ended = {
    now,
    idleTraveller: subSeconds(now, SESSION_LIFETIMES.traveller.idle),
    idleStaff: subSeconds(now, SESSION_LIFETIMES.staff.idle),
  };
  return {
    sessions: await all((db) => deleteSessionsBefore(db, ended)),
    links: await all((db) => deleteTokensBefore(db, now)),
    tries: await all((db) => deleteTriesBefore(db, triesLimit(now))),
    accounts: await all((db) => purgeSome(db, now)),
  };
}

async function purgeSome(db: Database, now: Date): Promise<number> {
  let accounts = 0;
  for (const id of await listUnconfirmedBefore(db, unconfirmedLimit(now))) {
    // Confirmed in the meantime, it stays.
    if (!(await deleteUnconfirmed(db, id))) continue;
    await insertDeletion(db, { subject: 'user', id, reason: 'unconfirmed' }, now);
    accounts += 1;
  }
  return accounts;
}
