import { SYSTEM } from '~/accounts/audit.server';
import { dayOf } from '~/clock.server';
import { normalizeEmail } from '~/domain/accounts';
import { UNDER_PROMISE } from '~/domain/application/states';
import { closedTimes, type Closure, dueByOthers } from '~/domain/closures';
import { beginOfDay } from '~/domain/day-period';
import { siteSettings } from '~/settings/settings.server';
import type { SecureWrite } from '~/until-none';
import { lockApplication } from '~db/queries/applications.server';
import { rowsIn } from '~db/queries/rows.server';
import { findUserByEmail } from '~db/queries/users.server';
import { listUnderWay } from '~db/queries/worklist.server';
import type { Database } from '~db/schema';
import { releaseAllOf } from './assign.server';

type Closures = readonly Closure[];

/**
 * In the transaction that stores other closures. What the order says stays: it stands on the invoice and in
 * the confirmation. @param how `count`: nothing is moved @returns how many cases are due at another time
 */
export async function moveDueTimes(
  db: Database,
  before: Closures,
  after: Closures,
  now: Date,
  how: 'count' | 'move' = 'move',
): Promise<number> {
  const { timeZone } = siteSettings();
  const closed = { before: closedTimes(before, timeZone), after: closedTimes(after, timeZone) };
  let moved = 0;
  for (const listed of await listUnderWay(db)) {
    // Whoever answers at this moment has another time left.
    const row = how === 'move' ? await lockApplication(db, listed.id) : listed;
    if (!row || !UNDER_PROMISE.includes(row.state)) continue;
    const due_at = dueByOthers(row, now, closed);
    if (due_at === row.due_at) continue;
    if (how === 'move')
      await rowsIn(db).update('applications', { id: row.id }, { due_at }).execute();
    moved += 1;
  }
  return moved;
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
