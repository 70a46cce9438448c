import { existsSync, renameSync, rmSync } from 'node:fs';

import SQLite from 'better-sqlite3';

import { openSqlite, PATIENT_MS } from './connection.server';
import { migrate, MIGRATIONS } from './migrate.server';

/** A backup that cannot be made or used; the message says why. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/** A file that is damaged, no database of this site, or of a newer version. */
class UnusableError extends BackupError {}

/** All pages in one step: a writer in another process cannot make the copy begin anew. */
const ALL_PAGES = { progress: () => 0x7fff_ffff };

/**
 * Writes a copy of the database to a new file, while the site runs and writes. The file is there
 * only once it has been checked.
 *
 * @throws {BackupError} if there is such a file, or the copy does not hold what it should
 */
export async function backUp(databaseFile: string, target: string): Promise<void> {
  if (existsSync(target)) throw new BackupError(`${target} is there already; it is left alone`);
  checkDatabase(databaseFile);
  const draft = `${target}.part`;
  rmSync(draft, { force: true });
  const source = openSqlite(databaseFile, PATIENT_MS);
  try {
    await source.backup(draft, ALL_PAGES);
    // A file of its own, without a log beside it.
    const copy = new SQLite(draft);
    copy.pragma('journal_mode = DELETE');
    copy.close();
    checkDatabase(draft);
    renameSync(draft, target);
  } finally {
    source.close();
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(draft + suffix, { force: true });
  }
}

/**
 * Puts a backup in the place of the database, all of it or nothing; a site that runs goes on with
 * it. An older backup gets today's schema. A database that is no more use is put aside, not deleted.
 *
 * @param now names the file that is put aside
 * @returns where the unusable database was put, if it was
 * @throws {BackupError} if the backup is damaged, no database of this site, or of a newer version
 */
export async function restore(
  databaseFile: string,
  backup: string,
  now: Date,
): Promise<string | undefined> {
  checkDatabase(backup);
  const aside = isUsable(databaseFile) ? undefined : putAside(databaseFile, now);
  try {
    await copyInto(databaseFile, backup);
  } catch (error) {
    if (aside) renameWithLog(aside, databaseFile);
    throw error;
  }
  const restored = openSqlite(databaseFile, PATIENT_MS);
  try {
    await migrate(restored);
  } finally {
    restored.close();
  }
  checkDatabase(databaseFile);
  return aside;
}

/** Copies all pages once no other process is writing: SQLite gives up at once, and says nothing. */
async function copyInto(databaseFile: string, backup: string): Promise<void> {
  const source = new SQLite(backup, { fileMustExist: true, timeout: PATIENT_MS });
  const deadline = performance.now() + PATIENT_MS;
  try {
    for (;;) {
      const { totalPages, remainingPages } = await source.backup(databaseFile, ALL_PAGES);
      if (totalPages > 0 && remainingPages === 0) return;
      if (performance.now() > deadline) {
        throw new BackupError(`${databaseFile} is held by another process; nothing was restored`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } finally {
    source.close();
  }
}

/** @throws {BackupError} unless the file is a whole database of this site, of a known schema */
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
    // SQLITE_ERROR: it has no table of migrations.
    if (/^SQLITE_(NOTADB|CORRUPT|ERROR)/.test(code)) {
      throw new UnusableError(`${file} is no database of this site: ${message}`);
    }
    throw new BackupError(`${file} cannot be read: ${message}`);
  }
  const unknown = names.find((name) => !Object.hasOwn(MIGRATIONS, name));
  if (unknown !== undefined) {
    throw new UnusableError(`${file} is of a newer version of this program, which made ${unknown}`);
  }
}

/**
 * Whether there is nothing at all in the file's place, or a database.
 *
 * @throws {BackupError} if that cannot be told, as of a file that another process holds
 */
function isUsable(file: string): boolean {
  if (!existsSync(file)) return true;
  try {
    checkDatabase(file);
    return true;
  } catch (error) {
    if (error instanceof UnusableError) return false;
    throw error;
  }
}

function putAside(file: string, now: Date): string {
  const aside = `${file}.unusable-${now.toISOString().replace(/\D/g, '').slice(0, 14)}`;
  renameWithLog(file, aside);
  return aside;
}

/** Renames a database with its write-ahead log, which is nothing without it. */
function renameWithLog(from: string, to: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix);
  }
}
