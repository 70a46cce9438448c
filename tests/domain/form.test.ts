import { describe, expect, it } from 'vitest';

import { choicesOf, type Field } from '~/domain/form';
import { formSchema } from '~/domain/form-schema';

/** What a field makes of a text: the value that is kept, or the problem. */
function judge(field: Field, text: string | undefined) {
  const lists = { countries: ['FR', 'DE'] };
  const rules = { even: (value: string) => (Number(value) % 2 ? 'odd' : undefined) };
  const schema = formSchema([field], { lists, rules });
  const { data, error } = schema.safeParse({ [field.name]: text });
  return data ? { value: data[field.name] } : { problem: error?.issues[0]?.message };
}

const text: Field = { name: 'a', type: 'text', required: true, max_length: 3 };
const note: Field = { name: 'a', type: 'textarea', required: false };
const choice: Field = {
  name: 'a',
  type: 'select',
  required: false,
  options: ['x', 'y'],
};
const country: Field = { name: 'a', type: 'select_country', required: true };
const answer: Field = { name: 'a', type: 'yes_no', required: true };

describe('a field', () => {
  it.each<[string, Field, string | undefined, object]>([
    ['keeps its text', text, 'abc', { value: 'abc' }],
    ['without the space around it', text, ' abc\t', { value: 'abc' }],
    ['with composed letters', text, 'e\u0301', { value: 'é' }],
    ['counts letters, not code units', text, '𝔸𝔸𝔸', { value: '𝔸𝔸𝔸' }],
    ['is too long', text, 'abcd', { problem: 'tooLong' }],
    ['is missing when it is required', text, undefined, { problem: 'required' }],
    ['is missing when it is blank', text, ' \u00a0 ', { problem: 'required' }],
    ['has no line break', text, 'a\nb', { problem: 'hidden' }],
    ['may be left out', note, '', { value: undefined }],
    ['of several lines has one kind of break', note, 'a\r\nb\rc', { value: 'a\nb\nc' }],
    ['has no turn of direction', text, 'a\u202eb', { problem: 'hidden' }],
    ['of several lines loses them', note, 'a\u202eb\n\u2066c\u2069', { value: 'ab\nc' }],
    ['of nothing but them is empty', note, ' \u202a\u202c ', { value: undefined }],
    ['keeps the marks of right-to-left scripts', note, 'א\u200f!', { value: 'א\u200f!' }],
    ['is one of its choices', choice, 'y', { value: 'y' }],
    ['is none but its choices', choice, 'z', { problem: 'choice' }],
    ['need not be chosen', choice, '', { value: undefined }],
    ['is of a list that the caller has', country, 'DE', { value: 'DE' }],
    ['is of no other list', country, 'XX', { problem: 'choice' }],
    ['is a yes or a no', answer, 'no', { value: 'no' }],
    ['is nothing else', answer, 'maybe', { problem: 'choice' }],
    ['has no answer', answer, undefined, { problem: 'required' }],
    ['keeps a rule of the caller', { ...text, rule: 'even' }, '42', { value: '42' }],
    ['breaks a rule of the caller', { ...text, rule: 'even' }, '41', { problem: 'odd' }],
  ])('%s', (_, field, sent, expected) => {
    expect(judge(field, sent)).toEqual(expected);
  });

  it('brings accents into their order, but not thousands of them, which takes seconds', () => {
    const accents = (count: number) => `a${'\u0301\u0316'.repeat(count)}`;
    expect(judge(note, accents(10))).toEqual({ value: accents(10).normalize('NFC') });
    expect(judge(note, accents(20))).toEqual({ value: accents(20) });
  });

  it('whose rule or list is not there is a mistake of the program', () => {
    expect(() => formSchema([{ ...text, rule: 'magic' }])).toThrow(
      'a: there is no rule called magic',
    );
    expect(() => formSchema([country])).toThrow('a: there is no list called countries');
  });

  it('tells its choices', () => {
    expect(choicesOf(choice)).toEqual(['x', 'y']);
    expect(choicesOf(text)).toBeUndefined();
  });
});
