import { STATUS_CODES } from 'node:http';

/** What `@supabase/auth-js` tells errors apart by (its `lib/error-codes.ts`): status, and what is said of it. */
const ERRORS = {
  bad_json: [400, 'The body is no JSON'],
  bad_jwt: [401, 'Invalid token'],
  insufficient_aal: [403, 'This needs a session with the second factor (aal2)'],
  invalid_credentials: [400, 'The address or the password is wrong'],
  mfa_challenge_expired: [422, 'The challenge has ended; start another'],
  mfa_factor_name_conflict: [422, 'The account has a factor with this name'],
  mfa_factor_not_found: [404, 'The account has no factor with this id'],
  mfa_phone_enroll_not_enabled: [422, 'This site sends no messages to phones'],
  mfa_verification_failed: [422, 'The code is wrong'],
  no_authorization: [401, 'A bearer token is needed'],
  over_request_rate_limit: [429, 'Too many tries; wait'],
  over_sms_send_rate_limit: [429, 'Too many messages with codes; wait'],
  provider_disabled: [400, 'This provider is not available here'],
  reauthentication_needed: [403, 'This needs a sign-in of the last ten minutes'],
  refresh_token_already_used: [400, 'This refresh token was used before'],
  refresh_token_not_found: [400, 'This refresh token is not known'],
  request_timeout: [408, 'Request Timeout'],
  session_expired: [400, 'The session of this refresh token has ended'],
  session_not_found: [403, 'The session of this token has ended'],
  too_many_enrolled_mfa_factors: [422, 'The account has too many factors'],
  unexpected_failure: [500, 'Internal Server Error'],
  validation_failed: [400, 'Missing or not valid'],
} as const satisfies Record<string, readonly [status: number, message: string]>;
type ErrorCode = keyof typeof ERRORS;

/** `{ code, error_code, msg }`. @param said instead of the usual; nothing that was sent is repeated */
export function programError(
  errorCode: ErrorCode,
  said: { status?: number; message?: string; headers?: Record<string, string> } = {},
): Response {
  const [usual, text] = ERRORS[errorCode];
  const { status = usual, message = text, headers = {} } = said;
  return Response.json({ code: status, error_code: errorCode, msg: message }, { status, headers });
}

const BY_STATUS: Partial<Record<number, ErrorCode>> = {
  401: 'no_authorization',
  408: 'request_timeout',
  429: 'over_request_rate_limit',
};

export function programRefusal(status: number, headers: Record<string, string> = {}): Response {
  const message = STATUS_CODES[status] ?? 'Refused';
  const usual = status >= 500 ? 'unexpected_failure' : 'validation_failed';
  return programError(BY_STATUS[status] ?? usual, { status, message, headers });
}

export const isProgramError = ({ headers }: Response): boolean =>
  headers.get('Content-Type')?.startsWith('application/json') ?? false;

export function badToken(message: string): Response {
  const headers = { 'WWW-Authenticate': 'Bearer error="invalid_token"' };
  return programError('bad_jwt', { message, headers });
}

export const noToken = (): Response =>
  programError('no_authorization', { headers: { 'WWW-Authenticate': 'Bearer' } });

export const tooMany = (
  what: 'over_request_rate_limit' | 'over_sms_send_rate_limit',
  seconds: number,
): Response => programError(what, { headers: { 'Retry-After': String(seconds) } });
