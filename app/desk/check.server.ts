import { redirect } from '@remix-run/node';

import { answersInWords, fieldLabels } from '~/applications/answers-in-words.server';
import { savedAnswers } from '~/applications/answers.server';
import { picturesOf } from '~/applications/pictures.server';
import { stepInput } from '~/applications/step-input.server';
import {
  doTask,
  openTasks,
  reopenTask,
  saveLines,
  taskOf,
  tasksOf,
} from '~/applications/tasks.server';
import { now, today } from '~/clock.server';
import { requireDatabase, requireWrite } from '~/database.server';
import type { AllAnswers } from '~/domain/application/answers';
import { hasCheckDigit, lineOf } from '~/domain/application/compare-lines';
import { answersFromLines } from '~/domain/application/passport-answers';
import type { LineProblem } from '~/domain/application/printed-lines';
import { STEPS } from '~/domain/application/steps';
import { type ComparedLine, compareTyped, type TypedLines } from '~/domain/application/tasks';
import { LINES_AT, TURNS, ZOOMS } from '~/domain/photo-place';
import { refuse, textIn } from '~/http/form.server';
import type { Language } from '~/i18n/languages';
import { shortInstants, translator } from '~/i18n/locale.server';
import { listTasks } from '~db/queries/application-tasks.server';
import { lockApplication } from '~db/queries/applications.server';
import type { Database } from '~db/schema';
import { askAddress, caseAddress, type OpenCase } from './case.server';
import { keptBeside } from './kept-texts.server';

/** The boxes about the photos, each by the task that it does. */
export const TICKS = ['photo', 'portrait'] as const;

/** The next thing of a check, and where it is done; nothing of it is left without one. */
export type NextInCheck = {
  what: 'photo' | 'lines' | 'differ' | 'warnings' | 'photos';
  count: number;
  goal: string;
};

export async function nextInCheck(db: Database, { id }: OpenCase['row']) {
  const { rows, open: left, typed, pictures, all } = await tasksOf(db, { id });
  const next = (what: NextInCheck['what'], goal: string, count = 1): NextInCheck => ({
    what,
    goal,
    count,
  });
  if (!pictures.includes('passport_photo')) return next('photo', 'lines');
  const differing = typed
    ? compareTyped(typed, all).compared.filter(({ is }) => is === 'differs')
    : [];
  if (differing.length > 0) return next('differ', 'differ', differing.length);
  if (left.some(({ kind }) => kind === 'lines')) return next('lines', 'line1');
  const isTick = (kind: string) => TICKS.some((one) => one === kind);
  const [warning, ...others] = left.filter(({ kind }) => !isTick(kind));
  if (warning) {
    const { id: task } =
      rows.find((row) => row.kind === warning.kind && row.subject === warning.subject) ?? {};
    return next('warnings', task ? `task-${task}` : 'warnings', 1 + others.length);
  }
  const [tick] = left;
  return tick && next('photos', `tick-${tick.kind}`, left.length);
}

/** Back to the page, at what is next. */
export async function backToCheck(open: OpenCase, parameters: Record<string, string> = {}) {
  const address = caseAddress(open, parameters);
  return redirect(`${address}#${await goalInCheck(open.row)}`, 303);
}

export const goalInCheck = async (row: OpenCase['row']) =>
  (await requireDatabase((db) => nextInCheck(db, row)))?.goal ?? 'finish';

/** Photo, lines and their comparison; those of a sealed case are not compared yet. */
export async function checkSection(open: OpenCase, language: Language) {
  const { row, isAssigned, kept, isHiddenUntilTyped } = open;
  const found = await requireDatabase((db) => tasksOf(db, row));
  const { typed, pictures, all, rows } = found;
  const at = shortInstants(language);
  const lines = taskOf(rows, 'lines');
  const photoOf = (of: string) =>
    caseAddress({ row, kept: {} }, { ...(open.reason && { reason: open.reason }), of }, '/photo');
  const [zoom = 'page', turn = '0'] = [
    ZOOMS.find((one) => one === kept['zoom']),
    TURNS.find((one) => one === kept['turn']),
  ];
  const place = { zoom, turn, at: Number(kept['at'] ?? LINES_AT) };
  const placed = (change: Record<string, string>, goal: string) =>
    `${caseAddress(open, change)}#${goal}`;
  return {
    canDo: row.state === 'in_review' && isAssigned,
    photo: pictures.includes('passport_photo') ? photoOf('passport') : undefined,
    portrait: pictures.includes('portrait') ? photoOf('portrait') : undefined,
    place,
    places: {
      zooms: ZOOMS.map((one) => [one, placed({ zoom: one }, 'photo')] as const),
      turn: placed({ turn: TURNS[(TURNS.indexOf(turn) + 1) % TURNS.length] ?? '0' }, 'photo'),
      higher: placed({ at: String(place.at + 2) }, 'lines'),
      lower: placed({ at: String(Math.max(0, place.at - 2)) }, 'lines'),
    },
    linesVersion: lines?.version ?? 0,
    typed,
    typedAt: lines?.done_at ? at(lines.done_at) : undefined,
    ticks: TICKS.flatMap((kind) => {
      const task = taskOf(rows, kind);
      const isOpen = found.open.some((one) => one.kind === kind);
      const isThere = pictures.includes(kind === 'photo' ? 'passport_photo' : kind);
      return task && isThere ? [{ kind, version: task.version, isDone: !isOpen }] : [];
    }),
    compared: typed && !isHiddenUntilTyped ? await comparedView(open, typed, all, language) : [],
    ask: askAddress(open, 'passport_photo'),
  };
}

async function comparedView(
  open: OpenCase,
  typed: TypedLines,
  all: AllAnswers,
  language: Language,
) {
  const t = translator(language);
  const labelOf = await fieldLabels(language);
  const inWords = await answersInWords(await stepInput(all), language);
  const answers = STEPS.slice(0, 2).flatMap((step) => inWords(step));
  return compareTyped(typed, all).compared.map((line) => {
    const { answer, printed, computed, is } = line;
    const [place, sign, other] = firstDifference(line);
    const named = (one: string | undefined) => {
      if (one === undefined) return t('desk-work:signs.none');
      if (one === ' ') return t('desk-work:signs.space');
      return /\d/.test(one)
        ? t('desk-work:signs.digit', { sign: one })
        : t('desk-work:signs.letter', { sign: one });
    };
    return {
      ...{ answer, printed, computed, is },
      label: labelOf(answer),
      declared: answers.find(({ name }) => name === answer)?.text ?? '',
      text: t('desk-work:differ.text', { place, printed: named(sign), typed: named(other) }),
      // Only a slip of whoever typed the line explains it, or one of the traveller's.
      lookAt: hasCheckDigit(answer) ? undefined : `#line${lineOf(answer)}`,
      canTake:
        is === 'differs' && open.rights.amend && printedAnswer(typed, all, answer) !== undefined,
      ask: open.rights.amend ? askAddress(open, answer) : undefined,
    };
  });
}

function firstDifference({ printed, computed }: ComparedLine) {
  const [one, other] = [[...printed], [...computed]];
  const length = Math.max(one.length, other.length);
  const index = Array.from({ length }).findIndex((_, at) => one[at] !== other[at]);
  return [index + 1, one[index], other[index]] as const;
}

/** What the printed lines give for an answer, as its form has it. */
export function printedAnswer({ first, second }: TypedLines, all: AllAnswers, answer: string) {
  const given = answersFromLines({ lines: [first, second], doubts: [] }, all, today());
  const isOfIt = (name: string) =>
    name === answer || name.startsWith(`${answer}.`) || name === `${answer}_confirm`;
  const found = Object.entries({ ...given?.[1], ...given?.[2] }).filter(([name]) => isOfIt(name));
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

/** Two lines with their fillers, pasted into one field with spaces. */
const MOST_TYPED = 300;

/** Lines that cannot be right, by their length or a check digit, are not kept. @throws {Response} 403 */
export async function actOnLines(open: OpenCase, sent: FormData, language: Language) {
  if (open.rights.view !== 'full') throw new Response(null, { status: 403 });
  const [first = '', second = ''] = ['line1', 'line2'].map((name) =>
    textIn(sent, name).slice(0, MOST_TYPED),
  );
  const typed = { first, second };
  const values = { intent: 'lines', line1: first, line2: second, note: textIn(sent, 'note') };
  const problem = await requireWrite(async (db) => {
    const row = await lockMine(db, open, sent);
    if (!row) return 'changed';
    if (!(await picturesOf(db, row.id)).passport_photo) return 'noPhoto';
    const { all } = await savedAnswers(db, row.id);
    const { problems, isSame } = compareTyped(typed, all);
    if (problems.length > 0) return problems;
    await openTasks(db, row, now());
    const task = taskOf(await listTasks(db, row.id), 'lines');
    if (!task) throw new Error('The task of the lines was not made.');
    const known = sent.get('task_version');
    // Of a task that was made by this very form, no page has known the version.
    if (known !== '0' && known !== String(task.version)) return 'changed';
    await saveLines(db, task, { by: open.session.user.id, typed, isSame }, now());
    return undefined;
  });
  if (problem === undefined) {
    // A note is in the same form.
    const kept = await keptBeside(open.session.sessionId, sent, ['note']);
    return redirect(`${caseAddress(open, kept)}#differ`, 303);
  }
  if (problem === 'changed') return refuse('changed', { typed: values }, { status: 409 });
  if (problem === 'noPhoto') return refuse('noPhoto', { typed: values });
  return refuse('invalid', { typed: values, errors: errorsOf(problem, typed, language) });
}

/** While it is checked by who has sent the form, as they saw it. */
async function lockMine(db: Database, open: OpenCase, sent: FormData) {
  const row = await lockApplication(db, open.row.id);
  const isMine = row?.state === 'in_review' && row.assigned_to === open.session.user.id;
  return isMine && String(row.version) === sent.get('version') ? row : undefined;
}

function errorsOf(problems: readonly LineProblem[], { second }: TypedLines, language: Language) {
  const t = translator(language);
  const errors: Record<string, string> = {};
  for (const { line, code, place = 0, field = 'composite', suggestion } of problems) {
    // Both may have been pasted into the first field.
    const name = line === 2 && (second !== '' || code === 'lineLength') ? 'line2' : 'line1';
    const sentences = [
      t(`desk-work:lines.problems.${code}`, { place, part: t(`desk-work:lines.parts.${field}`) }),
      suggestion && t('desk-work:lines.problems.meant', { ...suggestion }),
    ];
    errors[name] ??= sentences.filter(Boolean).join(' ');
  }
  return errors;
}

/** The boxes about the photos as they stand. @throws {Response} 403 */
export async function actOnTicks(open: OpenCase, sent: FormData) {
  if (open.rights.view !== 'full') throw new Response(null, { status: 403 });
  const problem = await requireWrite(async (db) =>
    (await lockMine(db, open, sent)) ? saveTicks(db, open, sent) : 'changed',
  );
  if (!problem) return backToCheck(open);
  return refuse(
    problem,
    { typed: { intent: 'photos' } },
    { status: problem === 'changed' ? 409 : 422 },
  );
}

/** Of a form that has them; another one changes nothing. */
export async function saveTicks(
  db: Database,
  { row, session: { user } }: OpenCase,
  sent: FormData,
) {
  const pictures = await picturesOf(db, row.id);
  const tasks = await listTasks(db, row.id);
  const known = TICKS.flatMap((kind) => {
    const task = taskOf(tasks, kind);
    return task && sent.has(`${kind}_version`) ? [{ kind, task }] : [];
  });
  if (known.some(({ kind, task }) => String(task.version) !== sent.get(`${kind}_version`)))
    return 'changed';
  for (const { kind, task } of known) {
    const isTicked = sent.get(kind) === 'yes';
    if (isTicked === (task.state === 'done')) continue;
    if (!isTicked) await reopenTask(db, task, user, now());
    else if (!(kind === 'photo' ? pictures.passport_photo : pictures.portrait)) {
      return kind === 'photo' ? 'noPhoto' : 'noPortrait';
    } else await doTask(db, task, { by: user.id }, now());
  }
  return undefined;
}
