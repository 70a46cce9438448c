import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { temporaryFolder } from '../production-server';

let folder: string;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

it('the loop looks at once when it is woken, and stops when it is told to', async () => {
  vi.resetModules();
  vi.stubEnv('DATABASE_URL', `file:${join(folder, 'esta.db')}`);
  vi.stubEnv('DATA_KEYS', 'k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=');
  const { closeDatabase, queryDatabase, writeDatabase } = await import('~/database.server');
  const { queueMail, wakeOutbox } = await import('~/mail/outbox.server');
  const { startOutbox } = await import('../../operations/outbox-loop');
  const states = () =>
    queryDatabase(async (db) => {
      const rows = await db.selectFrom('outbox').select('state').execute();
      return rows.map(({ state }) => state);
    });
  const queue = async () => {
    const message = { kind: 'emailChanged', to: 'a@example.com', language: 'fr' } as const;
    await writeDatabase((db) => queueMail(db, message, new Date()));
    wakeOutbox();
  };
  await queryDatabase(() => Promise.resolve());
  const stop = startOutbox();
  await queue();
  // By itself it would look only after five seconds.
  await expect.poll(states, { timeout: 2000 }).toEqual(['kept']);
  await stop();
  await queue();
  expect(await states()).toEqual(['kept', 'queued']);
  await closeDatabase();
});
