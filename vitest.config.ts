import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { configDefaults, defineConfig } from 'vitest/config';

import { browserScripts } from './scripts/browser-scripts';
import { LONG } from './tests/rounds';

/** Files that replace a module. */
const ALONE = globSync('tests/**/*.test.{ts,tsx}').filter((file) =>
  /\bvi\.mock\(/.test(readFileSync(file, 'utf8')),
);

/** In the long run, what a visitor does that writes or reads rows once more with the other engine. */
const ON_POSTGRES = LONG ? ['wizard', 'guide', 'timeline'] : [];

export default defineConfig({
  cacheDir: '.cache/vite',
  plugins: [browserScripts()],
  resolve: {
    alias: {
      '~db': fileURLToPath(new URL('./db', import.meta.url)),
      '~': fileURLToPath(new URL('./app', import.meta.url)),
    },
  },
  // React as it is in the site: its development build takes three times as long.
  esbuild: { jsxDev: false },
  test: {
    env: { NODE_ENV: 'production' },
    // A test that hangs ends at some time. Some start servers and wait for them, on machines that have
    // other things to do.
    testTimeout: LONG ? 180_000 : 60_000,
    hookTimeout: 60_000,
    // What is waited for takes longer on such machines, too.
    expect: { poll: { timeout: 10_000 } },
    maxWorkers: 3,
    globalSetup: 'tests/run-setup.ts',
    setupFiles: 'tests/note-routes.ts',
    // It comes in hundreds of files, for each of which Node reads its long list of names anew: bundled,
    // it saves most of what a worker's start takes.
    deps: { optimizer: { ssr: { enabled: true, include: ['date-fns'] } } },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['tests/*.test.ts', 'tests/{domain,db,i18n,ui,server,http}/**/*.test.{ts,tsx}'],
          exclude: [...configDefaults.exclude, ...ALONE],
          // Files of one worker share what they import, a third of their time.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'own modules', include: ALONE } },
      {
        extends: true,
        test: {
          name: 'a year',
          include: LONG || process.env['TEST_YEAR'] ? ['tests/year/*.test.ts'] : [],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'PostgreSQL',
          include: ON_POSTGRES.map((name) => `tests/http/${name}.test.ts`),
          env: { TEST_ENGINE: 'postgres' },
          isolate: false,
        },
      },
    ],
  },
});
