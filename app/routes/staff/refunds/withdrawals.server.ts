import { redirect } from '@remix-run/node';
import { z } from 'zod/v4';

import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { readReference } from '~/domain/application/reference';
import { refuse } from '~/http/form.server';
import { wakeOutbox } from '~/mail/outbox.server';
import { assignWithdrawal, closeWithdrawal } from '~/orders/apply-withdrawals.server';
import { contractAmong } from '~/orders/withdrawals.server';
import { listOrdersByReference } from '~db/queries/orders.server';

/** What was done, for the page that follows. */
export const DONE = ['assigned', 'closed'] as const;

/**
 * Sees to a withdrawal that was not matched: it belongs to an order after all, or is done with.
 *
 * @throws {Response} 400 for fields that no page has
 */
export async function seeTo(intent: 'assign' | 'close', sent: FormData, staffId: string) {
  const id = sent.get('id');
  if (typeof id !== 'string' || !z.uuid().safeParse(id).success) {
    throw new Response(null, { status: 400 });
  }
  const asked = sent.get('reference');
  const typed = { id, reference: typeof asked === 'string' ? asked : '' };
  const done = await requireDatabase(async (db) => {
    if (intent === 'close') return closeWithdrawal(db, id, { staffId }, now());
    const reference = readReference(typed.reference) ?? 'none';
    const order = contractAmong(await listOrdersByReference(db, reference));
    if (!order) return undefined;
    return assignWithdrawal(db, id, { orderId: order.id, staffId }, now());
  }, writeDatabase);
  if (done === undefined) return refuse('invalid', { typed, errors: { reference: 'unknown' } });
  if (!done) return refuse('changed', {}, { status: 409 });
  wakeOutbox();
  return redirect(`/crm/refunds?done=${intent === 'assign' ? 'assigned' : 'closed'}`, 303);
}
