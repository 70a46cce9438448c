import { randomUUID } from 'node:crypto';

import { STAFF_ROLES } from '~/domain/staff';
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
  /** Of the account. */
  factor: string;
}

/** What a caller is told; who is not named does not ask. */
type Outcomes = Partial<Record<CallerName, number>>;
const all = (people: readonly CallerName[], outcome: number): Outcomes =>
  Object.fromEntries(people.map((who) => [who, outcome]));
/** The three who may call, and everybody else alike. */
const outcomes = (traveller: number, before: number, withFactor: number): Outcomes => ({
  ...all(WITHOUT, 401),
  ...all(ENDED, 403),
  traveller,
  'before factor': before,
  'with factor': withFactor,
});

interface Line {
  /** The call: of the caller's factor (OWN), or another's (ANOTHER). */
  call: string;
  outcomes: Outcomes;
  body: (caller: Caller) => Record<string, unknown>;
}
const line = (call: string, outcomes: Outcomes, body: Line['body'] = () => ({})): Line => ({
  ...{ call, outcomes, body },
});

const TOTP = () => ({ factor_type: 'totp', friendly_name: 'Tablet' });
const NO_CODE = () => ({ challenge_id: randomUUID(), code: '000000' });
const NOBODYS = () => ({ email: `${randomUUID()}@example.eu`, password: PASSWORD });
const REFRESH = ({ refresh }: Caller) => ({ refresh_token: refresh });

/** One caller makes them all, in this order: what ends something comes last. */
export const CALLS: readonly Line[] = [
  //                              traveller, before factor, with factor
  line('GET /user', outcomes(200, 200, 200)),
  line('POST /factors', outcomes(200, 403, 200), TOTP),
  line('DELETE /factors/ANOTHER', outcomes(404, 404, 404)),
  line('POST /factors/OWN/challenge', outcomes(200, 200, 200)),
  line('POST /factors/ANOTHER/challenge', outcomes(404, 404, 404)),
  line('POST /factors/OWN/verify', outcomes(422, 422, 422), NO_CODE),
  line('POST /factors/ANOTHER/verify', outcomes(404, 404, 404), NO_CODE),
  // Where no token is looked at.
  line('POST /token?grant_type=password', { nobody: 400, traveller: 400 }, NOBODYS),
  line('GET /.well-known/jwks.json', all(CALLERS, 200)),
  line('GET /authorize?provider=google', all(CALLERS, 400)),
  line(
    'POST /token?grant_type=refresh_token',
    { ...all(CALLERS, 200), ...all(ENDED, 400) },
    REFRESH,
  ),
  line('DELETE /factors/OWN', outcomes(200, 403, 200)),
  line('POST /logout?scope=others', outcomes(204, 403, 204)),
  line('POST /logout?scope=local', outcomes(204, 204, 204)),
];
