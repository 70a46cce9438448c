import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { type ServedSite, startSite } from '../production-server';
import { rounds } from '../rounds';
import { RawSockets } from './raw-sockets';
import { Visitor } from './visitor';

const FAST_SOCKETS = fileURLToPath(new URL('../fast-sockets.ts', import.meta.url));

let site: ServedSite;
/** Starts a site for the tests of a part of this file. */
const withSite = (...options: Parameters<typeof startSite>) => {
  beforeAll(async () => void (site = await startSite(...options)));
  afterAll(() => site.stop());
};
const sockets = new RawSockets();
afterEach(() => sockets.closeAll());

const dial = () => sockets.dial(site.origin);

/** How often the log says words. */
const timesSaid = (words: string) => site.log().split(words).length - 1;
const TUNNEL = 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n';

const isServing = async () => (await new Visitor(site.origin).get('/healthz')).status === 200;

describe('a site behind a proxy', () => {
  withSite({ OFFLINE_MODE: 'false', TRUST_PROXY: '1' }, { clock: 'held' });

  it('forwarded junk is neither believed nor kept', async () => {
    const junk = 'a'.repeat(14_000);
    const clients = rounds(800, 12_000);
    // A built file that is not there: the cheapest request that is counted.
    const resident = () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${site.process.pid}/status`, 'utf8'))?.[1]) /
      1024;
    const before = existsSync('/proc/self') ? resident() : 0;
    for (let sent = 0; sent < clients; sent += 50) {
      const statuses = await Promise.all(
        Array.from({ length: 50 }, async (_, index) => {
          const genuine = `2001:db8:${(sent + index).toString(16)}::1`;
          const headers = { 'X-Forwarded-For': `${sent}${index}${junk}, ${genuine}` };
          return (await fetch(`${site.origin}/assets/none`, { headers })).status;
        }),
      );
      expect(new Set(statuses)).toEqual(new Set([404]));
    }
    // Of 14 KB each, were they kept, it would be 40 MB and more.
    if (existsSync('/proc/self')) expect(resident() - before).toBeLessThan(100);
    // An entry that is no address is the proxy's own: all of these are one client.
    const answers = [];
    for (let count = 0; count < 61; count += 1) {
      const visitor = new Visitor(site.origin, { 'X-Forwarded-For': `no address ${count}` });
      answers.push((await visitor.post('/language', { lng: 'de', returnTo: '/' })).status);
    }
    expect(answers.filter((status) => status === 429)).toEqual([429]);
    expect(timesSaid('no address: it is not believed')).toBe(1);
  });

  it('a request to become something else is answered as a request', async () => {
    const socket = dial();
    socket.write(
      'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 200 /);
    socket.resetAndDestroy();
    expect(await isServing()).toBe(true);
  });

  it('a proxy has more connections than one address', async () => {
    const proxied = Array.from({ length: 200 }, dial);
    await Promise.all(proxied.map((socket) => once(socket, 'connect')));
    expect(await isServing()).toBe(true);
    expect(proxied.filter((socket) => socket.destroyed)).toEqual([]);
  });

  it('who begins very many payment events keeps no connection from another visitor', async () => {
    /** Another visitor, who has no connection yet. */
    const statusOfAnother = async () => {
      const socket = dial();
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.9\r\n\r\n');
      return new Promise((resolve) => {
        socket.once('data', (data) => resolve(String(data).split('\r\n')[0]));
        socket.once('close', () => resolve('closed'));
      });
    };
    const head = 'POST /webhooks/stripe HTTP/1.1\r\nHost: x\r\nStripe-Signature: t=1,v1=x\r\n';
    const opened: Socket[] = [];
    // In waves: of more than 2,000 at the same moment the server drops whoever comes next.
    for (let wave = 0; wave < 14; wave += 1) {
      for (let sent = 0; sent < 150; sent += 1) {
        const socket = dial().resume();
        socket.write(`${head}Content-Length: 60000\r\n\r\n{`);
        opened.push(socket);
      }
      expect(await statusOfAnother()).toBe('HTTP/1.1 200 OK');
    }
    const left = () => opened.filter((socket) => !socket.destroyed && !socket.closed).length;
    await expect.poll(left).toBeLessThanOrEqual(8);
  });
});

describe('a site without a proxy', () => {
  withSite({ TRUST_PROXY: '' }, { clock: 'held' });

  it('one address has 64 connections', async () => {
    const opened = Array.from({ length: 80 }, dial);
    const refused = () => opened.filter((socket) => socket.destroyed || socket.closed).length;
    await expect.poll(refused).toBe(16);
    expect(site.logged('connections refused')).toHaveLength(1);
    opened[0]?.destroy();
    await expect.poll(isServing).toBe(true);
  });

  it('X-Forwarded-For without TRUST_PROXY is not believed, and told once', async () => {
    await expect.poll(isServing).toBe(true);
    // Many forwarded addresses, one client: 60 a minute.
    const statuses: number[] = [];
    for (let count = 0; count < 61; count += 1) {
      const visitor = new Visitor(site.origin);
      statuses.push((await visitor.post('/language', { lng: 'de', returnTo: '/' })).status);
    }
    expect(statuses.filter((status) => status === 429)).toEqual([429]);
    await expect.poll(() => site.log()).toMatch(/"level":"warn".*TRUST_PROXY/);
    expect(site.log().match(/TRUST_PROXY.*\n/g)).toHaveLength(1);
  });
});

describe('with time-outs ten times as short', () => {
  withSite({}, { nodeOptions: ['--import', FAST_SOCKETS] });

  it('who is silent, or goes on sending after a refusal, is hung up on', async () => {
    const silent = dial().resume();
    const deaf = dial().resume();
    deaf.write('GET / HTTP/1.1\r\nBroken\r\n\r\n');
    const talking = setInterval(() => deaf.write('x'), 50);
    // Twenty seconds of silence are two here; a refusal may be read for one.
    const closed = [silent, deaf].map(
      (socket) => new Promise((done) => socket.once('close', done)),
    );
    await Promise.all(closed).finally(() => clearInterval(talking));
  }, 8000);

  // The last one: it ends the process.
  it('a tunnel that is reset ends neither the process nor keeps it from ending', async () => {
    for (let round = 0; round < 20; round += 1) {
      const socket = dial();
      socket.write(TUNNEL);
      await once(socket, 'data');
      socket.resetAndDestroy();
    }
    // These stay open on their side.
    for (let round = 0; round < 5; round += 1) dial().write(TUNNEL);
    expect(await isServing()).toBe(true);
    const exited = once(site.process, 'exit');
    site.process.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });
});
