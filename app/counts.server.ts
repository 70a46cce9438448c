import { perApp } from './current-app.server';

/**
 * What has happened since the start, for `/metrics`: plain numbers, so that counting costs nothing
 * where nobody asks for them.
 */
export const counts = perApp(() => ({
  /** Failed openings and queries of the database. */
  databaseErrors: 0,
  /** In seconds since 1970; 0 before the first. */
  lastPurge: 0,
  /** Pages that came from memory, and those that were rendered for it. */
  memory: { hit: 0, miss: 0 },
  limited: {} as Record<string, number>,
  /** Payments by what came of them (`Fulfilled`). */
  payments: {} as Record<string, number>,
}));
