import { choicesOf, type Field } from '../form';
import { getOrInsert } from '../get-or-insert';
import type { AllAnswers, Answers } from './answers';
import { COUNTRY_CODES, US_STATES } from './country-codes';
import { ageOn, answeredDate, dayAfter } from './dates';
import { type StepField, type StepNumber, STEPS } from './steps';

export interface StepInput {
  today: string;
  /** Choices by the name of their list, such as `programme_countries`; the others are the world's. */
  lists: Readonly<Record<string, readonly string[]>>;
  all: AllAnswers;
  isSocialMediaRequired: boolean;
  isPortraitRequired: boolean;
  hasPhoto: boolean;
}

const DATES = {
  date_of_birth: 1,
  passport_issue_date: 2,
  passport_expiry_date: 2,
  arrival_date: 6,
  departure_date: 6,
} as const satisfies Record<string, StepNumber>;

/** The days that were typed (`yyyy-MM-dd`); those missing, or that are no days, are undefined. */
export type Days = Readonly<Partial<Record<keyof typeof DATES, string>>>;

/** What was found in answers before: a page judges and warns of eight steps by the same answers. */
const found = new WeakMap<AllAnswers, Days>();

export const daysOf = (all: AllAnswers): Days =>
  getOrInsert(found, all, () => {
    const days: Partial<Record<keyof typeof DATES, string>> = {};
    for (const name of Object.keys(DATES) as (keyof typeof DATES)[]) {
      const day = answeredDate(all[DATES[name]] ?? {}, name)?.day;
      if (day !== undefined) days[name] = day;
    }
    return days;
  });

const yearOf = (day: string) => Number(day.slice(0, 4));

const FULL_AGE = 18;

export function isMinor({ all, today }: Pick<StepInput, 'all' | 'today'>): boolean {
  const birth = daysOf(all).date_of_birth;
  // Most travellers are older by years, which needs no calendar.
  if (birth !== undefined && yearOf(today) - yearOf(birth) > FULL_AGE) return false;
  return birth !== undefined && birth <= today && ageOn(birth, today) < FULL_AGE;
}

/** Countries whose citizens leave the official form's national number empty (the owner’s list). */
const WITHOUT_NATIONAL_NUMBER = ['AT', 'CH', 'DE', 'FR', 'GB', 'IE', 'IT', 'PL'];

export const hasNationalNumber = (all: AllAnswers): boolean =>
  !WITHOUT_NATIONAL_NUMBER.includes(all[1]?.['citizenship'] ?? '');

/** No passport that is valid for longer lacks a chip; one for an emergency, or a child, may. */
const SHORT_VALIDITY = { years: 5 };

function mayLackChip(all: AllAnswers): boolean {
  // What somebody has said of it stays.
  if (/^(yes|no)$/.test(all[2]?.['passport_is_electronic'] ?? '')) return true;
  const { passport_issue_date: issue, passport_expiry_date: expiry } = daysOf(all);
  if (issue === undefined || expiry === undefined) return false;
  return issue < expiry && expiry <= dayAfter(issue, SHORT_VALIDITY);
}

const FIELDS = new Map(STEPS.flatMap((step) => step.fields.map((field) => [field.name, field])));

const DERIVED: Readonly<Record<string, (context: StepInput) => boolean>> = {
  'age < 18': isMinor,
  'national number': ({ all }) => hasNationalNumber(all),
  'no photo': ({ hasPhoto }) => !hasPhoto,
  'short validity': ({ all }) => mayLackChip(all),
};

/** A field whose condition asks a hidden field is hidden, too. @param prefix of a row */
export function isShown(
  field: StepField,
  answers: Answers,
  context: StepInput,
  prefix = '',
): boolean {
  const condition = field.show_if;
  if (!condition) return true;
  if ('derived' in condition) {
    const derived = DERIVED[condition.derived];
    if (!derived) throw new Error(`${field.name}: there is no condition "${condition.derived}"`);
    return derived(context);
  }
  if (answers[prefix + condition.field] !== condition.equals) return false;
  const asked = prefix === '' ? FIELDS.get(condition.field) : undefined;
  return !asked || isShown(asked, answers, context);
}

/** The authorities have announced that they will ask for social media one day. */
const isDemanded = ({ name }: StepField, { isSocialMediaRequired }: StepInput) =>
  name === 'social_media_choice' && isSocialMediaRequired;

export const isOptional = (field: StepField, context: StepInput) =>
  field.required === false && !isDemanded(field, context);

export function choicesFor(field: Field, context: StepInput) {
  const lists = { countries: COUNTRY_CODES, us_states: US_STATES, ...context.lists };
  const choices = choicesOf(field, { lists });
  return isDemanded(field, context)
    ? choices?.filter((choice) => choice !== 'prefer_not')
    : choices;
}
