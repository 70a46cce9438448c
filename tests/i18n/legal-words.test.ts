import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { FILE, legalWordsDocument } from '../../scripts/legal-words-document';

it('the words of law are those of the locales; npm run docs:words writes them', async () => {
  expect(readFileSync(FILE, 'utf8')).toBe(await legalWordsDocument());
});
