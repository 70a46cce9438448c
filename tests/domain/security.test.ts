import { expect, it } from 'vitest';

import { inGroups, isFactorFresh, isPasswordFresh, NAME_FORM, withReauth } from '~/domain/security';
import { decisionTables } from '../decision-tables';

decisionTables(import.meta.url, {
  'what is fresh after so many seconds': (method, seconds) => {
    const now = new Date('2026-11-22T12:00:00Z');
    const methods = [{ method, timestamp: now.getTime() / 1000 - Number(seconds) }];
    expect([isFactorFresh([], now), isPasswordFresh([], now)]).toEqual([false, false]);
    const [factor, password] = [isFactorFresh(methods, now), isPasswordFresh(methods, now)];
    return [factor ? 'factor' : '', password ? 'password' : ''].join('') || undefined;
  },
  'a secret in groups': inGroups,
});

it('a second factor is asked for with the password by the forms of an account that has one', () => {
  const names = (hasFactor: boolean) => withReauth(NAME_FORM, hasFactor).map(({ name }) => name);
  const asked = ['first_name', 'last_name', 'password'];
  expect([names(false), names(true)]).toEqual([asked, [...asked, 'code']]);
});
