import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { choicesOf, type Field, type Form } from '~/domain/form';
import { formSchema } from '~/domain/form-schema';
import { decisionTables } from '../decision-tables';

function validate(field: Field, text: string | undefined) {
  const lists = { countries: ['FR', 'DE'] };
  const rules = { even: (value: string) => (Number(value) % 2 ? 'odd' : undefined) };
  const { data, error } = formSchema([field], { lists, rules }).safeParse({ [field.name]: text });
  return data
    ? { value: data[field.name], problem: undefined }
    : { value: undefined, problem: error?.issues[0]?.message };
}

const text: Field = { name: 'a', type: 'text', required: true, max_length: 3 };
const note: Field = { name: 'a', type: 'textarea', required: false };
const choice: Field = { name: 'a', type: 'select', required: false, options: ['x', 'y'] };
const country: Field = { name: 'a', type: 'select_country', required: true };
const answer: Field = { name: 'a', type: 'yes_no', required: true };

const rules = import.meta.glob<Record<string, unknown>>(
  ['../../app/domain/*.ts', '../../app/domain/{order,application}/*.ts'],
  { eager: true },
);
const FORMS = new Map(
  Object.values(rules)
    .flatMap((names) => Object.entries(names))
    .filter((named): named is [string, Form] => named[0].endsWith('_FORM')),
);
const FIELDS: Record<string, Field> = {
  ...{ text, note, choice, country, answer },
  even: { ...text, rule: 'even' },
};

decisionTables(import.meta.url, {
  'a field': (_, kind, sent) => {
    const { value, problem } = validate(FIELDS[kind]!, sent);
    return problem === undefined ? `taken as ${String(value ?? 'nothing')}` : `problem ${problem}`;
  },
  'characters that a form takes at most': (name) =>
    FORMS.get(name)
      ?.flatMap((one) => ('max_length' in one ? `${one.name} ${one.max_length}` : []))
      .join(' ') || undefined,
});

it('the characters of each form are told', () => {
  const table = readFileSync(new URL('form.txt', import.meta.url), 'utf8');
  expect([...table.matchAll(/\w+_FORM/g)].map(String)).toEqual([...FORMS.keys()].sort());
});

describe('a field', () => {
  it('brings accents into their order, but not thousands of them, which takes seconds', () => {
    const accents = (count: number) => `a${'\u0301\u0316'.repeat(count)}`;
    expect(validate(note, accents(10))).toEqual({ value: accents(10).normalize('NFC') });
    expect(validate(note, accents(20))).toEqual({ value: accents(20) });
  });

  it('whose rule or list is not there is a mistake of the program', () => {
    const magic = { ...text, rule: 'magic' };
    expect(() => formSchema([magic])).toThrow('a: there is no rule called magic');
    expect(() => formSchema([country])).toThrow('a: there is no list called countries');
  });

  it('tells its choices', () => {
    expect([choicesOf(choice), choicesOf(text)]).toEqual([['x', 'y'], undefined]);
  });
});
