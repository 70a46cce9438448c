/** The alphabet of Crockford's base 32: no I, L, O or U, which are taken for other letters. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export function crockford(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[parseInt(five, 2)]).join('');
}

/** Undefined unless it is so many symbols. @param typed without spaces and hyphens */
export function readCrockford(typed: string, length: number): string | undefined {
  const plain = typed.toUpperCase().replace(/O/g, '0').replace(/[IL]/g, '1');
  const isRead = plain.length === length && [...plain].every((sign) => ALPHABET.includes(sign));
  return isRead ? plain : undefined;
}
