import { addDays, addHours } from 'date-fns';

import { moveApplication } from '~/applications/moves.server';
import { FIRST_REMINDER_DAYS, isReminderDue, lookLimits } from '~/domain/application/official-fee';
import { wakeOutbox } from '~/mail/outbox.server';
import { eachUntilNone } from '~/until-none';
import { insertTasks, listTasks, listPendingOutcome } from '~db/queries/application-tasks.server';
import { lockApplication } from '~db/queries/applications.server';
import { listFeesDue, listUnpaidFees, noteReminded } from '~db/queries/official-fees.server';
import { findFulfilledOrder } from '~db/queries/orders.server';
import type { Database } from '~db/schema';
import { tellOfCase } from './official-fee.server';
import { newTask, reopenTask, taskOf } from './tasks.server';

type Run = <T>(work: (db: Database) => Promise<T>) => Promise<T>;
const SYSTEM = { kind: 'system' } as const;

/** Reminds travellers until the last day; then the official site has dropped the application. */
export async function seeToFees(run: Run, now: Date) {
  const lapsed = await eachUntilNone(
    () => run((db) => listFeesDue(db, now)),
    ({ id }) => run((db) => lapse(db, id, now)),
  );
  const by = addDays(now, FIRST_REMINDER_DAYS);
  let reminded = 0;
  for (const row of await run((db) => listUnpaidFees(db, { after: now, by }))) {
    if (!isReminderDue(row, now)) continue;
    const isMine = await run(async (db) => {
      if (!(await noteReminded(db, row, now))) return false;
      await tellOfCase(db, row, 'feeReminder', now);
      return true;
    });
    if (isMine) reminded += 1;
  }
  if (lapsed + reminded > 0) wakeOutbox();
  return { lapsed, reminded };
}

/** @returns whether it was unpaid still */
async function lapse(db: Database, id: string, now: Date): Promise<boolean> {
  const row = await lockApplication(db, id);
  if (row?.state !== 'fee_due' || row.pay_by === null) return false;
  const order = await findFulfilledOrder(db, id);
  const facts = { payByPassed: row.pay_by <= now.toISOString() };
  const set = {
    // Nor is it our time that has passed: the same as at first begins anew.
    ...(order && {
      starts_at: now.toISOString(),
      due_at: addHours(now, order.delivery_hours).toISOString(),
    }),
    ...{ pay_by: null, entered_at: null, filed_by: null, reminded_at: null },
    // What the official site dropped has no number any more.
    official_number_sealed: null,
  };
  const by = { as: 'system', actor: SYSTEM } as const;
  const { moved } = await moveApplication(db, row, 'fee_lapse', { ...by, facts, set }, now);
  if (!moved) return false;
  await tellOfCase(db, moved, 'feeLapsed', now);
  return true;
}

/** Two weeks after filing, and each week once more. */
export async function askForOutcomes(run: Run, now: Date): Promise<{ 'outcome tasks': number }> {
  const asked = await eachUntilNone(
    () => run((db) => listPendingOutcome(db, lookLimits(now))),
    (id) => run((db) => askForOutcome(db, id, now)),
  );
  return { 'outcome tasks': asked };
}

async function askForOutcome(db: Database, id: string, now: Date): Promise<boolean> {
  const row = await lockApplication(db, id);
  if (row?.state !== 'filed') return false;
  const known = taskOf(await listTasks(db, id), 'outcome');
  const due_at = now.toISOString();
  if (!known) {
    const task = newTask(id, { kind: 'outcome', subject: '' }, now);
    await insertTasks(db, [{ ...task, due_at }]);
    return true;
  }
  const { lookedBefore } = lookLimits(now);
  if (known.state === 'open' || (known.done_at ?? '') > lookedBefore.toISOString()) return false;
  return reopenTask(db, known, SYSTEM, now, { due_at });
}
