import { type AllAnswers, baseName } from './answers';
import { compareWithLines, type Difference, PRINTED_FIELDS } from './compare-lines';
import { type StepInput, warningsOf } from './validate-step';
import { readPrintedLines } from './printed-lines';
import type { Picture } from './requests';
import { STEPS } from './steps';
import { printedAnswersOf, READY_REASONS, type ReadyReason, warningRow } from './warnings';

export type TaskKind = keyof typeof DEPENDS | 'warning' | 'outcome' | 'look';

export interface TaskName {
  kind: TaskKind;
  /** Of a warning `field:code`; else empty. */
  subject: string;
}

/** What is to be checked of an application, by its answers as they are today, in the order of the work. */
export function checkingTasks(context: StepInput): TaskName[] {
  const warnings = STEPS.flatMap((step) => warningsOf(step, context));
  const { has_other_citizenship: has, had_other_citizenship: had } = context.all[3] ?? {};
  const subjects = warnings
    .filter(({ code, values }) => !warningRow(code).task && values?.['kind'] !== 'truncated')
    .map(({ field, code }) => `${field}:${code}`);
  return [
    task('lines'),
    task('photo'),
    ...(context.isPortraitRequired ? [task('portrait')] : []),
    ...(warnings.some(({ code }) => code === 'sixMonths') ? [task('expiry')] : []),
    ...(has === 'yes' || had === 'yes' ? [task('nationalities')] : []),
    ...[...new Set(subjects)].map((subject) => task('warning', subject)),
  ];
}

const task = (kind: TaskKind, subject = ''): TaskName => ({ kind, subject });

export function warningOf(subject: string): { field: string; code: string } {
  const end = subject.lastIndexOf(':');
  return { field: subject.slice(0, end), code: subject.slice(end + 1) };
}

/** Whether who does a task has cleared up a warning. */
export const isAbout = (
  { kind, subject }: TaskName,
  { field, code }: { field: string; code: string },
) => (kind === 'warning' ? subject === `${field}:${code}` : warningRow(code).task === kind);

const DEPENDS = {
  /** The printed lines typed from the photo, without seeing the traveller's answers. */
  lines: [
    ...['last_name', 'first_name', 'gender', 'citizenship', 'date_of_birth', 'passport_number'],
    ...['passport_issuing_country', 'passport_expiry_date', 'passport_photo'],
  ],
  photo: ['passport_photo'],
  portrait: ['portrait'],
  expiry: [
    ...['passport_expiry_date', 'passport_issuing_country'],
    ...['arrival_date', 'departure_date', 'is_transit'],
  ],
  nationalities: [
    ...['citizenship', 'has_other_citizenship', 'other_citizenships'],
    ...['had_other_citizenship', 'former_citizenships'],
  ],
};
export const TASK_KINDS = [...Object.keys(DEPENDS), 'warning', 'outcome', 'look'] as TaskKind[];

export function dependsOn({ kind, subject }: TaskName, field: string): boolean {
  const name = baseName(field);
  if (kind === 'outcome' || kind === 'look') return false;
  if (kind !== 'warning') return DEPENDS[kind].includes(name);
  const { field: own, code } = warningOf(subject);
  return baseName(own) === name || (warningRow(code).on?.includes(name) ?? false);
}

export type TypedLines = { first: string; second: string };

export interface ComparedLine {
  answer: Difference['answer'];
  printed: string;
  computed: string;
  is: 'same' | 'differs' | 'truncated';
}

/** `isSame`: lines whole, check digits right, no character differs but in a name cut short. */
export function compareTyped({ first, second }: TypedLines, all: AllAnswers) {
  const lines = readPrintedLines(first, second);
  const answers = printedAnswersOf(all);
  const differences = compareWithLines(lines, answers);
  const compared = PRINTED_FIELDS.flatMap(([answer, line, name]): ComparedLine[] => {
    const printed = lines[line];
    if (typeof printed !== 'string') return [];
    const found = differences.find((one) => one.answer === answer);
    if (found) return [{ answer, printed, computed: found.typed, is: found.kind }];
    // An answer that is not there is no answer that agrees; only of a sex there may be none.
    if (printed !== '' && answers[name] === undefined && answer !== 'gender') {
      return [{ answer, printed, computed: '', is: 'differs' }];
    }
    return [{ answer, printed, computed: answers[name] === undefined ? '' : printed, is: 'same' }];
  });
  const isSame =
    lines.problems.length === 0 &&
    lines.number !== undefined &&
    lines.lastName !== undefined &&
    compared.every(({ is }) => is !== 'differs');
  return { problems: lines.problems, compared, isSame };
}

export type TaskState = TaskName & { state: 'open' | 'done' };

/** A picture counts only while it is there; the lines also while what was typed agrees with today's answers. */
export function openChecks(
  needed: readonly TaskName[],
  tasks: readonly TaskState[],
  { areLinesSame, pictures }: { areLinesSame: boolean; pictures: readonly Picture[] },
): TaskName[] {
  return needed.filter(({ kind, subject }) => {
    const known = tasks.find((one) => one.kind === kind && one.subject === subject);
    if (known?.state !== 'done') return true;
    if (kind === 'portrait') return !pictures.includes('portrait');
    const hasPhoto = pictures.includes('passport_photo');
    return (kind === 'photo' && !hasPhoto) || (kind === 'lines' && !(areLinesSame && hasPhoto));
  });
}

export const readyReasonOf = (text: string | undefined) =>
  READY_REASONS.find((one) => one === text);

const READY: Partial<Record<TaskKind, readonly ReadyReason[]>> = {
  nationalities: ['right', 'confirmed'],
  expiry: ['exempt', 'told'],
};
export function readyReasons({ kind, subject }: TaskName): readonly ReadyReason[] {
  if (kind !== 'warning') return READY[kind] ?? [];
  return warningRow(warningOf(subject).code).reasons ?? ['printed', 'confirmed'];
}

export const needsNote = (kind: TaskKind): boolean => kind === 'warning';
