import { type Duration, min, sub } from 'date-fns';

import {
  expireSome,
  purgePhotos,
  purgeSomeCases,
  removeSome,
  tellOwners,
} from '~/applications/retention.server';
import { now as clockNow } from '~/clock.server';
import { SESSION_LIFETIMES, triesLimit, unconfirmedLimit } from '~/domain/accounts';
import { UNVERIFIED_LIMITS } from '~/domain/outbox';
import { EXPIRED_DAYS, orderLimit, PAYMENT_NEWS_DAYS, RUN_LIFETIME_S } from '~/domain/retention';
import { env } from '~/env.server';
import { purgeMessages } from '~/messages/messages.server';
import { purgeSomeOrders } from '~/orders/order.server';
import { siteSettings } from '~/settings/settings.server';
import { type Erase, untilNone } from '~/until-none';
import type { Database } from '~db/schema';
import { deleteAssessmentsBefore, forgetDeletionsBefore } from '~db/queries/assessments.server';
import { deleteAuditEventsBefore } from '~db/queries/audit-events.server';
import { insertDeletion } from '~db/queries/deletions.server';
import { deleteTokensBefore } from '~db/queries/one-time-tokens.server';
import { deleteWithdrawalsBefore } from '~db/queries/order-retention.server';
import {
  deleteMessagesBefore,
  forgetClientsBefore,
  forgetRendered,
} from '~db/queries/outbox.server';
import { deleteEventsBefore } from '~db/queries/payment-events.server';
import { deleteSessionsBefore } from '~db/queries/sessions.server';
import { deleteStandInNewsBefore } from '~db/queries/stand-in-objects.server';
import { deleteTriesBefore } from '~db/queries/throttles.server';
import { deleteUnconfirmed, listUnconfirmedBefore } from '~db/queries/users.server';

interface Kept {
  what: string;
  /** What was there, or has come to its end, before this instant goes. */
  before(now: Date): Date;
  /** Deletes some of it. @returns how much */
  erase(db: Database, before: Date, now: Date): Promise<number>;
}

interface Work {
  what: string;
  run(erase: Erase, now: Date): Promise<number>;
}

const ago = (duration: () => Duration) => (now: Date) => sub(now, duration());
const newsLimit = ago(() => ({ days: PAYMENT_NEWS_DAYS }));

/** What is deleted by itself, after how long, and by which query, in its order, by the job that does it. */
const RETENTION = {
  site: [
    {
      what: 'assessments',
      before: ago(() => ({ days: siteSettings().assessmentDays })),
      erase: deleteAssessmentsBefore,
    },
    {
      what: 'messages',
      before: ago(() => ({ days: siteSettings().mailDays })),
      erase: deleteMessagesBefore,
    },
    // Who asked for a message is known for as long as it counts.
    { what: 'clients', before: UNVERIFIED_LIMITS.to.since, erase: forgetClientsBefore },
    // Since a mail server is set, nothing is shown any more.
    {
      what: 'rendered',
      before: (now) => now,
      erase: async (db) => (env().mail ? forgetRendered(db) : 0),
    },
    {
      what: 'deletions',
      before: ago(() => ({ seconds: RUN_LIFETIME_S })),
      erase: forgetDeletionsBefore,
    },
  ],
  audit: [
    // Who asks what would be due later is told nothing: the database keeps them by the real clock.
    { what: 'events', before: (now) => min([now, clockNow()]), erase: purgeSomeEvents },
  ],
  drafts: [
    // Before anything goes: what is untold after this could not be told.
    { what: 'notices', run: (erase, now) => tellOwners('draftEnds', erase, now) },
    {
      what: 'expired',
      before: ago(() => ({ days: siteSettings().draftDays })),
      erase: expireSome,
    },
    { what: 'removed', before: ago(() => ({ days: EXPIRED_DAYS })), erase: removeSome },
  ],
  photos: [{ what: 'photos', run: purgePhotos }],
  cases: [
    { what: 'notices', run: (erase, now) => tellOwners('caseEnds', erase, now) },
    {
      what: 'cases',
      before: ago(() => ({ days: siteSettings().caseDays })),
      erase: purgeSomeCases,
    },
  ],
  orders: [
    {
      what: 'orders',
      before: (now) => orderLimit(now, siteSettings().orderYears),
      erase: purgeSomeOrders,
    },
    // No order was found for them: as long after they were seen to as it is remembered who did what.
    {
      what: 'withdrawals',
      before: ago(() => ({ years: siteSettings().auditYears })),
      erase: deleteWithdrawalsBefore,
    },
  ],
  messages: [{ what: 'messages', before: (now) => now, erase: purgeMessages }],
  accounts: [
    { what: 'sessions', before: (now) => now, erase: deleteEndedSessions },
    { what: 'links', before: (now) => now, erase: deleteTokensBefore },
    { what: 'tries', before: triesLimit, erase: deleteTriesBefore },
    { what: 'accounts', before: unconfirmedLimit, erase: purgeUnconfirmed },
  ],
  /** Orders, refunds and payments stay. */
  paymentNews: [
    { what: 'events', before: newsLimit, erase: deleteEventsBefore },
    { what: 'events', before: newsLimit, erase: deleteStandInNewsBefore },
  ],
} satisfies Record<string, readonly (Kept | Work)[]>;

export async function purge(
  job: keyof typeof RETENTION,
  erase: Erase,
  now: Date,
): Promise<Record<string, number>> {
  const done: Record<string, number> = {};
  for (const part of RETENTION[job] as readonly (Kept | Work)[]) {
    const count =
      'run' in part
        ? await part.run(erase, now)
        : await untilNone(() => erase((db) => part.erase(db, part.before(now), now)));
    done[part.what] = (done[part.what] ?? 0) + count;
  }
  return done;
}

async function purgeSomeEvents(db: Database, limit: Date): Promise<number> {
  const howMany = await deleteAuditEventsBefore(db, limit);
  if (howMany > 0) {
    const id = `until ${limit.toISOString()}`;
    await insertDeletion(db, { subject: 'audit', id, reason: 'retention', howMany }, limit);
  }
  return howMany;
}

function deleteEndedSessions(db: Database, now: Date): Promise<number> {
  const { traveller, staff } = SESSION_LIFETIMES;
  const idleTraveller = sub(now, { seconds: traveller.idle });
  return deleteSessionsBefore(db, {
    now,
    idleTraveller,
    idleStaff: sub(now, { seconds: staff.idle }),
  });
}

async function purgeUnconfirmed(db: Database, limit: Date, now: Date): Promise<number> {
  let accounts = 0;
  for (const id of await listUnconfirmedBefore(db, limit)) {
    // Confirmed in the meantime, it stays.
    if (!(await deleteUnconfirmed(db, id))) continue;
    await insertDeletion(db, { subject: 'user', id, reason: 'unconfirmed' }, now);
    accounts += 1;
  }
  return accounts;
}
