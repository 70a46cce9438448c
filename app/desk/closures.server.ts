import { SYSTEM } from '~/accounts/audit.server';
import { dayOf } from '~/clock.server';
import { normalizeEmail } from '~/domain/accounts';
import { UNDER_PROMISE } from '~/domain/application/states';
import { closedTimes, type Closure, dueByOthers } from '~/domain/closures';
import { beginOfDay } from '~/domain/day-period';
import { siteSettings } from '~/settings/settings.server';
import type { SecureWrite } from '~/until-none';
import { type ApplicationRow, lockApplication } from '~db/queries/applications.server';
import { rowsIn } from '~db/queries/rows.server';
import { findUserByEmail } from '~db/queries/users.server';
import { listUnderWay } from '~db/queries/worklist.server';
import type { Database } from '~db/schema';
import { releaseAllOf } from './assign.server';

type Closures = readonly Closure[];

/** When each case that this moves is due then. */
function movesOf(before: Closures, after: Closures, now: Date) {
  const { timeZone } = siteSettings();
  const closed = { before: closedTimes(before, timeZone), after: closedTimes(after, timeZone) };
  return (row: ApplicationRow | undefined): string | undefined => {
    if (!row || row.due_at === null || !UNDER_PROMISE.includes(row.state)) return undefined;
    const due = dueByOthers({ ...row, due_at: row.due_at }, now, closed);
    return due === row.due_at ? undefined : due;
  };
}

/** How many cases `moveDueTimes` would move. */
export async function countDueMoves(db: Database, before: Closures, after: Closures, now: Date) {
  const moved = movesOf(before, after, now);
  return (await listUnderWay(db)).filter((row) => moved(row) !== undefined).length;
}

/**
 * In the transaction that stores other closures. What the order says stays: it stands on the invoice and in
 * the confirmation. @returns how many cases are due at another time
 */
export async function moveDueTimes(db: Database, before: Closures, after: Closures, now: Date) {
  const moved = movesOf(before, after, now);
  let count = 0;
  for (const listed of await listUnderWay(db)) {
    if (moved(listed) === undefined) continue;
    // Whoever answers at this moment has another time left.
    const due_at = moved(await lockApplication(db, listed.id));
    if (due_at === undefined) continue;
    await rowsIn(db).update('applications', { id: listed.id }, { due_at }).execute();
    count += 1;
  }
  return count;
}

/** On the first morning of an absence its cases go back to the team; what is taken meanwhile stays. */
export async function releaseAbsent(run: SecureWrite, now: Date) {
  const { closures, timeZone } = siteSettings();
  const day = dayOf(now);
  let released = 0;
  for (const { from, until, who } of closures) {
    if (who === null || day < from || day > until) continue;
    released += await run(async (db) => {
      const user = await findUserByEmail(db, 'staff', normalizeEmail(who));
      const begun = beginOfDay(from, timeZone).toISOString();
      return user ? releaseAllOf(db, user.id, SYSTEM, now, begun) : 0;
    });
  }
  return { released };
}
