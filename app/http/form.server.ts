import type { SubmissionResult } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { json } from '@remix-run/node';

import type { Form, FormContext, Values } from '~/domain/form';
import { formSchema } from '~/domain/form-schema';
import type { Refusal } from './refusal';

/** More fields than any form here has are dropped. */
const MOST_FIELDS = 64;

/**
 * The fields that a form was sent with.
 *
 * @throws {Response} 400 if the body is no form
 */
export async function sentForm(request: Request): Promise<FormData> {
  const sent = await request.formData().catch(() => {
    throw new Response(null, { status: 400 });
  });
  const fields = new FormData();
  for (const [name, value] of [...sent].slice(0, MOST_FIELDS)) fields.append(name, value);
  return fields;
}

/** A form as it was read: its values, or what is wrong with which field. Either way what was typed. */
export type ReadForm<F extends Form> = {
  typed: Record<string, string>;
} & (
  | { values: Values<F>; errors?: undefined }
  | { values?: undefined; errors: Partial<Record<string, string>> }
);

/**
 * Reads a form by its descriptor: the fields that it names, once each, and no others. A name such as
 * `a[10000000]` never reaches the code that parses names, nor a command of the form library, which
 * only this server may give it.
 *
 * @param sent the fields of a form, or the parameters of an address
 */
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
  const typed = Object.fromEntries(fields) as Record<string, string>;
  const submission = parseWithZod(fields, { schema: formSchema(form, context) });
  if (submission.status === 'success') return { typed, values: submission.value };
  return { typed, errors: errorsOf(submission.reply()) };
}

/** The first problem of each field that has one. */
function errorsOf({ error }: SubmissionResult): Partial<Record<string, string>> {
  const problems = Object.entries(error ?? {}).map(([name, found]) => [name, found?.[0]]);
  return Object.fromEntries(problems) as Partial<Record<string, string>>;
}

/**
 * Answers a form that is not accepted: the page is shown again, with the refusal as its action's
 * data.
 *
 * @param init 422, or 429 and 503 with `Retry-After`
 */
export function refuse<P extends string>(
  problem: P,
  { errors = {}, typed = {} }: Partial<Pick<ReadForm<Form>, 'errors' | 'typed'>>,
  init: ResponseInit = { status: 422 },
) {
  return json<Refusal<P>>({ problem, errors, values: typed }, init);
}

/**
 * The button that sent a form, from its `intent` field; the first of the list if there is none.
 *
 * @throws {Response} 400 for an intent that no button has
 */
export function intentOf<I extends string>(sent: FormData, intents: readonly [I, ...I[]]): I {
  const given = sent.get('intent') ?? intents[0];
  const intent = intents.find((known) => known === given);
  if (!intent) throw new Response(null, { status: 400 });
  return intent;
}
