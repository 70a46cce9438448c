import { describe, expect, it } from 'vitest';

import { type Cell, CSV_BEGIN, csvLine } from '~/orders/books.server';
import { decisionTables } from '../decision-tables';

describe('a line of a file', () => {
  it.each<[Cell[], string, string]>([
    [['a', 'b'], 'a,b', 'a;b'],
    [[{ decimal: '39.95' }, null, ''], '39.95,,', '39,95;;'],
    [[{ decimal: '-39.95' }], '-39.95', '-39,95'],
    [['a,b', 'c;d'], '"a,b","c;d"', '"a,b";"c;d"'],
    [['say "hello"'], '"say ""hello"""', '"say ""hello"""'],
    [['two\nlines', 'two\r\nlines'], '"two\nlines","two\r\nlines"', '"two\nlines";"two\r\nlines"'],
    [[' before', 'after '], '" before","after "', '" before";"after "'],
    [['Müller-Lüden', '2026-11-21'], 'Müller-Lüden,2026-11-21', 'Müller-Lüden;2026-11-21'],
  ])('%j', (cells, comma, semicolon) => {
    expect(csvLine(cells, 'comma')).toBe(`${comma}\r\n`);
    expect(csvLine(cells, 'semicolon')).toBe(`${semicolon}\r\n`);
  });
});

decisionTables(import.meta.url, {
  'a cell that could be a formula': (text) => csvLine([text], 'comma').replace(/\r\n$/, ''),
});

it('Excel is told of UTF-8 where it is asked for', () =>
  expect(CSV_BEGIN).toEqual({ comma: '', semicolon: '\ufeff' }));
