import { countKeyUses, type Sample, sampleSealed } from '~db/queries/sealed-values.server';
import type { Database } from '~db/schema';
import { LASTING_TABLES } from '~db/sealed-columns.server';
import { dataKeysPlace, dataKeysThatAreThere } from './data-keys.server';
import { keyIdOf, opened } from './seal.server';

const SAMPLES = 5;

/**
 * Those that are not there, or are others of the same name. What ends by itself needs none: a search of an
 * hour ago stops no site. @param extent `some`: of the values written first and last, which takes no time
 */
export async function missingKeys(db: Database, extent: 'all' | 'some'): Promise<string[]> {
  const some = extent === 'some' ? await sampleSealed(db, LASTING_TABLES, SAMPLES) : undefined;
  const ids = some
    ? some.map(({ sealed }) => keyIdOf(sealed))
    : (await countKeyUses(db, LASTING_TABLES)).map(({ keyId }) => keyId);
  const needed = [...new Set(ids.filter((id) => id !== undefined))].sort();
  // A site that seals nothing needs no keys, nor a place for them.
  if (needed.length === 0) return [];
  const keys = dataKeysThatAreThere();
  const missing: string[] = [];
  for (const id of needed) {
    const key = keys.find((one) => one.id === id);
    const samples =
      some?.filter(({ sealed }) => keyIdOf(sealed) === id) ??
      (key ? await sampleSealed(db, LASTING_TABLES, SAMPLES, id) : []);
    const isOpen = ({ sealed, place }: Sample) =>
      key !== undefined && opened(key, sealed, place) !== undefined;
    const closed = new Set(
      samples.filter((one) => !isOpen(one)).map(({ place }) => `${place.table} ${place.row}`),
    );
    // A single row may have been altered; several are of another key of this name.
    const isOther = closed.size > 1 || (samples.length > 0 && !samples.some(isOpen));
    if (!key || isOther) missing.push(id);
  }
  return missing;
}

export const needsKeys = (ids: readonly string[]): string => `needs ${namesOfKeys(ids)}`;

export function refusalWithout(place: string, ids: readonly string[]): string {
  const commands = ids.map((id) => `npm run data:reseal -- --forget ${id}`).join(', ');
  return `${place} ${needsKeys(ids)}; put its copy back there, or, only if there is none, clear what it has sealed: ${commands} (docs/backups.md).`;
}

export function namesOfKeys(ids: readonly string[], place = dataKeysPlace()): string {
  const names =
    ids.length < 2
      ? `the data key ${ids.join('')}, which is`
      : `the data keys ${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}, which are`;
  return `${names} not in ${place}`;
}
