import type { AllAnswers, Answers } from '~/domain/application/answers';
import { initialAnswers, validateStep } from '~/domain/application/validate-step';
import { STEPS } from '~/domain/application/steps';
import { now, today } from '~/clock.server';
import { dropPointless, savedAnswers, saveStep } from '~/applications/answers.server';
import type { Target } from '~/applications/step-action.server';
import { stepInput } from '~/applications/step-input.server';
import { writeDatabase } from '~/database.server';
import type { Language } from '~/i18n/languages';
import { answersFromLines, type ReadLines } from '~/domain/application/passport-answers';

/** What they do not say stays. @throws {Response} 400 if there is no draft, 409 if it has changed */
export async function fillAnswers(
  { begin }: Pick<Target, 'begin'>,
  lines: ReadLines,
  firstAnswers: Answers,
  language: Language,
): Promise<{ id: string; isDraft: boolean } | undefined> {
  if (!answersFromLines(lines, {}, today())) return undefined;
  const context = await stepInput({});
  return writeDatabase(async (db) => {
    const application = await begin(db);
    if (!application) throw new Response(null, { status: 400 });
    const { id, state } = application;
    if (state !== 'draft') return { id, isDraft: false };
    const saved = await savedAnswers(db, id);
    let all: AllAnswers = { ...saved.all, 1: saved.all[1] ?? firstAnswers };
    const read = answersFromLines(lines, all, today());
    for (const step of STEPS.slice(0, 2)) {
      const number = step.number as 1 | 2;
      const answers = { ...(all[number] ?? initialAnswers(step, all)), ...read?.[number] };
      all = { ...all, [number]: answers };
      const { kept, errors } = validateStep(step, answers, { ...context, all });
      const isComplete = Object.keys(errors).length === 0;
      const version = saved.versions[number] ?? 0;
      const save = { application, step: number, answers: kept, isComplete, language, version };
      const outcome = await saveStep(db, save, now());
      if (outcome === 'conflict') throw new Response(null, { status: 409 });
    }
    await dropPointless(db, application, now());
    return { id, isDraft: true };
  });
}
