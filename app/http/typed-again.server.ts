import { refusedForm } from './form.server';
import type { TypedAgain } from './typed-again';

const SECRET = /^(current_)?password$|^(code|token|lng)$/;
/** Fields that nobody types into: hidden ones and choices. */
const CHOSEN = new Set([
  ...[
    'ask',
    'check',
    'clock',
    'confirm',
    'due',
    'factor',
    'field',
    'goal',
    'group',
    'hold_reason',
    'id',
  ],
  ...[
    'intent',
    'look',
    'month',
    'note_id',
    'offer',
    'official_paid',
    'outcome',
    'package',
    'person',
  ],
  ...[
    'reply',
    'request',
    'returnTo',
    'role',
    'search',
    'seen',
    'step',
    'tab',
    'task',
    'task_version',
    'travel',
    'version',
    'who',
  ],
]);
/** The value of a box, of a choice between two, or of a part of a date. */
const CHOICE = /^(|on|yes|no|\d{1,4})$/;

/** What was typed, for the page that says why it is not taken now (`TypedAgain`); nothing is kept here. */
export async function typedAgain(request: Request): Promise<TypedAgain | undefined> {
  const fields = [...((await refusedForm(request)) ?? [])].filter(
    (field): field is [string, string] => typeof field[1] === 'string' && !SECRET.test(field[0]),
  );
  const isText = ([name, value]: [string, string]) => !CHOSEN.has(name) && !CHOICE.test(value);
  if (!fields.some(isText)) return undefined;
  const { pathname, searchParams } = new URL(request.url);
  // A change of language, and a data request of Remix, are no part of the form.
  for (const name of ['lng', '_data']) searchParams.delete(name);
  return {
    address: pathname + (searchParams.size > 0 ? `?${searchParams}` : ''),
    fields: fields.map(([name, value]) => ({ name, value, isText: isText([name, value]) })),
  };
}
