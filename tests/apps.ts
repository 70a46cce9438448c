/** Apps without a server: what the program's functions take for the site that they are part of. */
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

/** A function as an app has it, wherever it is called. */
export const of =
  <Given extends unknown[], T>(app: App, work: (...given: Given) => T) =>
  (...given: Given): T =>
    inApp(app, () => work(...given));
