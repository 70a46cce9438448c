import { addSeconds, subSeconds } from 'date-fns';
import { describe, expect, it } from 'vitest';

import {
  afterTry,
  delayAfter,
  normalizeEmail,
  passwordProblem,
  pauseAfter,
  SESSION_LIFETIMES,
  sessionEnd,
  SIGN_UP_FORM,
  type Tries,
} from '~/domain/accounts';
import { formSchema } from '~/domain/form-schema';

const NOW = new Date('2026-11-22T12:00:00.000Z');
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('tries', () => {
  it.each([
    [0, 0],
    [1, 0],
    [4, 0],
    [5, 15],
    [6, 30],
    [7, 60],
    [8, 120],
    [9, 240],
    [10, 480],
    [11, 15 * MINUTE],
    [12, 15 * MINUTE],
    [5000, 15 * MINUTE],
  ])('after %i the next one is free in %i s', (tries, pause) => {
    expect(pauseAfter(tries)).toBe(pause);
  });

  it.each([
    [1, 0],
    [5, 0],
    [6, 1000],
    [7, 2000],
    [8, 4000],
    [9, 4000],
    [5000, 4000],
  ])('of others make the try that is the account’s number %i take %i ms longer', (tries, delay) => {
    expect(delayAfter(tries)).toBe(delay);
  });

  it('are five, then one each time that a pause has passed', () => {
    let known: Tries | undefined;
    let at = NOW;
    const waits: number[] = [];
    for (let n = 0; n < 12; n += 1) {
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
    expect(waits).toEqual([15, 30, 60, 120, 240, 480, 900]);
  });

  it('are forgotten after a day without one', () => {
    const known: Tries = { tries: 9, freeAt: addSeconds(NOW, 240), updatedAt: NOW };
    expect(afterTry(known, addSeconds(NOW, DAY - 1)).after?.tries).toBe(10);
    expect(afterTry(known, addSeconds(NOW, DAY)).after?.tries).toBe(1);
  });
});

describe('a session', () => {
  it.each([
    ['traveller', 14 * DAY, 90 * DAY],
    ['staff', 60 * MINUTE, 12 * HOUR],
  ] as const)(
    'of %s ends %i s after its last use, and %i s after its beginning',
    (kind, idle, most) => {
      expect(SESSION_LIFETIMES[kind]).toEqual({ idle, most });
      const end = addSeconds(NOW, most);
      expect(sessionEnd(kind, NOW, end)).toEqual(addSeconds(NOW, idle));
      expect(sessionEnd(kind, subSeconds(end, 1), end)).toEqual(end);
    },
  );
});

describe('a new password', () => {
  const problem = (password: string, email = 'Marie.Dupont@example.eu') =>
    passwordProblem(password, {
      email,
      siteName: 'Traversée',
      isCommon: (plain) => ['football', 'correcthorsebatterystaple'].includes(plain),
    });

  it.each([
    ['correcthorsebatterystaple', 'common'],
    ['CorrectHorseBatteryStaple', 'common'],
    ['football2026!!', 'common'],
    ['aaaaaaaaaaaa', 'common'],
    ['abababababab', 'common'],
    ['marie.dupont@EXAMPLE.eu', 'ownAddress'],
    ['marie.dupont', 'ownAddress'],
    ['Traversée-2026-ESTA', 'common'],
    ['traversee admin!', 'common'],
    ['Passwort.Reisepass1', 'common'],
    ['une voiture traverse', undefined],
    ['8264 0917 3351', undefined],
    ['путешествие по esta', undefined],
    ['trois mots à la suite', undefined],
    ['paris-marie.dupont', undefined],
    ['🐘🐘🐘 und ein Zebra', undefined],
  ])('%s: %s', (password, expected) => {
    expect(problem(password)).toBe(expected);
  });

  const errorsOf = (password: string) => {
    const fields = { email: 'a@example.eu', password };
    const { error } = formSchema(SIGN_UP_FORM).safeParse(fields);
    return error?.issues.map(({ message }) => message);
  };

  it.each([
    ['eleven char', ['tooShort']],
    ['twelve chars', undefined],
    ['🐘'.repeat(11), ['tooShort']],
    ['🐘'.repeat(12), undefined],
    ['x'.repeat(128), undefined],
    ['x'.repeat(129), ['tooLong']],
    ['x'.repeat(10_000), ['tooLong']],
    [' '.repeat(12), undefined],
    ['', ['required']],
    ['twelve\u0000chars', ['hidden']],
  ])('as long as %j: %j', (password, expected) => {
    expect(errorsOf(password)).toEqual(expected);
  });

  it('is the same from every keyboard, and keeps its spaces', () => {
    const parse = (password: string) =>
      formSchema(SIGN_UP_FORM).parse({ email: 'a@example.eu', password }).password;
    expect(parse(' cafe\u0301 au lait ')).toBe(' café au lait ');
    expect(parse('ﬁnanzamt und so')).toBe('finanzamt und so');
  });
});

it.each([
  [' Marie@Example.EU ', 'marie@example.eu'],
  ['ＭＡＲＩＥ@example.eu', 'marie@example.eu'],
  ['jos\u0065\u0301@example.eu', 'josé@example.eu'],
])('the address %j is compared as %j', (typed, compared) => {
  expect(normalizeEmail(typed)).toBe(compared);
});
