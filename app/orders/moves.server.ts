import { type AuditEvent, recordEvent } from '~/accounts/audit.server';
import { type OrderEvent, orderMove } from '~/domain/order/states';
import type { OrderRow } from '~db/queries/orders.server';
import type { Database } from '~db/schema';
import { type Move, moveRow } from '~db/queries/versioned-rows.server';

/** What changes with the state of an order, and who changes it. */
interface OrderMoveOptions {
  actor?: AuditEvent['actor'];
  set?: Omit<Move<'orders'>, 'state'>;
  /** Codes for the audit, besides event and states. */
  details?: Record<string, string | number | boolean>;
  /** What of the price was refunded so far, in cents. */
  refunded?: number;
}

/**
 * Moves an order by the table of states, in the transaction `db`: compare-and-set on the state and
 * version of `order`, and an audit event with codes only.
 *
 * @returns the order as it is now; undefined if its state does not know the event, or has changed
 */
export async function moveOrder(
  db: Database,
  order: OrderRow,
  event: OrderEvent,
  { actor = { kind: 'system' }, set = {}, details = {}, refunded = 0 }: OrderMoveOptions,
  now: Date,
): Promise<OrderRow | undefined> {
  const state = orderMove(order.state, event, { paid: order.amount_cents, refunded });
  if (state === undefined) return undefined;
  if (!(await moveRow(db, 'orders', order, { ...set, state }))) return undefined;
  await recordEvent(
    db,
    {
      action: 'order.moved',
      actor,
      subject: { type: 'order', id: order.id },
      details: { event, from: order.state, to: state, ...details },
    },
    now,
  );
  return { ...order, ...set, state, version: order.version + 1 } as OrderRow;
}
