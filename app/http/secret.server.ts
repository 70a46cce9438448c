import { hkdfSync, randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';

import { perApp } from '~/current-app.server';
import { env } from '~/env.server';
import { errorFields, log } from '~/log.server';
import { keptFile } from '~/sealing/kept-file.server';

const secrets = perApp(
  (): readonly string[] => env().sessionSecrets ?? [loadOrCreateSecret(secretFolder())],
);

/** What is signed for one purpose is worth nothing for another. The first signs, all verify. */
export function keysFor(purpose: string): string[] {
  return secrets().map((secret) =>
    Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)).toString('base64url'),
  );
}

/** The folder of the database; with PostgreSQL a secret is required, so none is looked for. */
function secretFolder(): string {
  const { database } = env();
  return database.engine === 'sqlite' ? dirname(database.file) : 'data';
}

/** Kept beside the database; if it cannot be stored, it lasts as long as this process. */
function loadOrCreateSecret(folder: string): string {
  const file = join(folder, 'session-secret');
  const make = () => randomBytes(32).toString('base64url');
  try {
    const { text } = keptFile(file, make);
    if (text.length < 32) throw new Error(`${file} is too short for a secret; delete it`);
    return text;
  } catch (error) {
    log('warn', 'no session secret can be kept; cookies end with this process', errorFields(error));
    return make();
  }
}
