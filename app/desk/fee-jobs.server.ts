import { addDays, addHours } from 'date-fns';

import { moveApplication } from '~/applications/moves.server';
import { FIRST_REMINDER_DAYS, isReminderDue } from '~/domain/application/official-fee';
import { wakeOutbox } from '~/mail/outbox.server';
import { eachUntilNone } from '~/until-none';
import { lockApplication } from '~db/queries/applications.server';
import { listFeesDue, listUnreminded, noteReminded } from '~db/queries/official-fees.server';
import { findFulfilledOrder } from '~db/queries/orders.server';
import type { Database } from '~db/schema';
import { tellOfCase } from './case-mail.server';

type Run = <T>(work: (db: Database) => Promise<T>) => Promise<T>;

/**
 * The official fee of applications that were entered: travellers are reminded until the last day; after
 * it, the official site has dropped the application, and it waits to be entered once more. Any number of
 * servers may do this at once, while others file.
 */
export async function seeToFees(
  run: Run,
  now: Date,
): Promise<{ lapsed: number; reminded: number }> {
  const lapsed = await eachUntilNone(
    () => run((db) => listFeesDue(db, now)),
    ({ id }) => run((db) => lapse(db, id, now)),
  );
  const by = addDays(now, FIRST_REMINDER_DAYS);
  const isReminded = (row: Parameters<typeof isReminderDue>[0]) => !isReminderDue(row, now);
  let reminded = 0;
  for (const row of await run((db) => listUnreminded(db, { after: now, by, isReminded }))) {
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
  const { moved } = await moveApplication(
    db,
    row,
    'fee_lapse',
    {
      as: 'system',
      actor: { kind: 'system' },
      facts: { payByPassed: row.pay_by <= now.toISOString() },
      // What the official site dropped has no number any more.
      set: {
        // Nor is it our time that has passed: the same as at first begins anew.
        ...(order && {
          starts_at: now.toISOString(),
          due_at: addHours(now, order.delivery_hours).toISOString(),
        }),
        pay_by: null,
        entered_at: null,
        filed_by: null,
        official_number_sealed: null,
        reminded_at: null,
      },
    },
    now,
  );
  if (!moved) return false;
  await tellOfCase(db, moved, 'feeLapsed', now);
  return true;
}
