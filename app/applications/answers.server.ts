import type { AllAnswers, Answers } from '~/domain/application/answers';
import { hasNationalNumber } from '~/domain/application/step-input';
import type { StepNumber } from '~/domain/application/steps';
import type { Language } from '~/i18n/languages';
import { sealColumn, unsealColumn, blindIndex } from '~/sealing/seal.server';
import type { Database } from '~db/schema';
import {
  type ApplicationRow,
  updateInState,
  answersId,
  listAnswers,
  replaceAnswers,
} from '~db/queries/applications.server';
import { normalizeEmail } from '~/domain/accounts';
import { answeredDate } from '~/domain/application/dates';
import { normalisePassportNumber } from '~/domain/application/passport-shapes';
import { sentFullName, sentName } from '~/domain/application/sent-name';

export interface SavedAnswers {
  all: AllAnswers;
  versions: Readonly<Partial<Record<StepNumber, number>>>;
  complete: ReadonlySet<StepNumber>;
}

export async function savedAnswers(db: Database, applicationId: string): Promise<SavedAnswers> {
  const rows = await listAnswers(db, applicationId);
  const entries = rows.map((row) => [
    row.step,
    JSON.parse(unsealColumn('application_answers', row, 'sealed')) as Answers,
  ]);
  return {
    all: Object.fromEntries(entries) as AllAnswers,
    versions: Object.fromEntries(rows.map(({ step, version }) => [step, version])),
    complete: new Set(rows.filter((row) => row.is_complete).map(({ step }) => step as StepNumber)),
  };
}

/** Takes out of a draft what the citizenship that was just saved makes pointless. */
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

export interface SavedStep {
  step: StepNumber;
  answers: Answers;
  isComplete: boolean;
  version: number;
}

interface StepSave extends SavedStep {
  application: Pick<ApplicationRow, 'id'>;
  /** Of the page where its owner typed it: mails about the application are in it from now on. */
  language?: Language;
}

export function replaceStep(
  db: Database,
  applicationId: string,
  { answers, ...own }: SavedStep,
  now: Date,
) {
  const id = answersId(applicationId, own.step);
  const sealed = sealColumn('application_answers', id, 'sealed', JSON.stringify(answers));
  return replaceAnswers(db, { applicationId, sealed, ...own }, now);
}

/** `conflict`: saved meanwhile; `closed`: it is no draft any more. */
export async function saveStep(
  db: Database,
  { application: { id }, step, answers, isComplete, version, language }: StepSave,
  now: Date,
): Promise<'saved' | 'conflict' | 'closed'> {
  // The application's row first: it holds back others who save it at the same moment.
  const isDraft = await updateInState(db, id, 'draft', {
    updated_at: now.toISOString(),
    noticed_at: null,
    ...(language && { language_code: language }),
  });
  if (!isDraft) return 'closed';
  if (!(await replaceStep(db, id, { step, answers, isComplete, version }, now))) return 'conflict';
  const columns = shownColumns(id, step, answers);
  if (columns) await updateInState(db, id, 'draft', columns);
  return 'saved';
}

export const EMAIL_INDEX = 'applications.email_index';
export const PASSPORT_INDEX = 'applications.passport_index';
export const FAMILY_INDEX = 'applications.family_index';
export const OFFICIAL_INDEX = 'applications.official_index';
export const PERSON_INDEX = 'applications.person_index';

export function personText(lastName: string, birth: string): string | undefined {
  const name = sentName(lastName);
  return name ? `${name} ${birth}` : undefined;
}

export function personOf(answers: Answers): string | undefined {
  const birth = answeredDate(answers, 'date_of_birth')?.day;
  return birth && personText(answers['last_name'] ?? '', birth);
}

/** Sealed, but for what the worklist sorts by. */
export function shownColumns(id: string, step: StepNumber, answers: Answers) {
  const sealed = (field: `${'name' | 'email' | 'passport'}_sealed`, text: string | undefined) =>
    text ? sealColumn('applications', id, field, text) : null;
  if (step === 1) {
    const { email, first_name, last_name, citizenship } = answers;
    const person = personOf(answers);
    const name = sentFullName(last_name, first_name);
    const family = sentName(last_name ?? '');
    return {
      citizenship: citizenship && /^[A-Z]{2}$/.test(citizenship) ? citizenship : null,
      name_sealed: sealed('name_sealed', name),
      email_sealed: sealed('email_sealed', email),
      email_index: email ? blindIndex(EMAIL_INDEX, normalizeEmail(email)) : null,
      family_index: family ? blindIndex(FAMILY_INDEX, family) : null,
      person_index: person ? blindIndex(PERSON_INDEX, person) : null,
    };
  }
  if (step === 2) {
    const number = normalisePassportNumber(answers['passport_number'] ?? '');
    return {
      passport_sealed: sealed('passport_sealed', number),
      passport_index: number ? blindIndex(PASSPORT_INDEX, number) : null,
    };
  }
  if (step === 6) {
    const arrival = answeredDate(answers, 'arrival_date');
    return { travel_date: arrival && 'day' in arrival ? arrival.day : null };
  }
  return undefined;
}
