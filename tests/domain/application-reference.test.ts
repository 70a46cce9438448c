import { expect, it } from 'vitest';

import { formatReference, readReference } from '~/domain/application/reference';
import { decisionTables } from '../decision-tables';

decisionTables(import.meta.url, {
  'reference of five bytes': (bytes) => {
    const reference = formatReference(
      Uint8Array.from(Buffer.from(bytes.replaceAll(' ', ''), 'hex')),
    );
    expect(readReference(reference)).toBe(reference);
    return reference;
  },
  'reference that is typed': readReference,
});

it.each([0, 4, 6])('a reference is not made of %i bytes', (length) =>
  expect(() => formatReference(new Uint8Array(length))).toThrow(RangeError),
);
