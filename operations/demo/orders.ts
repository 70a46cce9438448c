import type { RefundEvent } from '~/domain/order/states';
import { capturePayment, findOrInsertOrder } from '~/orders/checkout.server';
import { takeDocumentNumber } from '~/orders/invoices.server';
import { offerOf } from '~/public/offer.server';
import { moveAfterRefund, moveRefund, openRefund, sealText } from '~/orders/refunds.server';
import type { StoredPayment } from '../../packages/stripe-stand-in/objects';
import { findApplication } from '~db/queries/applications.server';
import { findFulfilledOrder, findOrder } from '~db/queries/orders.server';
import type { Database } from '~db/schema';
import { rowsIn } from '~db/queries/rows.server';
import type { DemoCase, DemoStaff } from './people';

export async function addDemoOrder(
  db: Database,
  applicationId: string,
  { demo, email }: { demo: DemoCase; email: string },
  at: (hours: number) => Date,
): Promise<void> {
  const { person, language } = demo;
  const row = await findApplication(db, applicationId);
  if (!row) throw new Error('no application');
  const paidAt = at(0);
  const choice = {
    ...offerOf(demo.package, language, person.country),
    ...({ package: demo.package, startChoice: 'now', consents: {}, language } as const),
    buyer: {
      name: `${person.first} ${person.last}`,
      address: ['Place de l’Exemple 1', person.city],
      country: person.country,
      email,
    },
  };
  const of = { row, owner: { kind: 'browser' } } as const;
  const { order } = await findOrInsertOrder(db, of, choice, paidAt);
  if (!order) throw new Error('no order');
  const number = order.id.replaceAll('-', '');
  const { amountCents, currency } = choice;
  // As the stand-in keeps it: it can be given back.
  const payment: StoredPayment = {
    amount: amountCents,
    currency: currency.toLowerCase(),
    refunded: 0,
    isDisputed: false,
  };
  const paymentId = `pi_demo_${number}`;
  const stored = { id: paymentId, kind: 'payment', data: JSON.stringify(payment) };
  await rowsIn(db).insert('stand_in_objects', { ...stored, created_at: paidAt.toISOString() });
  const paid = { id: `cs_demo_${number}`, url: null, status: 'complete', isPaid: true } as const;
  const checkout = { ...paid, amountCents, currency, orderId: order.id, paymentId };
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
