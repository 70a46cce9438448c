import { existsSync, renameSync, rmSync } from 'node:fs';

import SQLite from 'better-sqlite3';

import { openSqlite, PATIENT_MS } from './connection.server';
import { migrate, MIGRATIONS } from './migrate.server';

/** A backup that cannot be made or used; the message says why. */
export class BackupError extends Error {
  override name = 'BackupError';
}

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
 * @returns where the unusable database was put, if it was
 * @throws {BackupError} if the backup is damaged, no database of this site, or of a newer version
 */
export async function restore(databaseFile: string, backup: string): Promise<string | undefined> {
  checkDatabase(backup);
  const aside = isDatabase(databaseFile) ? undefined : putAside(databaseFile);
  const source = new SQLite(backup, { fileMustExist: true, timeout: PATIENT_MS });
  try {
    await source.backup(databaseFile, ALL_PAGES);
  } finally {
    source.close();
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

/** @throws {BackupError} unless the file is a whole database of this site, of a known schema */
function checkDatabase(file: string): void {
  if (!existsSync(file)) throw new BackupError(`${file} is not there`);
  let names: string[];
  try {
    const sqlite = new SQLite(file, { fileMustExist: true });
    try {
      const damage = sqlite.pragma('integrity_check', { simple: true });
      if (damage !== 'ok') throw new BackupError(`${file} is damaged: ${String(damage)}`);
      names = sqlite.prepare('select name from kysely_migration').pluck().all() as string[];
    } finally {
      sqlite.close();
    }
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(`${file} is no database of this site: ${(error as Error).message}`);
  }
  const unknown = names.find((name) => !Object.hasOwn(MIGRATIONS, name));
  if (unknown !== undefined) {
    throw new BackupError(`${file} is of a newer version of this program, which made ${unknown}`);
  }
}

/** Whether there is nothing at all in the file's place, or a database. */
function isDatabase(file: string): boolean {
  if (!existsSync(file)) return true;
  try {
    checkDatabase(file);
    return true;
  } catch {
    return false;
  }
}

function putAside(file: string): string {
  const aside = `${file}.unusable-${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}`;
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix);
  }
  return aside;
}
