import { randomUUID } from 'node:crypto';

import { addHours } from 'date-fns';
import type { Insertable } from 'kysely';

import type { ApplicationState } from '~/domain/application/states';
import type { Language } from '~/i18n/languages';
import type { Buyer } from '~/domain/order/buyer';
import { sealBuyer } from '~/orders/invoices.server';
import type { Database, Schema } from '~db/schema';
import { findOrder, type OrderRow } from '~db/queries/orders.server';
import { rowsIn } from '~db/queries/rows.server';
import { addDraftTo, type Draft } from './drafts';

interface PaidOrder extends Pick<Draft, 'steps' | 'isComplete'> {
  at: Date;
  email?: string;
  buyerEmail?: string;
  language?: Language;
  state?: OrderRow['state'];
  /** What the application was moved to since. */
  application?: ApplicationState;
  amount?: number;
  guaranteeDays?: number;
  /** Whose it is: an account, or the browser with this token. */
  userId?: string;
  token?: string;
  /** The provider's id of the payment; null: nothing was paid. */
  payment?: string | null;
}

/** The columns of an order, but for what a test says of it; its buyer is sealed into it. */
export type OrderColumns = Partial<Insertable<Schema['orders']>> & {
  at: string;
  buyer: Buyer;
  language: Language;
};

export async function insertPaid(
  db: Database,
  application: { id: string; reference: string },
  { at, buyer, language, id = randomUUID(), ...changes }: OrderColumns,
): Promise<OrderRow> {
  const terms = { hash: 'terms', language_code: language, text: 'Terms', created_at: at };
  await db
    .insertInto('contract_texts')
    .values(terms)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await rowsIn(db).insertNew('orders', {
    ...{ application_id: application.id, reference: application.reference, state: 'paid' },
    ...{ package: 'standard', amount_cents: 3995, currency: language === 'en' ? 'USD' : 'EUR' },
    ...{ vat_rate: 2000, vat_country: null, vat_note: null, eur_rate: null },
    ...{ language_code: language, start_choice: 'now', delivery_hours: 72, guarantee_days: 30 },
    ...{ consents: '{}', terms_hash: terms.hash, buyer_sealed: sealBuyer(id, buyer) },
    ...{ provider_session_id: `cs_${id}`, provider_payment_id: `pi_${id}` },
    ...{ invoice_number: `R-TEST-${id.slice(0, 8)}`, session_expires_at: null },
    ...{ created_at: at, paid_at: at, fulfilled_at: at, starts_at: at, due_at: at },
    ...changes,
    id,
  });
  const order = await findOrder(db, id);
  if (!order) throw new Error('no order');
  return order;
}

/** An application with an order that was paid and taken for it, as others make them, in `db`. */
export async function addPaidOrder(db: Database, options: PaidOrder): Promise<OrderRow> {
  const { at, language = 'en', email = `${randomUUID().slice(0, 13)}@example.com` } = options;
  const { state = 'paid', amount = 3995, guaranteeDays = 30 } = options;
  const { userId, token, payment = `pi_${randomUUID()}` } = options;
  const instant = at.toISOString();
  const times = { starts_at: instant, due_at: addHours(at, 72).toISOString() };
  const application = await addDraftTo(db, {
    ...{ at, language, userId, ...(token !== undefined && { token }) },
    ...{ steps: options.steps ?? { 1: { email } }, isComplete: options.isComplete ?? false },
    set: { state: options.application ?? 'paid', package: 'standard', ...times },
  });
  const buyer: Buyer = {
    name: 'Anna Müller',
    address: ['Domkloster 4', '50667 Köln'],
    country: 'DE',
    email: options.buyerEmail ?? email,
  };
  const unpaid = { paid_at: null, fulfilled_at: null, starts_at: null, due_at: null };
  return insertPaid(db, application, {
    ...{ at: instant, buyer, language, state, amount_cents: amount },
    ...{ guarantee_days: guaranteeDays, provider_payment_id: payment },
    ...(payment === null && { ...unpaid, invoice_number: null }),
  });
}
