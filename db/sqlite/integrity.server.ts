import SQLite from 'better-sqlite3';

import { DatabaseFileError } from './database-file.server';

/**
 * Checks the structure of the whole database file, read by this connection.
 *
 * @throws {DatabaseFileError} saying what is damaged
 */
export function checkIntegrity(sqlite: SQLite.Database): void {
  const damage = findDamage(sqlite);
  if (damage !== 'ok') throw new DatabaseFileError('DAMAGED', `${sqlite.name}: ${damage}`);
}

function findDamage(sqlite: SQLite.Database): string {
  try {
    return String(sqlite.pragma('quick_check(1)', { simple: true }));
  } catch (error) {
    if (error instanceof SQLite.SqliteError && /CORRUPT|NOTADB/.test(error.code)) {
      return error.message;
    }
    throw error;
  }
}
