import { readFileSync } from 'node:fs';

import { format, type FormatConfig } from 'oxfmt';

/** A text as `npm run format` would write it into a file of this name. */
export async function formatted(file: string, text: string): Promise<string> {
  const options = JSON.parse(readFileSync('.oxfmtrc.json', 'utf8')) as FormatConfig;
  const { code, errors } = await format(file, text, options);
  if (errors.length > 0) throw new Error(`${file}: ${JSON.stringify(errors)}`);
  return code;
}
