import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

import SQLite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ACTORS, GUARDS, MOVES, STATES } from '~/domain/application/states';
import { mergeSettings } from '~/settings/settings.server';
import { documentOf, DOCUMENTS as WRITTEN } from '../scripts/documents';
import { temporaryFolder } from './production-server';

const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
const textOf = (file: string) => readFileSync(file, 'utf8');

function examples(file: string, language: string): string[] {
  const blocks = textOf(file).matchAll(new RegExp('```' + language + '\\n([^]*?)```', 'g'));
  return [...blocks].map(([, text = '']) => text);
}

const statementsIn = (file: string) =>
  examples(file, 'sql').flatMap((block) =>
    block.split(';\n').filter((statement) => statement.trim()),
  );

/** As the addresses of pages name them. */
const headingsOf = (file: string) =>
  [...textOf(file).matchAll(/^#+ (.*)$/gm)].map(([, words = '']) =>
    words
      .toLowerCase()
      .replaceAll(/[^\p{L}\d -]/gu, '')
      .replaceAll(' ', '-'),
  );

let folder: string;
let databaseFile: string;
beforeAll(() => {
  folder = temporaryFolder();
  databaseFile = join(folder, 'esta.db');
  run(process.execPath, ['build/server/database.js', 'seed']);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string, words: string[], cwd?: string): string {
  const { status, stdout, stderr } = spawnSync(command, words, {
    cwd,
    env: { ...process.env, DATABASE_URL: `file:${databaseFile}` },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stdout + stderr);
  return stdout;
}

it('the list of libraries names each of a running site, with its licence', () => {
  const { dependencies } = JSON.parse(textOf('package.json')) as Record<string, object>;
  const licensed = Object.keys(dependencies ?? {}).map((name) => {
    const { license } = JSON.parse(textOf(`node_modules/${name}/package.json`)) as Named;
    return `${name} ${license}`;
  });
  const rows = textOf('docs/libraries.md').matchAll(/^\| `(\S+)`.*\| (\S+) +\| [\d.]+ +\|$/gm);
  expect([...rows].map(([, name, license]) => `${name} ${license}`)).toEqual(licensed);
});
type Named = { license: string };

it('the list for machines has each of them, and what a build takes into the site', () => {
  const { dependencies } = JSON.parse(textOf('package.json')) as Record<string, object>;
  const { components } = JSON.parse(run('npm', ['run', '--silent', 'sbom'])) as {
    components: { 'bom-ref': string }[];
  };
  const names = components.map((one) => one['bom-ref'].replace(/@[^@]*$/, ''));
  const taken = ['@tesseract.js-data/eng', 'lucide-static', 'turbo-stream'];
  expect(names).toEqual(expect.arrayContaining([...Object.keys(dependencies ?? {}), ...taken]));
});

describe('an operator’s examples', () => {
  it('of SQL each change a row, one after the other', () => {
    const statements = statementsIn('docs/content.md');
    expect(statements.length).toBeGreaterThan(4);
    const db = new SQLite(databaseFile);
    for (const statement of statements) {
      expect([statement, db.prepare(statement).run().changes]).toEqual([statement, 1]);
    }
    // A question that is switched off shows no new words.
    const reworded = db
      .prepare(
        `select is_active from eligibility_questions join eligibility_question_translations
          using (question_key) where eligibility_question_translations.question_text like 'Haben Sie die erlaubte%'`,
      )
      .pluck()
      .all();
    expect(reworded).toEqual([1]);
    db.close();
  });

  it('of SQL for the worst day are understood by the database', () => {
    const statements = statementsIn('docs/incidents.md');
    expect(statements.length).toBeGreaterThan(7);
    const db = new SQLite(databaseFile);
    for (const statement of statements) expect(() => db.prepare(statement)).not.toThrow();
    db.close();
  });

  it('of fixtures are seeded', () => {
    const [example = ''] = examples('docs/content.md', 'sh');
    const seed = `${process.execPath} ${resolve('build/server/database.js')} seed`;
    const script = example
      .replace('npm run db:seed --', seed)
      .replaceAll('/tmp/my-fixtures', join(folder, 'my-fixtures'));
    expect(script).toContain(seed);
    expect(run('sh', ['-ec', script], folder)).toContain('1 rows added');
  });

  it('of settings are good ones', () => {
    const [example = ''] = examples('docs/settings.md', 'json');
    const { siteName, prices } = mergeSettings(JSON.parse(example));
    expect([siteName, prices.express.cents.EUR]).toEqual(['Ma Traversée', 7500]);
  });
});

it.each(Object.keys(WRITTEN))(
  'what the program writes is as it would write it: %s',
  async (name) => {
    const { file, text } = await documentOf(name);
    expect(textOf(file)).toBe(text);
  },
);

it('each state, event, actor and guard of an application is told of', () => {
  const rows = textOf('docs/application-states.md').matchAll(/^\| `(\w+)`/gm);
  const events = MOVES.map(({ event }) => event);
  expect(new Set([...rows].map(([, name]) => name))).toEqual(
    new Set([...STATES, ...events, ...ACTORS, ...GUARDS]),
  );
});

it.each(DOCUMENTS)(
  '%s links to what is there, and names files and npm scripts that there are',
  (file) => {
    const text = textOf(file);
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target = '']) => target);
    for (const target of links) {
      expect([target, existsSync(join(file, '..', target))]).toEqual([target, true]);
    }
    for (const [, target = '', part] of text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)) {
      const parts = headingsOf(target ? join(file, '..', target) : file);
      expect([file, target, part, parts.includes(part ?? '')]).toEqual([file, target, part, true]);
    }
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
    const paths = text.matchAll(
      /`((?:app|db|server|tests|docs|locales|migrations|scripts)\/[\w./-]+\.\w+)`/g,
    );
    for (const [, path = ''] of paths) {
      // A file of the future, or of a recipe's example.
      if (/visa-types/.test(path)) continue;
      expect([path, existsSync(path)]).toEqual([path, true]);
    }
  },
);
