import { redirect } from '@remix-run/node';

import { savedAnswers } from '~/applications/answers.server';
import { hasPassportPhoto } from '~/applications/documents.server';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import type { LineProblem } from '~/domain/application/printed-lines';
import { compareTyped, type TypedLines } from '~/domain/application/tasks';
import { refuse } from '~/http/form.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { listTasks } from '~db/queries/application-tasks.server';
import { lockApplication } from '~db/queries/applications.server';
import { caseAddress } from './case-address.server';
import type { OpenCase } from './open-case.server';
import { keepLines, openTasks, taskOf } from './tasks.server';

/** Two lines with their fillers, pasted into one field with spaces. */
const MOST_TYPED = 300;

/**
 * Keeps the lines that were typed, and compares them with the answers as they are at this moment. Lines
 * that cannot be right, by their length or a check digit, are not kept.
 */
export async function takeLines(
  open: OpenCase,
  sent: FormData,
  language: Language,
): Promise<Response> {
  const textOf = (name: string) => {
    const value = sent.get(name);
    return typeof value === 'string' ? value.slice(0, MOST_TYPED) : '';
  };
  const typed = { first: textOf('line1'), second: textOf('line2') };
  const values = { line1: typed.first, line2: typed.second };
  const { user } = open.session;
  const problem = await requireDatabase(async (db) => {
    const row = await lockApplication(db, open.row.id);
    const isMine = row?.state === 'in_review' && row.assigned_to === user.id;
    if (!row || !isMine || String(row.version) !== sent.get('version')) return 'changed';
    if (!(await hasPassportPhoto(db, row.id))) return 'noPhoto';
    const { all } = await savedAnswers(db, row.id);
    const { problems, isSame } = compareTyped(typed, all);
    if (problems.length > 0) return problems;
    await openTasks(db, row, now());
    const task = taskOf(await listTasks(db, row.id), 'lines');
    if (!task) throw new Error('The task of the lines was not made.');
    const known = sent.get('task_version');
    // Of a task that was made by this very form, no page has known the version.
    if (known !== '0' && known !== String(task.version)) return 'changed';
    await keepLines(db, task, { by: user.id, typed, isSame }, now());
    return undefined;
  }, writeDatabase);
  if (problem === undefined) return redirect(`${caseAddress(open, {}, '/lines')}#compared`, 303);
  if (problem === 'changed') return refuse('changed', { typed: values }, { status: 409 });
  if (problem === 'noPhoto') return refuse('noPhoto', { typed: values });
  return refuse('invalid', { typed: values, errors: errorsOf(problem, typed, language) });
}

function errorsOf(
  problems: readonly LineProblem[],
  { second }: TypedLines,
  language: Language,
): Record<string, string> {
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
