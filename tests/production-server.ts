import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import SQLite from 'better-sqlite3';

export interface Site {
  /** Its address, on a free port. */
  origin: string;
  databaseFile: string;
  process: ChildProcess;
  /** What the server has printed so far. */
  log: () => string;
  /** The lines of the log that are about one event. */
  logged: (event: string) => Record<string, unknown>[];
  /** Runs a query on the database, in a connection of its own. */
  query: (sql: string, ...parameters: unknown[]) => Record<string, unknown>[];
  /** Runs statements on the database, in a connection of its own. */
  execute: (sql: string) => void;
  stop: () => Promise<void>;
}

/** A folder for one test's files, outside the project. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'esta-test-'));
}

/** As `npm start` and the image start it. */
const NODE_OPTIONS = ['--max-old-space-size=160'];

/** Starts the production build on a free port with a database of its own. */
export async function startSite(
  variables: Record<string, string> = {},
  { nodeOptions = [], node = process.execPath }: { nodeOptions?: string[]; node?: string } = {},
): Promise<Site> {
  const folder = temporaryFolder();
  const databaseFile = variables['DATABASE_URL']?.slice('file:'.length) ?? join(folder, 'esta.db');
  const child = spawn(node, [...NODE_OPTIONS, ...nodeOptions, 'build/server/main.js'], {
    env: {
      NODE_ENV: 'production',
      PATH: process.env['PATH'],
      PORT: '0',
      HOST: '127.0.0.1',
      DATABASE_URL: `file:${databaseFile}`,
      // The tests' clients say which addresses they come from.
      TRUST_PROXY: '1',
      ...variables,
    },
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  const origin = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`The server did not start:\n${output}`)));
    child.stdout.on('data', () => {
      const line = output.split('\n').find((text) => text.includes('"event":"listening"'));
      if (!line) return;
      const { port } = JSON.parse(line) as { port: number };
      resolve(`http://127.0.0.1:${port}`);
    });
  });
  const withDatabase = <T>(work: (db: SQLite.Database) => T): T => {
    const db = new SQLite(databaseFile, { timeout: 5000 });
    try {
      return work(db);
    } finally {
      db.close();
    }
  };
  return {
    origin,
    databaseFile,
    process: child,
    log: () => output,
    logged: (event) =>
      output
        .split('\n')
        .filter((line) => line.includes(`"event":"${event}"`))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    query: (sql, ...parameters) =>
      withDatabase((db) => db.prepare(sql).all(...parameters) as Record<string, unknown>[]),
    execute: (sql) => withDatabase((db) => db.exec(sql)),
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGTERM');
        await exited;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
