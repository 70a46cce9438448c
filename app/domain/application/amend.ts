import type { Form } from '../form';
import { type Answers, DATE_PARTS, isNameOf, rowCount, rowIndex, rowsOf } from './answers';
import { validateStep, type StepInput, readStep, withoutRow } from './validate-step';
import { ASKED_STEPS, LAST_STEP, type Step, type StepField } from './steps';
import { isShown } from './step-input';

export const AMENDMENT_FORM = [
  { name: 'why', type: 'textarea', required: true, max_length: 500 },
] as const satisfies Form;

/** What is changed at once: a field with what repeats it; of a list, all its rows. */
export type Amendable = { step: Step; name: string; fields: readonly StepField[] };

export function amendableOf(name: string): Amendable | undefined {
  const step = ASKED_STEPS.find(({ fields }) =>
    fields.some((field) => field.name === name && isOwn(field)),
  );
  if (!step) return undefined;
  const fields = step.fields.filter((one) => one.name === name || one.must_equal === name);
  return { step, name, fields };
}

/** A box that was ticked is the traveller's alone. */
const isOwn = ({ type, must_equal: repeated }: StepField): boolean =>
  type !== 'checkbox' && repeated === undefined;

export function amendableIn(step: Step, answers: Answers, context: StepInput): string[] {
  if (step.number === LAST_STEP) return [];
  return step.fields
    .filter((field) => isOwn(field) && isShown(field, answers, context))
    .map(({ name }) => name);
}

/** Of a list, rows that were emptied are gone, and those after them have moved up. */
export function readAmended({ step, fields }: Amendable, sent: Parameters<typeof readStep>[1]) {
  const part = { ...step, fields };
  let typed = readStep(part, sent);
  for (const { name, type } of fields) {
    if (type !== 'repeat') continue;
    for (let index = rowCount(typed, name) - 1; index >= 0; index -= 1) {
      const isEmpty = Object.entries(typed).every(
        ([key, text]) => rowIndex(key, name) !== index || text.trim() === '',
      );
      if (isEmpty) typed = withoutRow(part, typed, name, index);
    }
  }
  return typed;
}

export type AmendedField = { field: string; old: string; new: string };

/** An answer that has come to be asked by the amendment is given by the next one. */
const TO_FOLLOW: readonly string[] = ['required', 'rowsNone'];

export function validateAmendment({ step, fields }: Amendable, typed: Answers, context: StepInput) {
  const before = context.all[step.number] ?? {};
  const isOfIt = (name: string) => fields.some((field) => isNameOf(field, name));
  const others = Object.entries(before).filter(([name]) => !isOfIt(name));
  const after = { ...Object.fromEntries(others), ...typed };
  const { kept, errors: found } = validateStep(step, after, context);
  const known = validateStep(step, before, context).errors;
  // Its own problems, and those that it would cause elsewhere.
  const errors = Object.entries(found).filter(
    ([name, problem]) => isOfIt(name) || (known[name] !== problem && !TO_FOLLOW.includes(problem)),
  );
  return {
    kept,
    errors: Object.fromEntries(errors) as Readonly<Record<string, string>>,
    isComplete: Object.keys(found).length === 0,
    changes: changesOf(step, before, kept),
  };
}

export function changesOf(step: Step, before: Answers, after: Answers): AmendedField[] {
  const [old, now] = [textsOf(step, before), textsOf(step, after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((field) => {
    const change = { field, old: old.get(field) ?? '', new: now.get(field) ?? '' };
    return change.old === change.new ? [] : [change];
  });
}

function textsOf({ fields }: Step, answers: Answers): Map<string, string> {
  const texts = new Map<string, string>();
  const put = (name: string, type: StepField['type']) => {
    const parts = type === 'date' ? DATE_PARTS.map((part) => `${name}.${part}`) : [name];
    const typed = parts.map((part) => answers[part] ?? '').filter(Boolean);
    texts.set(name, typed.join(' '));
  };
  for (const field of fields) {
    if (field.type === 'repeat') {
      for (const prefix of rowsOf(answers, field.name)) {
        for (const own of field.fields) put(prefix + own.name, own.type);
      }
    } else if (isOwn(field)) put(field.name, field.type);
  }
  return texts;
}
