import { randomUUID } from 'node:crypto';

import type { Insertable } from 'kysely';

import { randomToken } from '~/accounts/tokens.server';
import { writeDatabase } from '~/database.server';
import type { Buyer } from '~/domain/order/buyer';
import type { Language } from '~/i18n/languages';
import { createCheckout } from '~/payment/provider.server';
import type { OrderRow } from '~db/queries/orders.server';
import type { Database, Schema } from '~db/schema';
import { rowsIn } from '~db/queries/rows.server';
import { addDraftTo } from '../drafts';
import { insertPaid } from '../paid-orders';
import type { Stripe } from '../payments';

export const BUYER: Buyer = {
  name: 'Anna Zoé Müller-Lüdenscheidt',
  address: ['Domkloster 4', '50667 Köln'],
  country: 'DE',
  email: 'anna.mueller@example.eu',
};

type Changes<Table extends 'orders' | 'refunds'> = Partial<Insertable<Schema[Table]>>;
type OrderChanges = Changes<'orders'> & { buyer?: Buyer; userId?: string };

let numbered = 0;

/** `entry` opens the application in a browser. @param changes `buyer` is sealed into the row */
export const addOrder = (changes: OrderChanges = {}) =>
  writeDatabase((db) => addOrderTo(db, changes));

export async function addOrderTo(
  db: Database,
  { buyer = BUYER, userId, ...changes }: OrderChanges = {},
) {
  const token = randomToken();
  const at = changes.paid_at ?? '2026-11-21T10:00:00.000Z';
  const language = (changes.language_code ?? 'en') as Language;
  const draft = { at: new Date(at), userId, token, language, set: { state: 'paid' } } as const;
  const application = await addDraftTo(db, draft);
  numbered += 1;
  const order = await insertPaid(db, application, {
    ...{ at, buyer, language, currency: 'EUR' },
    invoice_number: `R-2026-${String(numbered).padStart(5, '0')}`,
    ...{ starts_at: '2026-11-21T10:00:00.000Z', due_at: '2026-11-24T10:00:00.000Z' },
    ...changes,
  });
  const { id } = application;
  return { order, path: `/application/${id}`, entry: { id, token } };
}
export type AddedOrder = Awaited<ReturnType<typeof addOrder>>;

let credited = 0;

export const addRefund = (order: Pick<OrderRow, 'id'>, changes: Changes<'refunds'> = {}) =>
  writeDatabase((db) => addRefundTo(db, order, changes));

export async function addRefundTo(
  db: Database,
  order: Pick<OrderRow, 'id'>,
  changes: Changes<'refunds'> = {},
) {
  credited += 1;
  const row = {
    ...({ kind: 'goodwill', state: 'sent', id: randomUUID(), order_id: order.id } as const),
    credit_note_number: `A-2026-${String(credited).padStart(5, '0')}`,
    ...{ created_at: '2026-11-22T08:00:00.000Z', sent_at: '2026-11-23T10:00:00.000Z' },
    amount_cents: 1000,
    ...changes,
  };
  await rowsIn(db).insert('refunds', row);
  return row;
}

/** A payment in dollars that the stand-in of the provider has taken. @returns its id there */
export async function takenPayment(stripe: Stripe, amountCents = 3995): Promise<string> {
  const { id } = await createCheckout({
    ...{ orderId: randomUUID(), attempt: 1, amountCents, currency: 'USD', language: 'en' },
    ...{ product: { name: 'ESTA', description: 'TRV' }, email: 'ada@example.eu' },
    ...{ successUrl: 'http://localhost/success', cancelUrl: 'http://localhost/payment' },
  });
  return (await stripe.pay(id)).payment_intent ?? '';
}
