import { Secret } from 'otpauth';
import { describe, expect, it } from 'vitest';

import { stepOfCode } from '~/accounts/totp.server';
import {
  afterSms,
  noticeOf,
  plainCode,
  plainRecoveryCode,
  recoveryCodeOf,
  removalDue,
  SMS_LIMITS,
} from '~/domain/factors';
import type { Tries } from '~/domain/accounts';
import { decisionTables } from '../decision-tables';

describe('a code of an authenticator', () => {
  const secret = Secret.fromLatin1('12345678901234567890').base32;

  // RFC 6238, appendix B, SHA-1; of the eight digits there the last six.
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [20_000_000_000, '65353130'],
  ])('is that of RFC 6238 at second %i', async (second, eightDigits) => {
    const step = Math.floor(second / 30);
    const code = eightDigits.slice(2);
    const at = (seconds: number) => new Date(seconds * 1000);
    expect(await stepOfCode(secret, code, at(second))).toBe(step);
    expect(await stepOfCode(secret, code, at(step * 30 - 30))).toBe(step);
    expect(await stepOfCode(secret, code, at(step * 30 + 59))).toBe(step);
    expect(await stepOfCode(secret, code, at(step * 30 - 31))).toBeUndefined();
    expect(await stepOfCode(secret, code, at(step * 30 + 60))).toBeUndefined();
  });

  it('may be copied with what stands between its digits', () => {
    const copied = ['123 456', ' 123456 ', '12\u00a034\u202f56', '123-456', '123\t456\n'];
    expect(new Set(copied.map(plainCode))).toEqual(new Set(['123456']));
  });
});

it('a recovery code has 120 bits in three groups', () => {
  expect(recoveryCodeOf(new Uint8Array(15))).toBe('00000000-00000000-00000000');
  expect(recoveryCodeOf(new Uint8Array(15).fill(255))).toBe('ZZZZZZZZ-ZZZZZZZZ-ZZZZZZZZ');
  const one = Uint8Array.of(0, 0, 0, 0, 1, 128, 0, 0, 0, 0, 0, 0, 0, 0, 1);
  expect(recoveryCodeOf(one)).toBe('00000001-G0000000-00000001');
});

it('messages of a factor are one a minute and five a day from the first', () => {
  const NOON = Date.parse('2026-11-22T12:00:00Z');
  let known: Tries | undefined;
  const ask = (second: number) => {
    const answer = afterSms(SMS_LIMITS.factor)(known, new Date(NOON + second * 1000));
    known = answer.after ?? known;
    return answer.wait ?? 'sent';
  };
  expect([0, 59, 60, 61].map(ask)).toEqual(['sent', 1, 'sent', 59]);
  expect([120, 180, 240].map(ask)).toEqual(['sent', 'sent', 'sent']);
  expect([300, 86_399, 86_400, 86_401].map(ask)).toEqual([86_100, 1, 'sent', 59]);
});

const ASKED = new Date('2027-03-25T20:30:00Z');

decisionTables(import.meta.url, {
  'recovery code as it is compared': plainRecoveryCode,
  'notice of a removal that was asked for on 25 March 2027': (now) =>
    noticeOf(ASKED, new Date(now)).toISOString(),
});

it('the removal of lost factors waits seven times twenty-four hours, whatever the clocks do', () =>
  expect(removalDue(ASKED).toISOString()).toBe('2027-04-01T20:30:00.000Z'));
