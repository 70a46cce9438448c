import { describe, expect, it } from 'vitest';

import {
  fillPlaceholders,
  quotedFacts,
  stepNumber,
  stepState,
  unknownPlaceholders,
} from '~/domain/guide';

describe('the step that an address asks for', () => {
  it.each([
    [null, 1],
    ['1', 1],
    ['6', 6],
    ['7', 1],
    ['0', 1],
    ['-2', 1],
    ['2.5', 1],
    ['two', 1],
    ['', 1],
    ['99999999999', 1],
  ])('%j is step %i of six', (asked, number) => {
    expect(stepNumber(asked, 6)).toBe(number);
  });
});

it('steps before the current one are completed', () => {
  expect([1, 2, 3, 4].map((step) => stepState(step, 3))).toEqual([
    'completed',
    'completed',
    'current',
    'open',
  ]);
});

describe('placeholders', () => {
  it('are filled; what has no value shows as missing', () => {
    const values = { fee_total: '40,27 $' };
    expect(fillPlaceholders('{fee_total}, {fee_denied}, {', values)).toBe('40,27 $, …, {');
  });

  it('that nothing stands for are named', () => {
    expect(unknownPlaceholders('{fee_total} {price} {constructor}')).toEqual([
      'price',
      'constructor',
    ]);
  });

  it('tell which facts a text quotes, each once, and not those of which it gives the date', () => {
    const texts = ['{fee_denied} of {fee_total}', '{fee_total} as of {social_as_of}', '{other}'];
    expect(quotedFacts(texts)).toEqual(['esta_fee_if_refused', 'esta_fee_total']);
  });
});
