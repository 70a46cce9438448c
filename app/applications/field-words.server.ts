import { unsendableSigns } from '../domain/application/sent-name';
import { type AllAnswers, DATE_PARTS } from '../domain/application/answers';
import { daysOf } from '../domain/application/step-input';
import type { Step } from '../domain/application/steps';
import { LONGEST_STAY } from '../domain/application/validate-step';
import type { Field, StepField } from '../domain/form';
import { bundles, type Resources } from '../i18n/bundles.server';
import { formatDay } from '../i18n/locale.server';
import { type Language, LANGUAGE_ROWS } from '../i18n/languages';
import { COUNTRY_CODES } from '~/domain/application/country-codes';
import { getOrInsert } from '~/domain/get-or-insert';
import { keepOptions } from './option-lists';

interface FieldWords {
  heading?: string;
  label?: string;
  /** Twelve words at most; what needs more stands behind a fold (`more`). */
  hint?: string;
  more?: string;
  example?: string;
  row?: string;
  add?: string;
  another?: string;
  remove?: string;
  fields?: Record<string, FieldWords>;
}

interface ApplicationWords {
  steps: Record<string, { title: string; lead: string }>;
  fields: Record<string, FieldWords>;
  options: Record<string, Record<string, string>>;
  errors: Record<string, string> & { required: Record<string, string | Record<string, string>> };
  warnings: Record<
    string,
    { title: string; text: string; desk?: string; place?: string; keep?: string }
  >;
  parts: Resources['application-fields']['parts'];
}

export const applicationWords = (language: Language): ApplicationWords =>
  bundles[language]['application-fields'] as unknown as ApplicationWords;

export function fieldWords({ name }: { name: string }, language: Language, list?: string) {
  const { fields } = applicationWords(language);
  return (list === undefined ? fields[name] : fields[list]?.fields?.[name]) ?? {};
}

export const stepWords = ({ key }: Pick<Step, 'key'>, language: Language) =>
  applicationWords(language).steps[key] ?? { title: key, lead: '' };

export const fieldId = (name: string): string => name.replace(/[[\].]+/g, '-');

export function firstControlId(field: StepField, name: string): string {
  if (field.type === 'date') return fieldId(`${name}.${DATE_PARTS[0]}`);
  if (field.type === 'yes_no') return fieldId(`${name}.yes`);
  if (field.type === 'radio' && Array.isArray(field.options)) {
    return fieldId(`${name}.${String(field.options[0])}`);
  }
  return fieldId(name);
}

export const PRINTED_NAME = /^passport_(number|line)/;

export const withValues = (sentence: string, values: Readonly<Record<string, string | number>>) =>
  sentence.replace(/\{\{(\w+)(?:, \w+)?\}\}/g, (whole, name: string) =>
    String(values[name] ?? whole),
  );

export function optionLabel(field: Field, value: string, language: Language): string {
  const { options } = applicationWords(language);
  const own = typeof field.options === 'string' ? field.options : field.name;
  const labels = options[field.type === 'yes_no' ? 'yes_no' : own] ?? {};
  // What is kept for later is as it was typed: `constructor` is no option's label.
  if (Object.hasOwn(labels, value)) return labels[value] ?? value;
  if (field.type === 'yes_no') return value;
  return /^[A-Z]{2}$/.test(value) ? countryName(value, language) : value;
}

export function valueText(field: Field, value: string, language: Language): string {
  if (value === '') return value;
  if (value === field.unknown_value) return applicationWords(language).parts.notKnown;
  if (field.type === 'checkbox') return optionLabel({ ...field, type: 'yes_no' }, 'yes', language);
  return isChoice(field) ? optionLabel(field, value, language) : value;
}

export const isChoice = (field: Field): boolean =>
  field.type === 'select_country' || field.type === 'yes_no' || field.options !== undefined;

interface ProblemPlace {
  language: Language;
  list?: string | undefined;
  all: AllAnswers;
  missing?: readonly ('day' | 'month' | 'year')[];
  text?: string | undefined;
}

export function problemText(
  field: StepField,
  problem: string,
  { language, list, all, missing = [], text: typed = '' }: ProblemPlace,
): string {
  const { errors, parts } = applicationWords(language);
  if (problem === 'required') {
    const own = list === undefined ? errors.required[field.name] : errors.required[list];
    return (typeof own === 'object' ? own[field.name] : own) ?? errors['choice'] ?? problem;
  }
  const { arrival_date: arrival, passport_expiry_date: expiry } = daysOf(all);
  const day = problem === 'expiryBeforeArrival' ? arrival : expiry;
  return withValues(errors[problem] ?? problem, {
    limit: (field.type === 'repeat' ? field.max_items : field.max_length) ?? '',
    days: LONGEST_STAY,
    date: day === undefined ? '' : formatDay(day, language),
    signs: unsendableSigns(typed).join(' '),
    missing: missing.map((part) => parts[part]).join(', '),
  });
}

const displayNames = new Map<Language, Intl.DisplayNames>();
/** The names that were asked for: that takes longer than to look one up. Two letters make 676. */
const countryNames = new Map<string, string>();

export const countryName = (code: string, language: Language): string =>
  getOrInsert(countryNames, `${language} ${code}`, () => namesIn(language).of(code) ?? code);

const namesIn = (language: Language) =>
  getOrInsert(displayNames, language, () => {
    const { locale } = LANGUAGE_ROWS[language];
    return new Intl.DisplayNames(locale, { type: 'region' });
  });

const made = new Map<string, readonly string[]>();

export function countryList(
  name: string,
  language: Language,
  codes: readonly string[] = COUNTRY_CODES,
): string {
  return listOf(name, language, codes, () => {
    const { compare } = new Intl.Collator(language);
    return codes
      .map((code): [string, string] => [code, countryName(code, language)])
      .sort(([, a], [, b]) => compare(a, b));
  });
}

export const optionList = (
  name: string,
  language: Language,
  values: readonly string[],
  labelOf: (value: string) => string,
): string => listOf(name, language, values, () => values.map((value) => [value, labelOf(value)]));

type MakeOptions = () => [value: string, label: string][];

function listOf(name: string, language: Language, values: readonly string[], make: MakeOptions) {
  const key = `${name} ${language}`;
  const former = made.get(key);
  const isSame =
    former?.length === values.length && values.every((value, n) => value === former[n]);
  if (!isSame) {
    // An option ends where the next one begins (HTML, optional tags): a fifth less to send.
    const options = make().map(([value, label]) => `<option value="${value}">${escaped(label)}`);
    keepOptions(key, options.join(''));
    made.set(key, values);
  }
  return key;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
