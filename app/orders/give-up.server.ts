import type { AuditEvent } from '~/accounts/audit.server';
import { moveApplication } from '~/applications/moves.server';
import { dayOf } from '~/clock.server';
import { eventsFrom } from '~/domain/application/states';
import { refundDueDay } from '~/domain/order/deadlines';
import type { RefundKind } from '~/domain/order/states';
import { formatDay } from '~/i18n/format.server';
import { mailLanguage } from '~/mail/language';
import { siteSettings } from '~/settings/settings.server';
import type { Database } from '~db/schema';
import { findApplication, lockApplication } from '~db/queries/applications.server';
import { findOrder, lockOrder, type OrderRow } from '~db/queries/orders.server';
import type { RefundRow } from '~db/queries/refunds.server';
import { tellBuyer } from './refund-moves.server';
import { openRefund } from './refunds.server';

interface Asked {
  kind: Extract<RefundKind, 'withdrawal' | 'guarantee' | 'cancellation'>;
  /** The traveller's own words. */
  reason?: string | undefined;
}

/**
 * An order as it is now; whoever else changes it, its refunds or its application waits for the end of
 * this transaction. The application first, as everywhere: two that wait for each other would wait for
 * ever.
 *
 * @returns undefined if there is none
 */
export async function holdContract(db: Database, orderId: string): Promise<OrderRow | undefined> {
  const order = await findOrder(db, orderId);
  if (!order) return undefined;
  await lockApplication(db, order.application_id);
  return lockOrder(db, orderId);
}

/**
 * Ends a contract, in the transaction `db` that holds it (`holdContract`): the application is cancelled if
 * nothing was filed yet, a refund opened, and who bought is told until when it is paid.
 *
 * @param asked `actor`: who gives the contract up, for the audit
 * @returns the refund; undefined if there is nothing to refund
 */
export async function giveUp(
  db: Database,
  order: OrderRow,
  { actor, ...asked }: Asked & { actor: AuditEvent['actor'] },
  now: Date,
): Promise<RefundRow | undefined> {
  await cancelBeforeFiling(db, order.application_id, actor, now);
  return askForRefund(db, order, asked, now);
}

/**
 * Opens a refund, and tells who bought until when it is paid; in the transaction `db`, with
 * `wakeOutbox()` after it.
 *
 * @returns the refund, also one that was open before; undefined if there is nothing to refund
 */
export async function askForRefund(
  db: Database,
  order: OrderRow,
  asked: Asked,
  now: Date,
): Promise<RefundRow | undefined> {
  const opened = await openRefund(db, order, asked, now);
  // Of one that was open before, the mail has gone.
  if (opened?.created_at !== now.toISOString()) return opened;
  const language = mailLanguage(order);
  const { paidToDays } = siteSettings().guarantee;
  const due = refundDueDay(opened.kind, dayOf(now), paidToDays);
  const message = {
    kind: opened.kind === 'withdrawal' ? 'refundAfterWithdrawal' : 'refundRequested',
    cents: opened.amount_cents,
    parameters: { day: formatDay(due, language) },
  } as const;
  await tellBuyer(db, order, message, now);
  return opened;
}

/** Cancels an application for its owner; one that was filed, has ended or is gone stays as it is. */
async function cancelBeforeFiling(
  db: Database,
  id: string,
  actor: AuditEvent['actor'],
  now: Date,
): Promise<void> {
  const row = await findApplication(db, id);
  if (!row || !eventsFrom(row.state, 'owner').includes('cancel')) return;
  await moveApplication(db, row, 'cancel', { as: 'owner', actor, facts: {} }, now);
}
