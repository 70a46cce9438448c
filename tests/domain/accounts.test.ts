import { readFileSync } from 'node:fs';

import { addSeconds, subSeconds } from 'date-fns';
import { Secret } from 'otpauth';
import { describe, expect, it } from 'vitest';

import { stepOfCode } from '~/accounts/totp.server';
import {
  afterTry,
  delayAfter,
  normalizeEmail,
  passwordProblem,
  SESSION_LIFETIMES,
  sessionEnd,
  SIGN_UP_FORM,
  type Tries,
} from '~/domain/accounts';
import {
  afterSms,
  noticeOf,
  plainCode,
  plainRecoveryCode,
  recoveryCodeOf,
  removalDue,
  SMS_LIMITS,
} from '~/domain/factors';
import { formSchema } from '~/domain/form-schema';
import { inGroups, isFactorFresh, isPasswordFresh, NAME_FORM, withReauth } from '~/domain/security';
import { decisionTables } from '../decision-tables';

const NOW = new Date('2026-11-22T12:00:00.000Z');
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('tries', () => {
  it('of others make the sixth of an account, and each after it, take longer', () =>
    expect([1, 5, 6, 7, 8, 9, 5000].map(delayAfter)).toEqual([0, 0, 1000, 2000, 4000, 4000, 4000]));

  it('are five, then one each time that a pause of a quarter of an hour at most has passed', () => {
    let known: Tries | undefined;
    let at = NOW;
    const waits: number[] = [];
    for (let n = 0; n < 14; n += 1) {
      const first = afterTry(known, at);
      if (first.wait !== undefined) {
        waits.push(first.wait);
        // A second too early it is refused again, and does not count.
        expect(afterTry(known, addSeconds(at, first.wait - 1))).toEqual({ wait: 1 });
        at = addSeconds(at, first.wait);
      }
      known = afterTry(known, at).after;
      expect(known?.tries).toBe(n + 1);
    }
    expect(waits).toEqual([15, 30, 60, 120, 240, 480, 900, 900, 900]);
  });

  it('are forgotten after a day without one', () => {
    const known: Tries = { tries: 9, freeAt: addSeconds(NOW, 240), updatedAt: NOW };
    expect(afterTry(known, addSeconds(NOW, DAY - 1)).after?.tries).toBe(10);
    expect(afterTry(known, addSeconds(NOW, DAY)).after?.tries).toBe(1);
  });
});

it.each([
  ['traveller', 14 * DAY, 90 * DAY],
  ['staff', 60 * MINUTE, 12 * HOUR],
] as const)(
  'a session of %s ends %i s after its last use, at most %i s old',
  (kind, idle, most) => {
    expect(SESSION_LIFETIMES[kind]).toEqual({ idle, most });
    const end = addSeconds(NOW, most);
    expect(sessionEnd(kind, NOW, end)).toEqual(addSeconds(NOW, idle));
    expect(sessionEnd(kind, subSeconds(end, 1), end)).toEqual(end);
  },
);

describe('a new password', () => {
  const errorsOf = (password: string) => {
    const fields = { email: 'a@example.eu', password };
    const { error } = formSchema(SIGN_UP_FORM).safeParse(fields);
    return error?.issues.map(({ message }) => message);
  };

  it.each<[string | undefined, ...string[]]>([
    [undefined, 'twelve chars', '🐘'.repeat(12), 'x'.repeat(128), ' '.repeat(12)],
    ['tooShort', 'eleven char', '🐘'.repeat(11)],
    ['tooLong', 'x'.repeat(129), 'x'.repeat(10_000)],
    ['required', ''],
    ['hidden', 'twelve\u0000chars'],
  ])('has the problem %s: %j', (expected, ...passwords) => {
    const problems = expected === undefined ? undefined : [expected];
    for (const password of passwords) expect(errorsOf(password)).toEqual(problems);
  });

  it('is refused if it is made of any word that docs/accounts.md lists', () => {
    const [, list = ''] =
      /the site's name, ([^.]*)\./.exec(readFileSync('docs/accounts.md', 'utf8')) ?? [];
    const words = list.split(/,\s+/);
    const context = { email: 'a@example.eu', siteName: '', isCommon: () => false };
    const taken = words.filter((word) => !passwordProblem(`${word}-2026-2027!`, context));
    expect([words.length, taken]).toEqual([18, []]);
  });

  it('is the same from every keyboard, and keeps its spaces', () => {
    const parse = (password: string) =>
      formSchema(SIGN_UP_FORM).parse({ email: 'a@example.eu', password }).password;
    expect(parse(' cafe\u0301 au lait ')).toBe(' café au lait ');
    expect(parse('ﬁnanzamt und so')).toBe('finanzamt und so');
  });
});

it('a second factor is asked for with the password by the forms of an account that has one', () => {
  const names = (hasFactor: boolean) => withReauth(NAME_FORM, hasFactor).map(({ name }) => name);
  const asked = ['first_name', 'last_name', 'password'];
  expect([names(false), names(true)]).toEqual([asked, [...asked, 'code']]);
});

const SECRET = Secret.fromLatin1('12345678901234567890').base32;
const NOON = Date.parse('2026-11-22T12:00:00Z');
const ASKED = new Date('2027-03-25T20:30:00Z');

decisionTables(import.meta.url, {
  'a new password of marie.dupont@example.eu': (password) =>
    passwordProblem(password, {
      email: 'Marie.Dupont@example.eu',
      siteName: 'Traversée',
      isCommon: (plain) => ['football', 'correcthorsebatterystaple'].includes(plain),
    }),
  'an address as it is compared': normalizeEmail,
  'what is fresh after so many seconds': (method, seconds) => {
    const now = new Date('2026-11-22T12:00:00Z');
    const methods = [{ method, timestamp: now.getTime() / 1000 - Number(seconds) }];
    expect([isFactorFresh([], now), isPasswordFresh([], now)]).toEqual([false, false]);
    const [factor, password] = [isFactorFresh(methods, now), isPasswordFresh(methods, now)];
    return [factor ? 'factor' : '', password ? 'password' : ''].join('') || undefined;
  },
  'a secret in groups': inGroups,
  'recovery code as it is compared': plainRecoveryCode,
  'notice of a removal that was asked for on 25 March 2027': (now) =>
    noticeOf(ASKED, new Date(now)).toISOString(),
  'when that removal is due': () => removalDue(ASKED).toISOString(),
  'step of a code of RFC 6238, appendix B, so many seconds from its beginning': (
    step,
    code,
    later,
  ) => stepOfCode(SECRET, code, new Date((Number(step) * 30 + Number(later)) * 1000)),
  'a code as it is compared': plainCode,
  'recovery code of fifteen bytes': (hex) => recoveryCodeOf(Buffer.from(hex, 'hex')),
  'messages of a factor that are asked for at these seconds: sent, or how long to wait': (
    seconds,
  ) => {
    let known: Tries | undefined;
    const ask = (second: string) => {
      const answer = afterSms(SMS_LIMITS.factor)(known, new Date(NOON + Number(second) * 1000));
      known = answer.after ?? known;
      return answer.wait ?? 'sent';
    };
    return seconds.split(' ').map(ask).join(' ');
  },
});
