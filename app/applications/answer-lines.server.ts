import { firstControlId, isChoice, PRINTED_NAME } from './field-words.server';
import type { OfficialValue } from './views';
import { rowsOf } from '../domain/application/answers';
import { answeredDate } from '../domain/application/dates';
import type { StepInput } from '../domain/application/validate-step';
import type { Step } from '../domain/application/steps';
import type { StepField } from '../domain/form';
import type { Language } from '../i18n/languages';
import { siteSettings } from '../settings/settings.server';
import {
  answerText,
  fieldLabels,
  type WordsContext,
  sentValue,
  phoneNumbers,
  phoneParts,
  type PhoneParts,
} from './answers-in-words.server';
import { isShown } from '~/domain/application/step-input';

/** Where the operator has an address for it, that one is typed at the official site. */
const EMAIL = 'email';

/** Without what others hide, and what repeats another. */
export async function answerLines(context: StepInput, language: Language) {
  const labelOf = await fieldLabels(language);
  const [phoneNumber, partsOf] = [await phoneNumbers(), await phoneParts()];
  const { filingEmail } = siteSettings();
  return (step: Step) => {
    const answers = context.all[step.number] ?? {};
    const reading = { answers, context, phoneNumber };
    const lineOf = (field: StepField, name = field.name) => {
      const isOurs = name === EMAIL && filingEmail !== null;
      const isAsked = field.official !== 'not_asked';
      const values = isOurs
        ? [{ text: filingEmail }]
        : officialValues(field, name, reading, partsOf);
      const official: OfficialValue[] = isAsked ? values : [];
      return {
        name,
        /** Under which it is changed: that of its field, of a list's row that of the list. */
        amendedAs: name.replace(/\[.*$/, ''),
        control: firstControlId(field, name),
        label: labelOf(name),
        text: answerText(field, name, answers, language),
        official,
        sent: asOneText(official),
        isAsked,
        isOurs,
        isPrinted: PRINTED_NAME.test(name),
      };
    };
    return step.fields.flatMap((field) => {
      if (!isShown(field, answers, context) || field.must_equal !== undefined) return [];
      const rows = field.type === 'repeat' ? rowsOf(answers, field.name) : [];
      if (field.type !== 'repeat' || rows.length === 0) return [lineOf(field)];
      return rows.flatMap((prefix) =>
        field.fields
          .filter((own) => isShown(own, answers, context, prefix))
          .map((own) => lineOf(own, prefix + own.name)),
      );
    });
  };
}

const OFFICIAL_LANGUAGE = 'en';

/** What is typed letter by letter: capitals would be another account. */
const AS_TYPED = new Set(['identifier', 'platform_other']);

const monthName = new Intl.DateTimeFormat(OFFICIAL_LANGUAGE, { month: 'long', timeZone: 'UTC' });

function officialValues(
  field: StepField,
  name: string,
  reading: WordsContext,
  partsOf: PhoneParts,
): OfficialValue[] {
  const { answers } = reading;
  if (field.type === 'date') return dateValues(answeredDate(answers, name)?.day);
  const typed = answers[name];
  if (!typed || field.type === 'repeat') return [];
  if (isChoice(field)) {
    const label = asPlain(answerText(field, name, answers, OFFICIAL_LANGUAGE) ?? typed);
    const isState = field.options === 'us_states';
    // "New York (state)": what stands there tells it from the city to travellers.
    return [{ text: isState ? label.replace(/ \([^)]*\)$/, '') : label, isChosen: true }];
  }
  const sent = name === field.name ? sentValue(field, reading) : undefined;
  if (field.type === 'tel') {
    const parts = sent === undefined ? undefined : partsOf(sent);
    if (!parts) return [{ text: sent ?? typed }];
    return [
      { text: parts.code, isChosen: true },
      { text: parts.rest, part: 'phoneNumber' },
    ];
  }
  if (field.type === 'email' || AS_TYPED.has(field.name)) return [{ text: typed }];
  const lines = (sent ?? typed.toUpperCase()).split('\n');
  return lines.filter((line) => line.trim() !== '').map((text) => ({ text }));
}

/** What is pasted has plain spaces and no soft hyphens. */
const asPlain = (label: string): string =>
  label.replace(/[\u00a0\u202f]/g, ' ').replaceAll('\u00ad', '');

function dateValues(day: string | undefined): OfficialValue[] {
  if (day === undefined) return [];
  return [
    { text: String(Number(day.slice(8))), isChosen: true },
    { text: monthName.format(new Date(day)), isChosen: true },
    { text: day.slice(0, 4), isChosen: true },
  ];
}

function asOneText(values: readonly OfficialValue[]): string {
  const isPhone = values.some(({ part }) => part === 'phoneNumber');
  const isInParts = values.length > 1 && values[0]?.isChosen === true;
  return (isPhone ? '+' : '') + values.map(({ text }) => text).join(isInParts ? ' ' : '\n');
}
