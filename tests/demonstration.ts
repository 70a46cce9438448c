import { spawn } from 'node:child_process';

/** The keys with which a site and its demonstration seal and sign, so that both can open it. */
export const DEMO_KEYS = {
  OFFLINE_MODE: 'false',
  SESSION_SECRET: 'Gq2v7Zt0xJ5mRk8yWb3nLd6hPs9uFc1eAo4iTz7X',
  DATA_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
};

/** Runs the built command that makes the demonstration in a database, as an operator does. */
export async function runDemo(database: string, words: string[] = [], variables = {}) {
  const child = spawn(process.execPath, ['build/server/database.js', 'demo', ...words], {
    env: { NODE_ENV: 'production', DATABASE_URL: database, ...DEMO_KEYS, ...variables },
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (part) => (said.stdout += String(part)));
  child.stderr.on('data', (part) => (said.stderr += String(part)));
  const status = await new Promise((resolve) => child.once('close', resolve));
  return { status, ...said };
}
