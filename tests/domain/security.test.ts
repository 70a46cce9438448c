import { describe, expect, it } from 'vitest';

import { inGroups, isFactorFresh, isPasswordFresh, NAME_FORM, withProof } from '~/domain/security';

describe('a second factor', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  const before = (seconds: number) => now.getTime() / 1000 - seconds;

  it.each([
    ['totp', 0, true, false],
    ['phone', 599, true, false],
    ['totp', 600, false, false],
    ['password', 0, false, true],
    ['invite', 599, false, true],
    ['password', 600, false, false],
    ['recovery', 0, false, false],
  ])('by %s %i seconds ago is fresh: %s; a password: %s', (method, seconds, factor, password) => {
    const methods = [{ method, timestamp: before(seconds) }];
    expect(isFactorFresh(methods, now)).toBe(factor);
    expect(isPasswordFresh(methods, now)).toBe(password);
    expect([isFactorFresh([], now), isPasswordFresh([], now)]).toEqual([false, false]);
  });

  it('is asked for with the password by the forms of an account that has one', () => {
    const names = (hasFactor: boolean) => withProof(NAME_FORM, hasFactor).map(({ name }) => name);
    const asked = ['first_name', 'last_name', 'password'];
    expect([names(false), names(true)]).toEqual([asked, [...asked, 'code']]);
  });
});

it('a secret is read in groups of four', () => {
  const secrets = ['ABCDEFGH', 'ABCDE', 'ABCD', ''];
  expect(secrets.map(inGroups)).toEqual(['ABCD EFGH', 'ABCD E', 'ABCD', '']);
});
