import { eligibilityContent } from '../eligibility/content.server';
import { fieldWords, optionLabel, withValues } from './field-words.server';
import { cachedByContentVersion } from '../content/state.server';
import { fieldId, firstControlId, PRINTED } from './step-fields.server';
import { type Answers, DATE_PARTS, rowCount, rowName } from '../domain/application/answers';
import { dateOf } from '../domain/application/dates';
import type { StepInput } from '../domain/application/validate-step';
import { normalisePassportNumber } from '../domain/application/passport-shapes';
import { sentName, sentText } from '../domain/application/sent-name';
import type { Step } from '../domain/application/steps';
import type { Field, Repeat } from '../domain/form';
import type { Language } from '../i18n/languages';
import { formatDay, translator } from '../i18n/server.server';
import { isShown } from '~/domain/application/step-input';
import { once } from '~/current-app.server';
import { isPhone, strippedPhone } from '~/domain/application/phone';

export interface AnswerView {
  name: string;
  id: string;
  label: string;
  /** In the reader's language; a list's row has a line for each of its answers. */
  text: string;
  sent?: string;
  isMissing?: true;
  /** Shown in the letters of documents, which tell 0 from O. */
  isPrinted?: true;
}

export interface Reading {
  answers: Answers;
  context: StepInput;
  language: Language;
  phoneNumber: PhoneNumber;
}

/** Without what others hide, and what repeats another. */
export async function answersInWords(
  context: StepInput,
  language: Language,
): Promise<(step: Step) => AnswerView[]> {
  const labelOf = await fieldLabels(language);
  const phoneNumber = await phoneNumbers();
  return (step) => {
    const answers = context.all[step.number] ?? {};
    return stepAnswers(step, { answers, context, language, phoneNumber }, labelOf);
  };
}

function stepAnswers(
  step: Step,
  reading: Reading,
  labelOf: (name: string) => string,
): AnswerView[] {
  const { answers, context } = reading;
  const views: AnswerView[] = [];
  for (const field of step.fields) {
    if (!isShown(field, answers, context)) continue;
    const label = labelOf(field.name);
    if (field.type === 'repeat') views.push(...rowViews(field, label, reading));
    else if (field.must_equal === undefined) views.push(answerView(field, label, reading));
  }
  return views;
}

/** Not filled in yet: a page does that a hundred times. */
function sentencesIn(language: Language) {
  const t = translator(language);
  const raw = { skipInterpolation: true };
  return {
    notGiven: t('application-check:notGiven'),
    line: t('application-check:line', raw),
    inList: t('application-check:inList', raw),
    inRow: t('application-check:inRow', raw),
  };
}
const known = new Map<Language, ReturnType<typeof sentencesIn>>();

function sentences(language: Language): ReturnType<typeof sentencesIn> {
  const found = known.get(language) ?? sentencesIn(language);
  known.set(language, found);
  return found;
}

/** By the form name; of one in a row (`other_documents[0].number`) after the row's. */
export const fieldLabels = cachedByContentVersion(
  async (language: Language): Promise<(name: string) => string> => {
    const { inRow } = sentences(language);
    const { allQuestions } = await eligibilityContent(language);
    const questions = new Map(allQuestions.map(({ key, text }) => [`q_${key}`, text]));
    return (form) => {
      const [, list, index, name] = /^(\w+)\[(\d+)\]\.(\w+)$/.exec(form) ?? [];
      if (list === undefined || name === undefined) {
        return fieldWords({ name: form }, language).label ?? questions.get(form) ?? form;
      }
      const { row = list } = fieldWords({ name: list }, language);
      const { label = name } = fieldWords({ name }, language, list);
      return withValues(inRow, { row: withValues(row, { number: Number(index) + 1 }), label });
    };
  },
);

function answerView(field: Field, label: string, reading: Reading): AnswerView {
  const { answers, language } = reading;
  const { name } = field;
  const id = firstControlId(field, name);
  const text = answerText(field, name, answers, language);
  if (text === undefined) {
    return { name, id, label, text: sentences(language).notGiven, isMissing: true };
  }
  const sent = sentValue(field, reading);
  return {
    name,
    id,
    label,
    text,
    ...(sent && sent !== text.toUpperCase() && { sent }),
    ...(PRINTED.test(name) && { isPrinted: true }),
  };
}

function rowViews(
  list: Repeat,
  label: string,
  { answers, context, language }: Reading,
): AnswerView[] {
  const { inList, line, notGiven } = sentences(language);
  const count = rowCount(answers, list.name);
  if (count === 0) {
    return [{ name: list.name, id: fieldId(list.name), label, text: notGiven, isMissing: true }];
  }
  return Array.from({ length: count }, (_, index) => {
    const prefix = rowName(list.name, index, '');
    const shown = list.fields.filter((field) => isShown(field, answers, context, prefix));
    const lines = shown.map((field) =>
      withValues(line, {
        label: fieldWords(field, language, list.name).label ?? field.name,
        text: answerText(field, prefix + field.name, answers, language) ?? notGiven,
      }),
    );
    const name = prefix + (list.fields[0]?.name ?? '');
    return {
      name,
      id: fieldId(name),
      label: withValues(inList, { list: label, number: index + 1 }),
      text: lines.join('\n'),
    };
  });
}

export function answerText(field: Field, name: string, answers: Answers, language: Language) {
  if (field.type === 'date') return dateText(name, answers, language);
  const typed = answers[name];
  if (!typed) return undefined;
  if (field.type === 'checkbox') {
    return optionLabel({ ...field, type: 'yes_no' }, 'yes', language);
  }
  const isChoice = field.type === 'select_country' || field.type === 'yes_no' || 'options' in field;
  return isChoice ? optionLabel(field, typed, language) : typed;
}

function dateText(name: string, answers: Answers, language: Language): string | undefined {
  const date = dateOf(answers, name);
  if (date?.day !== undefined) return formatDay(date.day, language);
  const parts = DATE_PARTS.map((part) => answers[`${name}.${part}`] ?? '');
  return parts.filter(Boolean).join(' ') || undefined;
}

/** What will be sent of an answer; undefined where it is sent as it is. */
export function sentValue(field: Field, { answers, context, phoneNumber }: Reading) {
  const typed = answers[field.name];
  if (!typed || typed === field.unknown_value) return undefined;
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

const ADDRESSES: readonly (readonly string[])[] = [
  ['address_line1', 'address_line2', 'address_apartment', 'address_city', 'address_region'],
  ['employer_address_line1', 'employer_address_line2', 'employer_city', 'employer_region'],
  ['us_contact_address_line1', 'us_contact_address_line2', 'us_contact_city', 'us_contact_state'],
  ['us_address_line1', 'us_address_city', 'us_address_state', 'us_address_zip'],
];

type Person = 'parent1' | 'parent2' | 'emergency';
const PEOPLE: Readonly<Record<Person, readonly string[]>> = {
  parent1: ['parent1_last_name', 'parent1_first_name'],
  parent2: ['parent2_last_name', 'parent2_first_name'],
  emergency: ['emergency_last_name', 'emergency_first_name'],
};

type Group = { names: readonly string[]; between: string; person?: Person };

const GROUPS: ReadonlyMap<string, Group> = new Map(
  [
    ...ADDRESSES.map((names): Group => ({ names, between: '\n' })),
    ...Object.entries(PEOPLE).map(([person, names]): Group => ({
      names,
      between: ', ',
      person: person as Person,
    })),
  ].flatMap((group) => group.names.map((name) => [name, group])),
);

export function groupedAnswers(answers: readonly AnswerView[], language: Language): AnswerView[] {
  const t = translator(language);
  return answers.flatMap((answer) => {
    const group = GROUPS.get(answer.name);
    if (!group) return [answer];
    const members = answers.filter(({ name }) => group.names.includes(name));
    if (members[0] !== answer) return [];
    const label = group.person ? t(`application-check:people.${group.person}`) : answer.label;
    return [together(members, label, group.between)];
  });
}

function together(members: readonly AnswerView[], label: string, between: string): AnswerView {
  const [first] = members as [AnswerView];
  const given = members.filter(({ isMissing }) => !isMissing);
  if (given.length === 0) return { ...first, label };
  const { name, id } = first;
  const text = given.map((one) => one.text).join(between);
  if (given.every(({ sent }) => sent === undefined)) return { name, id, label, text };
  const sent = given.map((one) => one.sent ?? one.text.toUpperCase()).join(between);
  return { name, id, label, text, sent };
}

/** Importing it takes as long as deriving a number. The same file as for codes by message. */
const loadPhones = once(() => import('libphonenumber-js/max'));

const E164 = /^\+[1-9][0-9]{6,14}$/;

/** E.164; undefined if it is none. @param residence alpha-2, for numbers without a calling code */
export type PhoneNumber = (text: string, residence?: string) => string | undefined;

export async function phoneNumbers(): Promise<PhoneNumber> {
  const { default: parse, isSupportedCountry } = await loadPhones();
  return (text, residence) => {
    if (!isPhone(text)) return undefined;
    const stripped = strippedPhone(text);
    const home = residence !== undefined && isSupportedCountry(residence) ? residence : undefined;
    const parsed = parse(stripped, { ...(home && { defaultCountry: home }), extract: false });
    // A number with its calling code is taken even if the library does not know its range yet.
    const number = parsed?.number ?? stripped;
    return E164.test(number) ? number : undefined;
  };
}

export type PhoneParts = (number: string) => { code: string; rest: string } | undefined;

export async function phoneParts(): Promise<PhoneParts> {
  const { default: parse } = await loadPhones();
  return (number) => {
    const parsed = parse(number, { extract: false });
    return parsed && { code: parsed.countryCallingCode, rest: parsed.nationalNumber };
  };
}
