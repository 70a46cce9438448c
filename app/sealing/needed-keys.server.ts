import { countKeyUses, sampleSealed } from '~db/queries/sealed-values.server';
import type { Database } from '~db/schema';
import { dataKeysPlace, dataKeysThatAreThere } from './data-keys.server';
import { keyIdOf, opened } from './seal.server';

/** Of each field this many values are tried: one may be altered. */
const SAMPLES = 5;

/**
 * The data keys that a database needs and that are not there, or are others of the same name.
 *
 * @param look `all`: every value is asked for its key; `some`: some of each field, which takes no time
 * @returns such as `needs the data key k1, which is not in DATA_KEYS`; undefined if all are there
 */
export async function missingKeys(db: Database, look: 'all' | 'some'): Promise<string | undefined> {
  const some = look === 'some' ? await sampleSealed(db, SAMPLES) : undefined;
  const ids = some
    ? some.map(({ sealed }) => keyIdOf(sealed))
    : (await countKeyUses(db)).map(({ keyId }) => keyId);
  const needed = [...new Set(ids.filter((id) => id !== undefined))].sort();
  // A site that seals nothing needs no keys, nor a place for them.
  if (needed.length === 0) return undefined;
  const keys = dataKeysThatAreThere();
  const missing: string[] = [];
  for (const id of needed) {
    const key = keys.find((one) => one.id === id);
    const samples =
      some?.filter(({ sealed }) => keyIdOf(sealed) === id) ??
      (key ? await sampleSealed(db, SAMPLES, id) : []);
    const opens = samples.some(
      ({ sealed, place }) => key && opened(key, sealed, place) !== undefined,
    );
    if (!key || (samples.length > 0 && !opens)) missing.push(id);
  }
  return missing.length === 0 ? undefined : `needs ${namesOfKeys(missing)}`;
}

/** Such as `the data keys k1 and k2, which are not in DATA_KEYS`. */
export function namesOfKeys(ids: readonly string[], place = dataKeysPlace()): string {
  const names =
    ids.length < 2
      ? `the data key ${ids.join('')}, which is`
      : `the data keys ${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}, which are`;
  return `${names} not in ${place}`;
}
