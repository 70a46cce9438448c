import { once } from 'node:events';
import type { Socket } from 'node:net';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { type Site, startSite } from '../production-server';
import { startInProcess } from '../site-in-process';
import { RawSockets } from './raw-sockets';
import { anyAddress } from './visitor';

const KB = 1024;
const WEBHOOK = '/webhooks/stripe';
const PHOTO = '/application/1/passport-photo';

let live: Site;
let offline: Site;
beforeAll(async () => {
  live = await startSite({ OFFLINE_MODE: 'false' }, { clock: 'held' });
  offline = await startInProcess();
});
afterAll(async () => await Promise.all([live.stop(), offline.stop()]));

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

async function statusOf(site: Site, path: string, { headers, ...init }: Sent): Promise<number> {
  const all = { 'X-Forwarded-For': anyAddress(), ...headers };
  return (await fetch(site.origin + path, { method: 'POST', ...init, headers: all })).status;
}

const json = { 'Content-Type': 'application/json' };
const bearer = { Authorization: 'Bearer abc' };
const signed = { 'Stripe-Signature': 't=1,v1=x' };
const multipart = { 'Content-Type': 'multipart/form-data; boundary=x' };
const NO_GRANT = 400;
const NO_TOKEN = 401;
const UNSIGNED = 400;
/** The guard lets it pass, and there is no such application. */
const NOT_HERE = 404;
const NO_PHOTO = 65 * KB * KB;

const sockets = new RawSockets();
afterEach(() => sockets.closeAll());
function begin(path: string, client: string, ...headers: string[]): Socket {
  const socket = sockets.dial(live.origin);
  const head = ['Host: x', `X-Forwarded-For: ${client}`, ...headers];
  socket.write(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
  return socket;
}
const SIGNED = 'Stripe-Signature: t=1,v1=x';
/** An event of 60 KB. */
const beginEvent = (client: string, ...headers: string[]) =>
  begin(WEBHOOK, client, `Content-Length: ${60 * KB}`, ...headers);
const answerOf = async (socket: Socket) => String((await once(socket, 'data'))[0]);

describe('in the live half', () => {
  it.each<[string, string, Sent, number]>([
    ['JSON for programs', '/token', { headers: json, body: '{}' }, NO_GRANT],
    ['JSON for a form', '/contact', { headers: json, body: '{}' }, 415],
    ['a form for programs', '/token', { body: 'a=b' }, 415],
    ['DELETE with a token', '/factors/1', { method: 'DELETE', headers: bearer }, NO_TOKEN],
    ['DELETE without one', '/factors/1', { method: 'DELETE' }, 401],
    ['DELETE elsewhere', '/contact', { method: 'DELETE', headers: bearer }, 405],
    ['PUT', '/factors/1', { method: 'PUT', headers: bearer }, 405],
    ['a webhook of any type', WEBHOOK, { headers: signed, body: 'x'.repeat(63 * KB) }, UNSIGNED],
    ['a photo', PHOTO, { headers: multipart, body: 'x'.repeat(8 * KB * KB) }, NOT_HERE],
    ['a photo from another site', PHOTO, { headers: { ...multipart, Origin: 'https://x.y' } }, 403],
    ['a photo elsewhere', '/application/1/step-1', { headers: multipart, body: 'x' }, 415],
  ])('%s', async (_, path, sent, status) => expect(await statusOf(live, path, sent)).toBe(status));

  it.each([
    ['/token', 'application/json', 65 * KB],
    [WEBHOOK, 'application/json', 65 * KB],
    [PHOTO, 'multipart/form-data; boundary=x', NO_PHOTO],
  ])('%s: %s of %i bytes is refused before any of them', async (path, type, size) => {
    const head = [SIGNED, `Content-Type: ${type}`, `Content-Length: ${size}`];
    expect(await answerOf(begin(path, anyAddress(), ...head))).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('the payment provider is never told to wait', async () => {
    const headers = { 'X-Forwarded-For': '192.0.2.1', ...signed };
    for (let count = 0; count < 100; count += 1) {
      expect(await statusOf(live, WEBHOOK, { headers, body: '{}' })).toBe(UNSIGNED);
    }
  });

  it('an event without a signature is refused before its body, and its connection is closed', async () => {
    for (const header of ['X-Other: x', 'Stripe-Signature: ']) {
      const socket = beginEvent(anyAddress(), header);
      const closed = once(socket, 'close');
      expect(await answerOf(socket)).toMatch(/^HTTP\/1\.1 400 /);
      await closed;
    }
  });

  it('eight events of one client are awaited, for three seconds; those of others are taken', async () => {
    const client = anyAddress();
    const first = Array.from({ length: 8 }, () => beginEvent(client, SIGNED));
    const ends = first.map((socket) => once(socket, 'data'));
    expect(await answerOf(beginEvent(client, SIGNED))).toMatch(/^HTTP\/1\.1 503 /);
    const send = (headers: Record<string, string>) =>
      statusOf(live, WEBHOOK, { headers: { ...headers, ...signed }, body: '{}' });
    expect(await send({})).toBe(UNSIGNED);
    await live.clock.pass(3000);
    for (const [data] of await Promise.all(ends)) expect(String(data)).toMatch(/^HTTP\/1\.1 408 /);
    await expect.poll(() => send({ 'X-Forwarded-For': client })).toBe(UNSIGNED);
    const levelsOf = (status: number) =>
      live.logged('request').flatMap((line) => (line['status'] === status ? [line['level']] : []));
    expect([...levelsOf(503), ...levelsOf(408)]).toEqual(Array(9).fill('info'));
  });
});

it.each<[string, Sent, number]>([
  ['/token', { headers: json, body: '{}' }, 415],
  ['/factors/1', { method: 'DELETE', headers: bearer }, 405],
  [WEBHOOK, { headers: json, body: '{}' }, 415],
  [PHOTO, { headers: multipart, body: 'x' }, 415],
])('while it is off, %s takes nothing else than other addresses', async (path, sent, status) => {
  expect(await statusOf(offline, path, sent)).toBe(status);
});
