import { databaseVersion } from '~/database.server';
import { today } from '~/clock.server';

let seen: { atMs: number; state: string | undefined } = { atMs: -1, state: undefined };

/**
 * What everything depends on that all visitors see alike: the day and the state of the database.
 * Undefined while no database is open; looks once in a millisecond.
 */
export function contentState(): string | undefined {
  const atMs = Math.floor(performance.now());
  if (atMs !== seen.atMs) {
    const version = databaseVersion();
    seen = { atMs, state: version && `${today()} ${version}` };
  }
  return seen.state;
}

/**
 * Remembers what was made of the shipped content until the day or the content is another. What
 * visitors write changes nothing of it: this process itself must not write what `make` reads.
 */
export function whileContentLasts<Key, T>(
  make: (key: Key) => Promise<T>,
): (key: Key) => Promise<T> {
  const made = new Map<Key, Promise<T>>();
  let madeOf: string | undefined;
  return (key) => {
    const state = contentState();
    if (state !== madeOf) made.clear();
    madeOf = state;
    const found = made.get(key);
    if (found) return found;
    const making = make(key);
    if (state !== undefined) {
      made.set(key, making);
      making.catch(() => made.delete(key));
    }
    return making;
  };
}
