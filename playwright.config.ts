import { defineConfig } from '@playwright/test';

import { findChromium } from './tests/browser/chromium';
import { LONG } from './tests/rounds';

const executablePath = findChromium();

export default defineConfig({
  testDir: 'tests/browser',
  globalSetup: './tests/browser/set-up.ts',
  outputDir: '.cache/browser-tests',
  fullyParallel: true,
  // They wait a third of their time.
  workers: 3,
  timeout: LONG ? 300_000 : 180_000,
  forbidOnly: true,
  // What fails once is broken, or its test is.
  retries: 0,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    trace: 'off',
    screenshot: 'off',
    // A page that comes in with a movement takes no click for a third of a second. The eligibility
    // check in the other languages is made with movement (`wizard.spec.ts`).
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [
        '--no-sandbox',
        // There is none, and nothing here needs one.
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  // What a page does without a script is told over HTTP. The browser shows only what takes one (`waysIn` of
  // `site.ts`): menus of styles alone, what is in sight after a mistake, the way to a payment provider;
  // in the long run also accounts, the desk, and an application by keyboard.
});
