import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import SQLite from 'better-sqlite3';

import { rememberRoutes } from './asked-routes';

export interface Site {
  origin: string;
  /** Of SQLite: only there can a test look at it with `query` and `execute`. */
  databaseFile: string;
  log: () => string;
  logged: (event: string) => Record<string, unknown>[];
  query: (sql: string, ...parameters: unknown[]) => Record<string, unknown>[];
  execute: (sql: string) => void;
  /** The server's time, for a site that was started with `{ clock: 'held' }`. */
  clock: HeldClock;
  /** Ends it at once, and removes its files; `SIGTERM` lets it close its database first. */
  stop: (signal?: 'SIGKILL' | 'SIGTERM') => Promise<void>;
}

export interface ServedSite extends Site {
  process: ChildProcess;
}

/** A clock that stands still but for what the test lets pass; tests/held-clock.ts says of what. */
export interface HeldClock {
  /** Lets so many milliseconds pass; resolves once all that was due has begun. */
  pass: (ms: number) => Promise<void>;
  /**
   * Lets time pass from timer to timer until a promise is settled.
   *
   * @param within timers that are due later than this, in milliseconds, are left alone
   * @returns what the promise gives, and how many milliseconds of the server's that took
   */
  until: <T>(promise: Promise<T>, within?: number) => Promise<{ value: T; ms: number }>;
  now: () => Promise<number>;
}

export interface StartOptions {
  nodeOptions?: string[];
  node?: string;
  /** `held`: time passes on this server when the test says so, by `site.clock`. */
  clock?: 'real' | 'held';
  settings?: unknown;
}

export async function runBuilt(
  program: 'main' | 'database' | 'check',
  words: string[],
  variables: Record<string, string | undefined>,
  cwd = '.',
) {
  const child = spawn(process.execPath, [resolve(`build/server/${program}.js`), ...words], {
    cwd,
    env: { ...variables, NODE_ENV: 'production' },
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (said.stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (said.stderr += String(chunk)));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, ...said };
}

/** In memory, where there is room: no test is about a disk, and each waits for it at every write. */
const MEMORY = '/dev/shm';
const ROOM_BYTES = 2 ** 30;

export function temporaryFolder(): string {
  return mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), 'esta-test-'));
}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > ROOM_BYTES;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Of servers that share a database of PostgreSQL, where there must be one. */
export const SHARED_SECRET = 'Gq2v7Zt0xJ5mRk8yWb3nLd6hPs9uFc1eAo4iTz7X';

/** As `npm start` and the image start it. */
const NODE_OPTIONS = ['--env-file=node.env'];
const HELD_CLOCK = fileURLToPath(new URL('held-clock.ts', import.meta.url));
/** Options of Node with which time-outs of sockets are ten times as short. */
export const FAST_SOCKETS = [
  '--import',
  fileURLToPath(new URL('fast-sockets.ts', import.meta.url)),
];

export async function startSite(
  variables: Record<string, string> = {},
  { nodeOptions = [], node = process.execPath, clock = 'real', settings }: StartOptions = {},
): Promise<ServedSite> {
  const folder = temporaryFolder();
  const { DATABASE_URL = await newDatabase(folder) } = variables;
  const databaseFile = DATABASE_URL.replace(/^file:/, '');
  const SITE_CONFIG = join(folder, 'site.json');
  if (settings !== undefined) writeFileSync(SITE_CONFIG, JSON.stringify(settings));
  const isHeld = clock === 'held';
  const options = [...NODE_OPTIONS, ...(isHeld ? ['--import', HELD_CLOCK] : []), ...nodeOptions];
  const child = spawn(node, [...options, 'build/server/main.js'], {
    stdio: ['ignore', 'pipe', 'pipe', isHeld ? 'ipc' : 'ignore'],
    env: {
      NODE_ENV: 'production',
      PATH: process.env['PATH'],
      PORT: '0',
      HOST: '127.0.0.1',
      DATABASE_URL,
      ...(DATABASE_URL.startsWith('postgres') && { SESSION_SECRET: SHARED_SECRET }),
      // The tests' clients say which addresses they come from.
      TRUST_PROXY: '1',
      ...(settings !== undefined && { SITE_CONFIG }),
      ...variables,
    },
  });
  let output = '';
  child.stdout?.on('data', (chunk) => (output += String(chunk)));
  child.stderr?.on('data', (chunk) => (output += String(chunk)));
  const origin = await new Promise<string>((resolve, reject) => {
    // After the last of its output, in which it says why.
    child.once('close', () => reject(new Error(`The server did not start:\n${output}`)));
    // Only until then: a load test's log is long, and looking through it at each line slows its clock.
    child.stdout?.on('data', function findAddress() {
      const line = output.split('\n').find((text) => text.includes('"event":"listening"'));
      if (!line) return;
      child.stdout?.off('data', findAddress);
      const { port } = JSON.parse(line) as { port: number };
      resolve(`http://127.0.0.1:${port}`);
    });
  });
  // A server of its own may take longer to open it than to listen; nobody is sent there before.
  while (DATABASE_URL.startsWith('postgres') && child.exitCode === null) {
    if ((await fetch(`${origin}/readyz`)).ok) break;
    await pause(100);
  }
  const { query, execute, leave } = accessTo(DATABASE_URL);
  // A killed server leaves its files to the next one alone.
  child.once('exit', leave);
  return {
    origin,
    databaseFile,
    process: child,
    log: () => output,
    logged: (event) => linesAbout(event, output),
    query,
    execute,
    clock: clockOf(child),
    stop: async (signal = 'SIGKILL') => {
      rememberRoutes(output, { isBuilt: true });
      leave();
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit');
        child.kill(signal);
        await exited;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const linesAbout = (event: string, log: string) =>
  log
    .split('\n')
    .filter((line) => line.includes(`"event":"${event}"`))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** The address of a database for one test: PostgreSQL's where the run is about that. */
export async function newDatabase(folder: string): Promise<string> {
  if (process.env['TEST_ENGINE'] === 'postgres') {
    const { sharedPostgres } = await import('./postgres');
    return (await sharedPostgres()).createDatabase();
  }
  const file = join(folder, 'esta.db');
  // Half of a start is to make it.
  await putCopy('seeded.db', file, (made) => {
    spawnSync(process.execPath, ['build/server/database.js', 'seed'], {
      env: { NODE_ENV: 'production', DATABASE_URL: `file:${made}` },
    });
  });
  return `file:${file}`;
}

/** Copies a file that the first test of a run of Vitest makes; in others there is none yet. */
export async function putCopy(
  name: string,
  target: string,
  make: (file: string) => unknown,
): Promise<void> {
  const folder = process.env['TEST_COPIES'];
  if (folder === undefined) return;
  const made = join(folder, name);
  if (!existsSync(made)) {
    const own = `${made}.${randomUUID()}`;
    await make(own);
    renameSync(own, made);
  }
  copyFileSync(made, target);
}

type Access = Pick<Site, 'query' | 'execute'> & {
  /** Leaves the database as it is. */
  leave: () => void;
};

/** @param whileLocked runs statements while a site of this process writes, which waits for the test itself */
export const accessTo = (url: string, whileLocked?: (sql: string) => void): Access =>
  url.startsWith('postgres') ? onServer(url) : inFile(url.replace(/^file:/, ''), whileLocked);

/** Kept: to open one takes seventy times as long as a query. Anew where there is another file. */
function inFile(databaseFile: string, whileLocked?: (sql: string) => void): Access {
  type Asked = { all: (...parameters: unknown[]) => unknown[] };
  interface Opened {
    writer: SQLite.Database;
    reader: SQLite.Database;
    files: string;
    /** What was asked before: to prepare it takes longer than to ask. */
    asked: Map<string, Asked>;
  }
  let open: Opened | undefined;
  const files = () =>
    ['', '-wal'].map((end) => statSync(databaseFile + end, { throwIfNoEntry: false })?.ino).join();
  const leave = () => {
    // In this order: the last one that can write would merge the log into the file.
    open?.writer.close();
    open?.reader.close();
    open = undefined;
  };
  const opened = () => {
    if (open && open.files !== files()) leave();
    if (open) return open;
    const writer = new SQLite(databaseFile, {
      fileMustExist: true,
      timeout: whileLocked ? 0 : 5000,
    });
    const reader = new SQLite(databaseFile, { readonly: true, timeout: 5000 });
    // What a test puts there need not outlive the machine: waiting for its disk would be most of a test.
    writer.pragma('synchronous = off');
    // The file is the server's to write to.
    writer.pragma('wal_autocheckpoint = 0');
    // It holds the file from its first read on.
    reader.pragma('user_version');
    return (open = { writer, reader, files: files(), asked: new Map<string, Asked>() });
  };
  return {
    query: (sql, ...parameters) => {
      const { reader, asked } = opened();
      const statement = asked.get(sql) ?? (reader.prepare(sql) as Asked);
      asked.set(sql, statement);
      return statement.all(...parameters) as Record<string, unknown>[];
    },
    execute: (sql) => {
      try {
        opened().writer.exec(sql);
      } catch (error) {
        if (!whileLocked || (error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
        whileLocked(sql);
      }
    },
    leave,
  };
}

/** The server asks each second whether the content has changed. */
const UNTIL_SEEN_MS = 1200;

function onServer(url: string): Access {
  const psql = (sql: string) => {
    const { status, stdout, stderr } = spawnSync('psql', [url, '-qAt'], {
      input: `\\set ON_ERROR_STOP on\n${sql}`,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    return stdout;
  };
  return {
    query(sql, ...parameters) {
      const [beginning = '', ...parts] = sql.split('?');
      const whole = parts.reduce(
        (text, part, n) => `${text}'${String(parameters[n])}'${part}`,
        beginning,
      );
      const json = psql(`select coalesce(json_agg(t), '[]') from (${whole}) t;`);
      return JSON.parse(json) as Record<string, unknown>[];
    },
    execute(sql) {
      // What is done to a table as a whole is no change of content; on SQLite it looks like one.
      psql(`${sql};\nupdate content_version set version = gen_random_uuid()::text;`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, UNTIL_SEEN_MS);
    },
    leave: () => undefined,
  };
}

/** Goes on step by step until a promise is settled. */
export async function whilePending<T>(promise: Promise<T>, step: () => Promise<void>): Promise<T> {
  let isSettled = false;
  const mark = () => (isSettled = true);
  promise.then(mark, mark);
  while (!isSettled) await step();
  return promise;
}

function clockOf(child: ChildProcess): HeldClock {
  let asked = 0;
  let latest = 0;
  child.on('message', ({ now }: { now: number }) => (latest = now));
  /** Sends one order to the clock in the server; returns the server's time after it. */
  const order = async (what: { pass?: number; nextWithin?: number }): Promise<number> => {
    const id = (asked += 1);
    return new Promise((resolve, reject) => {
      const ended = () => reject(new Error('The server has ended, or its clock is not held.'));
      if (!child.connected) return ended();
      const hear = (answer: { id?: number; now: number }) => {
        if (answer.id !== id) return;
        child.off('message', hear).off('disconnect', ended);
        resolve(answer.now);
      };
      child.on('message', hear).once('disconnect', ended);
      child.send({ id, ...what }, (error) => error && ended());
    });
  };
  return {
    now: () => order({ pass: 0 }),
    pass: async (ms) => void (await order({ pass: ms })),
    until: async (promise, within = 10_000) => {
      const begin = await order({ pass: 0 });
      // The next timer is due, or nothing happens until the server's own work is done.
      const next = () => order({ nextWithin: within }).catch(() => undefined);
      const value = await whilePending(promise, () => next().then(() => pause(5)));
      return { value, ms: latest - begin };
    },
  };
}
