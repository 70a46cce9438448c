import SQLite from 'better-sqlite3';

import { DatabaseFileError } from './sqlite/database-file.server';

export type Failure =
  | 'gone'
  | 'missing'
  | 'damaged'
  | 'full'
  | 'held'
  | 'unwritable'
  | 'away'
  | 'refused';

/**
 * By code: of SQLite (sqlite.org/rescode.html), of the file system, or of PostgreSQL, whose codes
 * have five characters (postgresql.org/docs/15/errcodes-appendix.html).
 */
const FAILURES: [RegExp, Failure][] = [
  [/^GONE$/, 'gone'],
  [/^3D000$/, 'missing'],
  [/NOTADB|CORRUPT|^DAMAGED$|^XX00[12]$/, 'damaged'],
  [/FULL|ENOSPC|^53[12]00$/, 'full'],
  // A lock, a deadlock, a transaction that another has overtaken, a statement that took too long.
  [/BUSY|LOCKED|PROTOCOL|^55P03$|^40(P01|001)$|^57014$/, 'held'],
  [/READONLY|CANTOPEN|IOERR|EACCES|EPERM|EROFS|ENOTDIR|ENOENT|EEXIST|EISDIR|^25006$/, 'unwritable'],
  // No connection, no trust in it, or it broke; the server is being shut down or started, or is full.
  [
    /^08|^57P0|^53300$|CERT|^ERR_(TLS|SSL)|^UNABLE_TO_|ECONN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|EPIPE/,
    'away',
  ],
  [/^28|^42501$/, 'refused'],
];

/** pg has no code for these. */
const BROKEN_CONNECTION =
  /^(Connection terminated|timeout exceeded|Query read timeout|Client has|The server does not support SSL)/;

export function failureOf(error: unknown): Failure | undefined {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  // What the names of a host resolve to may be refused one by one.
  if (error instanceof AggregateError && error.errors.length > 0) return failureOf(error.errors[0]);
  if (code === undefined && BROKEN_CONNECTION.test(String(message))) return 'away';
  if (code === undefined && String(message).startsWith('SASL:')) return 'refused';
  return FAILURES.find(([pattern]) => pattern.test(String(code)))?.[1];
}

export type Contradiction = 'unique' | 'foreign key' | 'check';

const CONTRADICTIONS: [RegExp, Contradiction][] = [
  [/^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY|ROWID)$|^23505$/, 'unique'],
  [/^SQLITE_CONSTRAINT_FOREIGNKEY$|^23503$/, 'foreign key'],
  [/^SQLITE_CONSTRAINT_(CHECK|NOTNULL|DATATYPE)$|^23502$|^23514$/, 'check'],
];

export function contradictionOf(error: unknown): Contradiction | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return CONTRADICTIONS.find(([pattern]) => pattern.test(String(code)))?.[1];
}

export const isDatabaseError = (error: unknown): boolean =>
  error instanceof SQLite.SqliteError ||
  error instanceof DatabaseFileError ||
  isPostgresError(error);

/** pg's class, told by what it alone has: the class itself is loaded only where it is used. */
function isPostgresError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('severity' in error && 'code' in error) || failureOf(error) === 'away';
}

/** Whether an error means that what is open, not just the query, is unusable. */
export function isUnusable(error: unknown): boolean {
  // Of a server that is not, the pool makes its connections anew.
  const isFile = error instanceof SQLite.SqliteError || error instanceof DatabaseFileError;
  return isFile && /^(gone|damaged|unwritable)$/.test(failureOf(error) ?? '');
}

/** The same query may succeed later: a lock, a full disk, an unusable file, a server that is away. */
export const isTransient = (error: unknown): boolean =>
  isDatabaseError(error) && failureOf(error) !== undefined;

export const isLocked = (error: unknown): boolean =>
  isTransient(error) && failureOf(error) === 'held';

export function isMissingTable(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return code === '42P01' || String(message).startsWith('no such table:');
}
