import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What a build is made of. Tailwind looks at tests and documents too, but they style no page. */
const SOURCES = [
  'app',
  'db',
  'locales',
  'migrations',
  'public',
  'scripts',
  'operations',
  'server',
  'package.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
  'remix.config.js',
  'tsconfig.json',
  'vite.config.ts',
];
/** Whether one of these is missing or older than a source, the site is built anew. */
const PRODUCTS = ['main', 'index', 'database', 'check', 're-encode'].map(
  (name) => `build/server/${name}.js`,
);

/** In doubt it is not: a folder counts too, since it is all that tells of a source that is gone. */
export function isBuilt(): boolean {
  if (!PRODUCTS.every((file) => existsSync(file)) || !existsSync('build/client/assets')) {
    return false;
  }
  const built = filesIn('build');
  const scripts = filesIn('build/client').filter((file) => /\.(js|css)$/.test(file));
  // Compressed last of all: a build that was interrupted has none.
  const whole = scripts.length > 0 && scripts.every((file) => existsSync(`${file}.br`));
  const times = (paths: string[]) => paths.map((path) => statSync(path).mtimeMs);
  return whole && Math.max(...times(SOURCES.flatMap(withContents))) < Math.min(...times(built));
}

function filesIn(folder: string): string[] {
  return withContents(folder).filter((path) => statSync(path).isFile());
}

/** A path, and if it is a folder all that is in it; nothing if it is not there. */
function withContents(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return [path, ...names.map((name) => join(path, name))];
}
