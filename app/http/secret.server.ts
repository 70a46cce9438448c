import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { env } from '~/env.server';
import { errorFields, log } from '~/log.server';

let secret: string | undefined;

/**
 * The secret that signs cookies: `SESSION_SECRET`, else one that is made once and kept beside the
 * database. Where nothing can be kept, one that lasts as long as this process.
 */
export function sessionSecret(): string {
  secret ??= env().sessionSecret ?? keptSecret(dirname(env().databaseFile));
  return secret;
}

function keptSecret(folder: string): string {
  const file = join(folder, 'session-secret');
  try {
    mkdirSync(folder, { recursive: true });
    return readSecret(file) ?? makeSecret(file);
  } catch (error) {
    log('warn', 'no session secret can be kept; cookies end with this process', errorFields(error));
    return randomBytes(32).toString('base64url');
  }
}

/** A link appears whole or not at all, so of several processes each reads the same secret. */
function makeSecret(file: string): string {
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  const secret = randomBytes(32).toString('base64url');
  writeFileSync(draft, secret, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readSecret(file) ?? secret;
}

/** The kept secret; undefined if there is none yet. A cut-off one would let anybody sign. */
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
