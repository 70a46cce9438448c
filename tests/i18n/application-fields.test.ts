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
  'required tooLong hidden choice email phone name latin passportNumber mismatch usZip postalCode passid pattern year yearRange yearOrder dateDay dateMonth dateYear dateParts dateShort dateReal birthFuture birthTooEarly issueBeforeBirth issueFuture expired expiryBeforeIssue expiryTooLate expiryBeforeArrival arrivalPast arrivalTooLate arrivalAfterExpiry departureBeforeArrival departureWithoutArrival stayTooLong tripBefore tripFuture tripOrder rowsNone rowsTooMany noChip printedLine'.split(
    ' ',
  );

const WARNINGS =
  'namesTooLong oneName nameOfUse postalShape issuingDiffers passportShape passportAlike passportLetterO issueOld expiryLong sixMonths arrivalSoon lineLength lineCheckDigit lineDiffers flaggedCitizenship noChip minor ineligible emailTypo noPhoto'.split(
    ' ',
  );

/** Words that a warning has besides: those of a doubt say what the button does that keeps the answer. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  lineDiffers: ['place', 'truncated'],
  passportAlike: ['keep'],
  passportLetterO: ['keep'],
  emailTypo: ['keep'],
};

/** The specification's messages of the first step, section 5. */
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

/** Labels that are deliberately not the list's, each with its reason. */
const BETTER: Readonly<Record<string, string>> = {
  // The specification's words, which their messages say, before those of the passport.
  'en first_name': 'First names (given names)',
  'en last_name': 'Last name (family name)',
  'en gender': 'Gender (sex shown in the passport)',
  // The list leaves out where: "in transit to another country" alone is true of every stopover.
  'fr is_transit': 'Êtes-vous seulement en transit aux États-Unis, vers un autre pays ?',
  // A "departure" alone is taken for the one from home.
  'en departure_date': 'Leaving the United States',
  'fr departure_date': 'Sortie des États-Unis',
  'de departure_date': 'Ausreise aus den USA',
  // "Wohnen" is where somebody lives; a traveller spends the night there.
  'de us_address_same': 'Übernachten Sie an dieser Adresse?',
  // The list's sentence has "durch" twice.
  'de is_transit': 'Sind Sie in den USA nur auf der Durchreise in ein anderes Land?',
  // Read alone, as in a summary, the list's "er" has no passport to stand for.
  'de passport_is_electronic': 'Trägt Ihr Pass das Chip-Symbol?',
  'en passport_is_electronic': 'Does your passport have the chip symbol?',
  'fr passport_is_electronic': 'Votre passeport porte-t-il le symbole de la puce ?',
  // One word for offences, in three languages.
  'en sensitive_data_consent':
    'I agree that my answers on health and offences are processed for this application only',
  'fr sensitive_data_consent':
    "J'accepte que mes réponses sur la santé et les infractions soient traitées pour cette seule demande",
  'de sensitive_data_consent':
    'Ich willige ein, dass meine Angaben zu Gesundheit und Straftaten nur für diesen Antrag verarbeitet werden',
  // One thing, one word: citizenship, and "Richtigkeit erklären" for certifying.
  'en other_citizenships': 'Other citizenships',
  'en former_citizenships': 'Former citizenships',
  'de review-and-certification': 'Prüfung und Erklärung',
  // As the eligibility check calls them.
  'de eligibility': 'Fragen zu den Voraussetzungen',
  // "In" asks for an article before Iran, Irak, Sudan and Jemen: none is needed in a list.
  'de q_restricted_travel_combined':
    'Waren Sie seit dem 1. März 2011 in einem dieser Länder: Kuba, Iran, Irak, Libyen, Nordkorea, Somalia, Sudan, Syrien oder Jemen?',
  // There is no such thing as a "carte d'identité de voyage".
  'fr other_travel_document':
    "Un autre pays vous a-t-il déjà délivré un passeport ou une carte d'identité pour voyager ?",
  // "Erwerb" alone is official German, and does not say what is asked.
  'de other_citizenships.acquired_by': 'Wie erworben?',
  // The list has both twice in one step: heard alone, nobody knows which city is asked for.
  'en us_address_city': 'City of your stay',
  'en us_address_state': 'State of your stay',
  'fr us_address_city': 'Ville du séjour',
  'fr us_address_state': 'État du séjour',
  'de us_address_city': 'Stadt Ihres Aufenthalts',
  'de us_address_state': 'Bundesstaat Ihres Aufenthalts',
};

const steps = data.steps as unknown as readonly {
  key: string;
  title: Record<Language, string>;
  fields: readonly Field[];
}[];
const listed = steps.flatMap(({ fields }) => fields);

/** All fields with their dotted paths, those of rows behind their list. */
function withPaths(fields: readonly Field[], before = ''): [path: string, field: Field][] {
  return fields.flatMap((field) => [
    [before + field.name, field] as [string, Field],
    ...withPaths(field.fields ?? [], `${before}${field.name}.`),
  ]);
}

/** The text or branch below a dotted path, lists' own fields below `fields` if asked for. */
function at(tree: Tree, path: string, between = ''): string | Tree | undefined {
  return path
    .replaceAll('.', between ? `.${between}.` : '.')
    .split('.')
    .reduce<string | Tree | undefined>(
      (node, part) => (typeof node === 'object' ? node[part] : undefined),
      tree,
    );
}

/** The text in plain typing: straight apostrophes and quotation marks, no invisible signs. */
function plainly(text: string): string {
  return text
    .replace(/’/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/\u2060/g, '');
}

const keysOf = (tree: unknown) => Object.keys(tree as Tree).sort();
const own = (language: Language) =>
  bundles[language]['application-fields'] as unknown as Record<
    'steps' | 'fields' | 'options' | 'errors' | 'warnings' | 'parts',
    Tree
  >;

describe.each(LANGUAGES)('the words of the form in %s', (language) => {
  const words = own(language);
  const all = withPaths([...listed, ...OWN]);

  it('name the eight steps', () => {
    expect(Object.keys(words.steps)).toEqual(steps.map(({ key }) => key));
    for (const { key, title } of steps) {
      const expected = BETTER[`${language} ${key}`] ?? title[language];
      expect(plainly(at(words.steps, `${key}.title`) as string)).toBe(plainly(expected));
      expect(at(words.steps, `${key}.lead`)).toMatch(/\.$/);
    }
  });

  it('label every field as the list does, and explain it', () => {
    for (const [path, { label }] of all) {
      const words_ = at(words.fields, path, 'fields') as Tree | undefined;
      // The eight questions have label and explanation from the database.
      if (path.startsWith('q_') && !label) {
        expect({ path, words: words_ }).toEqual({ path, words: undefined });
        continue;
      }
      expect({ path, hint: typeof words_?.hint }).toEqual({ path, hint: 'string' });
      const expected = BETTER[`${language} ${path}`] ?? label?.[language];
      const actual = plainly(words_?.label as string);
      if (expected) expect(actual).toBe(plainly(expected));
      else expect(actual).toBeTruthy();
    }
  });

  it('say each label once in a step: who hears it alone knows which field it is', () => {
    for (const { fields } of STEPS) {
      const labels = fields.map(({ name }) => at(words.fields, `${name}.label`));
      const said = labels.filter((label) => label !== undefined);
      expect(said.filter((label, index) => said.indexOf(label) !== index)).toEqual([]);
    }
  });

  it('name no field that the form does not have', () => {
    const labelled = all.filter(([path, { label }]) => label ?? !path.startsWith('q_'));
    const rows = ['row', 'add', 'another', 'remove', 'fields'];
    for (const [path, field] of labelled) {
      const { example, ...rest } = at(words.fields, path, 'fields') as Tree;
      const keys = ['label', 'hint', ...(field.fields ? rows : [])].sort();
      expect([path, keysOf(rest)]).toEqual([path, keys]);
      expect(['string', 'undefined']).toContain(typeof example);
      if (field.fields) {
        expect(keysOf(rest.fields)).toEqual(field.fields.map(({ name }) => name).sort());
      }
    }
    expect(keysOf(words.fields)).toEqual(
      labelled.flatMap(([path]) => (path.includes('.') ? [] : [path])).sort(),
    );
  });

  it('leave it to one sentence to say what to write when something is not known', () => {
    for (const [path, { unknown_value: value }] of all) {
      if (value) expect(at(words.fields, `${path}.hint`)).not.toContain(value);
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
    const needed = all
      .filter(([path, { required }]) => required && !lists.has(path))
      .map(([path]) => path);
    const required = words.errors.required as Tree;
    const told = leaves(required);
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
      expect([code, keysOf(words_)]).toEqual([code, keys]);
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

it('the messages of the first step are those of the specification', () => {
  expect(own('en').errors.required).toMatchObject(SPECIFIED);
  expect(own('en').errors.email).toBe('Please enter a valid email address');
});
