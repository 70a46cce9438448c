import { json } from '@remix-run/node';

import { sentForm } from './form.server';
import type { TypedAgain } from './typed-again';

/** What is never sent back. */
const SECRET = /^(current_)?password$|^(code|token|lng)$/;
/** Of a field that nobody types: a word of ours, a number, a key. */
const OURS = /^(\S{0,11}|[\da-f-]{36})$/;

/**
 * A form that cannot be taken now, for the page that says why: it has what was typed, and sends it once
 * more (`TypedAgain`). Nothing is kept here.
 *
 * @returns undefined where nothing worth a page was typed
 */
export function typedAgain({ url }: Request, sent: FormData): TypedAgain | undefined {
  const fields = [...sent].filter(
    (field): field is [string, string] => typeof field[1] === 'string' && !SECRET.test(field[0]),
  );
  if (fields.every(([, value]) => OURS.test(value))) return undefined;
  const { pathname, searchParams } = new URL(url);
  // A change of language, and a data request of Remix, are no part of the form.
  for (const name of ['lng', '_data']) searchParams.delete(name);
  const query = searchParams.size > 0 ? `?${searchParams}` : '';
  return {
    address: pathname + query,
    fields: fields.map(([name, value]) => ({ name, value, isText: !OURS.test(value) })),
  };
}

/** The same of a form that nobody has read yet. */
export async function unreadAgain(request: Request): Promise<TypedAgain | undefined> {
  const type = request.headers.get('Content-Type') ?? '';
  const isForm = request.method === 'POST' && type.startsWith('application/x-www-form-urlencoded');
  return isForm && !request.bodyUsed ? typedAgain(request, await sentForm(request)) : undefined;
}

/** The answer with that page; for nobody but the browser that has sent the form. */
export function showTypedAgain(
  status: 401 | 403 | 404,
  data: { typedAgain: TypedAgain | undefined } & Record<string, unknown>,
): Response {
  return json(data, { status, headers: { 'Cache-Control': 'no-store' } });
}
