import type { PhoneParts } from '~/applications/phone-number.server';
import { dateOf } from '~/domain/application/dates';
import type { Field } from '~/domain/form';
import { answerText, type Reading, sentValue } from './application-answers.server';
import type { OfficialValue } from '~/content/application-views';

/** The official form is filled in in English. */
const OFFICIAL_LANGUAGE = 'en';

/** What is typed letter by letter: capitals would be another account. */
const AS_TYPED = new Set(['identifier', 'platform_other']);

const monthName = new Intl.DateTimeFormat(OFFICIAL_LANGUAGE, { month: 'long', timeZone: 'UTC' });

/**
 * An answer as the official form takes it: names and texts in its capitals, dates and telephone numbers
 * in parts, options and countries by their English names.
 *
 * @param name its form name, such as `other_documents[0].country`
 * @returns nothing for an answer that there is not
 */
export function officialValues(
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

/** Labels are made not to break in the wrong place; what is pasted has plain spaces and no soft hyphens. */
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

/** The values of an answer as one text, to compare it with what was typed. */
export function asOneText(values: readonly OfficialValue[]): string {
  const isPhone = values.some(({ part }) => part === 'callingCode');
  const isInParts = values.some(({ part }) => part !== undefined);
  return (isPhone ? '+' : '') + values.map(({ text }) => text).join(isInParts ? ' ' : '\n');
}
