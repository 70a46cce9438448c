import { type Field, HIDDEN_CHARACTERS, type Problem, type Repeat, type Rule } from '../form';
import { isEmail, normalize } from '../form-schema';
import {
  type AllAnswers,
  type Answers,
  DATE_PARTS,
  rowCount,
  rowIndex,
  rowName,
  rowsOf,
  sureName,
} from './answers';
import { answeredDate, dayAfter } from './dates';
import { choicesFor, type Days, daysOf, isOptional, isShown, type StepInput } from './step-input';
import { lineProblems } from './compare-lines';
import { isPassportNumber, normalisePassportNumber } from './passport-shapes';
import { ASKED_STEPS, LAST_STEP, type Step, type StepNumber, STEPS } from './steps';
import { isPhone } from './phone';
import { isLatinText, isSendable, sentName } from './sent-name';
import { daysUntil } from '../timeline';
import { ASKING, openWarningsOf } from './warnings';

export type { StepInput };
export { ASKING, openWarningsOf, type Warning, warningsOf } from './warnings';

/** The consent before which nothing of its step is kept (GDPR, articles 9 and 10). */
export const CONSENT = 'sensitive_data_consent';

const PATTERNS = new Map(
  STEPS.flatMap((step) => step.fields)
    .flatMap((field) => (field.type === 'repeat' ? field.fields : [field]))
    .flatMap(({ pattern }) => (pattern === undefined ? [] : [[pattern, new RegExp(pattern)]])),
);

const NOT_CERTIFIED = STEPS.flatMap(({ number, fields }) =>
  fields.flatMap(({ name, cannot_be_certified_if: answer }) =>
    answer === undefined ? [] : [{ step: number, name, answer }],
  ),
);
const PASSPORT_STEP = 2;

interface Checked {
  answers: Answers;
  context: StepInput;
  days: Days;
  kept: Record<string, string>;
  errors: Record<string, Problem>;
}

/** `kept`: what is stored, shown fields only; `errors`: by form name, a date's without its part. */
export function validateStep(step: Step, answers: Answers, context: StepInput) {
  const isSaved = context.all[step.number] === answers;
  const all = isSaved ? context.all : { ...context.all, [step.number]: answers };
  const shown = { ...context, all };
  const checked: Checked = { answers, context: shown, days: daysOf(all), kept: {}, errors: {} };
  for (const field of step.fields) {
    if (!isShown(field, answers, checked.context)) continue;
    if (field.type === 'repeat') validateRows(field, checked);
    else validateField(field, checked);
    const sure = answers[sureName(field.name)];
    if (sure && sure === checked.kept[field.name]) checked.kept[sureName(field.name)] = sure;
  }
  if (step.number === PASSPORT_STEP) validateLines(checked);
  if (step.number === LAST_STEP) validateCertification(checked);
  const { kept, errors } = checked;
  const asksConsent = step.fields.some(({ name }) => name === CONSENT);
  return { kept: asksConsent && kept[CONSENT] === undefined ? {} : kept, errors };
}

function validateRows(list: Repeat, checked: Checked): void {
  const rows = rowCount(checked.answers, list.name);
  if (rows === 0) checked.errors[list.name] = 'rowsNone';
  if (rows > list.max_items) checked.errors[list.name] = 'rowsTooMany';
  for (const prefix of rowsOf(checked.answers, list.name)) {
    for (const field of list.fields) {
      if (isShown(field, checked.answers, checked.context, prefix))
        validateField(field, checked, prefix);
    }
  }
}

/** @param prefix of a field in a list's row, whose empty answers are kept: they hold its place */
function validateField(field: Field, checked: Checked, prefix = ''): void {
  const name = prefix + field.name;
  const keep = (key: string, text: string) => {
    if (text !== '' || prefix !== '') checked.kept[key] = text;
  };
  if (field.type === 'date') {
    for (const part of DATE_PARTS) {
      keep(`${name}.${part}`, normalize(checked.answers[`${name}.${part}`] ?? ''));
    }
  } else {
    keep(name, keptText(field, checked.answers[name] ?? '') || (field.default ?? ''));
  }
  const problemOf = field.type === 'date' ? dateProblem : textProblem;
  const problem = problemOf(field, checked, prefix);
  if (problem !== undefined) checked.errors[name] = problem;
}

function keptText(field: Field, typed: string): string {
  const text = normalize(typed);
  if (field.type === 'textarea') return text;
  // All spaces are one plain space; tabs and breaks stay, and are refused.
  const line = text.replace(/\p{Zs}+/gu, ' ');
  if (field.type === 'checkbox') return line === 'yes' ? line : '';
  if (isUnknown(field, line)) return field.unknown_value ?? line;
  // What stands before the @ belongs to the receiving server (RFC 5321, section 2.3.11).
  if (field.type === 'email') return line.replace(/@[^@]*$/, (domain) => domain.toLowerCase());
  return line;
}

const isUnknown = ({ unknown_value: unknown }: Field, text: string): boolean =>
  unknown !== undefined && text.toUpperCase() === unknown;

function dateProblem(field: Field, checked: Checked, prefix: string): Problem | undefined {
  const typed = answeredDate(checked.answers, prefix + field.name);
  if (!typed) return field.required === false ? undefined : 'required';
  if (typed.day === undefined) return typed.problem;
  const { days, context } = checked;
  if (field.name === 'departure_date' && !answeredDate(checked.answers, 'arrival_date')) {
    return 'departureWithoutArrival';
  }
  const rule = field.rule === undefined ? undefined : ruleOf(DAY_RULES, field.rule);
  if (rule) return rule(typed.day, days, context.today);
  return boundsProblem(field, typed.day, checked, prefix);
}

function textProblem(field: Field, checked: Checked, prefix: string): Problem | undefined {
  const text = checked.kept[prefix + field.name] ?? '';
  if (text === '') return isOptional(field, checked.context) ? undefined : 'required';
  if (isUnknown(field, text)) return undefined;
  const choices = choicesFor(field, checked.context);
  if (choices) return choices.includes(text) ? undefined : 'choice';
  const { max_length: most = Infinity } = field;
  if (text.length > most && [...text].length > most) return 'tooLong';
  const line = field.type === 'textarea' ? text.replace(/[\n\t]/g, '') : text;
  if (HIDDEN_CHARACTERS.test(line)) return 'hidden';
  const pattern = PATTERNS.get(field.pattern ?? '');
  // The full mapping would make letters of what are none: ß, ı.
  const capitals = text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
  if (pattern && !pattern.test(capitals)) return 'pattern';
  const problem = field.rule === undefined ? undefined : ruleOf(TEXT_RULES, field.rule)(text);
  if (problem !== undefined) return problem;
  const before = field.must_equal && checked.kept[prefix + field.must_equal];
  if (before && normalisePassportNumber(text) !== normalisePassportNumber(before)) {
    return 'mismatch';
  }
  return boundsProblem(field, text, checked, prefix);
}

function ruleOf<R>(rules: Readonly<Record<string, R>>, name: string): R {
  const rule = rules[name];
  if (!rule) throw new Error(`There is no rule called ${name}`);
  return rule;
}

const BOUNDS_PROBLEMS = {
  number: { before: 'yearRange', after: 'yearRange', order: 'yearOrder' },
  date: { before: 'tripBefore', after: 'tripFuture', order: 'tripOrder' },
} as const;

/** @param value a year with four digits, or a day (`yyyy-MM-dd`): both compare as text */
function boundsProblem(field: Field, value: string, checked: Checked, prefix: string) {
  if (field.type !== 'number' && field.type !== 'date') return undefined;
  const problems = BOUNDS_PROBLEMS[field.type];
  const first = boundOf(field.min, checked, prefix);
  const last = boundOf(field.max, checked, prefix);
  // That it is in the future says more than that it is before another day.
  if (last && value > last.value) return problems.after;
  if (first && value < first.value) return first.isField ? problems.order : problems.before;
  return undefined;
}

/** What a bound is today; undefined if it depends on an answer that there is not. */
function boundOf(
  bound: string | number | undefined,
  { answers, context: { today }, days }: Checked,
  prefix: string,
): { value: string; isField?: true } | undefined {
  if (bound === undefined) return undefined;
  if (typeof bound === 'number' || /^\d/.test(bound)) return { value: String(bound) };
  if (bound === 'today') return { value: today };
  const year = Number(today.slice(0, 4));
  const years = /^this year(?: \+ (\d+))?$/.exec(bound);
  if (years) return { value: String(year + Number(years[1] ?? 0)) };
  if (bound === 'year of birth') return { value: days.date_of_birth?.slice(0, 4) ?? '1900' };
  const typed = answeredDate(answers, prefix + bound)?.day ?? answers[prefix + bound]?.trim();
  return typed && /^\d{4}/.test(typed) ? { value: typed, isField: true } : undefined;
}

/** Signs that no printed line has; other problems of the lines are warnings, for they may be skipped. */
function validateLines({ kept, errors }: Checked): void {
  for (const { field, problem } of lineProblems(kept)) {
    if (problem.code === 'printedLine') errors[field] ??= problem.code;
  }
}

/**
 * A passport without a chip can be saved, but not certified (8 U.S.C. 1187(a)(3)(B)); whoever has several
 * names signs with more than one.
 */
function validateCertification({ context: { all }, kept, errors }: Checked): void {
  for (const { step, name, answer } of NOT_CERTIFIED) {
    if (all[step]?.[name] === answer) errors[name] = 'noChip';
  }
  const { first_name: first = '', last_name: last = '' } = all[1] ?? {};
  const { signature_name: signature = '', completed_by_name: signer } = kept;
  const isFull = wordsOf(signature) > 1 || wordsOf(signer ?? `${first} ${last}`) < 2;
  if (!isFull && signature !== '') errors['signature_name'] ??= 'fullName';
}

/** Of a name, without what stands for none. */
const wordsOf = (name: string) =>
  sentName(name)
    .split(' ')
    .filter((word) => word !== '' && word !== 'FNU').length;

export function firstOpenStep(context: StepInput): StepNumber {
  const isOpen = (step: Step) =>
    !context.all[step.number] || Object.keys(savedErrors(step, context)).length > 0;
  return ASKED_STEPS.find(isOpen)?.number ?? LAST_STEP;
}

export const savedErrors = (step: Step, context: StepInput) =>
  validateStep(step, context.all[step.number] ?? {}, context).errors;

export function initialAnswers(step: Step, all: AllAnswers): Answers {
  const earlier = new Map(Object.values(all).flatMap((answers) => Object.entries(answers)));
  return Object.fromEntries(
    step.fields.flatMap(({ name, default_from: from }) => {
      const answer = from === undefined ? undefined : earlier.get(from);
      return answer ? [[name, answer]] : [];
    }),
  );
}

const matches =
  (pattern: RegExp, problem: Problem): Rule =>
  (text) =>
    pattern.test(text) ? undefined : problem;

/** Names, one a line where several are asked. Other scripts are names, but cannot be sent. */
function nameProblem(text: string): Problem | undefined {
  const names = text.split('\n').map((line) => line.trim());
  if (!names.every((name) => name === '' || NAME.test(name))) return 'name';
  return isSendable(text) ? undefined : 'latin';
}

const TEXT_RULES: Readonly<Record<string, Rule>> = {
  email: (text) => (isEmail(text) ? undefined : 'email'),
  phone: (text) => (isPhone(text) ? undefined : 'phone'),
  name_mrz: nameProblem,
  latin_text: (text) => (isLatinText(text) ? undefined : 'latin'),
  passport_number: (text) => (isPassportNumber(text) ? undefined : 'passportNumber'),
  year: matches(/^[0-9]{4}$/, 'year'),
  us_zip: matches(/^[0-9]{5}(-[0-9]{4})?$/, 'usZip'),
  postal_code: matches(/^[A-Za-z0-9][A-Za-z0-9 -]{1,11}$/, 'postalCode'),
  passid: matches(/^[0-9]{9}$/, 'passid'),
};

/** Accents and all scripts are accepted; digits, `<` and emoji are not. */
const NAME = /^[\p{L}\p{M}][\p{L}\p{M}' ’.-]*$/u;

const OLDEST = 120;
const LONGEST_VALIDITY = 15;
const FARTHEST_TRIP = 2;
export const LONGEST_STAY = 90;

type DayRule = (day: string, days: Days, today: string) => Problem | undefined;

/** The rules for dates by the names of the owner's list; all days are `yyyy-MM-dd`. */
const DAY_RULES: Readonly<Record<string, DayRule>> = {
  date_of_birth: (birth, _, today) => {
    if (birth >= today) return 'birthFuture';
    return birth < dayAfter(today, { years: -OLDEST }) ? 'birthTooEarly' : undefined;
  },
  passport_issue_date: (issue, { date_of_birth: birth = '' }, today) => {
    if (issue > today) return 'issueFuture';
    return issue < birth ? 'issueBeforeBirth' : undefined;
  },
  passport_expiry_date: (
    expiry,
    { passport_issue_date: issue, arrival_date: arrival = '' },
    today,
  ) => {
    if (issue !== undefined && expiry <= issue) return 'expiryBeforeIssue';
    if (expiry <= today) return 'expired';
    // An issue in the future is an error of its own.
    if (issue !== undefined && issue <= today) {
      if (expiry > dayAfter(issue, { years: LONGEST_VALIDITY })) return 'expiryTooLate';
    }
    return expiry < arrival ? 'expiryBeforeArrival' : undefined;
  },
  arrival_date: (arrival, { passport_expiry_date: expiry }, today) => {
    if (arrival < today) return 'arrivalPast';
    if (arrival > dayAfter(today, { years: FARTHEST_TRIP })) return 'arrivalTooLate';
    return expiry !== undefined && arrival > expiry ? 'arrivalAfterExpiry' : undefined;
  },
  departure_date: (departure, { arrival_date: arrival }) => {
    if (arrival === undefined) return undefined;
    if (departure < arrival) return 'departureBeforeArrival';
    return daysUntil(departure, arrival) > LONGEST_STAY ? 'stayTooLong' : undefined;
  },
};

type Sent = { get(name: string): unknown; keys(): Iterable<string> };

/** So much longer than it may be a text is still kept, so that its writer sees and shortens it. */
const TIMES_TOO_LONG = 4;
const LONGEST = 200;

/** Bounded, because bringing thousands of accents into order takes seconds. */
const mostRead = ({ max_length: most }: Field): number =>
  most === undefined ? LONGEST : TIMES_TOO_LONG * most;

function namesOf(field: Field, prefix = ''): string[] {
  const name = prefix + field.name;
  return field.type === 'date' ? DATE_PARTS.map((part) => `${name}.${part}`) : [name];
}

const rowNames = (list: Repeat, index: number): string[] =>
  list.fields.flatMap((field) => namesOf(field, rowName(list.name, index, '')));

/** Of a list, one row too many is read, so that it can be refused; rows leave no gaps. */
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

export function withRow(step: Step, answers: Answers, list: string): Answers {
  const field = listOf(step, list);
  const index = rowCount(answers, list);
  if (!field || index >= field.max_items) return answers;
  return { ...answers, ...Object.fromEntries(rowNames(field, index).map((name) => [name, ''])) };
}

export function withoutRow(step: Step, answers: Answers, list: string, index: number): Answers {
  if (!listOf(step, list) || !(index >= 0)) return answers;
  const left = Object.entries(answers).flatMap(([name, text]) => {
    const row = rowIndex(name, list);
    if (row === undefined || row < index) return [[name, text]];
    // What stands after it moves up.
    return row === index ? [] : [[name.replace(`[${row}]`, `[${row - 1}]`), text]];
  });
  return Object.fromEntries(left) as Answers;
}

const listOf = (step: Step, list: string): Repeat | undefined =>
  step.fields.find((field): field is Repeat => field.type === 'repeat' && field.name === list);

/** What becomes of an answer that is probably mistyped: `fix` writes what was meant, `keep` leaves it. */
export type Settling = { name: 'fix' | 'keep'; field: string };

export function settleDoubt(
  step: Step,
  answers: Answers,
  context: StepInput,
  { name, field }: Settling,
): Answers {
  const inStep = { ...context, all: { ...context.all, [step.number]: answers } };
  const doubt = openWarningsOf(step, inStep).find(
    (one) => one.field === field && ASKING.has(one.code),
  );
  if (!doubt) return answers;
  if (name === 'keep') {
    const text = validateStep(step, answers, inStep).kept[field] ?? '';
    return { ...answers, [field]: text, [sureName(field)]: text };
  }
  const suggestion = doubt.values?.['suggestion'];
  if (suggestion === undefined) return answers;
  const typed = normalisePassportNumber(answers[field] ?? '');
  const again = step.fields.filter(
    ({ name: other, must_equal: equal }) =>
      equal === field && normalisePassportNumber(answers[other] ?? '') === typed,
  );
  return {
    ...answers,
    ...Object.fromEntries([field, ...again.map((one) => one.name)].map((one) => [one, suggestion])),
  };
}
