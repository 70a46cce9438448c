import type { AppLoadContext } from '@remix-run/node';
import { z } from 'zod/v4';

import { SIGN_IN_FORM } from '~/domain/accounts';
import { readForm } from '~/http/form.server';
import { checkPassword } from '../sign-in.server';
import { sessionAnswer } from './answers.server';
import { notValid, readBody } from './call.server';
import { programError } from './errors.server';
import { refreshProgramSession, startProgramSession } from './program-sessions.server';

/**
 * `POST /token`: a session for a password, or for a refresh token.
 *
 * @throws {Response} 400, 429 with `Retry-After`, 503
 */
export async function grantToken(request: Request, context: AppLoadContext): Promise<Response> {
  const grant = new URL(request.url).searchParams.get('grant_type');
  if (grant === 'password') return grantForPassword(request, context);
  if (grant === 'refresh_token') return grantForRefreshToken(request);
  throw notValid(['grant_type']);
}

const wrongPassword = () =>
  programError(400, 'invalid_credentials', 'The address or the password is wrong');

/** Travellers only: to the token interface there are no staff accounts. */
async function grantForPassword(request: Request, context: AppLoadContext) {
  const body = await readBody(request, z.record(z.string(), z.unknown()));
  const own = (name: string) => (Object.hasOwn(body, name) ? body[name] : undefined);
  const { values, errors } = readForm(
    { get: (name) => (typeof own(name) === 'string' ? (own(name) as string) : null) },
    SIGN_IN_FORM,
  );
  if (!values) throw notValid(Object.keys(errors));
  const { email, password } = values;
  const attempt = { kind: 'traveller', email, password, context, request, known: false } as const;
  const result = await checkPassword(attempt);
  if ('wait' in result) {
    throw programError(429, 'over_request_rate_limit', 'Too many tries; wait', {
      'Retry-After': String(result.wait),
    });
  }
  const started = 'user' in result ? await startProgramSession(result.user, request) : undefined;
  if (!started) throw wrongPassword();
  return Response.json(await sessionAnswer(started.session, started.refreshToken));
}

const refreshBody = z.object({ refresh_token: z.string().max(200) });

async function grantForRefreshToken(request: Request) {
  const { refresh_token: token } = await readBody(request, refreshBody);
  const { session, refreshToken } = await refreshProgramSession(token);
  return Response.json(await sessionAnswer(session, refreshToken));
}
