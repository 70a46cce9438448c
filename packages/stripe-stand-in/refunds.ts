import { type DisputeObject, missing, newId, Problem, type RefundObject, seconds } from './objects';
import { type Parameters, wrong } from './parameters';
import { chargeOf } from './sessions';
import { type Objects, type Scene, type Stored, tell } from './store';

async function findPayment(
  objects: Objects,
  id: string,
  place?: { param: string; status: number },
): Promise<Stored<'payment'>> {
  const found = await objects.find('payment', id);
  if (!found) throw missing('payment_intent', id, place);
  return found;
}

/** `POST /v1/refunds` */
export async function createRefund(
  objects: Objects,
  parameters: Parameters,
  scene: Scene,
): Promise<RefundObject> {
  const paymentId = parameters.required('payment_intent');
  const asked = parameters.integer('amount');
  const reason = parameters.text('reason', {
    pattern: /^(duplicate|fraudulent|requested_by_customer)$/,
  });
  const metadata = parameters.map('metadata');
  parameters.finish();
  const payment = await findPayment(objects, paymentId, { param: 'payment_intent', status: 404 });
  const { object, refunded, isDisputed } = payment.data;
  const charge = chargeOf(paymentId);
  if (object.status !== 'succeeded') {
    throw wrong(
      'payment_intent',
      'payment_intent_unexpected_state',
      `This PaymentIntent (${paymentId}) does not have a successful charge to refund.`,
    );
  }
  if (isDisputed) {
    const message = `Charge ${charge} has been charged back; cannot issue a refund.`;
    throw new Problem(message, { code: 'charge_disputed' });
  }
  const left = object.amount_received - refunded;
  if (left <= 0) {
    const message = `Charge ${charge} has already been refunded.`;
    throw new Problem(message, { code: 'charge_already_refunded' });
  }
  const amount = asked ?? left;
  if (amount < 1) throw wrong('amount', 'parameter_invalid_integer', 'Invalid positive integer');
  if (amount > left) {
    const message = `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`;
    throw wrong('amount', undefined, message);
  }
  const refund: RefundObject = {
    id: newId('re', scene.now),
    object: 'refund',
    amount,
    charge,
    created: seconds(scene.now),
    currency: object.currency,
    metadata,
    payment_intent: paymentId,
    reason: reason ?? null,
    status: scene.newRefunds,
  };
  await objects.replace(payment, { data: { ...payment.data, refunded: refunded + amount } });
  const createdAt = scene.now.toISOString();
  await objects.add({ id: refund.id, kind: 'refund', data: refund, createdAt, dueAt: null });
  await tell(objects, scene, 'refund.created', refund);
  return refund;
}

/** @throws {Problem} if there is none */
export async function findRefund(objects: Objects, id: string): Promise<Stored<'refund'>> {
  const found = await objects.find('refund', id);
  if (!found) throw missing('refund', id);
  return found;
}

/** What a traveller's bank does with a refund in the end; it may also give back what had arrived. */
export async function endRefund(
  objects: Objects,
  id: string,
  scene: Scene,
  outcome: { status: 'succeeded' } | { status: 'failed'; reason: string },
): Promise<RefundObject> {
  const found = await findRefund(objects, id);
  const isFailed = outcome.status === 'failed';
  if (found.data.status === outcome.status || found.data.status === 'failed') return found.data;
  const refund: RefundObject = {
    ...found.data,
    status: outcome.status,
    ...(isFailed && { failure_reason: outcome.reason }),
  };
  await objects.replace(found, { data: refund });
  if (isFailed) {
    const payment = await findPayment(objects, refund.payment_intent);
    const refunded = payment.data.refunded - refund.amount;
    await objects.replace(payment, { data: { ...payment.data, refunded } });
  }
  await tell(objects, scene, 'refund.updated', refund);
  if (isFailed) await tell(objects, scene, 'refund.failed', refund);
  return refund;
}

/** A traveller's bank takes a payment back. */
export async function openDispute(
  objects: Objects,
  paymentId: string,
  scene: Scene,
): Promise<DisputeObject> {
  const payment = await findPayment(objects, paymentId);
  const { object, refunded } = payment.data;
  const dispute: DisputeObject = {
    id: newId('du', scene.now),
    object: 'dispute',
    amount: object.amount_received - refunded,
    charge: chargeOf(paymentId),
    created: seconds(scene.now),
    currency: object.currency,
    livemode: false,
    metadata: {},
    payment_intent: paymentId,
    reason: 'product_not_received',
    status: 'needs_response',
  };
  await objects.replace(payment, { data: { ...payment.data, isDisputed: true } });
  const createdAt = scene.now.toISOString();
  await objects.add({ id: dispute.id, kind: 'dispute', data: dispute, createdAt, dueAt: null });
  await tell(objects, scene, 'charge.dispute.created', dispute);
  return dispute;
}

/** How a dispute ends: won, the money is ours again. */
export async function closeDispute(
  objects: Objects,
  id: string,
  scene: Scene,
  status: 'won' | 'lost',
): Promise<DisputeObject> {
  const found = await objects.find('dispute', id);
  if (!found) throw missing('dispute', id);
  const dispute = { ...found.data, status };
  await objects.replace(found, { data: dispute });
  const payment = await findPayment(objects, dispute.payment_intent);
  await objects.replace(payment, { data: { ...payment.data, isDisputed: status === 'lost' } });
  await tell(objects, scene, 'charge.dispute.closed', dispute);
  return dispute;
}
