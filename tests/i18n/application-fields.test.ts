import { describe, expect, it } from 'vitest';

import { STEPS } from '~/domain/application/steps';
import { bundles } from '~/i18n/bundles.server';
import { type Language, LANGUAGES } from '~/i18n/languages';

import data from '../domain/application-fields.json';
import { leaves, type Tree } from './leaves';

interface Field {
  readonly name: string;
  readonly type: string;
  readonly label?: Readonly<Record<Language, string>>;
  readonly required: boolean | 'conditional';
  readonly options?: string | readonly string[];
  readonly unknown_value?: string;
  readonly fields?: readonly Field[];
}

const LISTED = new Set(data.steps.flatMap(({ fields }) => fields.map(({ name }) => name)));
/** Fields of the form that the list does not have. */
const OWN: readonly Field[] = STEPS.flatMap(({ fields }): readonly Field[] => fields).filter(
  ({ name }) => !LISTED.has(name),
);

/** The problem codes of the form; `required` has a message for each field. */
const PROBLEMS =
  'required tooLong hidden choice email phone name latin passportNumber mismatch usZip postalCode passid pattern year yearRange yearOrder dateDay dateMonth dateYear dateParts dateShort dateReal birthFuture birthTooEarly issueBeforeBirth issueFuture expired expiryBeforeIssue expiryTooLate expiryBeforeArrival arrivalPast arrivalTooLate arrivalAfterExpiry departureBeforeArrival departureWithoutArrival stayTooLong tripBefore tripFuture tripOrder rowsNone rowsTooMany noChip printedLine fullName'.split(
    ' ',
  );

const WARNINGS =
  'namesTooLong oneName nameOfUse nameTwice postalShape issuingDiffers passportShape passportAlike passportLetterO issueOld expiryLong sixMonths arrivalSoon transitStay lineLength lineCheckDigit lineDiffers flaggedCitizenship noChip minor ineligible emailTypo noPhoto'.split(
    ' ',
  );

/** Words that a warning has besides: those of a doubt say what the button does that keeps the answer. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  lineDiffers: ['place', 'truncated'],
  passportAlike: ['keep'],
  passportLetterO: ['keep'],
  emailTypo: ['keep'],
};

const SPECIFIED = {
  email: 'Email address is required',
  phone: 'Phone number is required',
  citizenship: 'Citizenship is required',
  first_name: 'First name is required',
  last_name: 'Last name is required',
  gender: 'Gender is required',
  date_of_birth: 'Date of birth is required',
  city_of_birth: 'City of birth is required',
  country_of_birth: 'Country of birth is required',
  postal_code: 'Postal code is required',
};

/** What is deliberately not called as in the list, by language; its words stand in the locales alone. */
const BETTER: Readonly<Record<Language, string>> = {
  // The specification's words before those of the passport; one word for offences and for citizenship;
  // "leaving", "of your stay" and "your passport", since each label is heard alone; UNKNOWN has its button.
  en: 'first_name last_name gender departure_date passport_is_electronic sensitive_data_consent other_citizenships former_citizenships us_address_city us_address_state other_documents.number',
  // Where the transit is; there is no such thing as a "carte d'identité de voyage".
  fr: 'is_transit departure_date passport_is_electronic sensitive_data_consent other_travel_document us_address_city us_address_state other_documents.number',
  // "Wohnen", "durch" twice, a bare "Erwerb", and "in" before Iran and Sudan read badly.
  de: 'departure_date us_address_same is_transit passport_is_electronic sensitive_data_consent review-and-certification eligibility q_restricted_travel_combined other_citizenships.acquired_by us_address_city us_address_state other_documents.number',
};

const steps = data.steps as unknown as readonly {
  key: string;
  title: Record<Language, string>;
  fields: readonly Field[];
}[];
const listed = steps.flatMap(({ fields }) => fields);

const withPaths = (fields: readonly Field[], before = ''): [path: string, field: Field][] =>
  fields.flatMap((field) => [
    [before + field.name, field] as [string, Field],
    ...withPaths(field.fields ?? [], `${before}${field.name}.`),
  ]);

const at = (tree: Tree, path: string, between = ''): string | Tree | undefined =>
  path
    .replaceAll('.', between ? `.${between}.` : '.')
    .split('.')
    .reduce<string | Tree | undefined>(
      (node, part) => (typeof node === 'object' ? node[part] : undefined),
      tree,
    );

/** The text in plain typing: straight apostrophes and quotation marks, no invisible signs. */
const plainly = (text: string) =>
  text
    .replace(/’/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/\u2060/g, '');

const keysOf = (tree: unknown) => Object.keys(tree as Tree).sort();
const own = (language: Language) =>
  bundles[language]['application-fields'] as unknown as Record<
    'steps' | 'fields' | 'options' | 'errors' | 'warnings' | 'parts',
    Tree
  >;

describe.each(LANGUAGES)('the words of the form in %s', (language) => {
  const words = own(language);
  const better = BETTER[language].split(' ');
  const all = withPaths([...listed, ...OWN]);

  const isAsListed = (name: string, text: unknown, listed?: Readonly<Record<Language, string>>) => {
    expect([name, text]).toEqual([name, expect.stringMatching(/./)]);
    if (!listed) return;
    const isSame = plainly(String(text)) === plainly(listed[language]);
    expect([name, isSame]).toEqual([name, !better.includes(name)]);
  };

  it('name the eight steps, and label every field as the list does and explain it in twelve words, and nothing else', () => {
    expect(Object.keys(words.steps)).toEqual(steps.map(({ key }) => key));
    for (const { key, title } of steps) {
      isAsListed(key, at(words.steps, `${key}.title`), title);
      expect(at(words.steps, `${key}.lead`)).toMatch(/\.$/);
    }
    // The eight questions have label and explanation from the database.
    const labelled = all.filter(([path, { label }]) => label ?? !path.startsWith('q_'));
    const rows = ['row', 'add', 'another', 'remove', 'fields'];
    for (const [path, field] of labelled) {
      const {
        heading,
        example,
        hint = '',
        more,
        ...rest
      } = at(words.fields, path, 'fields') as Tree;
      const keys = ['label', ...(field.fields ? rows : [])].sort();
      expect([path, keysOf(rest)]).toEqual([path, keys]);
      expect(['string', 'undefined']).toEqual(
        expect.arrayContaining([heading, example, more].map((one) => typeof one)),
      );
      const said = JSON.stringify(hint).match(/[\p{L}\d][^\s]*/gu) ?? [];
      if (!/^(sensitive|completed)_/.test(path) && field.type !== 'checkbox')
        expect([path, said.length > 12]).toEqual([path, false]);
      isAsListed(path, rest.label, field.label);
      if (field.fields) {
        expect(keysOf(rest.fields)).toEqual(field.fields.map(({ name }) => name).sort());
      }
    }
    const own = labelled.flatMap(([path]) => (path.includes('.') ? [] : [path]));
    expect(keysOf(words.fields)).toEqual(own.sort());
  });

  it('say each label once in a step: who hears it alone knows which field it is', () => {
    for (const { fields } of STEPS) {
      const labels = fields.flatMap(({ name }) => at(words.fields, `${name}.label`) ?? []);
      expect([...new Set(labels)]).toEqual(labels);
    }
  });

  it('leave it to one sentence to say what to write when something is not known', () => {
    for (const [path, { unknown_value: value }] of all) {
      if (value) expect(at(words.fields, `${path}.hint`) ?? '').not.toContain(value);
    }
    expect(words.parts.unknown).toContain('{{value}}');
  });

  it('name every option', () => {
    const { us_states } = data.lists;
    const expected: Record<string, readonly string[]> = { yes_no: ['yes', 'no'], us_states };
    // Countries have their names from the platform; other lists in words are named above.
    for (const [, { name, options }] of all) {
      if (typeof options === 'object' && !options.every((option) => /^[A-Z]{2}$/.test(option))) {
        expected[name] = options;
      }
    }
    expect(keysOf(words.options)).toEqual(keysOf(expected));
    for (const [name, options] of Object.entries(expected)) {
      expect([name, keysOf(words.options[name])]).toEqual([name, [...options].sort()]);
      const labels = Object.values(words.options[name] as Tree);
      expect(new Set(labels).size).toBe(labels.length);
    }
  });

  it('have a message for every field that can be required, and for no other', () => {
    const lists = new Set(listed.filter(({ fields }) => fields).map(({ name }) => name));
    const needed = all.flatMap(([path, one]) => (one.required && !lists.has(path) ? [path] : []));
    const told = leaves(words.errors.required as Tree);
    expect(told.map(([path]) => path).sort()).toEqual(needed.sort());
    // Half of them are the specification's, which have no full stop.
    expect(told.filter(([, text]) => text.endsWith('.'))).toEqual([]);
  });

  it('say in the messages of the first step what its labels say', () => {
    const sentence = /^(?:L[ea] |L’|D(?:er|ie|as) )?(.+) (?:is|est|ist) [a-z]+$/;
    for (const name of Object.keys(SPECIFIED)) {
      const { [name]: message = '' } = words.errors.required as Record<string, string>;
      const said = sentence.exec(message)?.[1];
      const label = at(words.fields, `${name}.label`) as string;
      expect(label.toLowerCase()).toContain(said?.toLowerCase());
    }
  });

  it('have a message for every problem, a title and a text for every warning', () => {
    expect(keysOf(words.errors)).toEqual(PROBLEMS.sort());
    expect(keysOf(words.warnings)).toEqual([...WARNINGS].sort());
    for (const [code, words_] of Object.entries(words.warnings)) {
      // Also where the two differ, and what it says of a name that has no room in the passport.
      const keys = [...(MORE[code] ?? []), 'text', 'title'].sort();
      const own = keysOf(words_).filter((key) => key !== 'desk');
      expect([code, own]).toEqual([code, keys]);
    }
  });

  it('use only variables that the form fills in', () => {
    const used = leaves(words).flatMap(([, text]) =>
      [...text.matchAll(/\{\{(\w+)[^}]*\}\}/g)].map(([, name]) => name),
    );
    const given =
      'answer date days example limit missing number position printed signs suggestion typed value';
    expect([...new Set(used)].sort().join(' ')).toBe(given);
  });
});

it('the messages of the first step are those of the specification', () =>
  expect(own('en').errors).toMatchObject({
    required: SPECIFIED,
    email: 'Please enter a valid email address',
  }));
