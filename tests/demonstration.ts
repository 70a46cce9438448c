import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { runBuilt } from './production-server';

/** The keys with which a site and its demonstration seal and sign, so that both can open it. */
export const DEMO_KEYS = {
  OFFLINE_MODE: 'false',
  SESSION_SECRET: 'Gq2v7Zt0xJ5mRk8yWb3nLd6hPs9uFc1eAo4iTz7X',
  DATA_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
};

/** What the command says first that shows codes until it is stopped. */
export async function firstCodes(database: string): Promise<string> {
  const child = spawn(process.execPath, ['build/server/database.js', 'demo', '--code', 'all'], {
    env: { NODE_ENV: 'production', DATABASE_URL: database, ...DEMO_KEYS },
  });
  const [part] = (await once(child.stdout, 'data')) as [Buffer];
  child.kill();
  return String(part);
}

/** Runs the built command that makes the demonstration in a database, as an operator does. */
export const runDemo = (database: string, words: string[] = [], variables = {}) =>
  runBuilt('database', ['demo', ...words], { DATABASE_URL: database, ...DEMO_KEYS, ...variables });
