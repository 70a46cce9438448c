import { rmSync } from 'node:fs';
import { join } from 'node:path';

import type * as Argon2 from '@node-rs/argon2';
import { afterAll, expect, it, vi } from 'vitest';

import { signUp } from '~/accounts/sign-up.server';
import { setAppOfProcess } from '~/current-app.server';
import { closeDatabase } from '~/database.server';
import { becomeApp } from '../apps';
import { temporaryFolder } from '../production-server';

const hash = vi.hoisted(() => vi.fn());
vi.mock('@node-rs/argon2', async (original) => {
  const argon2 = await original<typeof Argon2>();
  hash.mockImplementation(argon2.hash);
  return { ...argon2, hash };
});

const folder = temporaryFolder();
becomeApp({ OFFLINE_MODE: 'false', DATABASE_URL: `file:${join(folder, 'esta.db')}` });
afterAll(async () => {
  await closeDatabase();
  setAppOfProcess(undefined);
  rmSync(folder, { recursive: true });
});

let count = 0;
async function hashesOf(sent: { email?: string; client?: string }): Promise<number> {
  const { email = `somebody${(count += 1)}@example.eu`, client = `192.0.2.${(count += 1)}` } = sent;
  hash.mockClear();
  await signUp(new Request('http://localhost/'), {
    ...{ email, client, password: 'vier Koffer und ein Regenschirm' },
    ...{ firstName: undefined, lastName: undefined, language: 'en' },
  });
  return hash.mock.calls.length;
}

it('a sign-up over the limit of its address, or of its client, costs no hash', async () => {
  const ofAddress: number[] = [];
  for (let n = 0; n < 5; n += 1) ofAddress.push(await hashesOf({ email: 'anna@example.eu' }));
  expect(ofAddress).toEqual([1, 1, 1, 0, 0]);
  const ofClient: number[] = [];
  for (let n = 0; n < 12; n += 1) ofClient.push(await hashesOf({ client: '198.51.100.1' }));
  expect(ofClient).toEqual([...Array<number>(10).fill(1), 0, 0]);
});
