import { crockford, readCrockford } from '../crockford';

/** A reference is 40 random bits: eight symbols, in two groups after the prefix. */
const PREFIX = 'TRV';
const BYTES = 5;
const LENGTH = 8;
const GROUP = LENGTH / 2;

/** `TRV-4T7K-X0QD`, in Crockford's base 32. @param bytes five random ones */
export function formatReference(bytes: Uint8Array): string {
  if (bytes.length !== BYTES) throw new RangeError(`A reference is made of ${BYTES} bytes.`);
  return inGroups(crockford(bytes));
}

/** Spaces of all kinds, hyphens and dashes, and what cannot be seen, as copying from a mail brings. */
const BETWEEN = /[\s\p{Pd}\u2212\p{Cf}]/gu;

/** Forgives small letters, missing hyphens or prefix, spaces, O for 0, I and L for 1. */
export function readReference(text: string): string | undefined {
  const typed = text.replace(BETWEEN, '').toUpperCase();
  const hasPrefix = typed.length === PREFIX.length + LENGTH && typed.startsWith(PREFIX);
  const symbols = readCrockford(hasPrefix ? typed.slice(PREFIX.length) : typed, LENGTH);
  return symbols && inGroups(symbols);
}

const inGroups = (symbols: string): string =>
  `${PREFIX}-${symbols.slice(0, GROUP)}-${symbols.slice(GROUP)}`;
