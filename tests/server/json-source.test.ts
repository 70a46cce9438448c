import { describe, expect, it } from 'vitest';

import { JsonSyntaxError, readJson } from '~/validation/json-source.server';
import { suggestion } from '~/domain/closest-word';
import { decisionTables } from '../decision-tables';

const failure = (text: string) => {
  try {
    readJson(text);
  } catch (error) {
    return error instanceof JsonSyntaxError ? [error.line, error.expected] : error;
  }
  return undefined;
};

decisionTables(import.meta.url, {
  'where a text stops being JSON, and what is expected': (text) => {
    const [line, expected] = failure(
      text === '200 lists, a line each' ? '[\n'.repeat(200) : text,
    ) as [number, string];
    return `line ${line}: ${expected}`;
  },
  'whether a text is read or refused, as JSON.parse does': (text) => {
    const problem = failure(text);
    const isRead = problem === undefined;
    const [mine, theirs] = [() => readJson(text).value, () => JSON.parse(text) as unknown];
    if (isRead) expect(mine()).toEqual(theirs());
    else expect(theirs).toThrow();
    return isRead ? 'read' : 'refused';
  },
  'what is suggested for siteName and logo': (word) => suggestion(word, ['siteName', 'logo']),
});

describe('JSON with its lines', () => {
  it('tells on which line a part stands, or what is around it', () => {
    const source = readJson('\uFEFF{\n"a": {\n"b": [\n1,\n{"c": 2}\n]\n}\n}');
    expect([source.lineOf([['a', 'b', 1, 'c']]), source.lineOf([['a', 'b', 0]])]).toEqual([5, 4]);
    expect([source.lineOf([['a', 'x', 'y']]), source.lineOf([['x'], ['a', 'b']])]).toEqual([2, 3]);
    expect(source.lineOf([[]])).toBe(1);
  });

  it('tells which keys are there twice', () =>
    expect(readJson('[{"a":1,"b":{"a":2}},{"a":1,"a":2}]').repeatedKeys).toEqual([[1, 'a']]));
});
