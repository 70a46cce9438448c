import { sql } from 'kysely';

import { may, type StaffRole } from '~/access';
import { ENDED_BY_STAFF, WORKING } from '~/domain/application/states';
import { NEXT_STEPS } from '~/domain/order/refund-rules';
import type { Database } from '../schema';
import { countEach, readAll, rowsIn } from './rows.server';
import { COUNTED } from './worklist.server';

/** Beside the worklist, each up to `COUNTED`. */
export async function countWaiting(db: Database, now: Date, role: StaffRole) {
  const rows = rowsIn(db);
  const steps = Object.entries(NEXT_STEPS);
  const refunds = (isOwn: boolean) => {
    const whose = steps.filter(([, step]) => may(role, `refund.${step}`) === isOwn);
    const states = whose.map(([state]) => state as keyof typeof NEXT_STEPS);
    return rows.of('refunds').where('state', 'in', states);
  };
  const at = now.toISOString();
  const parts = [
    rows.of('applications').where('state', 'in', WORKING).where('due_at', '<', at),
    refunds(true),
    refunds(false),
    rows.of('contact_messages', { state: 'new' }),
  ];
  const [overdue = 0, own = 0, others = 0, messages = 0] = await countEach(db, parts, COUNTED);
  return { overdue, refunds: own, othersRefunds: others, messages };
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
  const parts = ENDED_BY_STAFF.map((state) =>
    db
      .selectFrom('applications')
      .select(['id', 'reference', 'state', 'due_at'])
      .where('state', '=', state)
      .where('due_at', '<', before.toISOString())
      .orderBy('due_at')
      .limit(limit),
  );
  const cases = await readAll(db, parts);
  return cases.sort((a, b) => ((a.due_at ?? '') < (b.due_at ?? '') ? -1 : 1)).slice(0, limit);
}
