import { describe, expect, it } from 'vitest';

import { inGroups, isFactorFresh, isPasswordFresh, NAME_FORM, withProof } from '~/domain/security';

describe('a second factor', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  const before = (seconds: number) => now.getTime() / 1000 - seconds;

  it.each([
    ['just now', [{ method: 'totp', timestamp: before(0) }], true],
    ['within ten minutes', [{ method: 'phone', timestamp: before(599) }], true],
    ['ten minutes ago', [{ method: 'totp', timestamp: before(600) }], false],
    ['never', [], false],
    ['never, but the password', [{ method: 'password', timestamp: before(0) }], false],
    ['never, but a recovery code', [{ method: 'recovery', timestamp: before(0) }], false],
  ])('that was given %s', (_, methods, expected) => {
    expect(isFactorFresh(methods, now)).toBe(expected);
  });

  it.each([
    ['typed just now', [{ method: 'password', timestamp: before(0) }], true],
    ['chosen within ten minutes', [{ method: 'invite', timestamp: before(599) }], true],
    ['typed ten minutes ago', [{ method: 'password', timestamp: before(600) }], false],
    ['not typed: a code was', [{ method: 'totp', timestamp: before(0) }], false],
  ])('is added after a password that was %s', (_, methods, expected) => {
    expect(isPasswordFresh(methods, now)).toBe(expected);
  });

  it('is asked for with the password by the forms of an account that has one', () => {
    const names = (hasFactor: boolean) => withProof(NAME_FORM, hasFactor).map(({ name }) => name);
    expect([names(false), names(true)]).toEqual([
      ['first_name', 'last_name', 'password'],
      ['first_name', 'last_name', 'password', 'code'],
    ]);
  });
});

it.each([
  ['ABCDEFGH', 'ABCD EFGH'],
  ['ABCDE', 'ABCD E'],
  ['ABCD', 'ABCD'],
  ['', ''],
])('a secret is read in groups of four: %s', (secret, expected) => {
  expect(inGroups(secret)).toBe(expected);
});
