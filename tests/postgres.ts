/** Of the binaries that are installed, or the server of `PG_TEST_URL`, whose user may create databases. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

import pg from 'pg';

import { freePort, temporaryFolder } from './production-server';

const IS_ROOT = process.getuid?.() === 0;
/** Debian keeps each version's programs apart. */
const DEBIAN = '/usr/lib/postgresql';
/** A cluster that is made once and copied for each server: to make one takes seconds. */
const TEMPLATE = '.cache/postgres';

/** The folder of the newest installed `postgres` and `initdb`; undefined if there is none. */
export function postgresBinaries(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : [];
  return [
    ...versions.sort((a, b) => b - a).map((version) => join(DEBIAN, String(version), 'bin')),
    ...(process.env['PATH'] ?? '').split(':'),
  ].find((folder) => existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'initdb')));
}

export type PostgresServer = ReturnType<typeof serverAt>;

interface PostgresOptions {
  settings?: string[];
  /** Fills the empty folder of its data, as a restore does; without it there is an empty cluster. */
  fill?: (data: string, binaries: string) => void;
}

export async function startPostgres({
  settings: more = [],
  fill = copyTemplate,
}: PostgresOptions = {}): Promise<PostgresServer> {
  const binaries = postgresBinaries();
  const given = process.env['PG_TEST_URL'];
  if (!binaries && given) return serverAt(given);
  if (!binaries) {
    throw new Error(
      'No PostgreSQL: install the package postgresql, or name a server in PG_TEST_URL whose user may create databases.',
    );
  }
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  ownByPostgres(data);
  fill(data, binaries);
  const port = await freePort();
  let child: ChildProcess | undefined;
  const server = serverAt(`postgres://postgres@127.0.0.1:${port}/postgres`);
  const stop = async (how: 'immediate' | 'fast' = 'fast') => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
  };
  const start = async () => {
    if (child && child.exitCode === null && child.signalCode === null) return;
    const settings = ['fsync=off', 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
    settings.push('max_connections=300', 'max_wal_size=128MB', ...more);
    const words = [...asPostgres(join(binaries, 'postgres')), '-D', data, '-p', String(port)];
    const [program = '', ...rest] = [...words, ...settings.flatMap((one) => ['-c', one])];
    child = spawn(program, rest, { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr?.on('data', (chunk) => (said += String(chunk)));
    for (let tries = 0; !(await answers(server.url)); tries += 1) {
      if (child.exitCode !== null || tries > 300) throw new Error(`PostgreSQL: ${said}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  await start();
  // Where a test run is cut short, nothing stays behind.
  process.once('exit', () => {
    child?.kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    ...server,
    stop,
    start,
    async remove() {
      await stop('immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let shared: Promise<PostgresServer> | undefined;

/** One server for all tests of a run (tests/run-setup.ts), or else of this process, which ends with it. */
export function sharedPostgres(): Promise<PostgresServer> {
  const url = process.env['TEST_POSTGRES'];
  return (shared ??= url === undefined ? startPostgres() : Promise.resolve(serverAt(url)));
}

export const copiedDatabase = () =>
  `copied_${basename(process.env['TEST_COPIES'] ?? String(process.pid))}`.replace(/\W/g, '_');

function serverAt(url: string) {
  const nothing = () => Promise.resolve();
  const stop: (how?: 'immediate' | 'fast') => Promise<void> = nothing;
  const administer = async (work: (client: pg.Client) => Promise<unknown>): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await work(client).finally(() => client.end());
  };
  const addressOf = (name: string) => new URL(name, url).href;
  return {
    /** The address of its own database, for a user who may make others. */
    url,
    /** Makes an empty database, or a copy of the one that `make` has filled for the first test of the run. */
    async createDatabase(make?: (url: string) => Promise<void>): Promise<string> {
      const name = `test_${randomBytes(8).toString('hex')}`;
      await administer(async (client) => {
        if (!make) return client.query(`create database ${name}`);
        const copied = copiedDatabase();
        // Of workers that want the first copy at the same moment one makes what is copied.
        await client.query('select pg_advisory_lock(1)');
        const known = await client.query('select from pg_database where datname = $1', [copied]);
        if (known.rowCount === 0) {
          await client.query(`create database "${copied}"`);
          await make(addressOf(copied));
        }
        await client.query('select pg_advisory_unlock(1)');
        return client.query(`create database ${name} template "${copied}"`);
      });
      return addressOf(name);
    },
    dropDatabases: (which: string[]) =>
      administer(async (client) => {
        for (const one of which) {
          const name = new URL(one, url).pathname.slice(1);
          await client.query(`drop database if exists "${name}" with (force)`);
        }
      }),
    /** Ends the server as a failing machine does, or starts it again; only one of the test's own. */
    stop,
    start: nothing,
    remove: nothing,
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

/** PostgreSQL refuses to run as root: then its own user does. */
export function asPostgres(program: string): string[] {
  if (!IS_ROOT) return [program];
  const user = ['--reuid=postgres', '--regid=postgres', '--clear-groups'];
  // A test run that is killed takes it along.
  return ['setpriv', ...user, '--pdeathsig=QUIT', program];
}

function copyTemplate(target: string, binaries: string): void {
  if (!existsSync(TEMPLATE)) makeTemplate(binaries);
  cpSync(TEMPLATE, target, { recursive: true });
  ownByPostgres(target);
}

/** Makes a folder PostgreSQL's own, with what is in it. */
export function ownByPostgres(folder: string): void {
  if (!IS_ROOT) return;
  // The folders above have to let it in, too.
  run('chmod', ['711', join(folder, '..')]);
  run('chown', ['-R', 'postgres:postgres', folder]);
}

function makeTemplate(binaries: string): void {
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  try {
    if (IS_ROOT) {
      run('chown', ['postgres:postgres', folder]);
    }
    const [program = '', ...words] = asPostgres(join(binaries, 'initdb'));
    run(program, [
      ...words,
      ...['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '--encoding=UTF8'],
      '--locale=C.UTF-8',
    ]);
    mkdirSync('.cache', { recursive: true });
    cpSync(data, `${TEMPLATE}.${process.pid}`, { recursive: true });
    // Another worker may have been faster.
    if (existsSync(TEMPLATE)) rmSync(`${TEMPLATE}.${process.pid}`, { recursive: true });
    else renameSync(`${TEMPLATE}.${process.pid}`, TEMPLATE);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(program: string, words: string[]): void {
  const { status, stderr } = spawnSync(program, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stderr}`);
}
