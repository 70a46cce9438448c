import type { AllAnswers, Answers } from '~/domain/application/answers';
import { hasNationalNumber } from '~/domain/application/judge-context';
import type { StepNumber } from '~/domain/application/steps';
import type { Language } from '~/i18n/languages';
import { seal, unseal } from '~/sealing/seal.server';
import type { Database } from '~db/schema';
import { answersId, listAnswers, replaceAnswers } from '~db/queries/application-answers.server';
import { type ApplicationRow, updateInState } from '~db/queries/applications.server';
import { shownColumns } from './columns.server';

export interface SavedAnswers {
  all: AllAnswers;
  /** Of each step; 0 if it was never saved. */
  versions: Readonly<Partial<Record<StepNumber, number>>>;
  complete: ReadonlySet<StepNumber>;
}

const placeOf = (applicationId: string, step: number) => ({
  table: 'application_answers',
  row: answersId(applicationId, step),
  field: 'sealed',
});

/** The saved answers of an application, opened. @throws {SealError} if a step does not open */
export async function savedAnswers(db: Database, applicationId: string): Promise<SavedAnswers> {
  const rows = await listAnswers(db, applicationId);
  const entries = rows.map(({ step, sealed }) => [
    step,
    JSON.parse(unseal(sealed, placeOf(applicationId, step))) as Answers,
  ]);
  return {
    all: Object.fromEntries(entries) as AllAnswers,
    versions: Object.fromEntries(rows.map(({ step, version }) => [step, version])),
    complete: new Set(rows.filter((row) => row.is_complete).map(({ step }) => step as StepNumber)),
  };
}

/** Takes out of a draft what the citizenship that was just saved makes pointless, in the same transaction. */
export async function dropPointless(
  db: Database,
  application: Pick<ApplicationRow, 'id'>,
  now: Date,
): Promise<void> {
  const { all, versions, complete } = await savedAnswers(db, application.id);
  const { national_id_number: number, ...answers } = all[2] ?? {};
  if (number === undefined || hasNationalNumber(all)) return;
  const save = { step: 2, isComplete: complete.has(2), version: versions[2] ?? 0 } as const;
  await saveStep(db, { application, answers, ...save }, now);
}

interface StepSave {
  application: Pick<ApplicationRow, 'id'>;
  step: StepNumber;
  answers: Answers;
  isComplete: boolean;
  /** Of the step that the form was made from; 0: it had never been saved. */
  version: number;
  /** Of the page where its owner typed it: mails about the application are in it from now on. */
  language?: Language;
}

/**
 * Saves a step of a draft, in the transaction `db`.
 *
 * @returns `conflict`: it was saved meanwhile, such as in another tab; `closed`: it is no draft any more
 */
export async function saveStep(
  db: Database,
  { application: { id }, step, answers, isComplete, version, language }: StepSave,
  now: Date,
): Promise<'saved' | 'conflict' | 'closed'> {
  const sealed = seal(JSON.stringify(answers), placeOf(id, step));
  // The application's row first: it holds back others who save it at the same moment.
  const isDraft = await updateInState(db, id, 'draft', {
    updated_at: now.toISOString(),
    noticed_at: null,
    ...(language && { language_code: language }),
  });
  if (!isDraft) return 'closed';
  if (!(await replaceAnswers(db, { applicationId: id, step, sealed, isComplete, version }, now))) {
    return 'conflict';
  }
  const columns = shownColumns(id, step, answers);
  if (columns) await updateInState(db, id, 'draft', columns);
  return 'saved';
}
