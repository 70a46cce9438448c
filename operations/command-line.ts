import { parseArgs } from 'node:util';

import { failWith } from '~/env.server';
import { suggestion } from '~/domain/closest-word';

export interface Usage {
  /** Where it is not the command's own name. */
  script?: string;
  words?: number;
  /** By name, what an option needs, such as `a folder: npm run db:seed -- --from DIR`. */
  options?: Record<string, string>;
}

export interface CommandLine {
  name: string;
  word: string | undefined;
  words: readonly string[];
  options: Readonly<Record<string, string>>;
}

export function parseCommandLine(usages: Record<string, Usage>, args: string[]): CommandLine {
  const names = Object.keys(usages);
  const scriptOf = (name: string) => usages[name]?.script ?? name;
  const known = Object.values(usages).flatMap(({ options = {} }) => Object.keys(options));
  // Node's own errors for wrong options are paragraphs.
  const { tokens, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: Object.fromEntries(known.map((name) => [name, { type: 'string' }])),
    strict: false,
    tokens: true,
  });
  const [name, ...words] = positionals;
  const given = tokens.filter((token) => token.kind === 'option');
  const unknown = given.find((option) => !known.includes(option.name));
  if (unknown && unknown.name !== 'help') {
    const dashed = known.map((option) => `--${option}`);
    failWith(`Unknown option ${unknown.rawName}; ${suggestion(unknown.rawName, dashed)}`);
  }
  if (name === undefined || unknown) failWith(`No command; there is ${names.join(', ')}.`);
  const usage = usages[name];
  if (!usage) failWith(`Unknown command ${JSON.stringify(name)}; ${suggestion(name, names)}`);
  const options: Record<string, string> = {};
  for (const { name: option, value } of given) {
    const needs = usage.options?.[option];
    if (needs === undefined) {
      const owner = names.find((one) => usages[one]?.options?.[option]) ?? '';
      failWith(`Option --${option} belongs to ${scriptOf(owner)}, not to ${scriptOf(name)}.`);
    }
    if (!value) failWith(`Option --${option} needs ${needs}.`);
    options[option] = value;
  }
  const surplus = words[usage.words ?? 0];
  if (surplus !== undefined) {
    failWith(`${scriptOf(name)} takes no further word, but ${JSON.stringify(surplus)} was given.`);
  }
  return { name, word: words[0], words, options };
}
