import { hkdfSync, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { env } from '~/env.server';
import { errorFields, log } from '~/log.server';

let secrets: readonly string[] | undefined;

/**
 * The keys for a purpose, derived from each session secret (HKDF, RFC 5869): what is signed for one
 * purpose is worth nothing for another. The first key signs, all of them verify.
 *
 * @returns keys of 256 bits, in base64url
 */
export function keysFor(purpose: string): string[] {
  secrets ??= env().sessionSecrets ?? [loadOrCreateSecret(secretFolder())];
  return secrets.map((secret) =>
    Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)).toString('base64url'),
  );
}

/** The folder of the database; with PostgreSQL a secret is required, so none is looked for. */
function secretFolder(): string {
  const { database } = env();
  return database.engine === 'sqlite' ? dirname(database.file) : 'data';
}

/**
 * The secret that is kept beside the database where `SESSION_SECRET` names none. If it cannot be
 * stored, it lasts as long as this process.
 */
function loadOrCreateSecret(folder: string): string {
  const file = join(folder, 'session-secret');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return readSecret(file) ?? createSecret(file);
  } catch (error) {
    log('warn', 'no session secret can be kept; cookies end with this process', errorFields(error));
    return randomBytes(32).toString('base64url');
  }
}

/** A hard link appears atomically, so concurrent processes all read the same secret. */
function createSecret(file: string): string {
  const temporaryFile = `${file}.${randomBytes(8).toString('hex')}`;
  const secret = randomBytes(32).toString('base64url');
  writeFileSync(temporaryFile, secret, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(temporaryFile, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporaryFile, { force: true });
  }
  return readSecret(file) ?? secret;
}

/** The stored secret; undefined if there is none yet. A truncated one would make forging easy. */
function readSecret(file: string): string | undefined {
  try {
    const secret = readFileSync(file, 'utf8').trim();
    if (secret.length < 32) throw new Error(`${file} is too short for a secret; delete it`);
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}
