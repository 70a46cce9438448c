import { type AppLoadContext, json, redirect } from '@remix-run/node';
import { z } from 'zod/v4';
import type { Refusal } from '~/http/refusal';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import type { Form } from '~/domain/form';
import type { ReadForm } from '~/http/form.server';
import { tooManyRequests } from '~/http/rate-limit.server';
import { showToast } from '~/http/toast.server';
import type { ToastName } from '~/http/toasts';
import { formatDuration } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { lockUser, type UserRow } from '~db/queries/users.server';
import { type CodeMethod, takeAnyCode } from '../any-code.server';
import { cancelRemoval } from '../factor-removal.server';
import { type Method, renewSession, type SignedIn } from '../session.server';
import { checkPassword } from '../sign-in.server';
import { countTry, forgiveTry, type Trier } from '../throttle.server';

/** What each form of the page is handled with. */
export interface Visit {
  request: Request;
  context: AppLoadContext;
  sent: FormData;
  session: SignedIn;
  language: Language;
  /** `Set-Cookie` headers that whatever is answered has: of a session that was renewed. */
  cookies: string[];
}

/** An answer to a form, with the cookies of the visit; those of the answer itself come after them. */
export function withCookies(response: Response, { cookies }: Visit): Response {
  const { headers } = response;
  const own = headers.getSetCookie();
  headers.delete('Set-Cookie');
  for (const cookie of [...cookies, ...own]) headers.append('Set-Cookie', cookie);
  return response;
}

/** Who did it, for the record. */
export function actorOf({ user }: SignedIn): { kind: SignedIn['user']['kind']; id: string } {
  return { kind: user.kind, id: user.id };
}

type Read = Partial<Pick<ReadForm<Form>, 'errors' | 'typed'>>;

/** Shows the page again with a form that is refused, and what was typed in it. */
export function refuseForm(
  form: string,
  { errors = {}, typed = {} }: Read,
  problem: string = 'invalid',
) {
  return json<Refusal>({ form, problem, errors, values: typed }, { status: 422 });
}

/** The same for who has to wait so many seconds. */
export function refuseForNow(
  { language }: Visit,
  form: string,
  { typed = {} }: Read,
  seconds: number,
  problem: 'wait' | 'tooManyMessages' = 'wait',
) {
  const minutes = Math.ceil(seconds / 60);
  const wait =
    minutes < 100
      ? formatDuration(minutes, 'minute', language)
      : formatDuration(Math.ceil(minutes / 60), 'hour', language);
  const refusal: Refusal = { form, problem, errors: {}, values: typed, wait };
  return json(refusal, tooManyRequests(seconds));
}

/**
 * Leads back to the page after a change: to its top, where the toast says what was done; to the section
 * where something is to be done next.
 *
 * @param cookie `Set-Cookie` headers besides the toast's
 */
export async function backTo(
  { request }: Visit,
  section: string,
  toast: ToastName | undefined,
  {
    parameters = {},
    cookies = [],
  }: { parameters?: Record<string, string>; cookies?: string[] } = {},
) {
  const headers = new Headers();
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  if (toast) headers.append('Set-Cookie', await showToast({ name: toast }));
  const query = new URLSearchParams(parameters);
  const returnTo = new URL(request.url).searchParams.get('returnTo');
  if (returnTo !== null) query.set('returnTo', returnTo);
  const search = query.size > 0 ? `?${query}` : '';
  const goesOn = toast === undefined || query.has('open');
  const part = goesOn ? `#${section}` : '';
  return redirect(`/auth/security${search}${part}`, { status: 303, headers });
}

/** By what a code was right; `late`: another one must be sent; `wait`: too many tries, in so many seconds. */
type Proof = { method: CodeMethod } | 'wrong' | 'late' | { wait: number };

/**
 * Whether this is the account's password now.
 *
 * @returns the account as it was found then, to be changed only while it still has this password
 * @throws {Response} 503 without a database, or while too many passwords are being checked
 */
export async function provePassword(
  { session, request, context }: Visit,
  password: string,
): Promise<{ user: UserRow } | 'wrong' | { wait: number }> {
  const { kind, email, id } = session.user;
  // Who is signed in here is no stranger: what others try on the account does not slow them.
  const known = session.sessionId;
  const found = await checkPassword({ kind, email, password, context, request, known });
  if ('wait' in found) return found;
  return 'user' in found && found.user.id === id ? found : 'wrong';
}

/**
 * Whether this is a code of one of the account's second factors, or one of its recovery codes; it is
 * used up, and ends a wait for taking the factors off. A recovery code counts because who has lost the telephone takes the factor off with it.
 *
 * @throws {Response} 503 without a database
 */
async function proveFactor(visit: Visit, code: string): Promise<Proof> {
  const { user, sessionId } = visit.session;
  const { id: userId, email, kind } = user;
  const client = visit.context.client ?? '';
  const trier: Trier = { what: 'code', kind, client, email, known: sessionId };
  return requireDatabase(async (db) => {
    const at = now();
    await lockUser(db, userId);
    const wait = await countTry(db, trier, at);
    if (wait > 0) return { wait };
    const taken = await takeAnyCode(db, { userId, sessionId, code }, at);
    if (typeof taken === 'string') return taken;
    await forgiveTry(db, trier, at);
    await cancelRemoval(db, userId, at);
    return taken;
  }, writeDatabase);
}

/**
 * Asks who sends a form for what `withProof` has put into it. The password first: a wrong one uses up
 * no code. Who has proven to be there goes on with a new token.
 *
 * @param form its name
 * @param read what it was read as, with values
 * @param which `passwordAlone`: also where there is a second factor
 * @returns the answer to a form that is refused; undefined for who has proven to be there
 * @throws {Response} 503 without a database, or while too many passwords are being checked
 */
export async function refuseUnproven(
  visit: Visit,
  form: string,
  read: ReadForm<Form>,
  which: { passwordAlone?: true } = {},
) {
  const { password = '', code = '' } = (read.values ?? {}) as Record<string, string | undefined>;
  const proof = await provePassword(visit, password);
  if (proof === 'wrong') return refuseForm(form, { ...read, errors: { password: proof } });
  if ('wait' in proof) return refuseForNow(visit, form, read, proof.wait);
  const methods: Method['method'][] = ['password'];
  if (visit.session.hasFactor && !which.passwordAlone) {
    const proven = await proveFactor(visit, code);
    if (typeof proven === 'string') return refuseForm(form, { ...read, errors: { code: proven } });
    if ('wait' in proven) return refuseForNow(visit, form, read, proven.wait);
    methods.push(proven.method);
  }
  const cookie = await renewSession(visit.request, visit.session, methods);
  if (cookie !== undefined) visit.cookies.push(cookie);
  return undefined;
}

/** The id of a row that a form names; undefined for what can be none. */
export function idIn(sent: FormData, name: string): string | undefined {
  return z.uuid().safeParse(sent.get(name)).data;
}
