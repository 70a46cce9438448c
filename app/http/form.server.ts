import { parseWithZod } from '@conform-to/zod/v4';
import { type ActionFunctionArgs, type AppLoadContext, json } from '@remix-run/node';

import { currentRequest } from '~/current-app.server';
import type { Form, FormContext, Problem, Values } from '~/domain/form';
import { formSchema } from '~/domain/form-schema';

export interface Refusal {
  /** Without one nothing was judged: the form is shown in another language. */
  problem?: string;
  errors: Partial<Record<string, Problem>>;
  values: Partial<Record<string, string>>;
  form?: string;
  wait?: string;
  left?: number;
}

/** Additional fields are dropped; no form here has more: ten trips of an application take 80. */
const MAX_FIELDS = 128;

/** The forms that were read, by request: an error page gives back what was typed. */
const formsRead = new WeakMap<object, FormData>();

export async function readFormData(request: Request): Promise<FormData> {
  const sent = await request.formData().catch(() => {
    throw new Response(null, { status: 400 });
  });
  const fields = new FormData();
  for (const [name, value] of [...sent].slice(0, MAX_FIELDS)) fields.append(name, value);
  const current = currentRequest();
  if (current) formsRead.set(current, fields);
  return fields;
}

/** The form of a request that was refused, whether it was read before or not; undefined without one. */
export async function refusedForm(request: Request): Promise<FormData | undefined> {
  const current = currentRequest();
  const read = current && formsRead.get(current);
  if (read) return read;
  const type = request.headers.get('Content-Type') ?? '';
  const isForm = request.method === 'POST' && type.startsWith('application/x-www-form-urlencoded');
  return isForm && !request.bodyUsed ? readFormData(request) : undefined;
}

/** `typed` is the input in both cases, without passwords, which are never sent back. */
export type ReadForm<F extends Form> = {
  typed: Record<string, string>;
} & (
  | { values: Values<F>; errors?: undefined }
  | { values?: undefined; errors: Partial<Record<string, string>> }
);

/** Only fields that the form names: `a[10000000]` and the library's commands reach no parser. */
export function readForm<F extends Form>(
  sent: Pick<FormData, 'get'>,
  form: F,
  context?: FormContext,
): ReadForm<F> {
  const fields = new FormData();
  for (const { name } of form) {
    const value = sent.get(name);
    if (typeof value === 'string') fields.set(name, value);
  }
  const isSecret = secretsOf(form);
  const typed = Object.fromEntries([...fields].filter(([name]) => !isSecret(name))) as Record<
    string,
    string
  >;
  const submission = parseWithZod(fields, { schema: formSchema(form, context) });
  if (submission.status === 'success') return { typed, values: submission.value };
  const errors = Object.entries(submission.reply().error ?? {});
  return { typed, errors: Object.fromEntries(errors.map(([name, all]) => [name, all?.[0]])) };
}

function secretsOf(form: Form): (name: string) => boolean {
  const names = form.filter(({ type }) => type === 'password').map(({ name }) => name);
  return (name) => names.includes(name);
}

export const refuse = (
  problem: string,
  { errors = {}, typed = {} }: Partial<Pick<ReadForm<Form>, 'errors' | 'typed'>>,
  init: ResponseInit = { status: 422 },
) => json<Refusal>({ problem, errors, values: typed }, init);

/** The version of what a form was made from. @throws {Response} 400 without one */
export function requireVersion(sent: FormData): number {
  const version = sent.get('version');
  if (typeof version === 'string' && /^\d{1,9}$/.test(version)) return Number(version);
  throw new Response(null, { status: 400 });
}

export const isLanguageChange = (sent: FormData): boolean => sent.has('lng');

/** In the language of the URL, without judging it. @param form whose passwords are not sent back */
export function rerender(sent: FormData, form: Form = []) {
  const isSecret = secretsOf(form);
  const values: Record<string, string> = {};
  for (const [name, value] of sent) {
    if (typeof value !== 'string' || isSecret(name)) continue;
    // Of a list several are chosen: their names have no spaces.
    values[name] = name === 'ask' && values[name] ? `${values[name]} ${value}` : value;
  }
  return json<Refusal>({ errors: {}, values });
}

/** What cannot be taken back is asked once more; who has seen a mistake then gets the form again. */
export function askFirst(sent: FormData, typed: Record<string, string>) {
  if (sent.get('confirm') === 'yes') return undefined;
  return sent.get('confirm') === 'no'
    ? rerender(sent)
    : refuse('confirm', { typed }, { status: 200 });
}

/** The action of a page whose form is sent by GET or to another page: changes its language. */
export async function changeLanguage({ request }: ActionFunctionArgs) {
  const sent = await readFormData(request);
  if (!isLanguageChange(sent)) throw new Response(null, { status: 405 });
  return rerender(sent);
}

/**
 * Of several the last: a hidden field says what the form's first button does, for who presses Enter; a
 * button that is pressed comes after it. @throws {Response} 400 for an unknown intent
 */
export function intentOf<I extends string>(sent: FormData, intents: readonly [I, ...I[]]): I {
  const value = sent.getAll('intent').at(-1) ?? intents[0];
  const intent = intents.find((known) => known === value);
  if (!intent) throw new Response(null, { status: 400 });
  return intent;
}

export function namedIntentOf<I extends string>(sent: FormData, intents: readonly [I, ...I[]]): I {
  if (!sent.has('intent')) throw new Response(null, { status: 400 });
  return intentOf(sent, intents);
}

export function textIn(sent: FormData, name: string): string {
  const value = sent.get(name);
  return typeof value === 'string' ? value : '';
}

/** The limits of a client; `server/rate-limits.ts` has their figures. */
export type RateLimit =
  | ('page' | 'file' | 'webhook' | 'contact' | 'save' | 'withdrawal' | 'photo' | 'password')
  // Forms of any kind, and those that are refused with their text kept.
  | ('post' | 'refusedForm');

/** @returns 0, or the seconds until the next token; always 0 under `remix-serve` */
export const consumeRateLimit = (context: AppLoadContext, limit: RateLimit): number =>
  context.consumeRateLimit?.(limit) ?? 0;

export const tooManyRequests = (seconds: number) => ({
  status: 429,
  headers: { 'Retry-After': String(seconds) },
});

/** For forms where a refusal loses no input. @throws {Response} 429 */
export function limitForms(context: AppLoadContext): void {
  const retryAfter = consumeRateLimit(context, 'post');
  if (retryAfter > 0) throw new Response(null, tooManyRequests(retryAfter));
}
