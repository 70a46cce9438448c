import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { env } from '~/env.server';

/** Beside the database; with PostgreSQL what is kept there is required as a variable. */
export function keptPath(name: string): string {
  const { database } = env();
  return join(database.engine === 'sqlite' ? dirname(database.file) : 'data', name);
}

/** Kept for its owner alone; all processes that ask for it at the same moment get the same. */
export function keptFile(file: string, make: () => string): { text: string; isNew: boolean } {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const there = readKeptFile(file);
  if (there !== undefined) return { text: there, isNew: false };
  const text = make();
  // A hard link appears whole, or not at all because another process was first.
  const temporaryFile = `${file}.${randomBytes(8).toString('hex')}`;
  let isNew = true;
  try {
    writeFileSync(temporaryFile, text, { mode: 0o600, flag: 'wx', flush: true });
    linkSync(temporaryFile, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    isNew = false;
  } finally {
    rmSync(temporaryFile, { force: true });
  }
  return { text: readKeptFile(file) ?? text, isNew };
}

export function readKeptFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}
