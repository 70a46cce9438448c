import { STATUS_CODES } from 'node:http';

/** What `@supabase/auth-js` tells errors apart by (live-mode.md; its `lib/error-codes.ts`). */
export type ErrorCode =
  | 'bad_json'
  | 'bad_jwt'
  | 'insufficient_aal'
  | 'invalid_credentials'
  | 'mfa_challenge_expired'
  | 'mfa_factor_name_conflict'
  | 'mfa_factor_not_found'
  | 'mfa_phone_enroll_not_enabled'
  | 'mfa_verification_failed'
  | 'no_authorization'
  | 'over_request_rate_limit'
  | 'over_sms_send_rate_limit'
  | 'provider_disabled'
  | 'reauthentication_needed'
  | 'refresh_token_already_used'
  | 'refresh_token_not_found'
  | 'request_timeout'
  | 'session_expired'
  | 'session_not_found'
  | 'too_many_enrolled_mfa_factors'
  | 'unexpected_failure'
  | 'validation_failed';

/** `{ code, error_code, msg }`. @param message for programmers; it repeats nothing that was sent */
export function programError(
  status: number,
  errorCode: ErrorCode,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ code: status, error_code: errorCode, msg: message }, { status, headers });
}

export function programRefusal(status: number, headers: Record<string, string> = {}): Response {
  return programError(status, codeOf(status), STATUS_CODES[status] ?? 'Refused', headers);
}

function codeOf(status: number): ErrorCode {
  if (status === 401) return 'no_authorization';
  if (status === 408) return 'request_timeout';
  if (status === 429) return 'over_request_rate_limit';
  return status >= 500 ? 'unexpected_failure' : 'validation_failed';
}

export function isProgramError({ headers }: Response): boolean {
  return headers.get('Content-Type')?.startsWith('application/json') ?? false;
}

/** In the words of RFC 6750. */
export function tokenError(errorCode: 'no_authorization' | 'bad_jwt', message: string): Response {
  const challenge = errorCode === 'bad_jwt' ? 'Bearer error="invalid_token"' : 'Bearer';
  return programError(401, errorCode, message, { 'WWW-Authenticate': challenge });
}

export const tooManyTries = (seconds: number): Response =>
  programError(429, 'over_request_rate_limit', 'Too many tries; wait', {
    'Retry-After': String(seconds),
  });
