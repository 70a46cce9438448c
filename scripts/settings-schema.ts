/** Creates `docs/settings.schema.json`, by which editors check and complete a `SITE_CONFIG`. */
import { writeFileSync } from 'node:fs';

import { format, resolveConfig } from 'prettier';

import { settingsJsonSchema } from '../app/settings/json-schema.server';

const FILE = 'docs/settings.schema.json';

const options = await resolveConfig(FILE);
const text = JSON.stringify(settingsJsonSchema(), null, 2);
writeFileSync(FILE, await format(text, { ...options, filepath: FILE }));
console.log(FILE);
