import { addSeconds, subSeconds } from 'date-fns';
import { describe, expect, it } from 'vitest';

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
import { formSchema } from '~/domain/form-schema';
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

decisionTables(import.meta.url, {
  'a new password of marie.dupont@example.eu': (password) =>
    passwordProblem(password, {
      email: 'Marie.Dupont@example.eu',
      siteName: 'Traversée',
      isCommon: (plain) => ['football', 'correcthorsebatterystaple'].includes(plain),
    }),
  'an address as it is compared': normalizeEmail,
});

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

  it('is the same from every keyboard, and keeps its spaces', () => {
    const parse = (password: string) =>
      formSchema(SIGN_UP_FORM).parse({ email: 'a@example.eu', password }).password;
    expect(parse(' cafe\u0301 au lait ')).toBe(' café au lait ');
    expect(parse('ﬁnanzamt und so')).toBe('finanzamt und so');
  });
});
