import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

export class DatabaseFileError extends Error {
  override name = 'DatabaseFileError';
  /** `GONE`: the file is missing or empty, and none is made. `DAMAGED`: it is no sound database. */
  constructor(
    readonly code: 'GONE' | 'DAMAGED',
    message: string,
  ) {
    super(message);
  }
}

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

export const DATABASE_SUFFIXES = ['', '-wal', '-shm'] as const;
export const LOG_SUFFIXES = ['-wal', '-shm'] as const;

export function createPrivateFolder(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
}

/** For the owner alone: SQLite gives what it puts beside it the same mode. */
export function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', PRIVATE_FILE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

export type FileState = { identity: string; content: string; size: number; changedAt: number };

export function fileState(file: string): FileState | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat) return undefined;
  const { dev, ino, size, mtimeMs } = stat;
  return { identity: `${dev}:${ino}`, content: `${size}:${mtimeMs}`, size, changedAt: mtimeMs };
}

export const isMissingOrEmpty = (file: string): boolean =>
  !statSync(file, { throwIfNoEntry: false })?.size;

/**
 * Not of a database that is open: to close it here would release SQLite's locks on it
 * (sqlite.org/howtocorrupt.html, 2.2). Its write-ahead log has none.
 */
export function readBytes(file: string, length: number): Buffer {
  if (!existsSync(file)) return Buffer.alloc(0);
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Renames a database or its log to one that says why and when; returns that, without a log's suffix. */
export function putAside(
  file: string,
  why: 'unusable' | 'stale',
  at: Date,
  suffixes: readonly string[] = DATABASE_SUFFIXES,
): string {
  const name = `${file}.${why}-${at.toISOString().replace(/\D/g, '').slice(0, 14)}`;
  let aside = name;
  for (let n = 2; DATABASE_SUFFIXES.some((suffix) => existsSync(aside + suffix)); n += 1) {
    aside = `${name}-${n}`;
  }
  renameDatabase(file, aside, suffixes);
  return aside;
}

/** Renames a database together with its write-ahead log: neither is complete without the other. */
export function renameDatabase(
  from: string,
  to: string,
  suffixes: readonly string[] = DATABASE_SUFFIXES,
): void {
  for (const suffix of suffixes) {
    if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix);
  }
}
