import { later, now } from '~/clock.server';
import {
  checkDatabase,
  databaseErrorFields,
  scrubDatabase,
  writeDatabase,
} from '~/database.server';
import { log } from '~/log.server';
import { hourlyJobs, inTurns } from './jobs';

/** More often than daily, because a purge also truncates a write-ahead log that a reader kept. */
const INTERVAL_MS = 60 * 60 * 1000;
const STORE = { write: writeDatabase, scrub: scrubDatabase };

/**
 * Runs the jobs now and every hour, and checks the database every hour; it is checked when it is
 * opened. Errors are only logged: pages without database access are served even if it cannot be
 * opened. Several servers may do the same at once.
 *
 * @returns stops it
 */
export function startMaintenance(): () => void {
  void runJobs();
  let cancel = () => {};
  const waitAnHour = () => {
    cancel = later(INTERVAL_MS, () => {
      waitAnHour();
      void checkAndLog().then(runJobs);
    });
  };
  waitAnHour();
  return () => cancel();
}

async function checkAndLog(): Promise<void> {
  try {
    await checkDatabase();
  } catch (error) {
    log('error', 'the database is not sound', databaseErrorFields(error));
  }
}

/** Does what is due; errors are logged. */
export async function runJobs(): Promise<void> {
  for (const job of hourlyJobs()) {
    try {
      log('info', job.name, await inTurns(STORE, (erase) => job.run(erase, now())));
    } catch (error) {
      log('error', `not ${job.name}`, databaseErrorFields(error));
    }
  }
}
