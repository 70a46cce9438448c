import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { rowName } from '~/domain/application/answers';
import { isOptional, isShown } from '~/domain/application/step-input';
import { type StepField, type StepNumber, STEPS } from '~/domain/application/steps';
import { type StepInput, validateStep } from '~/domain/application/validate-step';
import { ORDER_FORM } from '~/domain/order/choice';

import { decisionTables } from '../decision-tables';
import {
  changesIn,
  contextOf,
  errorsOf,
  FULL,
  LISTS,
  stepOf,
  typed,
  verdict,
} from './application/full';

interface Listed {
  name: string;
  type: string;
  rule?: string;
  options?: string | string[];
  normalise?: string[];
  fields?: Listed[];
}

const list = JSON.parse(
  readFileSync(new URL('application-fields.json', import.meta.url), 'utf8'),
) as {
  rules: Record<string, { pattern?: string; accept?: string }>;
  steps: { step: StepNumber; key: string; fields: Listed[] }[];
};

/** Fields that are ours, each behind the field after which it reads best. */
const OURS: Readonly<Record<string, string>> = {
  passport_line_1: 'passport_is_electronic',
  passport_line_2: 'passport_line_1',
  photo_later: 'third_party_authorisation',
  completed_by: 'photo_later',
  completed_by_name: 'completed_by',
  completed_by_relation: 'completed_by_name',
};

/** Words and remarks for maintainers; whose answers to questions are whose is told by their names. */
const WORDS = ['label', 'label_from', 'hint', 'note', 'confidence', 'official_question'];

const OTHERWISE: Readonly<Record<string, object>> = {
  // Nothing is chosen in advance, and the specification calls other names optional.
  phone_type: { type: 'select' },
  has_other_names: { required: false, default: 'no' },
  // Not asked by the official form, or optional there: optional here (docs/decisions/0035).
  social_media_choice: { required: false },
  us_address_same: { required: false },
  // « Je ne sais pas » has its button here, too.
  city_of_birth: { unknown_value: 'UNKNOWN' },
  number: { unknown_value: 'UNKNOWN' },
  // Who gives none sends what stands for an unknown one.
  us_contact_phone: { required: false, default: '0000000000' },
  emergency_email: { required: false, default: 'UNKNOWN' },
  // Of those alone whose passport may have none.
  passport_is_electronic: { required: 'conditional', show_if: { derived: 'short validity' } },
  // Shown to those alone whose country has one.
  national_id_number: { show_if: { derived: 'national number' } },
  // Transit is asked once, by the field before it.
  travel_purpose: {
    required: false,
    show_if: { field: 'is_transit', equals: 'no' },
    options: ['tourism', 'business', 'family_visit', 'medical', 'other'],
  },
  // Bounds that the list leaves to us: years of a citizenship in the past.
  from_year: { min: 'year of birth', max: 'this year' },
  to_year: { min: 'from_year', max: 'this year' },
};

function expected(listed: Listed): object {
  const { normalise, options, rule, fields, ...rest } = listed;
  const kept = Object.entries(rest).filter(([key, is]) => !WORDS.includes(key) && is !== null);
  // Every line of text is trimmed and its spaces collapsed.
  if (normalise) expect([listed.type, normalise]).toEqual(['text', ['trim', 'collapse_spaces']]);
  return {
    ...Object.fromEntries(kept),
    ...(rule !== undefined && rule !== 'country' && { rule: rule.replace(' (one per line)', '') }),
    ...(options === '42 programme countries' && { options: 'programme_countries' }),
    ...(options !== undefined && !String(options).includes('countries') && { options }),
    ...(listed.type === 'number' && { inputmode: 'numeric' }),
    ...(fields && { fields: fields.map(expected) }),
    ...OTHERWISE[listed.name],
  };
}

describe('the steps', () => {
  it('are those of the owner’s list, in its order', () =>
    expect(STEPS).toMatchObject(list.steps.map(({ step: number, key }) => ({ number, key }))));

  it.each(list.steps)('ask what step $step of the list asks, and ours', ({ step, fields }) => {
    const own = STEPS[step - 1]!.fields;
    expect(own.filter(({ name }) => !(name in OURS))).toEqual(fields.map(expected));
  });

  it('ask somebody with work and a hotel for sixty answers at most, with the order', () => {
    const answers =
      'has_other_names=no, passport_is_electronic=, other_travel_document=no, has_other_citizenship=no, had_other_citizenship=no, is_trusted_traveller=no, social_media_choice=no_accounts, us_address_same=, q_restricted_travel_combined=no, completed_by=self';
    const context = contextOf(changesIn(answers));
    const asked = STEPS.flatMap(({ number, fields }) =>
      fields.filter((one) => isShown(one, context.all[number] ?? {}, context)),
    ).filter((one) => !isOptional(one, context));
    expect(asked.length + ORDER_FORM.length).toBeLessThanOrEqual(60);
  });

  it('ask what is ours where it reads best', () => {
    const after = STEPS.flatMap(({ fields }) =>
      fields.map(({ name }, index) => [name, fields[index - 1]?.name]),
    );
    expect(after.filter(([name = '']) => name in OURS)).toEqual(Object.entries(OURS));
  });
});

interface Place {
  title: string;
  number: StepNumber;
  field: StepField;
  list?: string;
  name: string;
}

const PLACES: Place[] = STEPS.flatMap(({ number, fields }) =>
  fields.flatMap((field) => {
    const outer = { title: `${number} ${field.name}`, number, field, name: field.name };
    if (field.type !== 'repeat') return [outer];
    const inner = field.fields.map((one) => ({
      title: `${number} ${field.name} ${one.name}`,
      number,
      field: one,
      list: field.name,
      name: rowName(field.name, 0, one.name),
    }));
    return [outer, ...inner];
  }),
);

/** What makes a field appear: answers of its step, or what is derived from others. */
function showing({ number, field, list: rows }: Omit<Place, 'title' | 'name'>): {
  answers: object;
  more: Partial<StepInput>;
} {
  const condition = field.show_if;
  if (!condition) return { answers: {}, more: {} };
  // Eighteen on the day after; a photo is none here.
  if ('derived' in condition) {
    const answers =
      condition.derived === 'short validity' ? typed('passport_expiry_date', '2027-03-01') : {};
    return { answers, more: condition.derived === 'age < 18' ? { today: '2008-05-03' } : {} };
  }
  const asked = STEPS[number - 1]!.fields.find(({ name }) => name === condition.field);
  const outer = asked ? showing({ number, field: asked }).answers : {};
  const name = rows === undefined ? condition.field : rowName(rows, 0, condition.field);
  return { answers: { ...outer, [name]: condition.equals }, more: {} };
}

function errorOf(place: Place, answers: object): string | undefined {
  const { answers: shown, more } = showing(place);
  // Of a country that has a national number.
  const changes = { 1: { citizenship: 'NL' }, [place.number]: { ...shown, ...answers } };
  return verdict(place.number, changes, more).errors[place.name];
}

describe('an answer', () => {
  const single = PLACES.filter(({ field }) => field.type !== 'repeat');

  it.each(single)('is needed if the list says so, and blanks are none: $title', (place) => {
    const names = Object.keys(FULL[place.number]).filter(
      (name) => name === place.name || name.startsWith(`${place.name}.`),
    );
    const expected = place.field.required === false ? undefined : 'required';
    for (const blank of ['', ' \u00a0 ']) {
      expect(errorOf(place, Object.fromEntries(names.map((name) => [name, blank])))).toBe(expected);
    }
  });

  const limited = PLACES.filter(({ field }) => field.max_length !== undefined);
  it.each(limited)('has its length and no letter more: $title', (place) => {
    const most = place.field.max_length ?? 0;
    expect(errorOf(place, { [place.name]: '𝔸'.repeat(most) })).not.toBe('tooLong');
    expect(errorOf(place, { [place.name]: '𝔸'.repeat(most + 1) })).toBe('tooLong');
  });

  const chosen = PLACES.flatMap((place) => {
    const { field } = place;
    if (field.type === 'yes_no') return [{ ...place, choices: ['yes', 'no'] }];
    const country = field.type === 'select_country' ? 'countries' : undefined;
    const options = 'options' in field && field.options ? field.options : country;
    if (!options) return [];
    const choices = typeof options === 'string' ? LISTS[options as keyof typeof LISTS] : options;
    return [{ ...place, choices }];
  });
  it.each(chosen)('is one of its choices: $title', (place) => {
    for (const choice of place.choices)
      expect([choice, errorOf(place, { [place.name]: choice })]).toEqual([choice, undefined]);
    const [first = ''] = place.choices;
    for (const other of ['XX', 'maybe', 'constructor', `${first}, ${first}`])
      expect([other, errorOf(place, { [place.name]: other })]).toEqual([other, 'choice']);
  });

  const unknown = PLACES.filter(({ field }) => field.unknown_value !== undefined);
  it.each(unknown)('may be that it is not known: $title', ({ field, number, name }) => {
    const value = field.unknown_value ?? '';
    for (const text of [value, ` ${value.toLowerCase()} `]) {
      const { kept, errors } = verdict(number, { [number]: { [name]: text } });
      expect([kept[name], errors[name]]).toEqual([value, undefined]);
    }
  });

  const ticked = PLACES.filter(({ field }) => field.type === 'checkbox');
  it.each(ticked)('must be a tick: $title', (place) => {
    expect(place.field.must_be_true).toBe(true);
    expect(errorOf(place, { [place.name]: 'no' })).toBe('required');
  });

  const conditional = PLACES.filter(({ field }) => field.show_if);
  it.each(conditional)('that is hidden is neither checked nor kept: $title', (place) => {
    const { show_if: condition } = place.field;
    const changes =
      condition && 'field' in condition
        ? { [place.list ? rowName(place.list, 0, condition.field) : condition.field]: '' }
        : {};
    const wrong = { ...changes, [place.name]: '<\u0007>' };
    const { errors, kept } = verdict(place.number, { [place.number]: wrong }, { hasPhoto: true });
    expect(errors[place.name]).toBeUndefined();
    expect(Object.keys(kept).filter((name) => name.startsWith(place.name))).toEqual([]);
  });

  const texts = PLACES.filter(({ field }) => ['text', 'tel', 'email'].includes(field.type));
  it.each(texts)('has no control characters: $title', (place) => {
    expect(errorOf(place, { [place.name]: 'A\u0007B' })).toBe('hidden');
    expect(errorOf(place, { [place.name]: 'A\u202eB' })).toBe('hidden');
  });

  const lists = PLACES.filter(({ field }) => field.type === 'repeat');
  it.each(lists)('of rows has one at least, and no more than it may: $title', (place) => {
    const { number, field, name: list } = place;
    const answers = Object.entries(FULL[number]);
    const isOfRow = ([name]: [string, string]) => name.startsWith(`${list}[0]`);
    const validate = (count: number) => {
      const rows = Array.from({ length: count }, (_, index) =>
        answers
          .filter(isOfRow)
          .map(([name, text]) => [name.replace('[0]', `[${index}]`), text] as const),
      );
      const others = answers.filter((answer) => !isOfRow(answer));
      const typed = Object.fromEntries([...others, ...rows.flat()]);
      return validateStep(STEPS[number - 1]!, typed, contextOf()).errors;
    };
    const most = 'max_items' in field ? field.max_items : 0;
    expect([0, 1, most, most + 1].map(validate)).toEqual([
      { [list]: 'rowsNone' },
      {},
      {},
      { [list]: 'rowsTooMany' },
    ]);
  });
});

decisionTables(import.meta.url, {
  // What the form takes of texts on both sides of a pattern, as the pattern itself does.
  'texts that a rule of the list takes in a field; the others have a problem': (
    rule,
    name,
    problem,
    joined,
  ) => {
    const { pattern, accept = '' } = list.rules[rule]!;
    const isRight = new RegExp(pattern ?? accept.replace(' (unicode flag)', ''), 'u');
    const taken = joined.split('/').filter((text) => {
      const more = name === 'passport_number' ? { passport_number_confirm: text } : {};
      const found = errorsOf(stepOf(name), { [name]: text, ...more })[name];
      const normal = rule === 'passport_number' ? text.toUpperCase() : text;
      expect([text, found]).toEqual([text, isRight.test(normal) ? undefined : problem]);
      return found === undefined;
    });
    return taken.join('/');
  },
});
