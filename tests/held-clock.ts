/**
 * Holds a server's clock: `node --import ./tests/held-clock.ts build/server/main.js`, as `startSite`
 * does for `{ clock: 'held' }`. Time stands still until the test lets it pass, so nothing waits for
 * a real clock and no limit refills meanwhile. It is a clock of the tests' own: the program knows
 * nothing of it.
 *
 * - `Date` and `performance.now()` tell the held time.
 * - A timer of a second or more is a promise to somebody (a drain, a delay, an hour) and waits for
 *   the held time. A shorter one is a pause between two tries of the machine, and runs as ever.
 * - `Atomics.wait` waits as ever, and the held time passes with it.
 * - No connection is closed because nobody has used it for a while.
 *
 * What else Node and SQLite do by themselves (the time-outs of sockets and locks) keeps real time.
 */
import http from 'node:http';
import { createRequire, syncBuiltinESMExports } from 'node:module';

/** In milliseconds; shorter timers run in real time. */
const SHORTEST_HELD = 1000;

/** What the test asks for: let so many milliseconds pass, or as many as the next timer needs. */
interface Asked {
  id: number;
  pass?: number;
  /** Goes on to the next timer, if it is due within so many milliseconds. */
  nextWithin?: number;
}

interface Held {
  at: number;
  /** Nobody waits for one that is not (`unref`): time goes past it, but not on to it. */
  isRef: boolean;
  every: number | undefined;
  work: () => void;
}

const require = createRequire(import.meta.url);
const RealDate = Date;
const real = { setTimeout, setInterval, clearTimeout, clearInterval, wait: Atomics.wait };
let now = RealDate.now();
const held = new Map<object, Held>();

class HeldDate extends RealDate {
  constructor(...given: unknown[]) {
    super(...((given.length > 0 ? given : [now]) as [number]));
  }
  static override now(): number {
    return now;
  }
}

function hold(work: () => void, ms: number, repeated: boolean): object {
  const timer = {
    ref: () => referred(true),
    unref: () => referred(false),
    hasRef: () => held.get(timer)?.isRef ?? false,
    refresh: () => timer,
    close: () => void held.delete(timer),
    [Symbol.dispose]: () => void held.delete(timer),
  };
  function referred(isRef: boolean): object {
    const own = held.get(timer);
    if (own) own.isRef = isRef;
    return timer;
  }
  held.set(timer, { at: now + ms, isRef: true, every: repeated ? ms : undefined, work });
  return timer;
}

function starter(start: typeof setTimeout, repeated: boolean) {
  return (work: (...given: unknown[]) => void, ms = 1, ...given: unknown[]) =>
    ms < SHORTEST_HELD ? start(work, ms, ...given) : hold(() => work(...given), ms, repeated);
}

function stopper(stop: typeof clearTimeout) {
  return (timer: object | undefined) => {
    if (!timer || !held.delete(timer)) stop(timer as NodeJS.Timeout);
  };
}

const replaced = {
  setTimeout: starter(real.setTimeout, false),
  setInterval: starter(real.setInterval as typeof setTimeout, true),
  clearTimeout: stopper(real.clearTimeout),
  clearInterval: stopper(real.clearInterval),
};
Object.assign(globalThis, { ...replaced, Date: HeldDate });
const begin = { date: now, performance: performance.now() };
performance.now = () => begin.performance + (now - begin.date);
Object.assign(require('node:timers') as object, replaced);
Object.assign(require('node:timers/promises') as object, {
  setTimeout: (ms?: number, value?: unknown) =>
    new Promise((resolve) => replaced.setTimeout(() => resolve(value), ms)),
});
// A busy machine may take the seconds in which Node keeps a connection, while a request is on its way.
const { createServer } = http;
http.createServer = ((...given: Parameters<typeof createServer>) => {
  const server = createServer(...given);
  server.keepAliveTimeout = 0;
  return server;
}) as typeof createServer;
syncBuiltinESMExports();

Atomics.wait = ((...given: Parameters<typeof real.wait>) => {
  const result = real.wait(...given);
  now += given[3] ?? 0;
  return result;
}) as typeof Atomics.wait;

const inOrder = () => [...held].sort(([, a], [, b]) => a.at - b.at);
const next = () => inOrder()[0];

/** Comes to this time by way of each timer that is due before it. */
async function comeTo(time: number): Promise<void> {
  for (let due = next(); due && due[1].at <= time; due = next()) {
    const [timer, { at, isRef, every, work }] = due;
    now = Math.max(now, at);
    process.send?.({ now });
    if (every === undefined) held.delete(timer);
    else held.set(timer, { at: at + every, isRef, every, work });
    work();
    await new Promise((resolve) => setImmediate(resolve));
  }
  now = Math.max(now, time);
}

process.on('message', (asked: Asked) => {
  const due = inOrder().find(([, { isRef }]) => isRef)?.[1].at ?? Infinity;
  const goal =
    asked.pass !== undefined ? now + asked.pass : due - now <= (asked.nextWithin ?? 0) ? due : now;
  void comeTo(goal).then(() => process.send?.({ id: asked.id, now }));
});
// Who runs the server may be gone, or the server be about to end: the clock keeps nobody.
process.channel?.unref();
process.on('disconnect', () => undefined);
