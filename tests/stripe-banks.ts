/** What banks do with payments and refunds of the stand-in of Stripe, and what has come of it there. */
import {
  type DisputeObject,
  type EventObject,
  newId,
  type RefundObject,
  seconds,
  type SessionObject,
} from '../packages/stripe-stand-in/objects';
import type { StandIn } from '../packages/stripe-stand-in/stand-in';
import { add, emit, mustFind } from '../packages/stripe-stand-in/store';

/** What a traveller's bank does with a refund in the end; it may also give back what had arrived. */
export function endRefund(
  standIn: StandIn,
  id: string,
  outcome: { status: 'succeeded' } | { status: 'failed'; reason: string },
): Promise<RefundObject> {
  return standIn.change(async (context) => {
    const found = await mustFind(context, 'refund', id);
    if (found.data.status === outcome.status || found.data.status === 'failed') return found.data;
    const refund: RefundObject = { ...found.data, status: outcome.status };
    if (outcome.status === 'failed') {
      refund.failure_reason = outcome.reason;
      const payment = await mustFind(context, 'payment', refund.payment_intent);
      const refunded = payment.data.refunded - refund.amount;
      await context.objects.replace(payment, { data: { ...payment.data, refunded } });
    }
    await context.objects.replace(found, { data: refund });
    await emit(context, 'refund.updated', refund);
    if (outcome.status === 'failed') await emit(context, 'refund.failed', refund);
    return refund;
  });
}

/** A traveller's bank takes a payment back. */
export function openDispute(standIn: StandIn, paymentId: string): Promise<DisputeObject> {
  return standIn.change(async (context) => {
    const payment = await mustFind(context, 'payment', paymentId);
    const { amount, currency, refunded } = payment.data;
    const dispute: DisputeObject = {
      id: newId('du', context.now),
      object: 'dispute',
      amount: amount - refunded,
      created: seconds(context.now),
      currency,
      payment_intent: paymentId,
      status: 'needs_response',
    };
    await context.objects.replace(payment, { data: { ...payment.data, isDisputed: true } });
    await add(context, 'dispute', dispute.id, dispute);
    await emit(context, 'charge.dispute.created', dispute);
    return dispute;
  });
}

/** How a dispute ends: won, the money is ours again. */
export function closeDispute(
  standIn: StandIn,
  id: string,
  status: 'won' | 'lost',
): Promise<DisputeObject> {
  return standIn.change(async (context) => {
    const found = await mustFind(context, 'dispute', id);
    const dispute = { ...found.data, status };
    const payment = await mustFind(context, 'payment', dispute.payment_intent);
    const isDisputed = status === 'lost';
    await context.objects.replace(found, { data: dispute });
    await context.objects.replace(payment, { data: { ...payment.data, isDisputed } });
    await emit(context, 'charge.dispute.closed', dispute);
    return dispute;
  });
}

export async function sessionsOf(standIn: StandIn): Promise<SessionObject[]> {
  const rows = await standIn.change(({ objects }) => objects.list('session'));
  return rows.map(({ data }) => data.object).reverse();
}

export async function eventsOf(standIn: StandIn): Promise<EventObject[]> {
  const rows = await standIn.change(({ objects }) => objects.list('event'));
  return rows.map(({ data }) => data).reverse();
}
