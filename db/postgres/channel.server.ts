import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

import { createPool } from './pool.server';

/** All sites on one database hear what one of them says, if they listen just then: no table keeps it. */
const CHANNEL = 'esta_sites';
const RETRY_MS = 1000;
/** One connection listens, the other tells. */
const POOL = { most: 2, connectMs: 1000, limits: { statementMs: 900, answerMs: 1000 } };

/** Listens from now on, again whenever the connection has ended. */
export function openChannel(url: string, heard: (words: string) => void) {
  const pool = createPool(url, POOL);
  const closing = new AbortController();
  const { signal } = closing;
  const listen = async () => {
    const client = await pool.connect();
    try {
      client.on('notification', ({ payload = '' }) => heard(payload));
      await client.query(`listen ${CHANNEL}`);
      await once(client, 'end', { signal });
    } finally {
      client.release(true);
    }
  };
  const listening = (async () => {
    while (!signal.aborted) {
      await listen().catch(() => undefined);
      await pause(RETRY_MS, undefined, { ref: false, signal }).catch(() => undefined);
    }
  })();
  return {
    /** To who listens, this site too; while the database is away to nobody. */
    tell: (words: string): void =>
      void pool.query('select pg_notify($1, $2)', [CHANNEL, words]).catch(() => undefined),
    async close() {
      closing.abort();
      await listening;
      await pool.end();
    },
  };
}
