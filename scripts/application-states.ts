/** Writes `docs/application-states.md`, the diagram and tables of the states of an application. */
import { writeFileSync } from 'node:fs';

import { FILE, statesDocument } from './application-states-document';

writeFileSync(FILE, await statesDocument());
console.log(FILE);
