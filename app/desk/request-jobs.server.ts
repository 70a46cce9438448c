import { subDays } from 'date-fns';

import { tellOfMissing } from '~/applications/documents.server';
import { missingPictures } from '~/applications/pictures.server';
import { audit, SYSTEM } from '~/accounts/audit.server';
import { dayOf } from '~/clock.server';
import { REMINDER_DAYS, remindersDue } from '~/domain/application/requests';
import { refundDueDay } from '~/domain/order/deadlines';
import { formatDay } from '~/i18n/locale.server';
import { mailLanguage } from '~/mail/language';
import { openRefund } from '~/orders/refunds.server';
import { siteSettings } from '~/settings/settings.server';
import { eachUntilNone, type SecureWrite } from '~/until-none';
import {
  findOpenRequest,
  listUnanswered,
  listUnreminded,
  noteReminders,
  type RequestRow,
} from '~db/queries/application-requests.server';
import { type ApplicationRow, lockApplication } from '~db/queries/applications.server';
import { findFulfilledOrder } from '~db/queries/orders.server';
import type { Database } from '~db/schema';
import { moveApplication } from '~/applications/moves.server';
import { answerBy, isOwnRequest } from '~/applications/requests.server';
import { tellTraveller } from '~/applications/address.server';

const AT_ONCE = 50;

/** Of several missed reminders the latest is sent. Idempotent. */
export async function followRequests(run: SecureWrite, now: Date) {
  const before = subDays(now, siteSettings().answerDays);
  // First, so that nobody is reminded of what is over.
  const lapsed = await eachUntilNone(
    () => run((db) => listUnanswered(db, before, AT_ONCE)),
    (id) => run((db) => lapse(db, id, now)),
  );
  let reminders = 0;
  for (const [index, days] of REMINDER_DAYS.entries()) {
    const due = { before: subDays(now, days), fewerThan: index + 1, limit: AT_ONCE };
    reminders += await eachUntilNone(
      () => run((db) => listUnreminded(db, due)),
      (request) => run((db) => remind(db, request, now)),
    );
  }
  return { lapsed, reminders };
}

async function lapse(db: Database, id: string, now: Date): Promise<boolean> {
  const row = await lockApplication(db, id);
  const request = row?.state === 'action_required' ? await findOpenRequest(db, id) : undefined;
  // Who answers at this moment was faster.
  if (!row || !request || answerBy(request) > now) return false;
  const by = {
    as: 'system',
    actor: SYSTEM,
    facts: { answerOverdue: true },
    set: { paused_at: null },
  } as const;
  const { moved } = await moveApplication(db, row, 'lapse', by, now);
  if (!moved) return false;
  const order = await findFulfilledOrder(db, id);
  if (order) await openRefund(db, order, { kind: 'cancellation' }, now);
  const due = refundDueDay('cancellation', dayOf(now), siteSettings().guarantee.paidToDays);
  const day = formatDay(due, mailLanguage(moved));
  await tellTraveller(db, moved, 'requestLapsed', { day }, now);
  return true;
}

async function remind(db: Database, listed: RequestRow, now: Date): Promise<boolean> {
  const row = await lockApplication(db, listed.application_id);
  const request = await findOpenRequest(db, listed.application_id);
  // Answered at this moment, or reminded of by another server.
  if (!row || request?.id !== listed.id) return false;
  const count = remindersDue(new Date(request.created_at), now);
  if (count <= request.reminders || !(await noteReminders(db, request, count))) return false;
  await tellOf(db, row, request, now);
  await audit(db, SYSTEM, 'request.reminded', ['application', row.id], now, { count });
  return true;
}

async function tellOf(db: Database, row: ApplicationRow, request: RequestRow, now: Date) {
  if (isOwnRequest(request)) {
    return tellOfMissing(db, row, await missingPictures(db, row.id), now);
  }
  return tellTraveller(db, row, 'requestReminder', { due: answerBy(request).toISOString() }, now);
}
