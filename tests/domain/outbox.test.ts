import { describe, expect, it } from 'vitest';

import { isLate, kindsCountedWith, nextTry } from '~/domain/outbox';

const NOW = new Date('2026-11-22T12:00:00.000Z');

describe('a message that could not be sent', () => {
  it('is tried again after longer and longer, seven times', () => {
    const times = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((tries) => nextTry(tries, NOW));
    const minutes = times.map((at) => at && (at.getTime() - NOW.getTime()) / 60_000);
    expect(minutes).toEqual([1, 3, 8, 20, 60, 150, 360, undefined, undefined]);
  });

  it.each([
    ['sms', '2026-11-22T11:55:00.000Z', true],
    ['sms', '2026-11-22T11:55:00.001Z', false],
    ['mail', '2026-11-20T12:00:00.000Z', false],
  ] as const)('as %s of %s is late: %s', (channel, createdAt, late) =>
    expect(isLate(channel, new Date(createdAt), NOW)).toBe(late),
  );
});

it('mails of sign-ups are counted together, all others by their kind', () => {
  const ofSignUp = ['verifyEmail', 'alreadyRegistered'];
  for (const kind of ofSignUp) expect(kindsCountedWith(kind)).toEqual(ofSignUp);
  expect(kindsCountedWith('applicationStatus')).toEqual(['applicationStatus']);
});
