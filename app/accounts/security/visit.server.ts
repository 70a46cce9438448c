import { type AppLoadContext, json } from '@remix-run/node';
import { z } from 'zod/v4';
import { now } from '~/clock.server';
import { requireWrite } from '~/database.server';
import type { Form } from '~/domain/form';
import { readForm, type Refusal, tooManyRequests } from '~/http/form.server';
import { leadTo } from '~/http/toast.server';
import type { ToastName } from '~/http/toasts';
import { formatWait } from '~/i18n/locale.server';
import type { Language } from '~/i18n/languages';
import { lockUser, type UserRow } from '~db/queries/users.server';
import { codeKey, tryAnyCode } from '../codes.server';
import { type MethodName, renewSession, type SignedIn } from '../session.server';
import { checkPassword } from '../sign-in.server';

export interface Visit {
  request: Request;
  context: AppLoadContext;
  sent: FormData;
  session: SignedIn;
  language: Language;
  /** `Set-Cookie` headers that whatever is answered has: of a session that was renewed. */
  cookies: string[];
}

export function withCookies(response: Response, { cookies }: Visit): Response {
  const { headers } = response;
  const own = headers.getSetCookie();
  headers.delete('Set-Cookie');
  for (const cookie of [...cookies, ...own]) headers.append('Set-Cookie', cookie);
  return response;
}

export class Refused extends Error {
  constructor(readonly answer: Response) {
    super('A form was refused');
  }
}

export function openForm<F extends Form>({ sent, language }: Visit, name: string, fields: F) {
  const { typed, values, errors } = readForm(sent, fields);
  const answer = (refusal: Partial<Refusal>, init: ResponseInit) =>
    new Refused(json<Refusal>({ form: name, errors: {}, values: typed, ...refusal }, init));
  const refuse = (wrong: Refusal['errors'], problem = 'invalid') =>
    answer({ problem, errors: wrong }, { status: 422 });
  const refuseForNow = (seconds: number, problem: 'wait' | 'tooManyMessages' = 'wait') =>
    answer({ problem, wait: formatWait(seconds, language) }, tooManyRequests(seconds));
  if (errors) throw refuse(errors);
  return { values, refuse, refuseForNow };
}
type OpenForm = ReturnType<typeof openForm>;

/** To the top, where the toast is; to the section where something is to be done next. */
export async function backTo(
  { request }: Visit,
  section: string,
  toast: ToastName | undefined,
  more: { parameters?: Record<string, string>; cookies?: string[] } = {},
) {
  const query = new URLSearchParams(more.parameters);
  const returnTo = new URL(request.url).searchParams.get('returnTo');
  if (returnTo !== null) query.set('returnTo', returnTo);
  const search = query.size > 0 ? `?${query}` : '';
  const goesOn = toast === undefined || query.has('open');
  const part = goesOn ? `#${section}` : '';
  return leadTo(`/auth/security${search}${part}`, more.cookies ?? [], toast);
}

export async function requirePassword(
  { session, request, context }: Visit,
  form: Pick<OpenForm, 'refuse' | 'refuseForNow'>,
  password: string,
  field: string,
): Promise<UserRow> {
  const { kind, email, id } = session.user;
  // Who is signed in here is no stranger: what others try on the account does not slow them.
  const known = session.sessionId;
  const found = await checkPassword({ kind, email, password, context, request, known });
  if ('wait' in found) throw form.refuseForNow(found.wait);
  if ('refused' in found || found.user.id !== id) throw form.refuse({ [field]: 'wrong' });
  return found.user;
}

/** The password first: a wrong one uses up no code. Recovery codes count for a lost telephone. */
export async function requireReauthentication(
  visit: Visit,
  form: { values: object } & Pick<OpenForm, 'refuse' | 'refuseForNow'>,
  which: { passwordAlone?: true } = {},
): Promise<void> {
  const { session, context } = visit;
  const { password = '', code = '' } = form.values as Record<string, string | undefined>;
  await requirePassword(visit, form, password, 'password');
  const methods: MethodName[] = ['password'];
  if (session.hasFactor && !which.passwordAlone) {
    const key = codeKey(session.user, context.client ?? '', session.sessionId);
    const proven = await requireWrite(async (db) => {
      await lockUser(db, session.user.id);
      return tryAnyCode(db, session, code, key, now());
    });
    if (typeof proven === 'string') throw form.refuse({ code: proven });
    if ('wait' in proven) throw form.refuseForNow(proven.wait);
    methods.push(proven.method);
  }
  const cookie = await renewSession(visit.request, session, methods);
  if (cookie !== undefined) visit.cookies.push(cookie);
}

export const idIn = (sent: FormData, name: string): string | undefined =>
  z.uuid().safeParse(sent.get(name)).data;
