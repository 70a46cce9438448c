import { eligibilityContent } from '../eligibility/content.server';
import {
  fieldId,
  fieldWords,
  firstControlId,
  PRINTED_NAME,
  valueText,
  withValues,
} from './field-words.server';
import { cachedByContentVersion } from '~/content-version.server';
import { type Answers, DATE_PARTS, rowsOf } from '../domain/application/answers';
import { answeredDate } from '../domain/application/dates';
import type { StepInput } from '../domain/application/validate-step';
import { normalisePassportNumber } from '../domain/application/passport-shapes';
import { sentName, sentText } from '../domain/application/sent-name';
import type { Step } from '../domain/application/steps';
import type { Field, Repeat, StepField } from '../domain/form';
import type { Language } from '../i18n/languages';
import { formatDay, translator } from '../i18n/locale.server';
import { isShown } from '~/domain/application/step-input';
import { once } from '~/current-app.server';
import { isPhone, strippedPhone } from '~/domain/application/phone';

export interface AnswerView {
  name: string;
  id: string;
  label: string;
  text: string;
  row?: string;
  sent?: string;
  isMissing?: true;
  isPrinted?: true;
}

export interface WordsContext {
  answers: Answers;
  context: StepInput;
  phoneNumber: Awaited<ReturnType<typeof phoneNumbers>>;
}

const RAW = { skipInterpolation: true };

export async function answersInWords(context: StepInput, language: Language) {
  const labelOf = await fieldLabels(language);
  const phoneNumber = await phoneNumbers();
  const t = translator(language);
  const notGiven = t('application-check:notGiven');
  // Not filled in yet: a page does that a hundred times.
  const line = t('application-check:line', RAW);
  const inList = t('application-check:inList', RAW);

  const answerView = (field: Field, answers: Answers): AnswerView => {
    const { name } = field;
    const shown = { name, id: firstControlId(field, name), label: labelOf(name) };
    const text = answerText(field, name, answers, language);
    if (text === undefined) return { ...shown, text: notGiven, isMissing: true };
    const sent = sentValue(field, { answers, context, phoneNumber });
    return {
      ...shown,
      text,
      ...(sent && sent !== text.toUpperCase() && { sent }),
      ...(PRINTED_NAME.test(name) && { isPrinted: true }),
    };
  };
  const rowViews = (list: Repeat, answers: Answers): AnswerView[] => {
    const label = labelOf(list.name);
    const rows = rowsOf(answers, list.name);
    if (rows.length === 0) {
      return [{ name: list.name, id: fieldId(list.name), label, text: notGiven, isMissing: true }];
    }
    return rows.map((prefix, index) => {
      const shown = list.fields.filter((field) => isShown(field, answers, context, prefix));
      const texts = shown.map(
        (field) => answerText(field, prefix + field.name, answers, language) ?? notGiven,
      );
      const lines = shown.map((field, at) => {
        const label = fieldWords(field, language, list.name).label ?? field.name;
        return withValues(line, { label, text: texts[at] ?? '' });
      });
      const name = prefix + (list.fields[0]?.name ?? '');
      return {
        name,
        id: fieldId(name),
        label: withValues(inList, { list: label, number: index + 1 }),
        text: lines.join('\n'),
        row: texts.join(', '),
      };
    });
  };
  return (step: Step): AnswerView[] => {
    const answers = context.all[step.number] ?? {};
    return step.fields.flatMap((field) => {
      if (!isShown(field, answers, context) || field.must_equal !== undefined) return [];
      return field.type === 'repeat' ? rowViews(field, answers) : [answerView(field, answers)];
    });
  };
}

/** By the form name; of one in a row (`other_documents[0].number`) after the row's. */
export const fieldLabels = cachedByContentVersion(async (language: Language) => {
  const inRow = translator(language)('application-check:inRow', RAW);
  const { allQuestions } = await eligibilityContent(language);
  const questions = new Map(allQuestions.map(({ key, text }) => [`q_${key}`, text]));
  return (form: string): string => {
    const [, list, index, name] = /^(\w+)\[(\d+)\]\.(\w+)$/.exec(form) ?? [];
    if (list === undefined || name === undefined) {
      return fieldWords({ name: form }, language).label ?? questions.get(form) ?? form;
    }
    const { row = list } = fieldWords({ name: list }, language);
    const { label = name } = fieldWords({ name }, language, list);
    return withValues(inRow, { row: withValues(row, { number: Number(index) + 1 }), label });
  };
});

export function answerText(field: StepField, name: string, answers: Answers, language: Language) {
  if (field.type === 'date') return dateText(name, answers, language);
  const typed = answers[name];
  return typed && field.type !== 'repeat' ? valueText(field, typed, language) : undefined;
}

function dateText(name: string, answers: Answers, language: Language): string | undefined {
  const date = answeredDate(answers, name);
  if (date?.day !== undefined) return formatDay(date.day, language);
  const parts = DATE_PARTS.map((part) => answers[`${name}.${part}`] ?? '');
  return parts.filter(Boolean).join(' ') || undefined;
}

/** What will be sent of an answer; undefined where it is sent as it is. */
export function sentValue(field: Field, { answers, context, phoneNumber }: WordsContext) {
  const typed = answers[field.name];
  if (!typed || typed === field.unknown_value) return typed;
  if (field.type === 'tel') return phoneNumber(typed, countryOfPhone(field.name, context));
  if (field.name === 'other_names') return typed.split('\n').map(sentName).join('\n');
  if (field.rule === 'name_mrz') return sentName(typed);
  if (field.rule === 'latin_text') return sentText(typed);
  if (field.rule === 'passport_number') return normalisePassportNumber(typed);
  return undefined;
}

function countryOfPhone(name: string, { all }: StepInput): string | undefined {
  if (name === 'us_contact_phone') return 'US';
  const home = all[3]?.['address_country'] ?? all[1]?.['citizenship'];
  return name === 'employer_phone' ? (all[5]?.['employer_country'] ?? home) : home;
}

/** Importing it takes as long as deriving a number. The same file as for codes by message. */
const loadPhones = once(() => import('libphonenumber-js/max'));

const E164 = /^\+[1-9][0-9]{6,14}$/;

export async function phoneNumbers() {
  const { default: parse, isSupportedCountry } = await loadPhones();
  return (text: string, residence?: string): string | undefined => {
    if (!isPhone(text)) return undefined;
    const stripped = strippedPhone(text);
    const home = residence !== undefined && isSupportedCountry(residence) ? residence : undefined;
    const parsed = parse(stripped, { ...(home && { defaultCountry: home }), extract: false });
    // A number with its calling code is taken even if the library does not know its range yet.
    const number = parsed?.number ?? stripped;
    return E164.test(number) ? number : undefined;
  };
}

export type PhoneParts = Awaited<ReturnType<typeof phoneParts>>;

export async function phoneParts() {
  const { default: parse } = await loadPhones();
  return (number: string) => {
    const parsed = parse(number, { extract: false });
    return parsed && { code: parsed.countryCallingCode, rest: parsed.nationalNumber };
  };
}
