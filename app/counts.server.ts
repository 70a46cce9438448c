import { perApp } from './current-app.server';

export const counts = perApp(() => ({
  databaseErrors: 0,
  memory: { hit: 0, miss: 0 },
  limited: {} as Record<string, number>,
  /** Payments by what came of them (`Fulfilled`). */
  payments: {} as Record<string, number>,
}));
