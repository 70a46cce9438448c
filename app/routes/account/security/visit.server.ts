import { type AppLoadContext, json, redirect } from '@remix-run/node';

import type { SignedIn } from '~/accounts/session.server';
import type { ReadForm } from '~/http/form.server';
import { tooManyRequests } from '~/http/rate-limit.server';
import { showToast } from '~/http/toast.server';
import type { ToastName } from '~/http/toasts';
import type { Language } from '~/i18n/languages';
import { formatDuration } from '~/i18n/format.server';
import type { Form } from '~/domain/form';
import type { SecurityProblem, SecurityRefusal } from './refusal';

/** What each form of the page is handled with. */
export interface Visit {
  request: Request;
  context: AppLoadContext;
  sent: FormData;
  session: SignedIn;
  /** Of the page. */
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
  problem: SecurityProblem = 'invalid',
) {
  return json<SecurityRefusal>({ form, problem, errors, values: typed }, { status: 422 });
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
  const refusal: SecurityRefusal = { form, problem, errors: {}, values: typed, wait };
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
