import { randomUUID } from 'node:crypto';

import { audit } from '~/accounts/audit.server';
import type { Buyer } from '~/domain/order/buyer';
import type { RefundEvent } from '~/domain/order/states';
import { capturePayment } from '~/orders/checkout.server';
import { saveContractText, sealBuyer, takeDocumentNumber } from '~/orders/order.server';
import { offerOf } from '~/content/offer.server';
import { moveAfterRefund, moveRefund, openRefund, sealText } from '~/orders/refunds.server';
import type { StoredPayment } from '../../packages/stripe-stand-in/objects';
import { findApplication } from '~db/queries/applications.server';
import { findFulfilledOrder, findOrder } from '~db/queries/orders.server';
import type { Database } from '~db/schema';
import { rowsIn } from '~db/queries/rows.server';
import type { DemoCase, DemoStaff } from './people';

interface Bought {
  demo: DemoCase;
  email: string;
}

/** An order of an invented case, paid to the stand-in: no money moves. */
export async function addDemoOrder(
  db: Database,
  applicationId: string,
  { demo, email }: Bought,
  at: (hours: number) => Date,
): Promise<void> {
  const { person, language } = demo;
  const application = await findApplication(db, applicationId);
  if (!application) throw new Error('no application');
  const id = randomUUID();
  const { vat, ...offer } = offerOf(demo.package, language, person.country);
  const paidAt = at(0);
  const buyer: Buyer = {
    name: `${person.first} ${person.last}`,
    address: ['Place de l’Exemple 1', person.city],
    country: person.country,
    email,
  };
  await rowsIn(db).insertNew('orders', {
    id,
    application_id: applicationId,
    reference: application.reference,
    state: 'created',
    package: demo.package,
    amount_cents: offer.amountCents,
    currency: offer.currency,
    vat_rate: vat.rate,
    vat_country: vat.country,
    vat_note: vat.note,
    language_code: language,
    start_choice: 'now',
    delivery_hours: offer.deliveryHours,
    guarantee_days: offer.guaranteeDays,
    consents: '{}',
    terms_hash: await saveContractText(db, language, paidAt),
    buyer_sealed: sealBuyer(id, buyer),
    created_at: paidAt.toISOString(),
  });
  const details = { package: demo.package, start: 'now' };
  await audit(db, { kind: 'anybody' }, 'order.placed', ['order', id], paidAt, details);
  const paymentId = `pi_demo_${id.replaceAll('-', '')}`;
  const paid = { id: `cs_demo_${id.replaceAll('-', '')}`, url: null, status: 'complete' } as const;
  const { amountCents, currency } = offer;
  // As the stand-in keeps it: it can be given back.
  const payment: StoredPayment = {
    amount: amountCents,
    currency: currency.toLowerCase(),
    refunded: 0,
    isDisputed: false,
  };
  const stored = { id: paymentId, kind: 'payment', data: JSON.stringify(payment) };
  await db
    .insertInto('stand_in_objects')
    .values({ ...stored, created_at: paidAt.toISOString() })
    .execute();
  const checkout = { ...paid, isPaid: true, amountCents, currency, orderId: id, paymentId };
  const result = await capturePayment(db, { ...checkout, expiresAt: paidAt }, paidAt);
  if (result !== 'fulfilled') throw new Error(`The order is ${result}`);
}

const STEPS: Readonly<Record<NonNullable<DemoCase['refund']>, readonly RefundEvent[]>> = {
  requested: [],
  proposed: ['propose'],
  refused: ['propose', 'refuse'],
  failed: ['propose', 'approve', 'fail'],
  settled: ['propose', 'approve', 'send', 'settle'],
};

export async function addDemoRefund(
  db: Database,
  applicationId: string,
  state: NonNullable<DemoCase['refund']>,
  { agents: [agent], supervisor }: DemoStaff,
  at: Date,
): Promise<void> {
  const order = await findFulfilledOrder(db, applicationId);
  const application = await findApplication(db, applicationId);
  if (!order || !application) throw new Error('no order');
  const kinds = { cancelled: 'cancellation', not_authorized: 'guarantee' } as const;
  const kind = kinds[application.state as keyof typeof kinds] ?? 'goodwill';
  let refund = await openRefund(db, order, { kind, reason: 'Demonstration' }, at);
  const instant = at.toISOString();
  for (const event of STEPS[state]) {
    if (!refund) throw new Error('no refund');
    const who = event === 'propose' ? agent : supervisor;
    const set = {
      ...(event === 'propose' && { proposed_by: agent, proposed_at: instant }),
      ...(event === 'approve' && { approved_by: supervisor, approved_at: instant }),
      ...(event === 'refuse' && {
        approved_by: supervisor,
        answer_sealed: sealText(refund.id, 'answer_sealed', 'Demonstration'),
      }),
      ...(event === 'fail' && { failure_code: 'expired_or_canceled_card' }),
      ...(event === 'send' && {
        sent_at: instant,
        provider_refund_id: `re_demo_${refund.id.replaceAll('-', '')}`,
        credit_note_number: await takeDocumentNumber(db, 'credit_note', at),
      }),
      ...(event === 'settle' && { settled_at: instant }),
    };
    refund = await moveRefund(db, refund, event, { actor: { kind: 'staff', id: who }, set }, at);
  }
  const current = await findOrder(db, order.id);
  if (state === 'settled' && current) await moveAfterRefund(db, current, at);
}
