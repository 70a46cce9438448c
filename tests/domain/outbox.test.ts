import { describe, expect, it } from 'vitest';

import { isLate, kindsCountedWith, nextTry, UNVERIFIED_LIMITS } from '~/domain/outbox';

const NOW = new Date('2026-11-22T12:00:00.000Z');

describe('a message that could not be sent', () => {
  it.each([
    [1, '2026-11-22T12:01:00.000Z'],
    [2, '2026-11-22T12:03:00.000Z'],
    [3, '2026-11-22T12:08:00.000Z'],
    [4, '2026-11-22T12:20:00.000Z'],
    [5, '2026-11-22T13:00:00.000Z'],
    [6, '2026-11-22T14:30:00.000Z'],
    [7, '2026-11-22T18:00:00.000Z'],
    [8, undefined],
    [9, undefined],
  ])('is tried again after %i tries at %s', (tries, at) => {
    expect(nextTry(tries, NOW)?.toISOString()).toBe(at);
  });

  it.each([
    ['sms', '2026-11-22T11:55:00.000Z', true],
    ['sms', '2026-11-22T11:55:00.001Z', false],
    ['mail', '2026-11-20T12:00:00.000Z', false],
  ] as const)('as %s of %s is late: %s', (channel, createdAt, late) => {
    expect(isLate(channel, new Date(createdAt), NOW)).toBe(late);
  });
});

it('addresses are limited by the day, clients by the hour', () => {
  const { to, client } = UNVERIFIED_LIMITS;
  expect([to.most, to.since(NOW).toISOString()]).toEqual([3, '2026-11-21T12:00:00.000Z']);
  expect([client.most, client.since(NOW).toISOString()]).toEqual([10, '2026-11-22T11:00:00.000Z']);
});

it('mails of sign-ups are counted together, all others by their kind', () => {
  const ofSignUp = ['verifyEmail', 'alreadyRegistered'];
  for (const kind of ofSignUp) expect(kindsCountedWith(kind)).toEqual(ofSignUp);
  expect(kindsCountedWith('applicationStatus')).toEqual(['applicationStatus']);
});
