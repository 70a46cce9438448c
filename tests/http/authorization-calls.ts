import { randomUUID } from 'node:crypto';

import { STAFF_ROLES } from '~/access';
import { readTables } from '../decision-tables';
import { someOf } from '../rounds';
import { PASSWORD } from './accounts';

/**
 * Who calls: with no token, or a made-up one, a browser's session or a refresh token for one. `traveller`:
 * without a second factor; `before factor`, `with factor`: of one who has one; then those whose token was
 * good: its session ended, its account was closed, or is of staff now.
 */
const WITHOUT = ['nobody', 'made up', 'browser', 'refresh token'] as const;
const ENDED = ['signed out', 'deactivated', ...someOf(STAFF_ROLES, 1)] as const;
export const CALLERS = [...WITHOUT, 'traveller', 'before factor', 'with factor', ...ENDED] as const;
export type CallerName = (typeof CALLERS)[number];

/** Somebody with an account and a session of their own. */
export interface Caller {
  id: string;
  token: string | undefined;
  refresh: string;
  factor: string;
}

/** What a caller is told; who is not named does not ask. */
interface Line {
  /** The call: of the caller's factor (OWN), or another's (ANOTHER). */
  call: string;
  outcomes: Partial<Record<CallerName, number>>;
  body: (caller: Caller) => Record<string, unknown>;
}

/** What stands in the table as MADE, by the field's name. */
const MADE: Record<string, (caller: Caller) => string> = {
  challenge_id: () => randomUUID(),
  email: () => `${randomUUID()}@example.eu`,
  password: () => PASSWORD,
  refresh_token: ({ refresh }) => refresh,
};

/** One caller makes them all, in this order: what ends something comes last. */
const [ROWS = []] = readTables(import.meta.url, 'authorization-calls.txt');
export const CALLS: readonly Line[] = ROWS.map((row) => ({
  call: row['call']!,
  outcomes: Object.fromEntries(
    CALLERS.flatMap((who) => {
      const column = isIn(WITHOUT, who) ? 'without' : isIn(ENDED, who) ? 'ended' : who;
      const told = row[who] ?? row[column];
      return told === undefined ? [] : [[who, Number(told)]];
    }),
  ),
  body: (caller) =>
    Object.fromEntries(
      [...new URLSearchParams(row['sent'])].map(([name, value]) => [
        name,
        value === 'MADE' ? MADE[name]!(caller) : value,
      ]),
    ),
}));

function isIn(names: readonly CallerName[], who: CallerName): boolean {
  return names.includes(who);
}
