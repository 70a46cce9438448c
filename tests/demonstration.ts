import { runBuilt } from './production-server';

/** The keys with which a site and its demonstration seal and sign, so that both can open it. */
export const DEMO_KEYS = {
  OFFLINE_MODE: 'false',
  SESSION_SECRET: 'Gq2v7Zt0xJ5mRk8yWb3nLd6hPs9uFc1eAo4iTz7X',
  DATA_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
};

export const runDemo = (database: string) =>
  runBuilt('database', ['demo'], { DATABASE_URL: database, ...DEMO_KEYS });
