import { createHmac, timingSafeEqual } from 'node:crypto';

import { now } from '~/clock.server';
import { sessionSecret } from './secret.server';
import { STAMP_FIELD, TRAP_FIELD } from './trap-fields';

const SHORTEST_MS = 3000;
const LONGEST_MS = 24 * 60 * 60 * 1000;

/** A stamp for a form: the time, signed. */
export function formStamp(atMs = now().getTime()): string {
  const time = atMs.toString(36);
  return `${time}.${sign(time)}`;
}

/**
 * Judges a form by its hidden fields. A program fills in every field, or sends the form without
 * ever having fetched it. A person in a hurry is not refused: `waitMs` is what is left of the three
 * seconds in which nobody reads a form.
 */
export function judgeForm(
  sent: FormData,
  atMs = now().getTime(),
): { problem: 'trap' | 'expired' } | { waitMs: number } {
  if (sent.get(TRAP_FIELD) !== '') return { problem: sent.has(TRAP_FIELD) ? 'trap' : 'expired' };
  const time = readStamp(sent.get(STAMP_FIELD));
  if (time === undefined || atMs - time > LONGEST_MS || time > atMs) return { problem: 'expired' };
  return { waitMs: Math.max(0, SHORTEST_MS - (atMs - time)) };
}

function readStamp(stamp: unknown): number | undefined {
  const [time = '', signature = ''] = typeof stamp === 'string' ? stamp.split('.') : [];
  const expected = Buffer.from(sign(time));
  const given = Buffer.from(signature);
  const genuine = given.length === expected.length && timingSafeEqual(given, expected);
  return genuine ? parseInt(time, 36) : undefined;
}

function sign(time: string): string {
  return createHmac('sha256', sessionSecret()).update(`form ${time}`).digest('base64url');
}
