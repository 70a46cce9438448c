import { hkdfSync, randomBytes } from 'node:crypto';

import { perApp } from '~/current-app.server';
import { env } from '~/env.server';
import { errorFields, log } from '~/log.server';
import { keptFile, keptPath } from '~/sealing/kept-file.server';

const secrets = perApp((): readonly string[] => env().sessionSecrets ?? [loadOrCreateSecret()]);

/** What is signed for one purpose is worth nothing for another. The first signs, all verify. */
export const keysFor = (purpose: string): string[] =>
  secrets().map((secret) =>
    Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)).toString('base64url'),
  );

/** Kept beside the database; if it cannot be stored, it lasts as long as this process. */
function loadOrCreateSecret(): string {
  const file = keptPath('session-secret');
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
