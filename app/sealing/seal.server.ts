import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

import type { DataKey } from '~/env.server';
import { log } from '~/log.server';
import type { Schema } from '~db/schema';
import type { SealedField } from '~db/sealed-columns.server';
import { dataKeys } from './data-keys.server';

export type AssociatedData = { table: string; row: string; field: string };

/** A sealed value that does not open; the message says where and why, never what. */
export class SealError extends Error {
  override name = 'SealError';
}

const CIPHER = 'aes-256-gcm';
/** The iv's length that GCM is made for (NIST SP 800-38D, 8.2). */
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** `k1.`, then iv, tag and ciphertext; key id and place are associated data (docs/decisions/0031). */
export function seal(text: string, place: AssociatedData): string {
  const [{ id, key }] = dataKeys();
  const bytes = encrypt(key, Buffer.from(text), associatedData(id, place));
  return `${id}.${bytes.toString('base64url')}`;
}

/** @throws {SealError} for what was moved, altered, or sealed with a key that is not there; it is logged */
export function unseal(sealed: string, place: AssociatedData): string {
  const { key, text } = tryToOpen(sealed, place);
  if (text !== undefined) return text;
  const { table, field } = place;
  const reason = key ? 'it was moved or altered' : 'its key is not among the data keys';
  log('error', 'a sealed value does not open', { table, field, key: keyIdOf(sealed), reason });
  throw new SealError(`${table}.${field} does not open: ${reason}`);
}

/** By the key that it names, if that is among the data keys. */
export function tryToOpen(sealed: string, place: AssociatedData) {
  const key = dataKeys().find(({ id }) => id === keyIdOf(sealed));
  return { key, text: key && opened(key, sealed, place) };
}

export const sealColumn = <T extends keyof Schema>(
  table: T,
  row: string,
  field: SealedField<T>,
  text: string,
) => seal(text, { table, row, field });

/** What a sealed column of a row says; undefined: it is empty. @throws {SealError} if it does not open */
export function unsealColumn<F extends string, R extends { id: string } & Record<F, string | null>>(
  table: keyof Schema,
  row: R,
  field: F,
) {
  const sealed = row[field];
  const text = sealed === null ? undefined : unseal(sealed, { table, row: row.id, field });
  return text as null extends R[F] ? string | undefined : string;
}

export function opened({ id, key }: DataKey, sealed: string, place: AssociatedData) {
  const encoded = sealed.slice(id.length + 1);
  const bytes = Buffer.from(encoded, 'base64url');
  // Of several spellings of the same bytes, the one that was written.
  if (bytes.toString('base64url') !== encoded) return undefined;
  return decrypt(key, bytes, associatedData(id, place))?.toString();
}

/** In one: iv, tag and ciphertext. */
export function encrypt(key: Uint8Array, bytes: Uint8Array, associated: Uint8Array): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(associated);
  const ciphertext = [cipher.update(bytes), cipher.final()];
  return Buffer.concat([iv, cipher.getAuthTag(), ...ciphertext]);
}

/** Undefined for what was moved, altered, or encrypted with another key. */
export function decrypt(key: Uint8Array, bytes: Uint8Array, associated: Uint8Array) {
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  const [iv, rest] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES)];
  const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(associated);
  decipher.setAuthTag(rest.subarray(0, TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(rest.subarray(TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** Finds a value without reading it, by a key for this purpose alone. The caller normalises it. */
export const blindIndex = (purpose: string, value: string): string =>
  indexWith(dataKeys()[0], purpose, value);

/** The same with every data key, to look a value up: `where('to_index', 'in', blindIndexes(…))`. */
export const blindIndexes = (purpose: string, value: string): string[] =>
  dataKeys().map((key) => indexWith(key, purpose, value));

function indexWith({ id, key }: DataKey, purpose: string, value: string): string {
  const ownKey = Buffer.from(hkdfSync('sha256', key, '', `blind index ${purpose}`, 32));
  return `${id}.${createHmac('sha256', ownKey).update(value).digest('base64url')}`;
}

export const keyIdOf = (value: string): string | undefined =>
  /^([a-z][a-z0-9]{0,15})\./.exec(value)?.[1];

/** JSON keeps the parts apart, whatever they contain. */
const associatedData = (keyId: string, { table, row, field }: AssociatedData): Buffer =>
  Buffer.from(JSON.stringify([keyId, table, row, field]));
