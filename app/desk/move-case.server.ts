import { moveApplication } from '~/applications/moves.server';
import {
  type ApplicationEvent,
  type ApplicationState,
  type Facts,
  settingFacts,
  staffActors,
} from '~/domain/application/states';
import { siteSettings } from '~/settings/settings.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { findHoldingWithdrawal } from '~db/queries/withdrawals.server';
import type { Database } from '~db/schema';
import type { OpenCase } from './open-case.server';
import { checkersOf } from './tasks.server';

/** What a move of a case needs besides what the settings and the roles say. */
interface CaseMove {
  facts?: Facts;
  /** The goal, where a person chooses it (`outcome`, `correct`). */
  to?: ApplicationState;
  /** Columns that change with the state. */
  set?: NonNullable<Parameters<typeof moveApplication>[3]['set']>;
}

/**
 * Moves a case as somebody of the staff, in the transaction `db`, from the state and version that the
 * form was made from.
 *
 * @param row as it was locked in this transaction (`lockApplication`), with the version of the form
 */
export async function moveCase(
  db: Database,
  { session: { user } }: Pick<OpenCase, 'session'>,
  row: ApplicationRow,
  event: ApplicationEvent,
  { facts = {}, to, set }: CaseMove,
  now: Date,
) {
  const { fourEyes, officialFee } = siteSettings();
  const isChecker = (await checkersOf(db, row)).has(user.id);
  const isHeld = event === 'enter' && (await findHoldingWithdrawal(db, row.id)) !== undefined;
  const isAlone = isChecker && !fourEyes && (event === 'enter' || event === 'file');
  return moveApplication(
    db,
    row,
    event,
    {
      as: staffActors(user.role, row.assigned_to === user.id),
      actor: { kind: 'staff', id: user.id },
      facts: {
        notWithdrawn: !isHeld,
        ...settingFacts({ fourEyes, officialFee }, isChecker),
        ...facts,
      },
      ...(to && { to }),
      ...(isAlone && { details: { fourEyes: false } }),
      ...(set && { set }),
    },
    now,
  );
}
