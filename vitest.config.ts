import { fileURLToPath } from 'node:url';

import { configDefaults, defineConfig } from 'vitest/config';

import { LONG } from './tests/rounds';

/** Tests that give this process an environment, keys or a database of their own. */
const WITH_ENVIRONMENT = [
  'tests/{db,server}/*.env.test.ts',
  'tests/http/{outbox,payment-provider}.env.test.ts',
];

export default defineConfig({
  cacheDir: '.cache/vite',
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
    maxWorkers: 2,
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
          exclude: [...configDefaults.exclude, ...WITH_ENVIRONMENT],
          // No test replaces a module: files of one worker share what they import, a third of their time.
          isolate: false,
        },
      },
      // What is read of the environment is read once: each of these files has its own modules.
      { extends: true, test: { name: 'own environment', include: WITH_ENVIRONMENT } },
    ],
  },
});
