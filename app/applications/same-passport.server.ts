import { sessionOf } from '~/accounts/session.server';
import { queryDatabase } from '~/database.server';
import { NEVER_PAID, UNPAID } from '~/domain/application/states';
import { blindIndexes, unseal } from '~/sealing/seal.server';
import { type ApplicationRow, listApplicationsOfUser } from '~db/queries/applications.server';
import { findCases } from '~db/queries/worklist.server';
import { openedInBrowser } from './access.server';
import { PASSPORT_INDEX } from './answers.server';

const MOST = 10;

function indexesOf({ id, passport_sealed: sealed }: ApplicationRow): string[] {
  if (sealed === null) return [];
  const place = { table: 'applications', row: id, field: 'passport_sealed' };
  return blindIndexes(PASSPORT_INDEX, unseal(sealed, place));
}

const isPaidTwin = (row: ApplicationRow) => (other: ApplicationRow) =>
  other.id !== row.id && ![...UNPAID, ...NEVER_PAID].includes(other.state);

export async function paidTwins(row: ApplicationRow): Promise<ApplicationRow[]> {
  const indexes = indexesOf(row);
  if (indexes.length === 0) return [];
  const found = await queryDatabase((db) => findCases(db, 'passport_index', indexes, MOST));
  return found.filter(isPaidTwin(row));
}

/** No other is looked at: who types somebody's number learns nothing, and by no time either. */
export async function ownPaidTwin(request: Request, row: ApplicationRow) {
  const session = await sessionOf(request);
  const userId = session && !session.mfaRequired ? session.user.id : undefined;
  const own =
    userId === undefined ? [] : await queryDatabase((db) => listApplicationsOfUser(db, userId));
  const here = (await openedInBrowser(request)).filter(({ level }) => level === 'answers');
  const indexes = indexesOf(row);
  return [...own, ...here.map((one) => one.row)]
    .filter(isPaidTwin(row))
    .find(({ passport_index: index }) => index !== null && indexes.includes(index));
}
