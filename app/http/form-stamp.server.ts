import { createHmac, timingSafeEqual } from 'node:crypto';

import { now } from '~/clock.server';
import { sessionSecret } from './secret.server';
import { STAMP_FIELD, TRAP_FIELD } from './trap-fields';

const MIN_AGE_MS = 3000;
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** A signed timestamp for a hidden form field. */
export function formStamp(atMs = now().getTime()): string {
  const time = atMs.toString(36);
  return `${time}.${sign(time)}`;
}

/**
 * Checks the hidden fields of a form for signs of a bot: a filled trap field, or a missing or
 * expired timestamp. Fast typists are not refused: `waitMs` is the rest of the three seconds that a
 * human needs at least.
 */
export function checkSubmission(
  sent: FormData,
  atMs = now().getTime(),
): { problem: 'trap' | 'expired' } | { waitMs: number } {
  if (sent.get(TRAP_FIELD) !== '') return { problem: sent.has(TRAP_FIELD) ? 'trap' : 'expired' };
  const time = readStamp(sent.get(STAMP_FIELD));
  if (time === undefined || atMs - time > MAX_AGE_MS || time > atMs) return { problem: 'expired' };
  return { waitMs: Math.max(0, MIN_AGE_MS - (atMs - time)) };
}

function readStamp(stamp: unknown): number | undefined {
  const [time = '', signature = ''] = typeof stamp === 'string' ? stamp.split('.') : [];
  const expected = Buffer.from(sign(time));
  const actual = Buffer.from(signature);
  const valid = actual.length === expected.length && timingSafeEqual(actual, expected);
  return valid ? parseInt(time, 36) : undefined;
}

function sign(time: string): string {
  return createHmac('sha256', sessionSecret()).update(`form ${time}`).digest('base64url');
}
