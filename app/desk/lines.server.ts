import { picturesOf } from '~/applications/pictures.server';
import { redirect } from '@remix-run/node';

import { answersInWords, fieldLabels } from '~/applications/answers-in-words.server';
import { savedAnswers } from '~/applications/answers.server';
import { stepInput } from '~/applications/step-input.server';
import { warningView } from '~/applications/step-fields.server';
import { now } from '~/clock.server';
import { queryDatabase, requireDatabase, writeDatabase } from '~/database.server';
import type { AllAnswers } from '~/domain/application/answers';
import type { LineProblem } from '~/domain/application/printed-lines';
import { STEPS } from '~/domain/application/steps';
import { type ComparedLine, compareTyped, type TypedLines } from '~/domain/application/tasks';
import { refuse, textIn } from '~/http/form.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { listTasks } from '~db/queries/application-tasks.server';
import { lockApplication } from '~db/queries/applications.server';
import { caseAddress, type OpenCase } from './case.server';
import { saveLines, openTasks, taskOf, tasksOf } from './tasks.server';

/** The traveller's answers stand beside them only once they were typed. */
export async function linesView(open: OpenCase, language: Language) {
  const { row } = open;
  const closed = closedFor(open);
  const found = await requireDatabase(() => queryDatabase((db) => tasksOf(db, row)));
  const { typed, pictures, all, rows } = found;
  const hasPhoto = pictures.includes('passport_photo');
  return {
    reference: row.reference,
    version: row.version,
    taskVersion: taskOf(rows, 'lines')?.version ?? 0,
    address: caseAddress(open, {}, '/lines'),
    back: caseAddress(open),
    photo: hasPhoto ? caseAddress(open, {}, '/photo') : undefined,
    closed,
    canType: !closed && hasPhoto,
    typed,
    compared: typed && (await comparedView(typed, all, language)),
  };
}

export type ComparedView = Awaited<ReturnType<typeof comparedView>>;

function closedFor({ row: { state }, isAssigned }: OpenCase) {
  if (state === 'in_review') return isAssigned ? undefined : 'others';
  if (state === 'paid') return 'notBegun';
  return state === 'action_required' ? 'waits' : 'over';
}

async function comparedView(typed: TypedLines, all: AllAnswers, language: Language) {
  const { compared, isSame } = compareTyped(typed, all);
  const labelOf = await fieldLabels(language);
  const inWords = await answersInWords(await stepInput(all, { hasPhoto: true }), language);
  const answers = STEPS.slice(0, 2).flatMap((step) => inWords(step));
  const rows = compared.map((line) => {
    const { answer, printed, computed, is } = line;
    return {
      ...{ answer, printed, computed, is },
      label: labelOf(answer),
      declared: answers.find(({ name }) => name === answer)?.text ?? '',
      text: is === 'differs' ? differenceText(line, language) : undefined,
    };
  });
  return { rows, isSame };
}

function differenceText({ answer, printed, computed }: ComparedLine, language: Language): string {
  const index = [...computed].findIndex((sign, place) => sign !== printed[place]);
  const position = String((index < 0 ? computed.length : index) + 1);
  const values = { answer, printed: printed || '–', typed: computed || '–', position };
  return warningView({ code: 'lineDiffers', values }, language).text;
}

/** Two lines with their fillers, pasted into one field with spaces. */
const MOST_TYPED = 300;

/** Lines that cannot be right, by their length or a check digit, are not kept. */
export async function takeLines(open: OpenCase, sent: FormData, language: Language) {
  const [first = '', second = ''] = ['line1', 'line2'].map((name) =>
    textIn(sent, name).slice(0, MOST_TYPED),
  );
  const typed = { first, second };
  const values = { line1: first, line2: second };
  const { user } = open.session;
  const problem = await requireDatabase(async (db) => {
    const row = await lockApplication(db, open.row.id);
    const isMine = row?.state === 'in_review' && row.assigned_to === user.id;
    if (!row || !isMine || String(row.version) !== sent.get('version')) return 'changed';
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
    await saveLines(db, task, { by: user.id, typed, isSame }, now());
    return undefined;
  }, writeDatabase);
  if (problem === undefined) return redirect(`${caseAddress(open, {}, '/lines')}#compared`, 303);
  if (problem === 'changed') return refuse('changed', { typed: values }, { status: 409 });
  if (problem === 'noPhoto') return refuse('noPhoto', { typed: values });
  return refuse('invalid', { typed: values, errors: errorsOf(problem, typed, language) });
}

function errorsOf(problems: readonly LineProblem[], { second }: TypedLines, language: Language) {
  const t = translator(language);
  const errors: Record<string, string> = {};
  for (const { line, code, place = 0, field = 'composite', suggestion } of problems) {
    // Both may have been pasted into the first field.
    const name = line === 2 && (second !== '' || code === 'lineLength') ? 'line2' : 'line1';
    const part = t(`desk-work:lines.parts.${field}`);
    const sentences = [
      t(`desk-work:lines.problems.${code}`, { place, part }),
      suggestion && t('desk-work:lines.problems.meant', { ...suggestion }),
    ];
    errors[name] ??= sentences.filter(Boolean).join(' ');
  }
  return errors;
}
