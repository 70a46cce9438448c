import { describe, expect, it } from 'vitest';

import { type KeyTimes, keysThatSign, publishedAt, rotationAt } from '~/domain/signing-keys';

const START = Date.UTC(2027, 0, 1);
const DAY = 24 * 60;
/** So many minutes after the first key began to sign. */
const at = (minutes: number) => new Date(START + minutes * 60_000);
const key = (id: string, signsFrom: number, retiredAt?: number): KeyTimes => ({
  id,
  signsFrom: at(signsFrom),
  retiredAt: retiredAt === undefined ? undefined : at(retiredAt),
});
const ids = (keys: KeyTimes[]) => keys.map(({ id }) => id);

const first = key('first', 0);
const next = key('next', 90 * DAY + 10);

describe('a new key', () => {
  it('is added late rather than never', () =>
    expect(rotationAt([first], at(200 * DAY)).add).toEqual(at(200 * DAY + 10)));

  it.each([
    [90 * DAY + 9, ['first']],
    [90 * DAY + 10, ['next', 'first']],
  ])('signs from its instant on: after %i minutes %j', (now, signing) => {
    expect(ids(keysThatSign([first, next], at(now)))).toEqual(signing);
    expect(ids(publishedAt([first, next], at(90 * DAY)))).toEqual(['next', 'first']);
  });
});

describe('an old key', () => {
  it('is retired when the next one signs, and signs nothing more', () => {
    const { retire } = rotationAt([first, next], at(91 * DAY));
    expect(retire).toEqual([{ id: 'first', at: next.signsFrom }]);
    const retired = key('first', 0, 90 * DAY + 10);
    expect(ids(keysThatSign([retired, next], at(91 * DAY)))).toEqual(['next']);
  });

  it.each([
    // A token of the last moment is good for 15 minutes; clocks differ by less than five.
    [19, ['first'], []],
    [20, [], ['first']],
  ])('%i minutes later, %j is published and %j removed', (minutes, published, removed) => {
    const keys = [key('first', 0, 0)];
    expect(ids(publishedAt(keys, at(minutes)))).toEqual(published);
    expect(rotationAt(keys, at(minutes)).remove).toEqual(removed);
  });
});

it('of two keys that two servers made at once, both find the same one', () => {
  const twins = [key('a', 0), key('b', 0)];
  expect(ids(keysThatSign(twins, at(1)))).toEqual(ids(keysThatSign(twins.toReversed(), at(1))));
  expect(rotationAt(twins, at(1)).retire).toHaveLength(1);
});
