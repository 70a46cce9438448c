import { existsSync } from 'node:fs';

import { chromium } from '@playwright/test';

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Whether Playwright has downloaded its own browser. */
function hasOwnBrowser(): boolean {
  return existsSync(chromium.executablePath());
}

/** The path of an installed Chromium or Chrome; undefined to use Playwright's own or if none is. */
export function findChromium(): string | undefined {
  return hasOwnBrowser() ? undefined : INSTALLED.find((path) => existsSync(path));
}

/** Whether a browser for the tests is there. */
export function hasChromium(): boolean {
  return hasOwnBrowser() || findChromium() !== undefined;
}
