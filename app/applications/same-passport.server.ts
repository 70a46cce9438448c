import { queryDatabase } from '~/database.server';
import { NEVER_PAID, UNPAID } from '~/domain/application/states';
import { blindIndexes, unsealColumn } from '~/sealing/seal.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { findCases } from '~db/queries/worklist.server';
import { ownApplications } from './access.server';
import { PASSPORT_INDEX } from './answers.server';

const MOST = 10;

function indexesOf(row: ApplicationRow): string[] {
  const number = unsealColumn('applications', row, 'passport_sealed');
  return number === undefined ? [] : blindIndexes(PASSPORT_INDEX, number);
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
  const { own, here } = await ownApplications(request);
  const indexes = indexesOf(row);
  return [...own, ...here]
    .flatMap((one) => (one.level === 'answers' ? one.row : []))
    .filter(isPaidTwin(row))
    .find(({ passport_index: index }) => index !== null && indexes.includes(index));
}
