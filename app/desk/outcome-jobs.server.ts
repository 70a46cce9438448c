import { lookLimits } from '~/domain/application/official-fee';
import { eachUntilNone } from '~/until-none';
import { insertTasks, listTasks, listUnlookedFor } from '~db/queries/application-tasks.server';
import { lockApplication } from '~db/queries/applications.server';
import type { Database } from '~db/schema';
import { newTask, reopenTask, taskOf } from './tasks.server';

type Run = <T>(work: (db: Database) => Promise<T>) => Promise<T>;

/**
 * Asks staff to look for the outcome of what was filed two weeks ago, and each week once more. Any number
 * of servers may do this at once.
 */
export async function askForOutcomes(run: Run, now: Date): Promise<{ 'outcome tasks': number }> {
  const asked = await eachUntilNone(
    () => run((db) => listUnlookedFor(db, lookLimits(now))),
    (id) => run((db) => ask(db, id, now)),
  );
  return { 'outcome tasks': asked };
}

async function ask(db: Database, id: string, now: Date): Promise<boolean> {
  const row = await lockApplication(db, id);
  if (row?.state !== 'filed') return false;
  const known = taskOf(await listTasks(db, id), 'outcome');
  if (!known) {
    const task = newTask(id, { kind: 'outcome', subject: '' }, now);
    await insertTasks(db, [{ ...task, due_at: now.toISOString() }]);
    return true;
  }
  const { lookedBefore } = lookLimits(now);
  if (known.state === 'open' || (known.done_at ?? '') > lookedBefore.toISOString()) return false;
  return reopenTask(db, known, { actor: { kind: 'system' }, dueAt: now }, now);
}
