import type { Kind } from './objects';
import {
  type Awaitable,
  type Due,
  type Objects,
  Overtaken,
  type StandInStore,
  type Stored,
} from './store';

type Row = Stored<Kind>;

/**
 * Remembers in this process.
 *
 * @param rows what was there before
 * @param keep is given all that is there after each change
 */
export function memoryStore(
  rows: readonly Row[] = [],
  keep: (rows: Row[]) => void = () => undefined,
): StandInStore {
  let known = new Map(rows.map((row) => [row.id, row]));
  let last: Promise<unknown> = Promise.resolve();
  const changeNow = async <T>(work: (objects: Objects) => Awaitable<T>): Promise<T> => {
    // Rows are replaced and never altered, so that a copy of the map is enough to go back to.
    const next = new Map(known);
    const result = await work(objectsOf(next));
    known = next;
    keep([...known.values()]);
    return result;
  };
  return {
    change: (work) => {
      // One after the other, whatever comes of the one before.
      const turn = last.then(() => changeNow(work));
      last = turn.catch(() => undefined);
      return turn;
    },
    due: (now) => {
      const isDue = (row: Row): row is Due =>
        (row.kind === 'event' || row.kind === 'session') &&
        row.dueAt !== null &&
        row.dueAt <= now.toISOString();
      return Promise.resolve([...known.values()].filter(isDue).sort(byAge));
    },
  };
}

const byAge = (a: Row, b: Row) => (a.createdAt + a.id < b.createdAt + b.id ? -1 : 1);

function objectsOf(rows: Map<string, Row>): Objects {
  const ofKind = <K extends Kind>(kind: K) =>
    [...rows.values()].filter((row): row is Stored<K> => row.kind === kind);
  return {
    find: (kind, id) => ofKind(kind).find((row) => row.id === id),
    list: (kind) => ofKind(kind).sort(byAge).reverse(),
    add: (one) => {
      if (rows.has(one.id)) throw new Overtaken();
      rows.set(one.id, { ...one, version: 1 });
    },
    replace: (one, changes) => {
      if (rows.get(one.id)?.version !== one.version) throw new Overtaken();
      rows.set(one.id, { ...one, ...changes, version: one.version + 1 });
    },
  };
}
