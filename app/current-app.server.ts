import { AsyncLocalStorage } from 'node:async_hooks';

import type { Options as Hashing } from '@node-rs/argon2';

import { getOrInsert } from '~/domain/get-or-insert';
import type { openStore } from '~db/open-store.server';
import type { Database } from '~db/schema';
import type { Settings } from './settings/schema.server';

export interface Clock {
  now(): Date;
  elapsed(): number;
  later(ms: number, work: () => void): () => void;
}

/** What an app is made of (`createApp` of `app.server.ts`), and what its modules keep while it lives. */
export interface App {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock | undefined;
  readonly openStore?: typeof openStore | undefined;
  /** For tests: how passwords are hashed; much cheaper than real ones are. */
  readonly hashing?: Hashing | undefined;
  /** Takes lines of the log; undefined: standard output does. */
  writeLog?: ((lines: string) => void) | undefined;
  readonly states: Map<() => unknown, unknown>;
}

export interface CurrentRequest {
  readonly id: string;
  /** Notes for the log why it is refused though nothing is wrong, such as a full queue. */
  readonly refuse: (reason: string) => void;
  /** What it shows from its beginning to its end (`settings/published.server.ts`). */
  settings?: Settings;
  /** An owner looks at the site as it will be then. */
  day?: string;
  /** Pages are tried with other content than the site's. */
  database?: Database;
}

type Running = { app: App; request?: CurrentRequest };

const running = new AsyncLocalStorage<Running>();
/** The app of what runs outside of any: of commands, of other servers. */
// oxlint-disable-next-line site/state -- says whose state is meant
let ofProcess: App | undefined;

/** The app at work; where there is none, that of the process, made from its environment. */
export const currentApp = (): App =>
  running.getStore()?.app ?? (ofProcess ??= newApp({ env: process.env }));

export const newApp = (options: Omit<App, 'states'>): App => ({ ...options, states: new Map() });

export const inApp = <T>(app: App, work: () => T): T => running.run({ app }, work);

export function setAppOfProcess(app: App | undefined): void {
  ofProcess = app;
}

export const inRequest = <T>(request: CurrentRequest, work: () => T): T =>
  running.run({ app: currentApp(), request }, work);

/** A key of what is remembered until its end: Remix hands each loader a copy of the request. */
export const currentRequest = (): CurrentRequest | undefined => running.getStore()?.request;

export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Made when an app first needs it. Modules keep nothing else that changes. */
export function perApp<T>(make: () => T): () => T {
  return () => getOrInsert(currentApp().states, make, make) as T;
}
