import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The keys with which a site and its demonstration seal and sign, so that both can open it. */
export const DEMO_KEYS = {
  OFFLINE_MODE: 'false',
  SESSION_SECRET: 'Gq2v7Zt0xJ5mRk8yWb3nLd6hPs9uFc1eAo4iTz7X',
  DATA_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
};

const begin = (database: string, words: string[], variables = {}) =>
  spawn(process.execPath, ['build/server/database.js', 'demo', ...words], {
    env: { NODE_ENV: 'production', DATABASE_URL: database, ...DEMO_KEYS, ...variables },
  });

/** What the command says first that shows codes until it is stopped. */
export async function firstCodes(database: string): Promise<string> {
  const child = begin(database, ['--code', 'all']);
  const [part] = (await once(child.stdout, 'data')) as [Buffer];
  child.kill();
  return String(part);
}

/** Runs the built command that makes the demonstration in a database, as an operator does. */
export async function runDemo(database: string, words: string[] = [], variables = {}) {
  const child = begin(database, words, variables);
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (part) => (said.stdout += String(part)));
  child.stderr.on('data', (part) => (said.stderr += String(part)));
  const status = await new Promise((resolve) => child.once('close', resolve));
  return { status, ...said };
}
