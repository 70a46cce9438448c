import { type Duration, min, sub } from 'date-fns';

import {
  endLooks,
  expireSome,
  purgePhotos,
  purgeSomeCases,
  removeSome,
  tellOwners,
} from '~/applications/retention.server';
import { now as clockNow } from '~/clock.server';
import { SESSION_LIFETIMES, triesLimit, unconfirmedLimit } from '~/domain/accounts';
import { UNVERIFIED_LIMITS } from '~/domain/outbox';
import { EXPIRED_DAYS, orderLimit, PAYMENT_EVENT_DAYS, RUN_LIFETIME_S } from '~/domain/retention';
import { env } from '~/env.server';
import { purgeMessages } from '~/messages/messages.server';
import { purgeSomeOrders } from '~/orders/order.server';
import { siteSettings } from '~/settings/settings.server';
import { countDone, type SecureWrite, untilNone } from '~/until-none';
import type { Database, Schema } from '~db/schema';
import { insertDeletion } from '~db/queries/deletions.server';
import { deleteWithdrawalsBefore } from '~db/queries/orders.server';
import {
  deleteMessagesBefore,
  forgetClientsBefore,
  forgetRendered,
} from '~db/queries/outbox.server';
import { type Column, rowsIn } from '~db/queries/rows.server';
import { deleteSessionsBefore } from '~db/queries/sessions.server';
import { deleteStandInEventsBefore } from '~db/queries/stand-in-objects.server';
import { deleteUnconfirmed, listUnconfirmedBefore } from '~db/queries/users.server';

type Part = { what: string; run: (write: SecureWrite, now: Date) => Promise<number> };

const kept = (
  what: string,
  before: (now: Date) => Date,
  remove: (db: Database, before: Date, now: Date) => Promise<number>,
): Part => ({
  what,
  run: (write, now) => untilNone(() => write((db) => remove(db, before(now), now))),
});

/** The rows of a table, of which the key and the instant stand in these columns. */
const rowsOf =
  <T extends keyof Schema>(table: T, ...columns: [key: Column<T>, at: Column<T>]) =>
  (db: Database, before: Date) =>
    rowsIn(db).deleteBefore(table, columns, before);

const ago = (duration: Duration) => (now: Date) => sub(now, duration);
type Days = 'assessmentDays' | 'mailDays' | 'draftDays' | 'caseDays';
const daysOf = (name: Days) => (now: Date) => sub(now, { days: siteSettings()[name] });
const eventLimit = ago({ days: PAYMENT_EVENT_DAYS });
const atOnce = (now: Date) => now;

/** What is deleted by itself, after how long, and by which query, in its order, by the job that does it. */
const RETENTION = {
  site: [
    kept(
      'assessments',
      daysOf('assessmentDays'),
      rowsOf('eligibility_assessments', 'id', 'completed_at'),
    ),
    kept('messages', daysOf('mailDays'), deleteMessagesBefore),
    // Who asked for a message is known for as long as it counts.
    kept('clients', UNVERIFIED_LIMITS.to.since, forgetClientsBefore),
    // Since a mail server is set, nothing is shown any more.
    kept('rendered', atOnce, async (db) => (env().mail ? forgetRendered(db) : 0)),
    kept(
      'deletions',
      ago({ seconds: RUN_LIFETIME_S }),
      rowsOf('deleted_assessments', 'session_hash', 'deleted_at'),
    ),
  ],
  // Who asks what would be due later is told nothing: the database keeps them by the real clock.
  audit: [kept('events', (now) => min([now, clockNow()]), purgeSomeEvents)],
  drafts: [
    // Before anything goes: who is not notified after this could not be.
    { what: 'notices', run: (write, now) => tellOwners('draftEnds', write, now) },
    kept('expired', daysOf('draftDays'), expireSome),
    kept('removed', ago({ days: EXPIRED_DAYS }), removeSome),
  ],
  photos: [{ what: 'photos', run: purgePhotos }],
  cases: [
    { what: 'notices', run: (write, now) => tellOwners('caseEnds', write, now) },
    kept('cases', daysOf('caseDays'), purgeSomeCases),
    kept('cases', atOnce, endLooks),
  ],
  orders: [
    kept('orders', (now) => orderLimit(now, siteSettings().orderYears), purgeSomeOrders),
    // No order was found for them: as long after they were seen to as it is remembered who did what.
    kept(
      'withdrawals',
      (now) => sub(now, { years: siteSettings().auditYears }),
      deleteWithdrawalsBefore,
    ),
  ],
  messages: [kept('messages', atOnce, purgeMessages)],
  accounts: [
    kept('sessions', atOnce, deleteEndedSessions),
    kept('links', atOnce, rowsOf('one_time_tokens', 'token_hash', 'expires_at')),
    kept('tries', triesLimit, rowsOf('throttles', 'key', 'updated_at')),
    kept('accounts', unconfirmedLimit, purgeUnconfirmed),
  ],
  /** Orders, refunds and payments stay. */
  paymentEvents: [
    kept('events', eventLimit, rowsOf('payment_events', 'id', 'processed_at')),
    kept('events', eventLimit, deleteStandInEventsBefore),
  ],
} satisfies Record<string, readonly Part[]>;

export async function purge(job: keyof typeof RETENTION, write: SecureWrite, now: Date) {
  const done: Record<string, number> = {};
  for (const { what, run } of RETENTION[job] as readonly Part[]) {
    done[what] = (done[what] ?? 0) + (await run(write, now));
  }
  return done;
}

async function purgeSomeEvents(db: Database, limit: Date): Promise<number> {
  const howMany = await rowsIn(db).deleteBefore('audit_events', ['id', 'kept_until'], limit);
  if (howMany > 0) {
    const id = `until ${limit.toISOString()}`;
    await insertDeletion(db, { subject: 'audit', id, reason: 'retention', howMany }, limit);
  }
  return howMany;
}

function deleteEndedSessions(db: Database, now: Date): Promise<number> {
  const { traveller, staff } = SESSION_LIFETIMES;
  return deleteSessionsBefore(db, {
    now,
    idleTraveller: sub(now, { seconds: traveller.idle }),
    idleStaff: sub(now, { seconds: staff.idle }),
  });
}

async function purgeUnconfirmed(db: Database, limit: Date, now: Date): Promise<number> {
  return countDone(await listUnconfirmedBefore(db, limit), async (id) => {
    if (!(await deleteUnconfirmed(db, id))) return false;
    await insertDeletion(db, { subject: 'user', id, reason: 'unconfirmed' }, now);
    return true;
  });
}
