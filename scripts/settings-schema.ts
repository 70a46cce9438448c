/** Creates `docs/settings.schema.json`, by which editors check and complete a `SITE_CONFIG`. */
import { writeFileSync } from 'node:fs';

import { settingsJsonSchema } from '../app/settings/json-schema.server';
import { formatted } from './formatted';

const FILE = 'docs/settings.schema.json';

const text = JSON.stringify(settingsJsonSchema(), null, 2);
writeFileSync(FILE, await formatted(FILE, text));
console.log(FILE);
