import type { Field } from '../form';
import { daysUntil } from '../timeline';
import { type AllAnswers, type Answers, rowsOf, sureName } from './answers';
import {
  lineDifferences,
  lineProblems,
  PRINTED_FIELDS,
  type PrintedAnswers,
} from './compare-lines';
import { answeredDate, dayAfter } from './dates';
import { meantEmail } from './email-typo';
import { type Days, daysOf, isMinor, type StepInput, isShown } from './step-input';
import {
  isPassportNumber,
  meantNumber,
  normalisePassportNumber,
  shapeProblem,
} from './passport-shapes';
import { PRINTED_NAME_PLACES, sentLength, sentName } from './sent-name';
import { type Step, type StepNumber } from './steps';

/** What a warning is cleared up with most often: a code is kept, and each reader has its sentence. */
export const READY_REASONS = ['printed', 'confirmed', 'right', 'told', 'exempt'] as const;
export type ReadyReason = (typeof READY_REASONS)[number];

interface Row {
  /** Its traveller may say that the answer is right as it is. */
  asks?: true;
  /** What it hangs on besides its own field: a change of that opens the check again. */
  on?: readonly string[];
  /** Most are about what stands in the passport. */
  reasons?: readonly ReadyReason[];
  /** The task of staff that looks at it with others; else it has one of its own. */
  task?: 'photo' | 'expiry' | 'lines';
}

const TABLE = {
  namesTooLong: { on: ['first_name'] },
  oneName: { asks: true, on: ['last_name'] },
  nameOfUse: { asks: true },
  nameTwice: { asks: true, on: ['last_name'] },
  postalShape: {
    asks: true,
    on: ['citizenship', 'address_country'],
    reasons: ['right', 'confirmed'],
  },
  issuingDiffers: { asks: true, on: ['citizenship'] },
  passportShape: { asks: true, on: ['passport_issuing_country'] },
  passportAlike: { asks: true, on: ['passport_issuing_country'] },
  passportLetterO: { asks: true, on: ['passport_issuing_country'] },
  issueOld: {},
  expiryLong: { on: ['passport_issue_date'] },
  sixMonths: { task: 'expiry' },
  arrivalSoon: { reasons: ['told'] },
  transitStay: { asks: true, on: ['is_transit'], reasons: ['confirmed', 'right'] },
  // Of the lines that the traveller typed: staff type them anew.
  lineLength: { task: 'lines' },
  lineCheckDigit: { task: 'lines' },
  lineDiffers: { on: PRINTED_FIELDS.map(([answer]) => answer) },
  flaggedCitizenship: { reasons: ['confirmed', 'told'] },
  noChip: {},
  minor: { reasons: ['right'] },
  ineligible: { on: ['restricted_trips', 'eligibility_comment'], reasons: ['confirmed', 'told'] },
  emailTypo: { asks: true, reasons: ['confirmed', 'right'] },
  noPhoto: { task: 'photo' },
} satisfies Record<string, Row>;
export type WarningCode = keyof typeof TABLE;

/** @param code that a subject of a task names */
export const warningRow = (code: string): Row =>
  Object.hasOwn(TABLE, code) ? TABLE[code as WarningCode] : {};

/** Those that ask. */
export const ASKING: ReadonlySet<WarningCode> = new Set(
  (Object.keys(TABLE) as WarningCode[]).filter((code) => warningRow(code).asks),
);

export interface Warning {
  code: WarningCode;
  field: string;
  step: StepNumber;
  /**
   * What its sentence names. `namesTooLong`: `length`. `issuingDiffers`, `flaggedCitizenship`,
   * `sixMonths`: `country`. `emailTypo`: `suggestion`. `passportLetterO`, `passportAlike`: `typed`,
   * `suggestion`. `ineligible`: `question`. `lineCheckDigit`:
   * `part` (number, birth, expiry, personal, composite), and if a reading is likely, `place`, `typed`,
   * `meant`, `value`. `lineDiffers`: `answer`, `printed`, `typed`, `position`,
   * and `kind`: `truncated` if the passport had no room for the name, else `differs`.
   */
  values?: Readonly<Record<string, string>>;
  /** The traveller was asked, and has said that the answer is right: only staff still look at it. */
  isSure?: true;
}

type Finding = Omit<Warning, 'step'>;

/** What French and German passports print between a birth name and another one. */
const NAME_OF_USE =
  /\S[\s,(]+(ép(ouse|oux|\.)|ep(ouse|oux|\.)|usage|veuve|née?|geb(\.|orene?r?)|verh(\.|eiratete?r?))[\s,)]+\S/iu;
const POSTAL_DIGITS: Readonly<Record<string, number>> = { FR: 5, DE: 5 };
/** Passports are valid for ten years, with what was left of the one before: nine months at most. */
const LONG_VALIDITY = { years: 10, months: 9 };
/** How long a passport must be valid after the stay, except for `SIX_MONTH_CLUB`. */
const AFTER_STAY = { months: 6 };
/** What nobody writes who only changes planes in the United States. */
const STAY =
  /(?<!\p{L})(h[oô]s?tel|motel|airbnb|usa|[eé]tats-unis|united states|vereinigte staaten)(?!\p{L})/iu;
/** The authority wants 72 hours; days of the calendar are all that is known of a trip. */
const FILING_DAYS = 3;
/** Who was in Cuba before that day only remains eligible (US Department of State). */
const CUBA_SINCE = '2021-01-12';

/** What does not prevent saving but may cost the trip. Hidden answers count for nothing. */
export function warningsOf(step: Step, context: StepInput): Warning[] {
  const answers = context.all[step.number] ?? {};
  const found = [
    ...step.fields.flatMap((field) => {
      if (!isShown(field, answers, context)) return [];
      if (field.type !== 'repeat') return fieldWarnings(field, answers, context);
      return rowsOf(answers, field.name).flatMap((prefix) =>
        field.fields.flatMap((inner) => fieldWarnings(inner, answers, context, prefix)),
      );
    }),
    ...(WARNINGS[step.number]?.(answers, daysOf(context.all), context) ?? []),
  ];
  return found.map((warning) => ({
    ...warning,
    step: step.number,
    ...(isSureOf(warning, answers) && { isSure: true as const }),
  }));
}

function isSureOf({ code, field }: Finding, answers: Answers): boolean {
  const sure = answers[sureName(field)];
  return ASKING.has(code) && sure !== undefined && sure === answers[field];
}

export const openWarningsOf = (step: Step, context: StepInput): Warning[] =>
  warningsOf(step, context).filter(({ isSure }) => !isSure);

function fieldWarnings(field: Field, answers: Answers, { all }: StepInput, prefix = ''): Finding[] {
  const name = prefix + field.name;
  const answer = answers[name];
  if (!answer) return [];
  const found: Finding[] = [];
  const other = field.warn_if_different_from;
  if (other !== undefined) {
    const others = Object.values(all).map((step) => step[other]);
    if (others.some((text) => text !== undefined && text !== answer)) {
      found.push({ code: 'issuingDiffers', field: name, values: { country: answer } });
    }
  }
  if (field.flag_if?.includes(answer)) {
    found.push({ code: 'flaggedCitizenship', field: name, values: { country: answer } });
  }
  if (field.cannot_be_certified_if === answer) found.push({ code: 'noChip', field: name });
  const suggestion = field.type === 'email' ? meantEmail(answer) : undefined;
  if (suggestion !== undefined) {
    found.push({ code: 'emailTypo', field: name, values: { suggestion } });
  }
  return found;
}

type StepWarnings = (answers: Answers, days: Days, context: StepInput) => Finding[];

const WARNINGS: Readonly<Partial<Record<StepNumber, StepWarnings>>> = {
  1: (answers, _, context) => [
    ...nameWarnings(answers),
    ...postalWarnings(answers, context.all),
    ...(isMinor(context) ? [{ code: 'minor', field: 'date_of_birth' } as const] : []),
  ],
  2: (answers, days, context) => [
    ...numberWarnings(answers),
    ...validityWarnings(answers, days, context.today),
    ...lineWarnings(answers, days, context),
  ],
  6: (answers, { arrival_date: arrival }, { today }) => {
    const left = arrival === undefined ? FILING_DAYS : daysUntil(arrival, today);
    const isSoon = left >= 0 && left < FILING_DAYS;
    const { is_transit: isTransit, transit_destination: destination = '' } = answers;
    const isStay = isTransit === 'yes' && STAY.test(destination);
    return [
      ...(isSoon ? [{ code: 'arrivalSoon', field: 'arrival_date' } as const] : []),
      ...(isStay ? [{ code: 'transitStay', field: 'transit_destination' } as const] : []),
    ];
  },
  7: (answers) =>
    Object.keys(answers)
      .filter((name) => name.startsWith('q_') && answers[name] === 'yes')
      .filter((name) => name !== 'q_restricted_travel_combined' || !isCubaOnly(answers))
      .map((name) => ({ code: 'ineligible', field: name, values: { question: name } })),
  8: (_, __, { hasPhoto }) => (hasPhoto ? [] : [{ code: 'noPhoto', field: 'photo_later' }]),
};

function nameWarnings({ first_name: first = '', last_name: last = '' }: Answers): Finding[] {
  const found: Finding[] = [];
  const length = sentLength(first, last);
  if (length > PRINTED_NAME_PLACES) {
    found.push({ code: 'namesTooLong', field: 'last_name', values: { length: String(length) } });
  }
  const names = [first, last].map(sentName);
  const isOne = names.includes('FNU') || (names.includes('') && names.join('') !== '');
  if (isOne) found.push({ code: 'oneName', field: 'first_name' });
  const [given = '', family = ''] = names;
  const isTwice = family !== '' && given !== family && ` ${given} `.includes(` ${family} `);
  if (isTwice) found.push({ code: 'nameTwice', field: 'first_name' });
  if (NAME_OF_USE.test(last)) found.push({ code: 'nameOfUse', field: 'last_name' });
  return found;
}

/** Before the country of residence is known, only a code of digits can be that of the citizenship's. */
function postalWarnings({ postal_code: code = '', citizenship }: Answers, all: AllAnswers) {
  const country = all[3]?.['address_country'];
  const digits = POSTAL_DIGITS[country ?? citizenship ?? ''];
  const plain = code.replace(/ /g, '');
  const isOfThere = country !== undefined || /^\d+$/.test(plain);
  if (digits === undefined || plain === '' || !isOfThere) return [];
  if (plain.length === digits && /^\d+$/.test(plain)) return [];
  return [{ code: 'postalShape' as const, field: 'postal_code' }];
}

function numberWarnings(answers: Answers): Finding[] {
  const { passport_number: number = '', passport_issuing_country: country = '' } = answers;
  const code = isPassportNumber(number) ? shapeProblem(country, number) : undefined;
  if (code === undefined) return [];
  const suggestion = meantNumber(country, number);
  if (suggestion === undefined) return [{ code, field: 'passport_number' }];
  const values = { typed: normalisePassportNumber(number), suggestion };
  const isAlike = code === 'passportShape';
  return [{ code: isAlike ? 'passportAlike' : code, field: 'passport_number', values }];
}

function validityWarnings(answers: Answers, days: Days, today: string): Finding[] {
  const { passport_issue_date: issue, passport_expiry_date: expiry } = days;
  const found: Finding[] = [];
  if (issue !== undefined && issue <= today) {
    const usual = dayAfter(issue, LONG_VALIDITY);
    if (usual < today) found.push({ code: 'issueOld', field: 'passport_issue_date' });
    if (expiry !== undefined && expiry > usual) {
      found.push({ code: 'expiryLong', field: 'passport_expiry_date' });
    }
  }
  const country = answers.passport_issuing_country ?? '';
  const end = days.departure_date ?? days.arrival_date;
  if (expiry === undefined || end === undefined || SIX_MONTH_CLUB.includes(country)) return found;
  if (expiry < dayAfter(end, AFTER_STAY)) {
    found.push({ code: 'sixMonths', field: 'passport_expiry_date', values: { country } });
  }
  return found;
}

function lineWarnings(answers: Answers, days: Days, { all }: StepInput): Finding[] {
  const problems = lineProblems(answers).flatMap(({ field, problem }): Finding[] => {
    if (problem.code === 'lineLength') return [{ code: 'lineLength', field }];
    if (problem.code === 'printedLine') return [];
    const { field: part = 'composite', suggestion } = problem;
    const meant = suggestion && { ...suggestion, place: String(suggestion.place) };
    return [{ code: 'lineCheckDigit', field, values: { part, ...meant } }];
  });
  const differences = lineDifferences(answers, comparedAnswers(all[1] ?? {}, answers, days));
  return [
    ...problems,
    ...differences.map(({ field, answer, printed, typed, position, kind }) => ({
      code: 'lineDiffers' as const,
      field,
      values: { answer, printed, typed, position: String(position), kind },
    })),
  ];
}

export const printedAnswersOf = (all: AllAnswers): PrintedAnswers =>
  comparedAnswers(all[1] ?? {}, all[2] ?? {}, daysOf(all));

function comparedAnswers(person: Answers, passport: Answers, days: Days): PrintedAnswers {
  const texts = {
    firstName: person.first_name,
    lastName: person.last_name,
    citizenship: person.citizenship,
    number: passport.passport_number,
    issuingCountry: passport.passport_issuing_country,
    birth: days.date_of_birth,
    expiry: days.passport_expiry_date,
  };
  const { gender } = person;
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text)),
    ...((gender === 'male' || gender === 'female') && { sex: gender }),
  };
}

function isCubaOnly(answers: Answers): boolean {
  const rows = rowsOf(answers, 'restricted_trips');
  const isCuba = (prefix: string) => {
    const end = answeredDate(answers, `${prefix}to_date`)?.day;
    return answers[`${prefix}country`] === 'CU' && end !== undefined && end < CUBA_SINCE;
  };
  return rows.length > 0 && rows.every(isCuba);
}

/** Valid for the stay is enough (CBP publication 3514-1223, 2024). It changes: warn only. */
export const SIX_MONTH_CLUB: readonly string[] = [
  ...['AD', 'AT', 'AU', 'BE', 'CH', 'CL', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GB', 'GR'],
  ...['HR', 'HU', 'IE', 'IL', 'IS', 'IT', 'JP', 'KR', 'LI', 'LT', 'LU', 'LV', 'MC', 'MT', 'NL'],
  ...['NO', 'NZ', 'PL', 'PT', 'QA', 'SE', 'SG', 'SI', 'SK', 'SM', 'TW'],
];
