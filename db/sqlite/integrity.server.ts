import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

import SQLite from 'better-sqlite3';

import { DatabaseFileError } from './database-file.server';
import { BUSY_TIMEOUT_MS, COMMAND_BUSY_TIMEOUT_MS } from './open.server';

export function checkIntegrity(sqlite: SQLite.Database): void {
  refuseDamage(sqlite.name, findDamage(sqlite));
}

/** The same, as a connection of its own reads it; `path` is another name of the file. */
export type Check = (file: string, path?: string) => Promise<void>;

/** In this process, which does nothing else meanwhile, and in which the file is not open. */
export const checkHere: Check = (file, path = file) => {
  const sqlite = new SQLite(path, { ...READ_ONLY, timeout: COMMAND_BUSY_TIMEOUT_MS });
  try {
    refuseDamage(file, findDamage(sqlite));
  } finally {
    sqlite.close();
  }
  return Promise.resolve();
};

/** In a process of its own: a large file takes seconds, in which this one goes on. */
export const checkApart: Check = async (file, path = file) => {
  const words = [
    '--eval',
    PROGRAM,
    '--',
    createRequire(import.meta.url).resolve('better-sqlite3'),
    path,
    JSON.stringify({ ...READ_ONLY, timeout: BUSY_TIMEOUT_MS }),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, words).catch((error: unknown) => {
    throw new Error(`${file} could not be checked`, { cause: error });
  });
  const { said, code, message = '' } = JSON.parse(stdout) as Record<string, string | undefined>;
  if (said !== undefined) return refuseDamage(file, said);
  const error = new SQLite.SqliteError(message, code ?? '');
  if (!isDamage(error)) throw error;
  refuseDamage(file, message);
};

const READ_ONLY = { readonly: true, fileMustExist: true } as const;

const QUICK_CHECK = 'quick_check(1)';

const PROGRAM = `
  const [, library, path, options] = process.argv;
  let answer;
  try {
    const sqlite = new (require(library))(path, JSON.parse(options));
    answer = { said: String(sqlite.pragma('${QUICK_CHECK}', { simple: true })) };
  } catch ({ code, message }) {
    answer = { code, message };
  }
  console.log(JSON.stringify(answer));`;

function findDamage(sqlite: SQLite.Database): string {
  try {
    return String(sqlite.pragma(QUICK_CHECK, { simple: true }));
  } catch (error) {
    if (isDamage(error)) return error.message;
    throw error;
  }
}

const isDamage = (error: unknown): error is Error =>
  error instanceof SQLite.SqliteError && /CORRUPT|NOTADB/.test(error.code);

function refuseDamage(file: string, said: string): void {
  if (said !== 'ok') throw new DatabaseFileError('DAMAGED', `${file}: ${said}`);
}
