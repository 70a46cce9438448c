/** Writes `docs/legal-words.md`, the words of law in all languages with their sources. */
import { writeFileSync } from 'node:fs';

import { FILE, legalWordsDocument } from './legal-words-document';

writeFileSync(FILE, await legalWordsDocument());
console.log(FILE);
