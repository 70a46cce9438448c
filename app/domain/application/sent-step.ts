import { choicesOf, type Field, type Repeat } from '../form';
import { type Answers, DATE_PARTS, rowCount, rowIndex, rowName, sureName } from './answers';
import { hasNationalNumber, isMinor, type JudgeContext } from './judge-context';
import { type Step, type StepField, STEPS } from './steps';

/** What a form has sent: a `FormData`, or parameters of an address. */
interface Sent {
  get(name: string): unknown;
  keys(): Iterable<string>;
}

/** Fields by name, to know whether the one that a condition asks is shown itself. */
const FIELDS = new Map(STEPS.flatMap((step) => step.fields.map((field) => [field.name, field])));

/** Conditions that no answer of the same step decides. */
const DERIVED: Readonly<Record<string, (context: JudgeContext) => boolean>> = {
  'age < 18': isMinor,
  'national number': ({ all }) => hasNationalNumber(all),
  'no photo': ({ hasPhoto }) => !hasPhoto,
};

/** So much longer than it may be a text is still kept, so that its writer sees and shortens it. */
const TIMES_TOO_LONG = 4;
/** Of a field whose text has no limit: a choice, a part of a date, a year. */
const LONGEST = 200;

/**
 * How much of a field's text is read, in UTF-16 code units. No browser sends more, by `maxLength`; and
 * to bring thousands of accents into their order takes seconds.
 */
function mostRead({ max_length: most }: Field): number {
  return most === undefined ? LONGEST : TIMES_TOO_LONG * most;
}

/** The form names of a field: three of a date, else its own. */
function namesOf(field: Field, prefix = ''): string[] {
  const name = prefix + field.name;
  return field.type === 'date' ? DATE_PARTS.map((part) => `${name}.${part}`) : [name];
}

function rowNames(list: Repeat, index: number): string[] {
  return list.fields.flatMap((field) => namesOf(field, rowName(list.name, index, '')));
}

/**
 * What a form has sent of a step: the names that the step lists, as typed. Of a list, one row more
 * than it may have is read, so that it can be refused; rows are numbered without gaps. Nothing is
 * judged.
 */
export function readStep(step: Step, sent: Sent): Answers {
  const answers: Record<string, string> = {};
  const read = (field: Field, from = '', to = from) => {
    const sources = namesOf(field, from);
    namesOf(field, to).forEach((name, place) => {
      const text = sent.get(sources[place] ?? name);
      if (typeof text === 'string') answers[name] = text.slice(0, mostRead(field));
    });
  };
  const names = [...sent.keys()];
  for (const field of step.fields) {
    if (field.type !== 'repeat') {
      read(field);
      const sure = sent.get(sureName(field.name));
      if (typeof sure === 'string') answers[sureName(field.name)] = sure.slice(0, mostRead(field));
      continue;
    }
    sentRows(field, names).forEach((from, to) => {
      for (const inner of field.fields) {
        read(inner, rowName(field.name, from, ''), rowName(field.name, to, ''));
      }
    });
  }
  return answers;
}

function sentRows(list: Repeat, names: readonly string[]): number[] {
  const indices = names.flatMap((name) => {
    const index = rowIndex(name, list.name);
    return index !== undefined && rowNames(list, index).includes(name) ? [index] : [];
  });
  return [...new Set(indices)].sort((a, b) => a - b).slice(0, list.max_items + 1);
}

/**
 * Whether a field is shown: by the answers of its step, and what is derived of all others. A field
 * whose condition asks a hidden one is hidden, too.
 *
 * @param prefix for a field in a list's row: `other_documents[0].`
 */
export function isShown(
  field: StepField,
  answers: Answers,
  context: JudgeContext,
  prefix = '',
): boolean {
  const condition = field.show_if;
  if (!condition) return true;
  if ('derived' in condition) {
    const derived = DERIVED[condition.derived];
    if (!derived) throw new Error(`${field.name}: there is no condition "${condition.derived}"`);
    return derived(context);
  }
  if (answers[prefix + condition.field] !== condition.equals) return false;
  const asked = prefix === '' ? FIELDS.get(condition.field) : undefined;
  return !asked || isShown(asked, answers, context);
}

/**
 * The permitted values of a field today; undefined if any text is allowed.
 *
 * @throws if the field refers to an unknown list
 */
export function choicesFor(
  field: Field,
  { lists, isSocialMediaRequired }: JudgeContext,
): readonly string[] | undefined {
  const choices = choicesOf(field, { lists });
  return field.name === 'social_media_choice' && isSocialMediaRequired
    ? choices?.filter((choice) => choice !== 'prefer_not')
    : choices;
}

/** Adds an empty row to a list, unless it has all the rows it may have. */
export function withRow(step: Step, answers: Answers, list: string): Answers {
  const field = listOf(step, list);
  const index = rowCount(answers, list);
  if (!field || index >= field.max_items) return answers;
  return { ...answers, ...Object.fromEntries(rowNames(field, index).map((name) => [name, ''])) };
}

/** Takes a row out of a list; those after it move up. */
export function withoutRow(step: Step, answers: Answers, list: string, index: number): Answers {
  const field = listOf(step, list);
  if (!field) return answers;
  const rows = Array.from({ length: rowCount(answers, list) }, (_, row) => row);
  const left: Record<string, string> = {};
  for (const [name, text] of Object.entries(answers)) {
    if (rowIndex(name, list) === undefined) left[name] = text;
  }
  rows
    .filter((row) => row !== index)
    .forEach((from, to) => {
      const sources = rowNames(field, from);
      rowNames(field, to).forEach((name, place) => {
        const text = answers[sources[place] ?? name];
        if (text !== undefined) left[name] = text;
      });
    });
  return left;
}

function listOf(step: Step, list: string): Repeat | undefined {
  return step.fields.find((field): field is Repeat => {
    return field.type === 'repeat' && field.name === list;
  });
}
