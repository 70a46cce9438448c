import { today } from '~/clock.server';
import { latestValidUntil, payByOf } from '~/domain/application/official-fee';
import { type FactKey, factOn } from '~/domain/facts';
import { seal, unseal } from '~/sealing/seal.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { listFacts } from '~db/queries/facts.server';
import type { Database } from '~db/schema';

/** Where an application is entered, looked for and paid. */
export const OFFICIAL_SITE = 'https://esta.cbp.dhs.gov/';

/** Read in the transaction `db`: what pages know of facts could wait for its end. */
async function factIn(db: Database, key: FactKey) {
  return factOn(await listFacts(db), key, today());
}

/** By when an application that is entered now must be paid; undefined if no fact says so. */
export async function payByFrom(db: Database, now: Date): Promise<Date | undefined> {
  const kept = await factIn(db, 'official_unpaid_kept');
  return kept && payByOf(now, kept);
}

/** The last day that an authorization can have that was granted until today; undefined: not known. */
export async function latestDay(db: Database): Promise<string | undefined> {
  const validity = await factIn(db, 'esta_validity');
  if (validity?.unit !== 'months') return undefined;
  return latestValidUntil(today(), Number(validity.value));
}

const place = (row: string) => ({ table: 'applications', row, field: 'official_number_sealed' });

/** The number that the official site gave, sealed for its column. */
export function sealOfficialNumber(id: string, number: string): string {
  return seal(number, place(id));
}

/** The number that the official site gave; undefined if there is none. */
export function officialNumberOf({
  id,
  official_number_sealed: sealed,
}: Pick<ApplicationRow, 'id' | 'official_number_sealed'>): string | undefined {
  return sealed === null ? undefined : unseal(sealed, place(id));
}
