/** Where a list of the desk goes on: after this row. */
export interface ListCursor {
  at: string;
  id: string;
}

const CURSOR = /^(\d{4}-\d\d-\d\dT[\d:.]{8,12}Z)_([0-9a-f-]{36})$/;

/** The row after which an address goes on; undefined: from the start. */
export function cursorOf(searchParams: URLSearchParams): ListCursor | undefined {
  const [, at, id] = CURSOR.exec(searchParams.get('after') ?? '') ?? [];
  return at !== undefined && id !== undefined ? { at, id } : undefined;
}

/**
 * A page of rows of which one more was read than it shows.
 *
 * @returns `after`: what leads to the next page, if there is one
 */
export function pageOfRows<T extends { created_at: string; id: string }>(
  found: readonly T[],
  perPage: number,
): { rows: T[]; after?: string } {
  const rows = found.slice(0, perPage);
  const last = rows.at(-1);
  return {
    rows,
    ...(found.length > perPage && last && { after: `${last.created_at}_${last.id}` }),
  };
}
