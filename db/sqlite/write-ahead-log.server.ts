/**
 * Which write-ahead log belongs to which database file. SQLite does not ask: it applies any log
 * that lies beside a file, and a log that was left by a kill destroys the backup that is copied to
 * its place. So each log begins with a mark that names the file it continues
 * (docs/decisions/0028-log-and-file.md).
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, statSync } from 'node:fs';

import type SQLite from 'better-sqlite3';

import type { Report } from '../store.server';
import {
  type FileState,
  fileState,
  isMissingOrEmpty,
  LOG_SUFFIXES,
  putAside,
  readBytes,
} from './database-file.server';

interface Mark {
  /** `user_version`: drawn anew with each mark. */
  own: number;
  /** `application_id`: the mark before it. */
  previous: number;
}

/** @param state of a file that was checked, or changed by us alone since: the mark vouches for it */
export function writeMark(sqlite: SQLite.Database, state?: FileState): number {
  const mark = sqlite.transaction((): number => {
    const previous = Number(sqlite.pragma('user_version', { simple: true }));
    const drawn = Number(sqlite.prepare('select abs(random() % 2147483647) + 1').pluck().get());
    const own = state ? drawn - (drawn % DIGESTS) + digest(state) : drawn;
    sqlite.pragma(`application_id = ${previous}`);
    sqlite.pragma(`user_version = ${own}`);
    return own;
  });
  return mark.immediate();
}

/** Whether the last mark was written by who has checked the file as it is now, or changed it alone since. */
export const isVouchedFor = (sqlite: SQLite.Database, state: FileState): boolean =>
  Number(sqlite.pragma('user_version', { simple: true })) % DIGESTS === digest(state);

/** A mark has room for as much of a digest, beside what is drawn. */
const DIGESTS = 2 ** 16;

const digest = ({ identity, content }: FileState): number =>
  createHash('sha256').update(`${identity} ${content}`).digest().readUInt16BE();

/** Whether a mark is the last one of a database, or the one before: others may mark it too. */
export function hasMark(sqlite: SQLite.Database, mark: number): boolean {
  const read = (name: string) => sqlite.pragma(name, { simple: true });
  return read('user_version') === mark || read('application_id') === mark;
}

export type Trace = { file: FileState; log: string; mark: number };

/**
 * Before SQLite applies it. No connection of this process may have the file open.
 *
 * @param left of the store that had the file before
 */
export function putStaleLogAside(file: string, report?: Report, left?: Trace): void {
  const log = `${file}-wal`;
  // Another process may be writing: only what stands still is judged, and belongs if it does not.
  for (let tries = 0; tries < 5; tries += 1) {
    const header = readBytes(file, HEADER_BYTES);
    const frames = readLog(log);
    if (!frames) return;
    if (belongs(header, frames) && !(left && isOfFormerFile(file, header, frames, left))) return;
    const isStill =
      readBytes(file, HEADER_BYTES).equals(header) && readLog(log)?.salts.equals(frames.salts);
    if (!isStill) continue;
    putLogAside(file, report);
    return;
  }
}

export function putLogAside(file: string, report?: Report): void {
  const aside = putAside(file, 'stale', statSync(`${file}-wal`).mtime, LOG_SUFFIXES);
  report?.('a write-ahead log of another database file was put aside', { aside: `${aside}-wal` });
}

export const hasLog = (file: string): boolean => !isMissingOrEmpty(`${file}-wal`);

export const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';
/** Offsets in the header of a database (sqlite.org/fileformat.html, 1.3). */
const AT = {
  pageSize: 16,
  readVersion: 19,
  changes: 24,
  pages: 28,
  userVersion: 60,
  applicationId: 68,
  changesAtPages: 92,
};
const WRITE_AHEAD_LOG = 2;

export const isDatabaseHeader = (header: Buffer): boolean =>
  header.length >= HEADER_BYTES && header.toString('latin1', 0, 16) === MAGIC;

function belongs(header: Buffer, { headers }: Log): boolean {
  if (!isDatabaseHeader(header)) return false;
  const marks = headers.map(markOf);
  // A backup, for example: nothing that is in use has a log and another mode.
  if (header[AT.readVersion] !== WRITE_AHEAD_LOG) return false;
  const [first] = marks;
  // It cannot be told: a program that does not write marks has begun this log.
  if (!first) return true;
  const base = markOf(header);
  return (
    // The first mark continues this file, or something else than a mark was written first.
    first.previous === base.own ||
    first.previous === base.previous ||
    // The log is already merged as far as this mark.
    marks.some(({ own, previous }) => own === base.own && previous === base.previous)
  );
}

/** Another file has come here, or it was overwritten: a log's marks do not tell it from a plain copy. */
function isOfFormerFile(file: string, header: Buffer, { headers }: Log, left: Trace): boolean {
  const now = fileState(file);
  const log = fileState(`${file}-wal`);
  if (!now || log?.identity !== left.log) return false;
  // Moved together with its log, or a log that has begun anew after a merge by somebody else.
  if (!headers.some((one) => markOf(one).own === left.mark)) return false;
  // The same bytes, wherever they are now; or not all of them are there yet.
  if (now.content === left.file.content || !isWhole(header, now.size)) return false;
  if (now.identity !== left.file.identity) return true;
  // Who merges the log writes its first page first. Who has overwritten the log too did so last.
  return log.changedAt < now.changedAt && !headers.some((one) => one.equals(header));
}

function isWhole(header: Buffer, size: number): boolean {
  if (!isDatabaseHeader(header)) return false;
  const pageSize = header.readUInt16BE(AT.pageSize);
  // An older program does not keep the number of pages.
  const isKept = header.readUInt32BE(AT.changes) === header.readUInt32BE(AT.changesAtPages);
  return !isKept || size >= header.readUInt32BE(AT.pages) * (pageSize === 1 ? 65_536 : pageSize);
}

const markOf = (header: Buffer): Mark => ({
  own: header.readUInt32BE(AT.userVersion),
  previous: header.readUInt32BE(AT.applicationId),
});

interface Log {
  /** They change when the log begins anew. */
  salts: Buffer;
  /** The headers of all versions of the file's first page, with their marks. */
  headers: Buffer[];
}

/** Sizes and offsets of a write-ahead log (sqlite.org/fileformat.html, 4.1). */
const LOG = { header: 32, pageSize: 8, salts: 16, frameHeader: 24, frameSalts: 8, saltBytes: 8 };

function readLog(file: string): Log | undefined {
  const header = readBytes(file, LOG.header);
  if (header.length < LOG.header) return undefined;
  const pageSize = header.readUInt32BE(LOG.pageSize);
  const salts = header.subarray(LOG.salts, LOG.salts + LOG.saltBytes);
  const headers: Buffer[] = [];
  const descriptor = openSync(file, 'r');
  try {
    const frame = Buffer.alloc(LOG.frameHeader + HEADER_BYTES);
    let at = LOG.header;
    // What follows the last frame with these salts is left of an earlier log.
    for (; readSync(descriptor, frame, 0, frame.length, at) === frame.length;) {
      if (frame.compare(salts, 0, LOG.saltBytes, LOG.frameSalts, LOG.frameSalts + LOG.saltBytes)) {
        break;
      }
      if (frame.readUInt32BE(0) === 1) headers.push(Buffer.from(frame.subarray(LOG.frameHeader)));
      at += LOG.frameHeader + pageSize;
    }
    return at > LOG.header ? { salts, headers } : undefined;
  } finally {
    closeSync(descriptor);
  }
}
