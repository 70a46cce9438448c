import { phoneNumber } from '~/applications/phone-number.server';
import { type Answers, DATE_PARTS, rowCount, rowName } from '~/domain/application/answers';
import { dateOf } from '~/domain/application/dates';
import type { JudgeContext } from '~/domain/application/judge';
import { normalisePassportNumber } from '~/domain/application/passport-shapes';
import { isShown } from '~/domain/application/sent-step';
import { sentName, sentText } from '~/domain/application/sent-name';
import type { Step } from '~/domain/application/steps';
import type { Field, Repeat } from '~/domain/form';
import { formatDay } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { eligibilityContent } from './eligibility.server';
import { fieldWords, optionLabel, withValues } from './field-words.server';
import { fieldId, firstControlId, PRINTED } from './step-fields.server';

/** An answer in words. */
export interface AnswerView {
  /** The name of its field; of a list's row that of the row's first field. */
  name: string;
  /** The id of its first control on the page of its step. */
  id: string;
  label: string;
  /** In the reader's language; a list's row has a line for each of its answers. */
  text: string;
  /** As it will be sent, where that is more than the same in capitals. */
  sent?: string;
  /** Nothing was answered; `text` says so. */
  isMissing?: true;
  /** Shown in the letters of documents, which tell 0 from O. */
  isPrinted?: true;
}

/**
 * All answers of a step in words, in the order of its form: options by their labels, countries by name,
 * lists row by row. Left out is what is hidden by other answers, and what repeats another answer.
 *
 * @param context with the saved answers of all steps
 * @throws if the database cannot be read: the questions of step 7 have their words there
 */
export async function answerViews(
  step: Step,
  context: JudgeContext,
  language: Language,
): Promise<AnswerView[]> {
  const answers = context.all[step.number] ?? {};
  const labelOf = await fieldLabels(language);
  const views: AnswerView[] = [];
  for (const field of step.fields) {
    if (!isShown(field, answers, context)) continue;
    const label = labelOf(field.name);
    if (field.type === 'repeat') views.push(...rowViews(field, label, context, answers, language));
    // The second number is the first one once more.
    else if (field.must_equal === undefined) {
      views.push({ label, ...(await answerView(field, context, answers, language)) });
    }
  }
  return views;
}

/**
 * Gives the label of a field by its form name: of a question of step 7 the question, of a field in a
 * list's row (`other_documents[0].number`) with the words of the row.
 *
 * @throws as `answerViews`
 */
export async function fieldLabels(language: Language): Promise<(name: string) => string> {
  const t = translator(language);
  const { allQuestions } = await eligibilityContent(language);
  const questions = new Map(allQuestions.map(({ key, text }) => [`q_${key}`, text]));
  return (form) => {
    const [, list, index, name] = /^(\w+)\[(\d+)\]\.(\w+)$/.exec(form) ?? [];
    if (list === undefined || name === undefined) {
      return fieldWords({ name: form }, language).label ?? questions.get(form) ?? form;
    }
    const { row = list } = fieldWords({ name: list }, language);
    const { label = name } = fieldWords({ name }, language, list);
    return t('application-check:inRow', {
      row: withValues(row, { number: Number(index) + 1 }),
      label,
    });
  };
}

async function answerView(
  field: Field,
  context: JudgeContext,
  answers: Answers,
  language: Language,
): Promise<Omit<AnswerView, 'label'>> {
  const { name } = field;
  const id = firstControlId(field, name);
  const text = answerText(field, name, answers, language);
  if (text === undefined) {
    return { name, id, text: translator(language)('application-check:notGiven'), isMissing: true };
  }
  const sent = await sentValue(field, answers, context);
  return {
    name,
    id,
    text,
    ...(sent && sent !== text.toUpperCase() && { sent }),
    ...(PRINTED.test(name) && { isPrinted: true }),
  };
}

function rowViews(
  list: Repeat,
  label: string,
  context: JudgeContext,
  answers: Answers,
  language: Language,
): AnswerView[] {
  const t = translator(language);
  const count = rowCount(answers, list.name);
  const notGiven = t('application-check:notGiven');
  if (count === 0) {
    return [{ name: list.name, id: fieldId(list.name), label, text: notGiven, isMissing: true }];
  }
  return Array.from({ length: count }, (_, index) => {
    const prefix = rowName(list.name, index, '');
    const shown = list.fields.filter((field) => isShown(field, answers, context, prefix));
    const lines = shown.map((field) =>
      t('application-check:line', {
        label: fieldWords(field, language, list.name).label,
        text: answerText(field, prefix + field.name, answers, language) ?? notGiven,
      }),
    );
    const name = prefix + (list.fields[0]?.name ?? '');
    return {
      name,
      id: fieldId(name),
      label: t('application-check:inList', { list: label, number: index + 1 }),
      text: lines.join('\n'),
    };
  });
}

/** An answer in words; undefined if there is none. */
function answerText(
  field: Field,
  name: string,
  answers: Answers,
  language: Language,
): string | undefined {
  if (field.type === 'date') return dateText(name, answers, language);
  const typed = answers[name];
  if (!typed) return undefined;
  if (field.type === 'checkbox') {
    return optionLabel({ ...field, type: 'yes_no' }, 'yes', language);
  }
  const isChoice = field.type === 'select_country' || field.type === 'yes_no' || 'options' in field;
  return isChoice ? optionLabel(field, typed, language) : typed;
}

/** A date in words; one that is none as it was typed. */
function dateText(name: string, answers: Answers, language: Language): string | undefined {
  const date = dateOf(answers, name);
  if (date?.day !== undefined) return formatDay(date.day, language);
  const parts = DATE_PARTS.map((part) => answers[`${name}.${part}`] ?? '');
  return parts.filter(Boolean).join(' ') || undefined;
}

/**
 * What will be sent of an answer, by its rule: names and addresses in the letters of the official form,
 * the passport's number without spaces, telephone numbers with their calling code (E.164).
 *
 * @returns undefined where the answer is sent as it is
 */
async function sentValue(
  field: Field,
  answers: Answers,
  context: JudgeContext,
): Promise<string | undefined> {
  const typed = answers[field.name];
  if (!typed || typed === field.unknown_value) return undefined;
  if (field.type === 'tel') return phoneNumber(typed, countryOfPhone(field.name, context));
  if (field.name === 'other_names') return typed.split('\n').map(sentName).join('\n');
  if (field.rule === 'name_mrz') return sentName(typed);
  if (field.rule === 'latin_text') return sentText(typed);
  if (field.rule === 'passport_number') return normalisePassportNumber(typed);
  return undefined;
}

/** The country whose calling code goes before a number without one, in ISO 3166-1 alpha-2. */
function countryOfPhone(name: string, { all }: JudgeContext): string | undefined {
  if (name === 'us_contact_phone') return 'US';
  const home = all[3]?.['address_country'] ?? all[1]?.['citizenship'];
  return name === 'employer_phone' ? (all[5]?.['employer_country'] ?? home) : home;
}
