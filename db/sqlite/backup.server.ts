import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import SQLite from 'better-sqlite3';

import { failureOf, isLocked } from '../errors.server';
import { NewerVersionError, refuseNewer } from '../migrate.server';
import { openMigrated } from '../open-store.server';
import type { Database } from '../schema';
import type { Report } from '../store.server';
import {
  createPrivateFile,
  createPrivateFolder,
  putAside,
  renameDatabase,
} from './database-file.server';
import { COMMAND_BUSY_TIMEOUT_MS, openSqlite, queryBuilder, type SqliteFile } from './open.server';
import { putStaleLogAside, writeMark } from './write-ahead-log.server';

export class BackupError extends Error {
  override name = 'BackupError';
}

class UnusableError extends BackupError {}

/** All pages in one step: otherwise, a write by another process would restart the copy. */
const ALL_PAGES = { progress: () => 0x7fff_ffff };

/** While the site is running. The file appears once it has been checked; its owner alone can read it. */
export async function backUp(databaseFile: string, target: string, report?: Report): Promise<void> {
  if (existsSync(target)) throw new BackupError(`${target} is there already; it is left alone`);
  const folder = dirname(target);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new BackupError(`${target} cannot be written: there is no folder ${folder}`);
  }
  putStaleLogAside(databaseFile, report);
  checkDatabase(databaseFile);
  const temporaryFile = `${target}.part`;
  rmSync(temporaryFile, { force: true });
  const source = openSqlite(databaseFile, COMMAND_BUSY_TIMEOUT_MS);
  try {
    try {
      createPrivateFile(temporaryFile);
      await source.backup(temporaryFile, ALL_PAGES);
    } catch (error) {
      if (failureOf(error) === undefined) throw error;
      throw new BackupError(`${target} cannot be written: ${(error as Error).message}`);
    }
    // Makes the copy a single file, without a write-ahead log next to it.
    const copy = new SQLite(temporaryFile);
    copy.pragma('journal_mode = DELETE');
    copy.close();
    checkDatabase(temporaryFile);
    renameSync(temporaryFile, target);
  } finally {
    source.close();
    for (const suffix of ['', '-wal', '-shm', '-journal'])
      rmSync(temporaryFile + suffix, { force: true });
  }
}

/**
 * Completely or not at all; a running site continues with it. An older backup is migrated. An unusable
 * database is set aside, not deleted.
 *
 * @param options.accept looks into the backup, and throws if it must not be restored
 * @returns the path of the unusable database, if there was one
 */
export async function restore(
  databaseFile: string,
  backup: string,
  now: Date,
  { report, accept }: { report?: Report; accept?: (backup: Database) => Promise<void> } = {},
): Promise<string | undefined> {
  checkDatabase(backup);
  if (accept) await readBackup(backup, accept);
  createPrivateFolder(databaseFile);
  putStaleLogAside(databaseFile, report);
  const aside = isUsable(databaseFile) ? undefined : putAside(databaseFile, 'unusable', now);
  try {
    await replaceContent(databaseFile, backup, report);
  } catch (error) {
    if (aside) renameDatabase(aside, databaseFile);
    throw error;
  }
  checkDatabase(databaseFile);
  return aside;
}

export const readBackup = <T>(backup: string, work: (db: Database) => Promise<T>) =>
  opened(backup, (sqlite) => {
    sqlite.pragma('query_only = ON');
    return work(queryBuilder(sqlite));
  });

async function opened<T>(file: string, work: (sqlite: SqliteFile) => Promise<T>): Promise<T> {
  const sqlite = new SQLite(file, { fileMustExist: true, timeout: COMMAND_BUSY_TIMEOUT_MS });
  try {
    return await work(sqlite);
  } finally {
    sqlite.close();
  }
}

async function replaceContent(databaseFile: string, backup: string, report?: Report) {
  const database = openSqlite(databaseFile, COMMAND_BUSY_TIMEOUT_MS, report);
  try {
    // The copy brings the backup's own mark: the log must have said before which file it continues.
    writeMark(database);
    await opened(backup, (source) => copyInto(databaseFile, source));
  } catch (error) {
    throw isLocked(error) ? heldByAnother(databaseFile) : error;
  } finally {
    database.close();
  }
  const store = await openMigrated(
    { engine: 'sqlite', file: databaseFile },
    { waitMs: COMMAND_BUSY_TIMEOUT_MS, report },
  );
  await store.close();
}

const heldByAnother = (file: string) =>
  new BackupError(`${file} is held by another process; nothing was restored`);

/** While another process is writing, SQLite copies nothing and reports no error. */
async function copyInto(databaseFile: string, source: SqliteFile): Promise<void> {
  const deadline = performance.now() + COMMAND_BUSY_TIMEOUT_MS;
  for (;;) {
    const { totalPages, remainingPages } = await source.backup(databaseFile, ALL_PAGES);
    if (totalPages > 0 && remainingPages === 0) return;
    if (performance.now() > deadline) throw heldByAnother(databaseFile);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const firstLine = (damage: unknown) => String(damage).split('\n', 1)[0];

/** @throws {BackupError | NewerVersionError} unless it is an intact database of this site */
function checkDatabase(file: string): void {
  if (!existsSync(file)) throw new BackupError(`${file} is not there`);
  let names: string[];
  try {
    const sqlite = new SQLite(file, { fileMustExist: true });
    try {
      const damage = sqlite.pragma('integrity_check', { simple: true });
      if (damage !== 'ok') throw new UnusableError(`${file} is damaged: ${firstLine(damage)}`);
      names = sqlite.prepare('select name from kysely_migration').pluck().all() as string[];
    } finally {
      sqlite.close();
    }
  } catch (error) {
    if (error instanceof BackupError) throw error;
    const { code = '', message } = error as { code?: string; message: string };
    if (failureOf(error) === 'held') {
      throw new BackupError(`${file} is held by another process; nothing was changed`);
    }
    // SQLITE_ERROR: it has no migrations table.
    if (/^SQLITE_(NOTADB|CORRUPT|ERROR)/.test(code)) {
      throw new UnusableError(`${file} is no database of this site: ${message}`);
    }
    throw new BackupError(`${file} cannot be read: ${message}`);
  }
  refuseNewer(file, names);
}

function isUsable(file: string): boolean {
  if (!existsSync(file)) return true;
  try {
    checkDatabase(file);
    return true;
  } catch (error) {
    if (error instanceof UnusableError || error instanceof NewerVersionError) return false;
    throw error;
  }
}
