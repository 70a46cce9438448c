import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod/v4';

import { now } from '~/clock.server';
import { HIDDEN_CHARACTERS } from '~/domain/form';
import { siteOrigin } from '~/env.server';
import { live } from '~/live.server';
import { errorFields, log } from '~/log.server';
import type { Database } from '~db/schema';
import { findSession } from '~db/queries/sessions.server';
import { signedInBy } from '../session.server';
import { checkClaims, type TokenClaims, ClaimsError } from './claims.server';
import { badToken, isProgramError, noToken, programError, programRefusal } from './errors.server';
import { publishedKeys } from './signing-keys.server';

/** Whatever goes wrong, a program reads JSON. */
export const answersCall = (work: (call: ProgramCall) => Promise<Response>) =>
  live(({ request, context, params }: LoaderFunctionArgs) => {
    const { client = 'unknown' } = context;
    return answerCall(() => work({ request, context, client, id: params['id'] ?? '' }));
  });

type ProgramCall = { request: Request; context: AppLoadContext; client: string; id: string };

export async function answerCall(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Response)) {
      log('error', 'a call of a program failed', errorFields(error));
      return programRefusal(500);
    }
    if (isProgramError(error)) return error;
    const wait = error.headers.get('Retry-After');
    return programRefusal(error.status, wait === null ? {} : { 'Retry-After': wait });
  }
}

export const line = (most: number) =>
  z
    .string()
    .max(most * 4)
    .transform((text) => text.normalize('NFC').trim())
    .refine((text) => text !== '' && [...text].length <= most && !HIDDEN_CHARACTERS.test(text));

export async function readBody<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  const text = await request.text();
  let content: unknown;
  try {
    // Some calls need nothing said.
    content = text === '' ? {} : JSON.parse(text);
  } catch {
    throw programError('bad_json');
  }
  const { data, error } = schema.safeParse(content);
  if (data !== undefined) return data;
  throw notValid([...new Set(error?.issues.map(({ path }) => String(path[0] ?? 'the body')))]);
}

export function notValid(fields: string[]): Response {
  const message = `Missing or not valid: ${fields.join(', ')}`;
  return programError('validation_failed', { message });
}

/** Cookies are not looked at. @throws {Response} 401 */
export async function claimsOf(request: Request): Promise<TokenClaims> {
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.get('Authorization') ?? '') ?? [];
  if (token === undefined) throw noToken();
  const at = now();
  const issuer = siteOrigin();
  try {
    return await checkClaims(token, await publishedKeys(), at, {
      issuer,
      // Another server may have made the key within this minute.
      async lookUpUser(unknown) {
        await checkClaims(unknown, await publishedKeys(true), at, { issuer });
        return true;
      },
    });
  } catch (error) {
    if (error instanceof ClaimsError) throw badToken(error.message);
    throw error;
  }
}

/** Looked up each time. @throws {Response} 403 if it has ended */
export async function programOf(db: Database, claims: TokenClaims) {
  const session = await findSession(db, { id: claims.session_id });
  const isProgram = session?.refresh_hash != null && session.user.kind === 'traveller';
  if (!isProgram || session.user.id !== claims.sub || !signedInBy(session, now())) {
    throw programError('session_not_found');
  }
  // Of session and token both: a token from before the second factor is worth no more than that.
  const aal = session.aal === 2 && claims.aal === 'aal2' ? 2 : 1;
  return { session, aal } as const;
}
