/** The app under servers that are not ours: Remix's own, and the one for development. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { type IncomingMessage, request as ask } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

import SQLite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { type Language, LANGUAGES } from '~/i18n/languages';
import { type Mode, SITE_MAP } from '~/site-map';
import { freePort, temporaryFolder } from '../production-server';
import { LONG } from '../rounds';
import { endsWithTest, site, withSite } from './site';
import { anyAddress, Visitor } from './visitor';

/** An address of this machine that others reach: what is asked there comes from no loopback address. */
const ADDRESS = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && !one.internal)?.address;

type OtherServer = Awaited<ReturnType<typeof start>>;

/** Starts a server with a database of its own, and waits for its first answer. */
async function start(
  mode: Mode,
  NODE_ENV: 'production' | 'development',
  command: (port: number) => string[],
) {
  if (!ADDRESS) throw new Error('This machine has no address but the loopback ones.');
  const folder = temporaryFolder();
  const file = join(folder, 'esta.db');
  const port = await freePort();
  const [program = '', ...words] = command(port);
  const child: ChildProcess = spawn(program, words, {
    detached: true,
    env: {
      NODE_ENV,
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DATABASE_URL: `file:${file}`,
      OFFLINE_MODE: String(mode === 'offline'),
      PORT: String(port),
    },
  });
  let output = '';
  child.stdout?.on('data', (chunk) => (output += String(chunk)));
  child.stderr?.on('data', (chunk) => (output += String(chunk)));
  while (!(await isListening(port, 'localhost'))) {
    if (child.exitCode !== null) throw new Error(output);
    await pause(50);
  }
  return {
    port,
    rowsOf(table: string) {
      const db = new SQLite(file);
      const rows = db.prepare(`select count(*) from ${table}`).pluck().get();
      db.close();
      return rows as number;
    },
    async stop() {
      const ended = once(child, 'exit');
      if (child.exitCode === null) {
        process.kill(-(child.pid as number), 'SIGTERM');
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** `remix-serve`, which by itself listens everywhere. */
const remixServe = (mode: Mode) =>
  start(mode, 'production', () => [
    process.execPath,
    'node_modules/@remix-run/serve/dist/cli.js',
    'build/server/index.js',
  ]);

/** `npm run dev`; what a browser needs is bundled anew, as on the first start. */
const dev = (mode: Mode, ...words: string[]) =>
  start(mode, 'development', (port) => [
    ...['npm', 'run', 'dev', '--', '--port', `${port}`, '--strictPort', '--force', ...words],
  ]);

async function isListening(port: number, host: string): Promise<boolean> {
  const socket = connect({ port, host, family: host === ADDRESS ? 4 : 0 });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

const FORM =
  'email=stranger%40example.eu&password=quiet-otter-walks-9-miles&first_name=A&last_name=Stranger';

interface Asked {
  method?: 'GET' | 'POST';
  address?: string | undefined;
  /** The `Host` header, if it is not the address. */
  host?: string;
  language?: Language;
}

/** Asks from the address that is asked: there from one that is not loopback. */
async function send(
  port: number | string,
  path: string,
  { method = 'GET', address = ADDRESS, host, language = 'fr' }: Asked = {},
) {
  const body = method === 'POST' ? FORM : '';
  const request = ask({
    host: address,
    port,
    path,
    method,
    agent: false,
    headers: {
      'Accept-Language': language,
      'X-Forwarded-For': anyAddress(),
      ...(host && { Host: host }),
      ...(method === 'POST' && {
        'Content-Type': 'application/x-www-form-urlencoded',
        'Content-Length': body.length,
      }),
    },
  }).end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const { statusCode: status, headers } = response;
  return { status, goal: headers.location, page: await text(response) };
}

const EXAMPLES: Record<string, string> = { variant: 'eligibility', '*': 'nowhere' };
const example = (path: string) =>
  path.replace(/:(\w+)|\*/g, (part, name?: string) => EXAMPLES[name ?? part] ?? 'one');
const ADDRESSES = [...new Set(SITE_MAP.map(({ path }) => example(path)))];

const shown = (page: string) => page.match(/<h1[^>]*>[^]*?<\/h1>|<form[^>]*>/g);

describe.each([
  { name: 'remix-serve', server: remixServe, address: ADDRESS },
  ...(LONG ? [{ name: 'npm run dev', server: dev, address: 'localhost' }] : []),
])('offline under $name', ({ server, address }) => {
  withSite();
  let other: OtherServer;
  beforeAll(async () => (other = await server('offline')));
  afterAll(() => other.stop());

  it('every address of both modes is what it is under our own server', async () => {
    for (const path of ADDRESSES) {
      for (const method of ['GET', 'POST'] as const) {
        const visitor = new Visitor(site.origin, { 'Accept-Language': 'fr' });
        const [ours, theirs] = await Promise.all([
          method === 'GET'
            ? visitor.get(path)
            : visitor.send(path, { method, body: new URLSearchParams(FORM) }),
          send(other.port, path, { method, address }),
        ]);
        expect([method, path, theirs.status, theirs.goal, shown(theirs.page)]).toEqual([
          ...[method, path, ours.status, ours.headers.get('Location') ?? undefined],
          shown(await ours.text()),
        ]);
      }
    }
    for (const table of ['users', 'applications', 'contact_messages'])
      expect(other.rowsOf(table)).toBe(0);
  });
});

describe('live under remix-serve', () => {
  let other: OtherServer;
  beforeAll(async () => (other = await remixServe('live')));
  afterAll(() => other.stop());

  it('no address of the live half answers, whatever host is asked for', async () => {
    const rows = SITE_MAP.filter(({ mode, kind }) => mode === 'live' && kind !== 'error');
    expect(rows.length).toBeGreaterThan(50);
    for (const [n, { path }] of rows.entries()) {
      const language = LANGUAGES[n % LANGUAGES.length] ?? 'fr';
      const asked = { host: 'localhost', language };
      const page = await send(other.port, example(path), asked);
      const form = await send(other.port, example(path), { ...asked, method: 'POST' });
      // Where there is nothing to read, or no form is taken, Remix says so.
      const [statuses, answer] = page.status === 503 ? [[503, 405], page] : [[400, 503], form];
      expect([path, page.status, form.status]).toBeOneOf([
        [path, 503, 503],
        [path, ...statuses],
      ]);
      expect([path, answer.page]).toEqual([
        path,
        expect.stringContaining(bundles[language].shell.errors.otherServer.text),
      ]);
    }
    for (const table of ['users', 'applications', 'outbox']) expect(other.rowsOf(table)).toBe(0);
  });

  it('what both modes have is there, but for the form that would keep a message', async () => {
    for (const path of ['/', '/eligibility-check', '/contact', '/healthz']) {
      expect([path, (await send(other.port, path)).status]).toEqual([path, 200]);
    }
    expect((await send(other.port, '/contact', { method: 'POST' })).status).toBe(503);
    const data = `?${new URLSearchParams({ _data: 'live/outbox' }).toString()}`;
    expect((await send(other.port, `/outbox${data}`, { host: 'localhost' })).status).toBe(503);
    expect(other.rowsOf('contact_messages')).toBe(0);
  });
});

// It makes all of the site's modules as they are asked for.
describe.runIf(LONG)('npm run dev', () => {
  it('shows both halves to this machine alone', async () => {
    const other = endsWithTest(await dev('live'));
    const asked = { address: 'localhost' };
    for (const [path, words] of [
      ['/', '<h1'],
      ['/auth', 'type="password"'],
      ['/outbox', '<h1'],
    ] as const) {
      const { status, page } = await send(other.port, path, asked);
      expect([path, status, page]).toEqual([path, 200, expect.stringContaining(words)]);
    }
    const elsewhere = { ...asked, host: 'somebody.example' };
    expect((await send(other.port, '/outbox', elsewhere)).status).toBe(403);
    expect(await isListening(other.port, ADDRESS ?? '')).toBe(false);
  });

  it('shows the live half to nobody where others reach it', async () => {
    const other = endsWithTest(await dev('live', '--host'));
    expect((await send(other.port, '/')).status).toBe(200);
    for (const path of ['/auth', '/outbox']) {
      expect((await send(other.port, path, { host: 'localhost' })).status).toBe(503);
    }
  });
});
