/** Apps without a server: what the program's functions take for the site that they are part of. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type App, inApp, newApp, setAppOfProcess } from '~/current-app.server';

/** An app with these environment variables, which has done nothing yet, and logs nowhere. */
export const appWith = (env: App['env'], more: Partial<App> = {}): App =>
  newApp({ env: { NODE_ENV: 'production', ...env }, writeLog: () => undefined, ...more });

/** Makes it the app of this process; `setAppOfProcess(undefined)` ends that. */
export function becomeApp(...options: Parameters<typeof appWith>): App {
  const app = appWith(...options);
  setAppOfProcess(app);
  return app;
}

/** The variables of a site that takes orders. */
export const LIVE = {
  OFFLINE_MODE: 'false',
  SESSION_SECRET: randomBytes(32).toString('base64url'),
  DATA_KEYS: `k1:${randomBytes(32).toString('base64')}`,
};

/** The variables of a site whose payments are real. */
export const PROVIDER = {
  STRIPE_SECRET_KEY: 'sk_live_0123456789',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789',
};

/** The variable of a file with these settings of an operator. */
export function siteConfig(settings: unknown): { SITE_CONFIG: string } {
  const SITE_CONFIG = join(
    mkdtempSync(join(process.env['TEST_COPIES'] ?? tmpdir(), 'settings-')),
    'site.json',
  );
  writeFileSync(SITE_CONFIG, JSON.stringify(settings));
  return { SITE_CONFIG };
}

/** A function as an app has it, wherever it is called. */
export const partOf =
  <Given extends unknown[], T>(app: App, work: (...given: Given) => T) =>
  (...given: Given): T =>
    inApp(app, () => work(...given));
