import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import SQLite from 'better-sqlite3';

import { openSqlite, COMMAND_BUSY_TIMEOUT_MS, failureOf } from './connection.server';
import { migrate, NewerVersionError, refuseNewer, type Report } from './migrate.server';

/** A backup that cannot be created or used; the message says why. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/** The file is damaged, or not a database of this site. */
class UnusableError extends BackupError {}

/** All pages in one step: otherwise, a write by another process would restart the copy. */
const ALL_PAGES = { progress: () => 0x7fff_ffff };

/**
 * Copies the database to a new file while the site is running. The file appears only after it has
 * been checked.
 *
 * @throws {BackupError} if the file exists already or cannot be written, or the copy is incomplete
 */
export async function backUp(databaseFile: string, target: string): Promise<void> {
  if (existsSync(target)) throw new BackupError(`${target} is there already; it is left alone`);
  const folder = dirname(target);
  if (!isFolder(folder)) {
    throw new BackupError(`${target} cannot be written: there is no folder ${folder}`);
  }
  checkDatabase(databaseFile);
  const temporaryFile = `${target}.part`;
  rmSync(temporaryFile, { force: true });
  const source = openSqlite(databaseFile, COMMAND_BUSY_TIMEOUT_MS);
  try {
    await written(target, source.backup(temporaryFile, ALL_PAGES));
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
 * Replaces the database by a backup, completely or not at all; a running site continues with it. An
 * older backup is migrated. An unusable database is set aside, not deleted.
 *
 * @param now used in the name of the file that is set aside
 * @param report is told of rows that a migration sets aside
 * @returns the path of the unusable database, if there was one
 * @throws {BackupError} if the backup is damaged, not a database of this site, or from a newer
 *   version
 */
export async function restore(
  databaseFile: string,
  backup: string,
  now: Date,
  report?: Report,
): Promise<string | undefined> {
  checkDatabase(backup);
  mkdirSync(dirname(databaseFile), { recursive: true });
  const aside = isUsable(databaseFile) ? undefined : setAside(databaseFile, now);
  try {
    await copyInto(databaseFile, backup);
  } catch (error) {
    if (aside) renameWithLog(aside, databaseFile);
    throw error;
  }
  const restored = openSqlite(databaseFile, COMMAND_BUSY_TIMEOUT_MS);
  try {
    await migrate(restored, report);
  } finally {
    restored.close();
  }
  checkDatabase(databaseFile);
  return aside;
}

/**
 * Copies all pages once no other process is writing. While one is, SQLite copies nothing and
 * reports no error.
 */
async function copyInto(databaseFile: string, backup: string): Promise<void> {
  const source = new SQLite(backup, { fileMustExist: true, timeout: COMMAND_BUSY_TIMEOUT_MS });
  const deadline = performance.now() + COMMAND_BUSY_TIMEOUT_MS;
  try {
    for (;;) {
      const { totalPages, remainingPages } = await source.backup(databaseFile, ALL_PAGES);
      if (totalPages > 0 && remainingPages === 0) return;
      if (performance.now() > deadline) {
        throw new BackupError(`${databaseFile} is held by another process; nothing was changed`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } finally {
    source.close();
  }
}

/** @throws {BackupError} if the copy cannot be written to its place */
async function written<T>(target: string, copying: Promise<T>): Promise<T> {
  try {
    return await copying;
  } catch (error) {
    if (failureOf(error) === undefined) throw error;
    throw new BackupError(`${target} cannot be written: ${(error as Error).message}`);
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/**
 * @throws {BackupError} unless the file is an intact database of this site
 * @throws {NewerVersionError} unless its schema is known
 */
function checkDatabase(file: string): void {
  if (!existsSync(file)) throw new BackupError(`${file} is not there`);
  let names: string[];
  try {
    const sqlite = new SQLite(file, { fileMustExist: true });
    try {
      const damage = sqlite.pragma('integrity_check', { simple: true });
      if (damage !== 'ok') throw new UnusableError(`${file} is damaged: ${String(damage)}`);
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

/**
 * Whether the file is missing or a usable database.
 *
 * @throws {BackupError} if this cannot be determined, for example while another process holds the
 *   file
 */
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

function setAside(file: string, now: Date): string {
  const aside = `${file}.unusable-${now.toISOString().replace(/\D/g, '').slice(0, 14)}`;
  renameWithLog(file, aside);
  return aside;
}

/** Renames a database together with its write-ahead log: neither is complete without the other. */
function renameWithLog(from: string, to: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix);
  }
}
