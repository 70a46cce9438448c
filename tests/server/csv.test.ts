import { expect, it } from 'vitest';

import { type Cell, CSV_BEGIN, csvLine } from '~/http/csv.server';
import { decisionTables } from '../decision-tables';

const lineOf = (cells: readonly Cell[], separator: 'comma' | 'semicolon') => {
  const line = csvLine(cells, separator);
  expect(line.endsWith('\r\n')).toBe(true);
  return line.slice(0, -2);
};

decisionTables(import.meta.url, {
  'a cell that could be a formula': (text) => lineOf([text], 'comma'),
  'a line, with commas and with semicolons': (json) => {
    const cells = JSON.parse(json) as Cell[];
    return `${lineOf(cells, 'comma')} / ${lineOf(cells, 'semicolon')}`;
  },
});

it('Excel is told of UTF-8 where it is asked for', () =>
  expect(CSV_BEGIN).toEqual({ comma: '', semicolon: '\ufeff' }));
