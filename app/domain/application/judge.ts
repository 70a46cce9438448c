import { type Field, HIDDEN_CHARACTERS, type Problem, type Repeat } from '../form';
import { normalize } from '../form-schema';
import { type AllAnswers, type Answers, DATE_PARTS, rowCount, rowName, sureName } from './answers';
import { dateOf } from './dates';
import { DAY_RULES } from './day-rules';
import { TEXT_RULES } from './field-rules';
import { type Days, daysOf, type JudgeContext } from './judge-context';
import { lineProblems } from './line-problems';
import { normalisePassportNumber } from './passport-shapes';
import { choicesFor, isShown } from './sent-step';
import { type Step, type StepNumber, STEPS } from './steps';

export type { JudgeContext };
export { openWarningsOf, type Warning, warningsOf } from './warnings';

/** The consent before which nothing of its step is kept (GDPR, articles 9 and 10). */
const CONSENT = 'sensitive_data_consent';

const PATTERNS = new Map(
  STEPS.flatMap((step) => step.fields)
    .flatMap((field) => (field.type === 'repeat' ? field.fields : [field]))
    .flatMap(({ pattern }) => (pattern === undefined ? [] : [[pattern, new RegExp(pattern)]])),
);

/** Answers that a passport cannot have if the application is to be certified. */
const NOT_CERTIFIED = STEPS.flatMap(({ number, fields }) =>
  fields.flatMap(({ name, cannot_be_certified_if: answer }) =>
    answer === undefined ? [] : [{ step: number, name, answer }],
  ),
);
const PASSPORT_STEP = 2;
const LAST_STEP = 8;

/** A step while it is judged. */
interface Case {
  answers: Answers;
  context: JudgeContext;
  days: Days;
  kept: Record<string, string>;
  errors: Record<string, Problem>;
}

/**
 * Judges the answers of a step, as typed, today.
 *
 * @returns `kept`: what is stored, complete or not: shown fields only, trimmed, in Unicode NFC, empty
 *   ones left out except in rows; `errors`: the codes of problems by form name (that of a date, without
 *   its part; that of a list for the number of its rows)
 */
export function judgeStep(
  step: Step,
  answers: Answers,
  context: JudgeContext,
): { kept: Answers; errors: Readonly<Record<string, Problem>> } {
  const isSaved = context.all[step.number] === answers;
  const all = isSaved ? context.all : { ...context.all, [step.number]: answers };
  const judged: Case = {
    answers,
    context: { ...context, all },
    days: daysOf(all),
    kept: {},
    errors: {},
  };
  for (const field of step.fields) {
    if (!isShown(field, answers, judged.context)) continue;
    if (field.type === 'repeat') judgeRows(field, judged);
    else judgeField(field, judged);
    const sure = answers[sureName(field.name)];
    if (sure && sure === judged.kept[field.name]) judged.kept[sureName(field.name)] = sure;
  }
  if (step.number === PASSPORT_STEP) judgeLines(judged);
  if (step.number === LAST_STEP) judgeCertification(judged);
  const { kept, errors } = judged;
  const asksConsent = step.fields.some(({ name }) => name === CONSENT);
  return { kept: asksConsent && kept[CONSENT] === undefined ? {} : kept, errors };
}

function judgeRows(list: Repeat, judged: Case): void {
  const rows = rowCount(judged.answers, list.name);
  if (rows === 0) judged.errors[list.name] = 'rowsNone';
  if (rows > list.max_items) judged.errors[list.name] = 'rowsTooMany';
  for (let index = 0; index < rows; index += 1) {
    const prefix = rowName(list.name, index, '');
    for (const field of list.fields) {
      if (isShown(field, judged.answers, judged.context, prefix)) judgeField(field, judged, prefix);
    }
  }
}

/** @param prefix of a field in a list's row, whose empty answers are kept: they hold its place */
function judgeField(field: Field, judged: Case, prefix = ''): void {
  const name = prefix + field.name;
  const keep = (key: string, text: string) => {
    if (text !== '' || prefix !== '') judged.kept[key] = text;
  };
  if (field.type === 'date') {
    for (const part of DATE_PARTS) {
      keep(`${name}.${part}`, normalize(judged.answers[`${name}.${part}`] ?? ''));
    }
  } else {
    keep(name, keptText(field, judged.answers[name] ?? ''));
  }
  const problem =
    field.type === 'date' ? dateProblem(field, judged, prefix) : textProblem(field, judged, prefix);
  if (problem !== undefined) judged.errors[name] = problem;
}

/** An answer as it is stored. */
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

function isUnknown({ unknown_value: unknown }: Field, text: string): boolean {
  return unknown !== undefined && text.toUpperCase() === unknown;
}

function dateProblem(field: Field, judged: Case, prefix: string): Problem | undefined {
  const typed = dateOf(judged.answers, prefix + field.name);
  if (!typed) return field.required === false ? undefined : 'required';
  if (typed.day === undefined) return typed.problem;
  const { days, context } = judged;
  if (field.name === 'departure_date' && !dateOf(judged.answers, 'arrival_date')) {
    return 'departureWithoutArrival';
  }
  if (field.rule !== undefined)
    return ruleOf(DAY_RULES, field.rule)(typed.day, days, context.today);
  return boundsProblem(field, typed.day, judged, prefix);
}

function textProblem(field: Field, judged: Case, prefix: string): Problem | undefined {
  const text = judged.kept[prefix + field.name] ?? '';
  if (text === '') return field.required === false ? undefined : 'required';
  if (isUnknown(field, text)) return undefined;
  const choices = choicesFor(field, judged.context);
  if (choices) return choices.includes(text) ? undefined : 'choice';
  if (isLonger(text, field.max_length)) return 'tooLong';
  const line = field.type === 'textarea' ? text.replace(/[\n\t]/g, '') : text;
  if (HIDDEN_CHARACTERS.test(line)) return 'hidden';
  const pattern = PATTERNS.get(field.pattern ?? '');
  if (pattern && !pattern.test(asciiUpperCase(text))) return 'pattern';
  const problem = field.rule === undefined ? undefined : ruleOf(TEXT_RULES, field.rule)(text);
  if (problem !== undefined) return problem;
  if (field.must_equal !== undefined && !isRepeated(text, judged.kept[prefix + field.must_equal])) {
    return 'mismatch';
  }
  return boundsProblem(field, text, judged, prefix);
}

/** Whether a text has more code points than it may have; it has no more of them than code units. */
function isLonger(text: string, most: number | undefined): boolean {
  return most !== undefined && text.length > most && [...text].length > most;
}

function ruleOf<R>(rules: Readonly<Record<string, R>>, name: string): R {
  const rule = rules[name];
  if (!rule) throw new Error(`There is no rule called ${name}`);
  return rule;
}

/** The full mapping would make letters of what are none: ß, ı. */
function asciiUpperCase(text: string): string {
  return text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
}

/** Whether a number is the one typed before, however it is grouped. Without one, that is missing. */
function isRepeated(again: string, before: string | undefined): boolean {
  if (before === undefined) return true;
  return normalisePassportNumber(again) === normalisePassportNumber(before);
}

/** The codes for years and for days before the first, after the last, and in the wrong order. */
const BOUNDS_PROBLEMS = {
  number: { before: 'yearRange', after: 'yearRange', order: 'yearOrder' },
  date: { before: 'tripBefore', after: 'tripFuture', order: 'tripOrder' },
} as const;

/** @param value a year with four digits, or a day (`yyyy-MM-dd`): both compare as text */
function boundsProblem(
  field: Field,
  value: string,
  judged: Case,
  prefix: string,
): Problem | undefined {
  if (field.type !== 'number' && field.type !== 'date') return undefined;
  const problems = BOUNDS_PROBLEMS[field.type];
  const first = boundOf(field.min, judged, prefix);
  const last = boundOf(field.max, judged, prefix);
  // That it is in the future says more than that it is before another day.
  if (last && value > last.value) return problems.after;
  if (first && value < first.value) return first.isField ? problems.order : problems.before;
  return undefined;
}

/** What a bound is today; undefined if it depends on an answer that there is not. */
function boundOf(
  bound: string | number | undefined,
  { answers, context: { today }, days }: Case,
  prefix: string,
): { value: string; isField?: true } | undefined {
  if (bound === undefined) return undefined;
  if (typeof bound === 'number' || /^\d/.test(bound)) return { value: String(bound) };
  if (bound === 'today') return { value: today };
  const year = Number(today.slice(0, 4));
  const years = /^this year(?: \+ (\d+))?$/.exec(bound);
  if (years) return { value: String(year + Number(years[1] ?? 0)) };
  if (bound === 'year of birth') return { value: days.date_of_birth?.slice(0, 4) ?? '1900' };
  const typed = dateOf(answers, prefix + bound)?.day ?? answers[prefix + bound]?.trim();
  return typed && /^\d{4}/.test(typed) ? { value: typed, isField: true } : undefined;
}

/** Signs that no printed line has; other problems of the lines are warnings, for they may be skipped. */
function judgeLines({ kept, errors }: Case): void {
  for (const { field, problem } of lineProblems(kept)) {
    if (problem.code === 'printedLine') errors[field] ??= problem.code;
  }
}

/** A passport without a chip can be saved, but not certified (8 U.S.C. 1187(a)(3)(B)). */
function judgeCertification({ context: { all }, errors }: Case): void {
  for (const { step, name, answer } of NOT_CERTIFIED) {
    if (all[step]?.[name] === answer) errors[name] = 'noChip';
  }
}

/** The first step that is not complete, judged anew today; 8 if all before it are. */
export function firstOpenStep(context: JudgeContext): StepNumber {
  const open = STEPS.find((step) => {
    if (step.number === LAST_STEP) return true;
    const { errors } = judgeStep(step, context.all[step.number] ?? {}, context);
    return Object.keys(errors).length > 0;
  });
  return open?.number ?? LAST_STEP;
}

/** What is filled in before anything is typed: usual answers, and those of earlier steps. */
export function initialAnswers(step: Step, all: AllAnswers): Answers {
  const earlier = new Map(Object.values(all).flatMap((answers) => Object.entries(answers)));
  return Object.fromEntries(
    step.fields.flatMap(({ name, default: usual, default_from: from }) => {
      const answer = usual ?? (from === undefined ? undefined : earlier.get(from));
      return answer ? [[name, answer]] : [];
    }),
  );
}
