import type { Updateable } from 'kysely';

import {
  type Actor,
  type ApplicationEvent,
  type ApplicationState,
  type MoveConditions,
  type Guard,
  isEnded,
  move,
} from '~/domain/application/states';
import { audit, type AuditActor, type AuditDetails } from '~/accounts/audit.server';
import type { Database, Schema } from '~db/schema';
import { endOpenRequest } from '~db/queries/application-requests.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { rowsIn } from '~db/queries/rows.server';

interface MovedBy {
  as: Actor | readonly Actor[];
  actor: AuditActor;
  /** What was found out in the transaction of the move; what is not mentioned does not hold. */
  facts: MoveConditions;
  to?: ApplicationState | undefined;
  details?: AuditDetails | undefined;
  set?: Omit<Updateable<Schema['applications']>, 'id' | 'state' | 'version'> | undefined;
}

type MoveResult =
  | { moved: ApplicationRow; refused?: undefined }
  | { refused: 'state' | 'actor' | 'guard' | 'changed'; guard?: Guard; moved?: undefined };

/** By compare-and-set, with an audit event. Of many at once one moves it, others have `changed`. */
export async function moveApplication(
  db: Database,
  row: ApplicationRow,
  event: ApplicationEvent,
  { as, actor, facts, to: goal, details, set }: MovedBy,
  now: Date,
): Promise<MoveResult> {
  const result = move(row.state, event, { actor: as, facts, to: goal });
  if (result.refused === 'guard') return { refused: 'guard', guard: result.guard };
  if (result.refused) return { refused: result.refused };
  const changes = {
    ...columnsOf(event, result.to, now),
    ...set,
    state: result.to,
    // It says when the owner changed something last; what is deleted in time counts from it.
    ...(actors(as).includes('owner') && { updated_at: now.toISOString() }),
    noticed_at: null,
  };
  if (!(await rowsIn(db).move('applications', row, changes))) return { refused: 'changed' };
  // Nobody waits for an answer to what has ended.
  if (isEnded(result.to)) await endOpenRequest(db, row.id);
  const moved = { event, from: row.state, to: result.to, ...details };
  await audit(db, actor, 'application.moved', ['application', row.id], now, moved);
  return { moved: { ...row, ...changes, version: row.version + 1 } as ApplicationRow };
}

const actors = (as: Actor | readonly Actor[]): Actor[] => [as].flat();

function columnsOf(event: ApplicationEvent, to: ApplicationState, now: Date) {
  const at = now.toISOString();
  return {
    ...(event === 'certify' && { certified_at: at }),
    // What was certified is changed: it is certified once more.
    ...(event === 'reopen' && { certified_at: null }),
    // A corrected outcome is an end of its own: how long it is kept counts from it.
    closed_at: isEnded(to) ? at : null,
  };
}
