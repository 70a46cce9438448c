/** How large the code is. These figures only go down. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { imports } from './changed';

/** Lines of TypeScript and CSS beside the tests. */
const CEILING = 70_000;
/** Of the lines in app, in percent. */
const MOST_COMMENTS = 6;
/** Files in app that one other file alone imports. */
const MOST_WITH_ONE_IMPORTER = 72;
/** Classes of the site's own, by its selectors: what utilities cannot say. */
const MOST_CLASSES = 115;

const PARTS = ['app', 'db', 'migrations', 'operations', 'packages', 'scripts', 'server'];
const { stdout } = spawnSync('git', ['ls-files', ...PARTS], { encoding: 'utf8' });
const texts = new Map(
  stdout
    .split('\n')
    .filter((file) => /\.(ts|tsx|css)$/.test(file) && !file.includes('.generated.'))
    .filter((file) => existsSync(file))
    .map((file) => [file, readFileSync(file, 'utf8')]),
);
const inApp = [...texts].filter(([file]) => file.startsWith('app/'));
const linesOf = (text: string) => text.trimEnd().split('\n');

it.runIf(existsSync('.git'))('the code is no larger than it was', () => {
  const lines = [...texts.values()].flatMap(linesOf).length;
  const ofApp = inApp.flatMap(([, text]) => linesOf(text));
  const comments = ofApp.filter((line) => /^\s*(\/\/|\/\*|\*( |\/|$)|\{\/\*)/.test(line));
  const percent = (comments.length / ofApp.length) * 100;
  const imported = [...texts.keys()].flatMap((file) => [...new Set(imports(file))]);
  const once = inApp.filter(([file]) => imported.filter((name) => name === file).length === 1);
  const selectors = inApp
    .filter(([file]) => file.endsWith('.css'))
    .flatMap(
      ([, text]) => text.replaceAll(/\/\*.*?\*\/|@[^{};]*/gs, '').match(/[^{};]+(?=\{)/g) ?? [],
    );
  const { size: classes } = new Set(selectors.flatMap((one) => one.match(/\.[a-z][\w-]*/g) ?? []));
  console.log(
    `${lines} lines; ${percent.toFixed(1)} % of app are comments; ${once.length} files have one importer; ${classes} classes`,
  );
  expect(lines).toBeLessThanOrEqual(CEILING);
  expect(percent).toBeLessThanOrEqual(MOST_COMMENTS);
  expect(once.length).toBeLessThanOrEqual(MOST_WITH_ONE_IMPORTER);
  expect(classes).toBeLessThanOrEqual(MOST_CLASSES);
});
