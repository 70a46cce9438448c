/**
 * Writes anew what documents say of the program: `npm run docs:access`, `docs:states`, `docs:words` and
 * `settings:schema`. What is written by hand in them stays.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { format, type FormatConfig } from 'oxfmt';
import { z } from 'zod/v4';

import { type Extent, extentOf, type Right, STAFF_ROLES } from '../app/access';
import { guardsOf, isEnded, MOVES, STATES } from '../app/domain/application/states';
import descriptions from '../app/settings/descriptions.json' with { type: 'json' };
import { schema } from '../app/settings/schema.server';
import words from './rights.json' with { type: 'json' };

/** By the word that the command has: the file, and its text as it is to be, made from the present one. */
export const DOCUMENTS: Record<string, [file: string, write: (text: string) => string]> = {
  access: ['docs/accounts.md', withRights],
  states: ['docs/application-states.md', withMoves],
  words: ['docs/legal-words.md', withTexts],
  schema: ['docs/settings.schema.json', () => JSON.stringify(settingsJsonSchema(), null, 2)],
};

export async function documentOf(name: string): Promise<{ file: string; text: string }> {
  const [file, write] = DOCUMENTS[name] ?? [];
  if (!file || !write) throw new Error(`Say which: ${Object.keys(DOCUMENTS).join(', ')}.`);
  const options = JSON.parse(readFileSync('.oxfmtrc.json', 'utf8')) as FormatConfig;
  const { code, errors } = await format(file, write(readFileSync(file, 'utf8')), options);
  if (errors.length > 0) throw new Error(`${file}: ${JSON.stringify(errors)}`);
  return { file, text: code };
}

function withTable(text: string, mark: string, rows: readonly (readonly string[])[]): string {
  const [head = [], ...others] = rows;
  const lines = [head, head.map(() => '---'), ...others].map((cells) => `| ${cells.join(' | ')} |`);
  return text.replace(
    new RegExp(`(${mark}[^|]*)(\\|.*\\n)+`),
    (_, before: string) => `${before}${lines.join('\n')}\n`,
  );
}

const RIGHTS: Record<Right, string> = words.rights;
const EXTENTS: Record<Extent, string> = words.extents;

function withRights(text: string): string {
  const rows = Object.entries(RIGHTS).map(([right, words]) => {
    const extents = STAFF_ROLES.map((role) => extentOf(role, right as Right));
    return [words, ...extents.map((extent) => (extent ? EXTENTS[extent] : '–'))];
  });
  return withTable(text, '<!-- Written by `npm run docs:access`', [['', ...STAFF_ROLES], ...rows]);
}

function withMoves(text: string): string {
  const arrows = new Map<string, Set<string>>();
  for (const { event, from, to } of MOVES) {
    for (const state of from) {
      const arrow = `${state} --> ${to}`;
      arrows.set(arrow, (arrows.get(arrow) ?? new Set()).add(event));
    }
  }
  const diagram = [
    `[*] --> ${STATES[0]}`,
    ...[...arrows].map(([arrow, events]) => `${arrow}: ${[...events].join(', ')}`),
    ...STATES.filter(isEnded).map((state) => `${state} --> [*]`),
  ].map((line) => `    ${line}\n`);
  const code = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(', ');
  const rows = MOVES.map((row) => [
    code([row.event]),
    `${code(row.from)} → ${code([row.to])}${row.isChosen ? ' (chosen)' : ''}`,
    row.who.join(', '),
    code(guardsOf(row)) || '–',
  ]);
  return withTable(text, '## Moves', [['event', 'from → to', 'who', 'guards'], ...rows]).replace(
    /(stateDiagram-v2\n)[^`]*/,
    (_, head: string) => head + diagram.join(''),
  );
}

function withTexts(text: string): string {
  const languages = readdirSync('locales').filter((name) => !name.startsWith('.'));
  return text.replace(
    /^(### `([\w-]+):([\w.]+)`\n\nSource: .*\n)[^]*?(?=\n#|$(?![^]))/gm,
    (_, head: string, namespace: string, path: string) => {
      const quotes = languages.map((language) => {
        const lines = textOf(`locales/${language}/${namespace}.json`, path).split('\n');
        return `\n_${language}_\n\n${lines.map((line) => `> ${escapeMarks(line)}`.trim()).join('\n')}\n`;
      });
      return head + quotes.join('');
    },
  );
}

/** Marks of ours in a text, which are none of the document's. */
const escapeMarks = (line: string) =>
  line.replaceAll('\u00ad', '').replace(/^### /, '').replaceAll(/[*_<]/g, '\\$&');

type Tree = { [key: string]: string | Tree | undefined };

function textOf(file: string, path: string): string {
  const found = path
    .split('.')
    .reduce<string | Tree | undefined>(
      (tree, name) => (typeof tree === 'object' ? tree[name] : undefined),
      JSON.parse(readFileSync(file, 'utf8')) as Tree,
    );
  if (typeof found !== 'string') throw new Error(`${file} has no text ${path}`);
  return found;
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * The operator's file as a JSON schema (draft 7, which all editors know). The file is merged into the
 * shipped settings, so that nothing is required in it but what each entry of a list needs: lists are
 * replaced. What contradicts something else only the site itself can tell.
 */
export function settingsJsonSchema(): JsonSchema {
  const whole = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      // Every whole number has this limit, which tells an operator nothing.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      const { protocol } = zodSchema._zod.def as { protocol?: RegExp };
      if (protocol) jsonSchema.pattern = protocol.source.replace(/\$$/, '://');
    },
  });
  for (const [path, description] of Object.entries(descriptions)) {
    const described = path
      .split('.')
      .reduce<JsonSchema | undefined>(
        (at, name) => at?.properties?.[name] as JsonSchema | undefined,
        whole,
      );
    if (!described) throw new Error(`There is no setting ${path}`);
    described.description = description;
  }
  return partial(whole);
}

/** The schema without required properties and defaults, but in the entries of lists. */
function partial({ required, properties, ...rest }: JsonSchema): JsonSchema {
  // What is not set is the shipped value, whatever the default of an entry would be.
  delete rest.default;
  if (!properties) return rest;
  const inner = Object.entries(properties).map(([name, property]) => [
    name,
    typeof property === 'object' ? partial(property) : property,
  ]);
  return { ...rest, properties: Object.fromEntries(inner) as typeof properties };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { file, text } = await documentOf(process.argv[2] ?? '');
  writeFileSync(file, text);
  console.log(file);
}
