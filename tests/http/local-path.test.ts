import { expect, it } from 'vitest';

import { localPath } from '~/http/local-path';
import { decisionTables } from '../decision-tables';

decisionTables(import.meta.url, {
  'where a path leads': (path) => {
    expect(new URL(localPath(path), 'https://here.example').origin).toBe('https://here.example');
    return localPath(path);
  },
});

it.each([null, 42])('%j leads home', (path) => expect(localPath(path)).toBe('/'));
