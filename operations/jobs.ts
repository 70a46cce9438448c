import { counts } from '~/counts.server';
import type { Database } from '~db/schema';
import { purge } from './purge';

/** Runs work that deletes, in a transaction; what it deletes is gone from the raw files too. */
export type Erase = <T>(work: (db: Database) => Promise<T>) => Promise<T>;

/** Work that becomes due as time passes, whoever is on the site. To do it twice is no harm. */
export interface Job {
  name: string;
  /** Does what is due at an instant; returns what was done, as counts by name. */
  run(erase: Erase, now: Date): Promise<Record<string, number>>;
}

export const JOBS: readonly Job[] = [
  {
    name: 'purged',
    async run(erase, now) {
      const assessments = await erase((db) => purge(db, now));
      counts.lastPurge = now.getTime() / 1000;
      return { assessments };
    },
  },
];
