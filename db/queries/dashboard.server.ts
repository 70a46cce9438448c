import { sql } from 'kysely';

import { may, type StaffRole } from '~/access';
import { ENDED_BY_STAFF, WORKING } from '~/domain/application/states';
import { NEXT_STEPS } from '~/domain/order/refund-rules';
import type { Database } from '../schema';
import { countEach, countStates } from './rows.server';
import { COUNTED } from './worklist.server';

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

/** Beside the worklist; each counted up to `COUNTED` a state. */
export async function countWaiting(db: Database, now: Date, role: StaffRole) {
  const at = now.toISOString();
  const one = sql.lit(1).as('one');
  const overdue = WORKING.map((state) =>
    db
      .selectFrom('applications')
      .select(one)
      .where('state', '=', state)
      .where('due_at', '<', at)
      .limit(COUNTED),
  );
  const countOf = (table: 'refunds' | 'contact_messages', states: readonly string[]) =>
    countStates(db, table, { states, most: COUNTED });
  const refunds = await countOf('refunds', Object.keys(NEXT_STEPS));
  const isOwn = Object.values(NEXT_STEPS).map((step) => may(role, `refund.${step}`));
  return {
    overdue: sumOf(await countEach(db, overdue)),
    refunds: sumOf(refunds.filter((_, n) => isOwn[n])),
    othersRefunds: sumOf(refunds.filter((_, n) => !isOwn[n])),
    messages: sumOf(await countOf('contact_messages', ['new'])),
  };
}

/** Cases whose decision somebody has to look for, up to `COUNTED`. @param assignedTo without, whoever has them */
export function listOutcomesDue(db: Database, now: Date, assignedTo: string | undefined) {
  const due = db
    .selectFrom('application_tasks')
    .innerJoin('applications', 'applications.id', 'application_tasks.application_id')
    .select('applications.id')
    .where('application_tasks.state', '=', sql.lit('open'))
    .where('application_tasks.due_at', '<', now.toISOString())
    .where('kind', '=', 'outcome');
  const own = assignedTo === undefined ? due : due.where('assigned_to', '=', assignedTo);
  return own.orderBy('application_tasks.due_at').limit(COUNTED).execute();
}

export async function listLongOpen(db: Database, before: Date, limit: number) {
  const cases = [];
  for (const state of ENDED_BY_STAFF) {
    const ofState = await db
      .selectFrom('applications')
      .select(['id', 'reference', 'state', 'due_at'])
      .where('state', '=', state)
      .where('due_at', '<', before.toISOString())
      .orderBy('due_at')
      .limit(limit)
      .execute();
    cases.push(...ofState);
  }
  return cases.sort((a, b) => ((a.due_at ?? '') < (b.due_at ?? '') ? -1 : 1)).slice(0, limit);
}
