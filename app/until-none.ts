import type { Database } from '~db/schema';

/** In a transaction; what it deletes is gone from the raw files, too. */
export type SecureWrite = <T>(work: (db: Database) => Promise<T>) => Promise<T>;

export async function untilNone(part: () => Promise<number>): Promise<number> {
  let sum = 0;
  for (;;) {
    const done = await part();
    if (done === 0) return sum;
    sum += done;
  }
}

/** The same, with a list of which each is done by itself; `work` says whether it has done it. */
export const eachUntilNone = <T>(list: () => Promise<T[]>, work: (one: T) => Promise<boolean>) =>
  untilNone(async () => countDone(await list(), work));

export async function countDone<T>(all: readonly T[], work: (one: T) => Promise<boolean>) {
  let done = 0;
  for (const one of all) if (await work(one)) done += 1;
  return done;
}
