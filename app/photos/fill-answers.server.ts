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
 * @throws {Response} 400 if the draft cannot be begun
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
    const { all, versions } = await savedAnswers(db, id);
    const before = { ...all, 1: all[1] ?? firstAnswers };
    const read = answersFromLines(lines, before, today());
    for (const step of STEPS.slice(0, 2)) {
      const number = step.number as 1 | 2;
      const there =
        before[number] ?? initialAnswers(step, { ...before, 1: { ...before[1], ...read?.[1] } });
      const answers = { ...there, ...read?.[number] };
      const { kept, errors } = judgeStep(step, answers, { ...context, all: before });
      const isComplete = Object.keys(errors).length === 0;
      const save = { application, step: number, answers: kept, isComplete, language };
      await saveStep(db, { ...save, version: versions[number] ?? 0 }, now());
    }
    await dropPointless(db, application, now());
    return { id, isDraft: true };
  });
}
