import { requireDatabase } from '~/database.server';
import { shownCount } from '~/domain/dashboard';
import type { RowKey } from '~db/queries/rows.server';
import { COUNTED } from '~db/queries/worklist.server';
import type { Database } from '~db/schema';

export function keyIn(asked: URLSearchParams, name: 'before' | 'after'): RowKey | undefined {
  const key = /^(\d{4}-\d\d-\d\dT[\d:.]{8,12}Z)_([\w.-]{1,64})$/.exec(asked.get(name) ?? '');
  const [, at, id] = key ?? [];
  return at && id ? { at, id } : undefined;
}

export const textOfKey = ({ at, id }: RowKey): string => `${at}_${id}`;

const PER_PAGE = 25;

interface Lists<S extends string, T> {
  states: readonly [S, ...S[]];
  read: (
    db: Database,
    state: S,
    part: { after: RowKey | undefined; limit: number },
  ) => Promise<T[]>;
  /** How many are in each state, up to `COUNTED`. */
  count: (db: Database) => Promise<number[]>;
}

/** A page of a list by state, of which one row more is read. @returns `next` leads to the next page */
export async function listPage<S extends string, T extends { created_at: string; id: string }>(
  asked: URLSearchParams,
  { states, read, count }: Lists<S, T>,
) {
  const state = states.find((one) => one === asked.get('state')) ?? states[0];
  const after = keyIn(asked, 'after');
  const [found, counts] = await requireDatabase((db) =>
    Promise.all([read(db, state, { after, limit: PER_PAGE + 1 }), count(db)]),
  );
  const rows = found.slice(0, PER_PAGE);
  const last = found.length > PER_PAGE ? rows.at(-1) : undefined;
  const next = last && textOfKey({ at: last.created_at, id: last.id });
  const numbers = counts.map((number) => shownCount(number, COUNTED));
  return { state, numbers, rows, next, isFirst: after === undefined };
}
