import { databaseErrorFields, lookIntoDatabase, queryDatabase } from '~/database.server';
import { ConfigurationError, env } from '~/env.server';
import { isOffline } from '~/mode.server';
import { missingKeys, refusalWithout } from '~/sealing/needed-keys.server';
import { OlderVersionError } from '~db/as-it-is.server';
import { failureOf, isDatabaseError } from '~db/errors.server';
import { NewerVersionError } from '~db/migrate.server';
import { placeOf } from '~db/open-store.server';
import { listStoredRows, type StoredRows } from '~db/content-rows.server';
import type { Area, Finding } from './report';

/**
 * Opens the database and reads its content. None is made where none is, and nothing is migrated or
 * seeded: what is wrong must not be mended on the way.
 *
 * @returns its area, and its rows; these are undefined if they cannot be read
 * @throws for a mistake of the program alone
 */
export async function databaseArea(): Promise<{ area: Area; rows: StoredRows | undefined }> {
  const { database } = env();
  const place = placeOf(database);
  const findings: Finding[] = [];
  const area: Area = { name: 'Database', summary: place, findings };
  try {
    await lookIntoDatabase((event, fields) => {
      findings.push({ level: 'warning', text: `${event}: ${Object.values(fields).join(', ')}.` });
    });
    const missing = isOffline() ? [] : await queryDatabase((db) => missingKeys(db, 'all'));
    if (missing.length > 0) {
      findings.push({ level: 'error', text: refusalWithout(place, missing) });
    }
    return { area, rows: await queryDatabase(listStoredRows) };
  } catch (error) {
    findings.push({ level: 'error', text: sentenceOf(error, place) });
    return { area, rows: undefined };
  }
}

/** Why the database cannot be read, and what to do; a mistake of the program is thrown on. */
function sentenceOf(error: unknown, file: string): string {
  if (error instanceof OlderVersionError) {
    return `${error.message}; npm run db:migrate brings it up to date, and so does the next start.`;
  }
  if (error instanceof NewerVersionError) {
    return `${error.message}; run that version, or restore an older backup.`;
  }
  // Such as a file of data keys that is none.
  if (error instanceof ConfigurationError) return error.message;
  if (!(error instanceof Error)) throw error;
  const failure = failureOf(error);
  if (failure === 'gone') {
    return `${error.message}; npm run db:restore FILE puts a backup there, npm run db:seed makes a new one.`;
  }
  const { message } = error;
  const said = message.includes(file) ? message : `${file} cannot be read (${message})`;
  const { advice } = databaseErrorFields(error);
  if (failure && typeof advice === 'string') return `${said}. ${advice}`;
  // Such as a table that is gone.
  if (isDatabaseError(error)) return `${said}; npm run db:restore FILE puts a backup in its place.`;
  throw error;
}
