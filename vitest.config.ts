import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    alias: {
      '~db': fileURLToPath(new URL('./db', import.meta.url)),
      '~': fileURLToPath(new URL('./app', import.meta.url)),
    },
  },
  test: {
    include: ['tests/*.test.ts', 'tests/{domain,db,i18n,ui,server,http}/**/*.test.{ts,tsx}'],
    // Some tests start servers and wait for them.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    // No test replaces a module: files of one worker share what they import, a third of their time.
    isolate: false,
  },
});
