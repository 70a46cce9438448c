import type { OfficialValue } from './views';
import { fieldId, firstControlId, PRINTED } from './step-fields.server';
import { rowCount, rowName } from '../domain/application/answers';
import { dateOf } from '../domain/application/dates';
import type { StepInput } from '../domain/application/validate-step';
import type { Step } from '../domain/application/steps';
import type { Field, Repeat } from '../domain/form';
import type { Language } from '../i18n/languages';
import { siteSettings } from '../settings/settings.server';
import {
  answerText,
  fieldLabels,
  type Reading,
  sentValue,
  phoneNumbers,
  phoneParts,
  type PhoneParts,
} from './answers-in-words.server';
import { isShown } from '~/domain/application/step-input';

/** Where the operator has an address for it, that one is typed at the official site. */
const EMAIL = 'email';

export interface AnswerLine {
  name: string;
  /** Under which it is changed: that of its field, of a list's row that of the list. */
  amendedAs: string;
  /** The id of its first control on the page of its step: by it, warnings are found. */
  control: string;
  label: string;
  text: string | undefined;
  official: OfficialValue[];
  sent: string;
  isAsked: boolean;
  isOurs: boolean;
  isPrinted: boolean;
}

/** Without what others hide, and what repeats another. */
export async function answerLines(
  context: StepInput,
  language: Language,
): Promise<(step: Step) => AnswerLine[]> {
  const labelOf = await fieldLabels(language);
  const [phoneNumber, partsOf] = [await phoneNumbers(), await phoneParts()];
  const { filingEmail } = siteSettings();
  return (step) => {
    const answers = context.all[step.number] ?? {};
    const reading: Reading = { answers, context, language, phoneNumber };
    const lineOf = (field: Field, name: string, amendedAs: string): AnswerLine => {
      const isOurs = name === EMAIL && filingEmail !== null;
      const isAsked = field.official !== 'not_asked';
      const official = !isAsked
        ? []
        : isOurs
          ? [{ text: filingEmail }]
          : officialValues(field, name, reading, partsOf);
      return {
        name,
        amendedAs,
        control: firstControlId(field, name),
        label: labelOf(name),
        text: answerText(field, name, answers, language),
        official,
        sent: asOneText(official),
        isAsked,
        isOurs,
        isPrinted: PRINTED.test(name),
      };
    };
    return step.fields.flatMap((field) => {
      if (!isShown(field, answers, context)) return [];
      if (field.type !== 'repeat') {
        return field.must_equal === undefined ? [lineOf(field, field.name, field.name)] : [];
      }
      const rows = rowCount(answers, field.name);
      if (rows === 0) return [emptyList(field, labelOf)];
      return Array.from({ length: rows }, (_, index) => {
        const prefix = rowName(field.name, index, '');
        return field.fields
          .filter((own) => isShown(own, answers, context, prefix))
          .map((own) => lineOf(own, prefix + own.name, field.name));
      }).flat();
    });
  };
}

function emptyList({ name }: Repeat, labelOf: (name: string) => string): AnswerLine {
  return {
    name,
    amendedAs: name,
    control: fieldId(name),
    label: labelOf(name),
    text: undefined,
    official: [],
    sent: '',
    isAsked: true,
    isOurs: false,
    isPrinted: false,
  };
}

const OFFICIAL_LANGUAGE = 'en';

/** What is typed letter by letter: capitals would be another account. */
const AS_TYPED = new Set(['identifier', 'platform_other']);

const monthName = new Intl.DateTimeFormat(OFFICIAL_LANGUAGE, { month: 'long', timeZone: 'UTC' });

function officialValues(
  field: Field,
  name: string,
  reading: Reading,
  partsOf: PhoneParts,
): OfficialValue[] {
  const { answers } = reading;
  if (field.type === 'date') return dateValues(dateOf(answers, name)?.day);
  const typed = answers[name];
  if (!typed) return [];
  const isChoice = field.type === 'select_country' || field.type === 'yes_no' || 'options' in field;
  if (isChoice) {
    const label = asPlain(answerText(field, name, answers, OFFICIAL_LANGUAGE) ?? typed);
    const isState = 'options' in field && field.options === 'us_states';
    // "New York (state)": what stands there tells it from the city to travellers.
    return [{ text: isState ? label.replace(/ \([^)]*\)$/, '') : label }];
  }
  const sent = name === field.name ? sentValue(field, reading) : undefined;
  if (field.type === 'tel') {
    const parts = sent === undefined ? undefined : partsOf(sent);
    if (!parts) return [{ text: sent ?? typed }];
    return [
      { text: parts.code, part: 'callingCode' },
      { text: parts.rest, part: 'phoneNumber' },
    ];
  }
  if (field.type === 'email' || AS_TYPED.has(field.name)) return [{ text: typed }];
  return (sent ?? typed.toUpperCase())
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((text) => ({ text }));
}

/** What is pasted has plain spaces and no soft hyphens. */
function asPlain(label: string): string {
  return label.replace(/[\u00a0\u202f]/g, ' ').replaceAll('\u00ad', '');
}

function dateValues(day: string | undefined): OfficialValue[] {
  if (day === undefined) return [];
  return [
    { text: String(Number(day.slice(8))), part: 'day' },
    { text: monthName.format(new Date(day)), part: 'month' },
    { text: day.slice(0, 4), part: 'year' },
  ];
}

function asOneText(values: readonly OfficialValue[]): string {
  const isPhone = values.some(({ part }) => part === 'callingCode');
  const isInParts = values.some(({ part }) => part !== undefined);
  return (isPhone ? '+' : '') + values.map(({ text }) => text).join(isInParts ? ' ' : '\n');
}
