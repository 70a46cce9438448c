import { now } from '~/clock.server';
import { counts } from '~/counts.server';
import { checkDatabase, databaseErrorFields, eraseInDatabase } from '~/database.server';
import { log } from '~/log.server';
import { purge } from './purge';

/** More often than daily, because a purge also truncates a write-ahead log that a reader kept. */
const INTERVAL_MS = 60 * 60 * 1000;

/**
 * Purges the database now and every hour, and checks it every hour; it is checked when it is opened.
 * Errors are only logged: pages without database access are served even if it cannot be opened.
 */
export function startMaintenance(): void {
  void purgeAndLog();
  setInterval(() => void checkAndLog().then(purgeAndLog), INTERVAL_MS).unref();
}

async function checkAndLog(): Promise<void> {
  try {
    await checkDatabase();
  } catch (error) {
    log('error', 'the database is not sound', databaseErrorFields(error));
  }
}

async function purgeAndLog(): Promise<void> {
  try {
    log('info', 'purged', {
      assessments: await eraseInDatabase((db) => purge(db, now())),
    });
    counts.lastPurge = now().getTime() / 1000;
  } catch (error) {
    log('error', 'cannot purge', databaseErrorFields(error));
  }
}
