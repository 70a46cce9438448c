import { describe, expect, it } from 'vitest';

import { JsonSyntaxError, readJson } from '~/validation/json-source.server';
import { suggestion } from '~/domain/closest-word';

const failure = (text: string) => {
  try {
    readJson(text);
  } catch (error) {
    return error instanceof JsonSyntaxError ? [error.line, error.expected] : error;
  }
  return undefined;
};

describe('JSON with its lines', () => {
  it.each([
    ...['{}', ' [ ] ', '"\\u00e9 \\" \\\\ \\/ é 😀"', '[-0.5e+3, 0, 1E2, true, false, null]'],
    ...['{"a":{"b":[{"c":"d"}]},"e":""}', '\t\r\n1\n', '', '{', '[1,]', '{"a":1,}', '{a:1}'],
    ...["{'a':1}", '{"a" 1}', '[01]', '[1.]', '[+1]', '[.5]', '[NaN]', '"\n"', '"\\x"', '"\\u12"'],
    ...['"open', '[1 2]', '{}{}', '// words\n{}', '\u00a0{}'],
  ])('%j is read or refused as JSON.parse does', (text) => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      expect(failure(text)).toEqual([expect.any(Number), expect.any(String)]);
      return;
    }
    expect(readJson(text).value).toEqual(value);
  });

  it.each<[string, number, string]>([
    ['{\n  "a": 1\n  "b": 2\n}', 3, 'a comma or }'],
    ['[\n1\n2]', 3, 'a comma or ]'],
    ['{\n\n"a": }', 3, 'a value, such as "text", 1, true, null, […] or {…}'],
    ['{"a": 1}\n\n}', 3, 'the end of the file'],
    [`${'[\n'.repeat(200)}`, 102, 'at most 100 levels'],
  ])('%j fails on line %i, where %s is expected', (text, ...expected) =>
    expect(failure(text)).toEqual(expected),
  );

  it('tells on which line a part stands, or what is around it', () => {
    const source = readJson('\uFEFF{\n"a": {\n"b": [\n1,\n{"c": 2}\n]\n}\n}');
    expect(source.lineOf([['a', 'b', 1, 'c']])).toBe(5);
    expect(source.lineOf([['a', 'b', 0]])).toBe(4);
    expect(source.lineOf([['a', 'x', 'y']])).toBe(2);
    expect(source.lineOf([['x'], ['a', 'b']])).toBe(3);
    expect(source.lineOf([[]])).toBe(1);
  });

  it('tells which keys are there twice', () =>
    expect(readJson('[{"a":1,"b":{"a":2}},{"a":1,"a":2}]').repeatedKeys).toEqual([[1, 'a']]));
});

it.each([
  ['sitename', 'did you mean siteName?'],
  ['siteNmae', 'did you mean siteName?'],
  ['log', 'did you mean logo?'],
  ['name', 'there is siteName, logo.'],
])('in place of an unknown word %s: %s', (word, expected) =>
  expect(suggestion(word, ['siteName', 'logo'])).toBe(expected),
);
