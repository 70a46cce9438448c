import { addDays, addMinutes } from 'date-fns';
import { expect, it } from 'vitest';

import { rotateSigningKeys } from '~/accounts/token-interface/signing-keys.server';
import { unseal } from '~/sealing/seal.server';
import { insertSigningKey, listSigningKeys } from '~db/queries/signing-keys.server';
import { describeEngines } from './engines';
import { freshStore, stubLiveSite } from './live-store';

stubLiveSite();

const START = new Date('2027-01-01T00:00:00.000Z');
const DUE = addDays(START, 90);

describeEngines('signing keys', (databases) => {
  const store = freshStore(databases);
  const rotate = (at: Date) => rotateSigningKeys((work) => store.write(work), at);
  const addFirst = () =>
    insertSigningKey(store.db, {
      id: 'first',
      private_sealed: 'x',
      public_jwk: '{"kid":"first"}',
      created_at: START.toISOString(),
      signs_from: START.toISOString(),
      retired_at: null,
    });

  it('are not made before a program asks for one', async () => {
    expect(await rotate(START)).toEqual({ added: 0, retired: 0, removed: 0 });
    expect(await listSigningKeys(store.db)).toEqual([]);
  });

  it('are followed by the next after 90 days, published before it signs, and removed at last', async () => {
    await addFirst();
    expect(await rotate(addMinutes(DUE, -1))).toEqual({ added: 0, retired: 0, removed: 0 });
    expect(await rotate(DUE)).toEqual({ added: 1, retired: 0, removed: 0 });
    // Nor does a second server, or the next hour, add another.
    expect(await rotate(DUE)).toEqual({ added: 0, retired: 0, removed: 0 });
    const next = (await listSigningKeys(store.db)).find(({ id }) => id !== 'first');
    expect(next).toMatchObject({ signs_from: addMinutes(DUE, 10).toISOString() });
    expect(await rotate(addMinutes(DUE, 10))).toEqual({ added: 0, retired: 1, removed: 0 });
    expect(await rotate(addMinutes(DUE, 29))).toEqual({ added: 0, retired: 0, removed: 0 });
    expect(await rotate(addMinutes(DUE, 30))).toEqual({ added: 0, retired: 0, removed: 1 });
    expect(await listSigningKeys(store.db)).toEqual([next]);
  });

  it('have a private half that opens at its place alone', async () => {
    await addFirst();
    await rotate(DUE);
    const next = (await listSigningKeys(store.db)).find(({ id }) => id !== 'first');
    const place = { table: 'signing_keys', row: next?.id ?? '', field: 'private_sealed' };
    expect(JSON.parse(unseal(next?.private_sealed ?? '', place))).toMatchObject({
      crv: 'P-256',
      d: expect.any(String) as string,
    });
    expect(() => unseal(next?.private_sealed ?? '', { ...place, row: 'first' })).toThrow();
    expect(JSON.parse(next?.public_jwk ?? '')).toEqual({
      kty: 'EC',
      crv: 'P-256',
      alg: 'ES256',
      use: 'sig',
      kid: next?.id,
      x: expect.any(String) as string,
      y: expect.any(String) as string,
    });
  });
});
