/** The operator's commands in the process of a test, where none is about a process of its own. */
import { inApp } from '~/current-app.server';
import { appWith } from './apps';
import type { runBuilt } from './production-server';

const PROGRAMS = {
  database: new URL('../operations/database-commands.ts', import.meta.url),
  check: new URL('../operations/check-command.ts', import.meta.url),
};
/** Passwords cost next to nothing here. */
const hashing = { memoryCost: 64, timeCost: 1, parallelism: 1 };

let latest: Promise<unknown> = Promise.resolve();
let runs = 0;

/** Runs one as an app of its own. One at a time: console, arguments and exit code are the process's. */
export function runHere(
  program: keyof typeof PROGRAMS,
  words: string[],
  variables: Record<string, string | undefined>,
): ReturnType<typeof runBuilt> {
  const run = () => runNow(program, words, variables);
  const result = latest.then(run, run);
  latest = result;
  return result;
}

async function runNow(
  program: keyof typeof PROGRAMS,
  words: string[],
  variables: Record<string, string | undefined>,
) {
  const said = { stdout: '', stderr: '' };
  const writeLog = (lines: string) => (said.stdout += lines);
  const app = appWith(variables, { writeLog, hashing });
  const { argv, exitCode } = process;
  const { log, error } = console;
  const text = (what: unknown) => (what instanceof Error ? what.stack : String(what)) + '\n';
  process.argv = [...argv.slice(0, 2), ...words];
  process.exitCode = undefined;
  console.log = (what: unknown) => (said.stdout += text(what));
  console.error = (what: unknown) => (said.stderr += text(what));
  try {
    // It does its work as it is loaded, which is anew each time.
    await inApp(
      app,
      () => import(/* @vite-ignore */ `${PROGRAMS[program].pathname}?${(runs += 1)}`),
    );
    return { status: Number(process.exitCode ?? 0), ...said };
  } finally {
    process.argv = argv;
    process.exitCode = exitCode;
    Object.assign(console, { log, error });
  }
}
