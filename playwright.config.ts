import { defineConfig } from '@playwright/test';

import { findChromium } from './tests/browser/chromium';

const executablePath = findChromium();

export default defineConfig({
  testDir: 'tests/browser',
  outputDir: '.cache/browser-tests',
  fullyParallel: true,
  workers: 2,
  timeout: 60_000,
  forbidOnly: true,
  // A browser on a busy machine may stumble; the report names what needed a second try.
  retries: 1,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    trace: 'off',
    screenshot: 'off',
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  // Every journey is written once and made twice.
  projects: [
    { name: 'with JavaScript', use: { javaScriptEnabled: true } },
    {
      name: 'without JavaScript',
      testIgnore: /enhancements|accessibility/,
      use: { javaScriptEnabled: false },
    },
  ],
});
