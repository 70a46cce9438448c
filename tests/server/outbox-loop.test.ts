import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { setAppOfProcess } from '~/current-app.server';
import { closeDatabase, queryDatabase, writeDatabase } from '~/database.server';
import { queueMail } from '~/mail/outbox.server';
import { startOutbox } from '../../operations/jobs';
import { becomeApp, LIVE } from '../apps';
import { temporaryFolder } from '../production-server';

let folder: string;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => {
  setAppOfProcess(undefined);
  rmSync(folder, { recursive: true, force: true });
});

it('the loop looks at once when it is woken, and stops when it is told to', async () => {
  becomeApp({ ...LIVE, DATABASE_URL: `file:${join(folder, 'esta.db')}` });
  const states = () =>
    queryDatabase(async (db) => {
      return (await db.selectFrom('outbox').select('state').execute()).map(({ state }) => state);
    });
  const queue = async () => {
    const message = { kind: 'emailChanged', to: 'a@example.com', language: 'fr' } as const;
    await writeDatabase((db) => queueMail(db, message, new Date()));
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
