import { describe, expect, it } from 'vitest';

import {
  fillPlaceholders,
  quotedFacts,
  stepNumber,
  stepState,
  unknownPlaceholders,
} from '~/domain/guide';

it('an address asks for one of the steps, else for the first, and those before it are completed', () => {
  const others = ['7', '0', '-2', '2.5', 'two', '', '99999999999', null];
  expect(['1', '6'].map((asked) => stepNumber(asked, 6))).toEqual([1, 6]);
  for (const asked of others) expect([asked, stepNumber(asked, 6)]).toEqual([asked, 1]);
  const states = [1, 2, 3, 4].map((step) => stepState(step, 3));
  expect(states).toEqual(['completed', 'completed', 'current', 'open']);
});

describe('placeholders', () => {
  it('are filled; what has no value shows as missing', () => {
    const values = { fee_total: '40,27 $' };
    expect(fillPlaceholders('{fee_total}, {fee_denied}, {', values)).toBe('40,27 $, …, {');
  });

  it('that nothing stands for are named', () => {
    const unknown = unknownPlaceholders('{fee_total} {price} {constructor}');
    expect(unknown).toEqual(['price', 'constructor']);
  });

  it('tell which facts a text quotes, each once, and not those of which it gives the date', () => {
    const texts = ['{fee_denied} of {fee_total}', '{fee_total} as of {social_as_of}', '{other}'];
    expect(quotedFacts(texts)).toEqual(['esta_fee_if_refused', 'esta_fee_total']);
  });
});
