import type { Answers } from '~/domain/application/answers';
import { initialAnswers, judgeStep } from '~/domain/application/judge';
import { STEPS } from '~/domain/application/steps';
import { now, today } from '~/clock.server';
import { dropPointless, savedAnswers, saveStep } from '~/applications/answers.server';
import type { Target } from '~/applications/step-action.server';
import { stepContext } from '~/applications/step-page.server';
import { writeDatabase } from '~/database.server';
import type { Language } from '~/i18n/languages';
import { answersFromLines, type PassportLines } from './passport-answers';

/**
 * Fills steps 1 and 2 of a draft with what the two lines of a passport say; what they do not say stays.
 *
 * @returns undefined if they are no lines of a passport
 * @throws {Response} 400 if the draft cannot be begun, 409 if it was saved or sent meanwhile
 */
export async function fillAnswers(
  { begin }: Pick<Target, 'begin'>,
  lines: PassportLines,
  firstAnswers: Answers,
  language: Language,
): Promise<{ id: string; isDraft: boolean } | undefined> {
  const context = await stepContext({});
  return writeDatabase(async (db) => {
    if (!answersFromLines(lines, {}, today())) return undefined;
    const application = await begin(db);
    if (!application) throw new Response(null, { status: 400 });
    const { id, state } = application;
    if (state !== 'draft') return { id, isDraft: false };
    const { all: saved, versions } = await savedAnswers(db, id);
    let all = { ...saved, 1: saved[1] ?? firstAnswers };
    const read = answersFromLines(lines, all, today());
    for (const step of STEPS.slice(0, 2)) {
      const number = step.number as 1 | 2;
      const filled = { ...(all[number] ?? initialAnswers(step, all)), ...read?.[number] };
      const { kept: answers, errors } = judgeStep(step, filled, { ...context, all });
      all = { ...all, [number]: answers };
      const save = { application, step: number, answers, version: versions[number] ?? 0, language };
      const isComplete = Object.keys(errors).length === 0;
      const outcome = await saveStep(db, { ...save, isComplete }, now());
      if (outcome !== 'saved') throw new Response(null, { status: 409 });
    }
    await dropPointless(db, application, now());
    return { id, isDraft: true };
  });
}
