/**
 * A site in the process of its test, made of the sources, behind what `startSite` of
 * `production-server.ts` gives: no process to start, no connection to make, and the program's own
 * functions are part of it. What a test asks of its origin by `fetch` is answered here.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { createApp } from '~/app.server';
import { type App, type Clock, inApp, setAppOfProcess } from '~/current-app.server';
import { contentChanged } from '~/database.server';
import { rememberRoutes } from './asked-routes';
import {
  accessTo,
  type HeldClock,
  linesAbout,
  newDatabase,
  SHARED_SECRET,
  type Site,
  temporaryFolder,
  whilePending,
} from './production-server';
import { openStore } from '~db/open-store.server';
import { SqliteStore } from '~db/sqlite/sqlite-store.server';
import type { Store } from '~db/store.server';
import { CLIENT_FOLDER, sourceBuild } from './source-build';
import { withoutConnection } from './without-connection';

let build: ReturnType<typeof sourceBuild> | undefined;
/** Nobody listens on these; an origin with port 80 would not name it. */
let lastPort = 1000;
/** The apps of now; what a test does itself is part of the first: others stand beside it for a moment. */
const apps: App[] = [];
const sites = new Map<string, (request: Request) => Promise<Response>>();
const overConnections = globalThis.fetch;

/** As the real one, which also says by itself who asks. */
globalThis.fetch = async (asked, init) => {
  let request = new Request(asked, init);
  const usual = { Accept: '*/*', 'Accept-Language': '*', 'User-Agent': 'node' };
  for (let hops = 0; hops < 20; hops += 1) {
    const answer = sites.get(new URL(request.url).origin);
    if (!answer) return hops === 0 ? overAnother(asked, init) : overAnother(request);
    for (const [name, value] of Object.entries(usual)) {
      if (!request.headers.has(name)) request.headers.set(name, value);
    }
    const { redirect, headers } = request;
    const response = await unpacked(await answer(request));
    const location = response.headers.get('Location');
    if (redirect !== 'follow' || location === null || response.status < 300) return response;
    request = new Request(new URL(location, request.url), { headers });
  }
  throw new TypeError('redirected too often');
};

/** By a connection of its own: on a busy machine the server closes a kept one while it is asked. */
function overAnother(asked: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers ?? (asked instanceof Request ? asked.headers : {}));
  headers.set('Connection', 'close');
  return overConnections(asked, { ...init, headers });
}

const UNPACK: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

/** As who asks over a connection gets it. */
async function unpacked(response: Response): Promise<Response> {
  const unpack = UNPACK[response.headers.get('Content-Encoding') ?? ''];
  if (!unpack || !response.body) return response;
  return new Response(new Uint8Array(unpack(Buffer.from(await response.arrayBuffer()))), response);
}

/** Passwords cost next to nothing here. */
const HASHING = { memoryCost: 64, timeCost: 1, parallelism: 1 };

export interface InProcessOptions {
  clock?: 'real' | 'held';
  /** Of a held clock; else the moment of the start. */
  begin?: Date;
  settings?: unknown;
  /** As slow as the site's own. */
  hashes?: 'real';
}

interface SiteInProcess extends Site {
  clock: JumpingClock;
}
interface JumpingClock extends HeldClock {
  /** Lets so many milliseconds pass at once: what is due meanwhile, however often, begins at their end, once. */
  jump: (ms: number) => Promise<void>;
}

/** A second site with the same SQLite file needs its own process: who waits for a lock stops all here. */
export async function startInProcess(
  variables: Record<string, string> = {},
  { clock = 'real', begin, settings, hashes }: InProcessOptions = {},
): Promise<SiteInProcess> {
  const folder = temporaryFolder();
  const { DATABASE_URL = await newDatabase(folder) } = variables;
  const SITE_CONFIG = join(folder, 'site.json');
  if (settings !== undefined) writeFileSync(SITE_CONFIG, JSON.stringify(settings));
  const hand = heldClock(begin?.getTime());
  let store: Store | undefined;
  let output = '';
  const site = await createApp({
    build: await (build ??= sourceBuild()),
    clientFolder: CLIENT_FOLDER,
    env: {
      DATABASE_URL,
      ...(DATABASE_URL.startsWith('postgres') && { SESSION_SECRET: SHARED_SECRET }),
      TRUST_PROXY: '1',
      ...(settings !== undefined && { SITE_CONFIG }),
      ...variables,
    },
    clock: clock === 'held' ? hand.clock : undefined,
    hashing: hashes ? undefined : HASHING,
    // A process of its own to check what was copied just now would take longer than all the rest.
    openStore: async (address, opening) =>
      (store = await openStore(address, { ...opening, checkApart: false })),
    writeLog: (lines) => {
      output += lines;
      rememberRoutes(lines, { isBuilt: false });
    },
  });
  const port = (lastPort += 1);
  const origins = [`http://127.0.0.1:${port}`, `http://localhost:${port}`] as const;
  const fetch = async (request: Request) => {
    const { incoming, outgoing, end } = await withoutConnection(request);
    const response = await site.answer(incoming, outgoing);
    end(response.status);
    return response;
  };
  for (const origin of origins) sites.set(origin, fetch);
  apps.push(site.app);
  setAppOfProcess(apps[0]);
  site.begin('127.0.0.1', port);
  const { query, execute, leave } = accessTo(DATABASE_URL, (sql) => {
    if (store instanceof SqliteStore) store.sqlite.exec(sql);
    inApp(site.app, contentChanged);
  });
  return {
    origin: origins[0],
    databaseFile: DATABASE_URL.replace(/^file:/, ''),
    log: () => output,
    logged: (event) => linesAbout(event, output),
    query,
    execute,
    clock: hand.held,
    stop: async () => {
      for (const origin of origins) sites.delete(origin);
      leave();
      await site.close();
      apps.splice(apps.indexOf(site.app), 1);
      setAppOfProcess(apps[0]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function heldClock(begin = Date.now()): { clock: Clock; held: JumpingClock } {
  let now = begin;
  const timers = new Set<{ at: number; work: () => void }>();
  const inOrder = () => [...timers].sort((a, b) => a.at - b.at);
  /** Comes to this time by way of each timer that is due before it. */
  const comeTo = async (time: number): Promise<void> => {
    for (let [due] = inOrder(); due && due.at <= time; [due] = inOrder()) {
      now = Math.max(now, due.at);
      timers.delete(due);
      due.work();
      await new Promise((resolve) => setImmediate(resolve));
    }
    now = Math.max(now, time);
  };
  return {
    clock: {
      now: () => new Date(now),
      elapsed: () => now - begin,
      later(ms, work) {
        // Whoever lets the time pass, it is the work of the app that waits.
        const timer = { at: now + ms, work: AsyncLocalStorage.bind(work) };
        timers.add(timer);
        return () => timers.delete(timer);
      },
    },
    held: {
      now: () => Promise.resolve(now),
      pass: (ms) => comeTo(now + ms),
      jump: (ms) => comeTo((now += ms)),
      until: async (promise, within = 10_000) => {
        const start = now;
        const value = await whilePending(promise, async () => {
          const [due] = inOrder();
          if (due && due.at - now <= within) await comeTo(due.at);
          // The machine's own work takes its time.
          await pause(1);
        });
        return { value, ms: now - start };
      },
    },
  };
}
