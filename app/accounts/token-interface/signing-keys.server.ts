import { randomUUID } from 'node:crypto';

import { differenceInSeconds } from 'date-fns';
import type { CryptoKey, JWK } from 'jose';

import { now } from '~/clock.server';
import { perApp } from '~/current-app.server';
import { requireDatabase, requireWrite } from '~/database.server';
import { keysThatSign, publishedAt, rotationAt } from '~/domain/signing-keys';
import { sealColumn, SealError, unsealColumn } from '~/sealing/seal.server';
import type { SecureWrite } from '~/until-none';
import { type Row, rowsIn } from '~db/queries/rows.server';
import type { Database } from '~db/schema';

type SigningKey = ReturnType<typeof toKey>;

/** How long a server goes by the keys that it knows; much less than a key is published beforehand. */
const KNOWN_S = 60;
/** How long others may keep the list; together with the above less than the ten minutes. */
export const PUBLISHED_S = 300;

const own = perApp(() => ({
  known: undefined as { keys: SigningKey[]; at: Date } | undefined,
  opened: new Map<string, CryptoKey>(),
  making: undefined as Promise<void> | undefined,
}));

async function keysAt(at: Date, isFresh: boolean): Promise<SigningKey[]> {
  const { known } = own();
  if (!isFresh && known && Math.abs(differenceInSeconds(at, known.at)) < KNOWN_S) return known.keys;
  const keys = (await requireDatabase(listSigningKeys)).map(toKey);
  own().known = { keys, at };
  return keys;
}

export const listSigningKeys = (db: Database) => rowsIn(db).of('signing_keys').execute();

function toKey(row: Row<'signing_keys'>) {
  return {
    id: row.id,
    signsFrom: new Date(row.signs_from),
    retiredAt: row.retired_at === null ? undefined : new Date(row.retired_at),
    publicJwk: JSON.parse(row.public_jwk) as JWK,
    sealed: { id: row.id, private_sealed: row.private_sealed },
  };
}

/** `isFresh` asks the database even if they are known. */
export async function publishedKeys(isFresh = false): Promise<JWK[]> {
  const at = now();
  let keys = publishedAt(await keysAt(at, isFresh), at);
  if (keys.length === 0) {
    await makeFirstKey();
    keys = publishedAt(await keysAt(at, true), at);
  }
  return keys.map(({ publicJwk }) => publicJwk);
}

/** One whose sealing key is gone is passed over; without any, there is a new one. */
export async function signingKey(): Promise<{ id: string; privateKey: CryptoKey }> {
  for (const attempt of ['known', 'fresh', 'made']) {
    if (attempt === 'made') await makeFirstKey();
    const at = now();
    for (const key of keysThatSign(await keysAt(at, attempt !== 'known'), at)) {
      const privateKey = await openKey(key);
      if (privateKey) return { id: key.id, privateKey };
    }
  }
  throw new Error('no signing key can be made');
}

async function openKey({ id, sealed }: SigningKey): Promise<CryptoKey | undefined> {
  const { opened } = own();
  const before = opened.get(id);
  if (before) return before;
  const { importJWK } = await import('jose');
  try {
    const jwk = JSON.parse(unsealColumn('signing_keys', sealed, 'private_sealed')) as JWK;
    const key = (await importJWK(jwk, 'ES256')) as CryptoKey;
    opened.set(id, key);
    return key;
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}

/** It signs at once: nobody can have a list without it that matters. */
async function makeFirstKey(): Promise<void> {
  const keys = own();
  keys.making ??= (async () => {
    const row = await newKey(now());
    await requireWrite((db) => rowsIn(db).insert('signing_keys', row));
  })().finally(() => (keys.making = undefined));
  return keys.making;
}

async function newKey(signsFrom: Date) {
  const { exportJWK, generateKeyPair } = await import('jose');
  const pair = await generateKeyPair('ES256', { extractable: true });
  const id = randomUUID();
  const publicJwk = await exportJWK(pair.publicKey);
  const secret = JSON.stringify(await exportJWK(pair.privateKey));
  return {
    id,
    private_sealed: sealColumn('signing_keys', id, 'private_sealed', secret),
    public_jwk: JSON.stringify({ ...publicJwk, kid: id, alg: 'ES256', use: 'sig' }),
    created_at: now().toISOString(),
    signs_from: signsFrom.toISOString(),
    retired_at: null,
  };
}

/** Idempotent: of two new keys the later one signs. @returns how many there were of each */
export async function rotateSigningKeys(run: SecureWrite, at: Date) {
  const { add, retire, remove } = rotationAt((await run(listSigningKeys)).map(toKey), at);
  const added = add && (await newKey(add));
  if (added || retire.length > 0 || remove.length > 0) {
    await run(async (db) => {
      if (added) await rowsIn(db).insert('signing_keys', added);
      for (const key of retire) {
        const known = { id: key.id, retired_at: null };
        const retired = { retired_at: key.at.toISOString() };
        await rowsIn(db).update('signing_keys', known, retired).execute();
      }
      for (const id of remove) await rowsIn(db).delete('signing_keys', { id }).execute();
    });
    const keys = own();
    keys.known = undefined;
    for (const id of remove) keys.opened.delete(id);
  }
  return { added: added ? 1 : 0, retired: retire.length, removed: remove.length };
}
