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

/**
 * The allowed fields of a form, once each, in fresh form data: a name such as `a[10000000]` never
 * reaches the code that parses names, nor a command that only this server gives to that code.
 */
export function allowedFields(sent: FormData, names: Iterable<string>): FormData {
  const fields = new FormData();
  for (const name of names) {
    const value = sent.get(name);
    if (typeof value === 'string') fields.set(name, value);
  }
  return fields;
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
