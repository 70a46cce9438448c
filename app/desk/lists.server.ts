import type { RowKey } from '~db/queries/versioned-rows.server';

export function keyIn(asked: URLSearchParams, name: 'before' | 'after'): RowKey | undefined {
  const key = /^(\d{4}-\d\d-\d\dT[\d:.]{8,12}Z)_([\w.-]{1,64})$/.exec(asked.get(name) ?? '');
  const [, at, id] = key ?? [];
  return at && id ? { at, id } : undefined;
}

export const textOfKey = ({ at, id }: RowKey): string => `${at}_${id}`;

/** Of rows of which one more was read. @returns `after` leads to the next page */
export function pageOfRows<T extends { created_at: string; id: string }>(
  found: readonly T[],
  perPage: number,
) {
  const rows = found.slice(0, perPage);
  const last = found.length > perPage ? rows.at(-1) : undefined;
  return { rows, after: last && textOfKey({ at: last.created_at, id: last.id }) };
}
