import { redirect } from '@remix-run/node';

import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { type DeskEvent, PROPOSAL_FORM, REFUSAL_FORM } from '~/domain/order/refund-rules';
import { readAmount } from '~/domain/order/typed-amount';
import type { StaffRole } from '~/domain/staff';
import { readForm, refuse } from '~/http/form.server';
import { errorFields, log } from '~/log.server';
import { wakeOutbox } from '~/mail/outbox.server';
import {
  approveRefund,
  type Decided,
  proposeRefund,
  refuseRefund,
  retryRefund,
} from '~/orders/refund-desk.server';
import { sendRefund } from '~/orders/send-refunds.server';

interface Sent {
  id: string;
  sent: FormData;
  staff: { id: string; role: StaffRole };
}

/**
 * Takes a decision about a refund. What is approved is sent at once, if the provider can be reached;
 * else by the hourly job.
 *
 * @throws {Response} 400 for fields that no page has, 403 for who may not, 404 for an unknown refund
 */
export async function decide(event: DeskEvent, { id, sent, staff }: Sent) {
  const version = sent.get('version');
  if (typeof version !== 'string' || !/^\d{1,9}$/.test(version)) {
    throw new Response(null, { status: 400 });
  }
  const read = readForm(sent, event === 'refuse' ? REFUSAL_FORM : PROPOSAL_FORM);
  const typed = { ...read.typed, intent: event };
  const isForm = event === 'propose' || event === 'refuse';
  if (isForm && read.errors) return refuse('invalid', { typed, errors: read.errors });
  const values = read.values as { amount?: string; reason?: string } | undefined;
  const amount = readAmount(values?.amount ?? '');
  if (event === 'propose' && amount === undefined) {
    return refuse('invalid', { typed, errors: { amount: 'amount' } });
  }
  const decision = { id, version: Number(version), staff };
  const reason = values?.reason ?? '';
  const decided = await requireDatabase((db) => {
    const at = now();
    if (event === 'propose')
      return proposeRefund(db, { ...decision, amount: amount ?? 0, reason }, at);
    if (event === 'refuse') return refuseRefund(db, { ...decision, reason }, at);
    return event === 'approve' ? approveRefund(db, decision, at) : retryRefund(db, decision, at);
  }, writeDatabase);
  if (decided.refused) return refused(decided.refused, typed);
  wakeOutbox();
  if (event === 'approve' || event === 'retry') await trySending(id);
  return redirect(`/crm/refunds/${id}?done=${event}`, 303);
}

function refused(problem: NonNullable<Decided['refused']>, typed: Record<string, string>) {
  if (problem === 'gone') throw new Response(null, { status: 404 });
  if (problem === 'role') throw new Response(null, { status: 403 });
  // Somebody else was faster, in another tab or at another desk.
  if (problem === 'changed' || problem === 'state') {
    return refuse('changed', { typed }, { status: 409 });
  }
  if (problem === 'own' || problem === 'disputed') return refuse(problem, { typed });
  const field = problem === 'reason' ? 'reason' : 'amount';
  return refuse('invalid', { typed, errors: { [field]: problem } });
}

async function trySending(id: string): Promise<void> {
  try {
    await sendRefund(id, now());
    wakeOutbox();
  } catch (error) {
    log('warn', 'a refund waits for the hourly job', errorFields(error));
  }
}
