import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES } from '~/i18n/languages';
import { descriptorsOf, residentMb } from '../load/client';
import { FAST_SOCKETS, type ServedSite, startSite } from '../production-server';
import { LONG, rounds } from '../rounds';
import { RawSockets } from './raw-sockets';
import { anyAddress, Visitor } from './visitor';

let site: ServedSite;
const withSite = (...options: Parameters<typeof startSite>) => {
  beforeAll(async () => void (site = await startSite(...options)));
  afterAll(() => site.stop());
};
const sockets = new RawSockets();
afterEach(() => sockets.closeAll());

const dial = () => sockets.dial(site.origin);

const timesSaid = (words: string) => site.log().split(words).length - 1;
const TUNNEL = 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n';

const isServing = async () => (await new Visitor(site.origin).get('/healthz')).status === 200;

const raw = (first: string, ...lines: string[]) =>
  [first, 'Host: x', ...lines, '', ''].join('\r\n');
const FORM = 'Content-Type: application/x-www-form-urlencoded';
const exchange = (text: string) => sockets.exchange(site.origin, text, pause(1000));
const statuses = (answer: string) =>
  [...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));

const pid = () => Number(site.process.pid);

describe('a site under attack', () => {
  withSite({}, { clock: 'held' });

  it('many built files at once on connections that break off leave nothing open', async () => {
    const html = await (await new Visitor(site.origin).get('/timeline')).text();
    const files = [...new Set(html.match(/\/assets\/[\w.-]+/g))];
    expect(files.length).toBeGreaterThan(3);
    const before = descriptorsOf(pid());
    const address = anyAddress();
    const requests = Array.from({ length: 16 }, (_, n) =>
      raw(`GET ${files[n % files.length]} HTTP/1.1`, `X-Forwarded-For: ${address}`),
    ).join('');
    for (let round = 0; round < (LONG ? 40 : 8); round += 1) {
      await Promise.all(
        Array.from({ length: 25 }, async (_, index) => {
          const socket = sockets.dial(site.origin);
          socket.write(requests);
          // Some hang up before the first byte, some in the middle, and none reads on.
          if (index % 3 > 0) await once(socket, 'data');
          socket.resetAndDestroy();
        }),
      );
    }
    await expect.poll(() => descriptorsOf(pid()) - before).toBeLessThan(10);
    expect(residentMb(pid())).toBeLessThan(300);
  });

  it('a body that trickles in is refused after fifteen seconds, and its socket closed', async () => {
    const socket = sockets.dial(site.origin);
    let answer = '';
    socket.on('data', (chunk) => (answer += String(chunk)));
    socket.write(`${raw('POST /contact HTTP/1.1', FORM, 'Content-Length: 100')}n`);
    await pause(50);
    for (let seconds = 0; seconds < 14; seconds += 2) {
      await site.clock.pass(2000);
      socket.write('a');
    }
    await pause(50);
    expect([answer, socket.closed]).toEqual(['', false]);
    // Once it is answered, what still comes is thrown away for a moment.
    await site.clock.until(once(socket, 'close'));
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('what is refused counts as a request', async () => {
    const visitor = new Visitor(site.origin);
    const ask = async (method: string) =>
      (await fetch(`${site.origin}/about`, { method, headers: visitor.headers })).status;
    const answers = await Promise.all(Array.from({ length: 600 }, () => ask('PUT')));
    expect(new Set(answers)).toEqual(new Set([405]));
    expect([await ask('PUT'), await ask('GET')]).toEqual([429, 429]);
  });

  describe('raw requests', () => {
    it('an encoded line break is in no address that there is', async () => {
      const visitor = new Visitor(site.origin);
      for (const path of ['/%0a', '/a%0ac', '/contact%0a', '/a%e2%80%a8c', '/eligibility/%0a/x']) {
        expect([path, (await visitor.get(path)).status]).toEqual([path, 404]);
      }
      expect(site.log()).not.toContain('"level":"error"');
    });

    it('a tunnel or nonsense after a form never stands in the place of its answer', async () => {
      const form = `${raw('POST /contact HTTP/1.1', FORM, 'Content-Length: 6')}name=a`;
      for (const next of ['CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n', 'BROKEN\r\n\r\n']) {
        const [first, ...others] = statuses(await exchange(form + next));
        // Its own answer, or none.
        expect([[422], []]).toContainEqual(first === undefined ? [] : [first]);
        expect(others.filter((status) => status === 422)).toEqual([]);
      }
    });

    it('empty lines are no sign of life', async () => {
      const socket = sockets.dial(site.origin);
      socket.write(raw('GET /healthz HTTP/1.1'));
      await once(socket, 'data');
      const talking = setInterval(() => socket.write('\r\n'), 100);
      let isClosed = false;
      socket.once('close', () => (isClosed = true));
      await site.clock.pass(26_000);
      // Sooner than Node would hang up on who says nothing at all.
      await expect.poll(() => isClosed, { timeout: 3000 }).toBe(true);
      clearInterval(talking);
    });
  });

  describe('who is over a limit', () => {
    it('sends forms to a health check no more than anywhere else', async () => {
      const visitor = new Visitor(site.origin);
      await Promise.all(Array.from({ length: 60 }, () => visitor.post('/healthz', {})));
      expect((await visitor.post('/readyz', {})).status).toBe(429);
      await Promise.all(Array.from({ length: 700 }, () => visitor.get('/healthz')));
      expect((await visitor.get('/healthz')).status).toBe(200);
    });

    it('waits for pages, from memory or not, and reads so from memory, in each language, whatever it sends', async () => {
      // The database is opened with the first page, and seen a moment later.
      await new Visitor(site.origin).get('/about');
      await site.clock.pass(1);
      const visitor = new Visitor(site.origin);
      await new Visitor(site.origin).get('/about');
      const all = await Promise.all(Array.from({ length: 600 }, () => visitor.get('/about')));
      expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
      expect(all.every(({ headers }) => headers.has('ETag'))).toBe(true);
      visitor.setCookie('toast', 'x');
      for (const language of LANGUAGES) {
        visitor.headers['Accept-Language'] = language;
        for (const path of ['/about', '/contact']) {
          const refused = await visitor.get(path);
          const { status, headers } = refused;
          expect([path, status, headers.get('Retry-After')]).toEqual([path, 429, '1']);
          expect(headers.get('Content-Security-Policy')).not.toContain('nonce');
          const html = await refused.text();
          expect(html).toContain(`<html lang="${language}">`);
          expect(html).toContain(bundles[language].shell.errors.tooMany.title);
        }
      }
      expect((await visitor.get('/healthz')).status).toBe(200);
      // Ten come back in a second.
      await site.clock.pass(101);
      const statuses = [await visitor.get('/about'), await visitor.get('/about')];
      expect(statuses.map(({ status }) => status)).toEqual([200, 429]);
      expect((await new Visitor(site.origin).get('/about')).status).toBe(200);
    });
  });
});

describe('a site behind a proxy', () => {
  withSite({ OFFLINE_MODE: 'false', TRUST_PROXY: '1' }, { clock: 'held' });

  it('forwarded junk is neither believed nor kept', async () => {
    const junk = 'a'.repeat(14_000);
    const clients = rounds(800, 12_000);
    // A built file that is not there: the cheapest request that is counted.
    const before = residentMb(pid());
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
    expect(residentMb(pid()) - before).toBeLessThan(100);
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
    socket.write(raw('GET /healthz HTTP/1.1', 'Connection: Upgrade', 'Upgrade: websocket'));
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 200 /);
    socket.resetAndDestroy();
    expect(await isServing()).toBe(true);
  });

  it('a proxy has more connections than one address', async () => {
    const proxied = Array.from({ length: 200 }, dial);
    await Promise.all(proxied.map((socket) => once(socket, 'connect')));
    expect([await isServing(), proxied.filter((socket) => socket.destroyed)]).toEqual([true, []]);
  });

  it('who begins very many payment events keeps no connection from another visitor', async () => {
    const statusOfAnother = async () => {
      const socket = dial();
      socket.write(raw('GET /healthz HTTP/1.1', 'X-Forwarded-For: 192.0.2.9'));
      return new Promise((resolve) => {
        socket.once('data', (data) => resolve(String(data).split('\r\n')[0]));
        socket.once('close', () => resolve('closed'));
      });
    };
    const signed = ['Stripe-Signature: t=1,v1=x', 'Content-Length: 60000'];
    const event = `${raw('POST /webhooks/stripe HTTP/1.1', ...signed)}{`;
    const opened: Socket[] = [];
    // In waves: of more than 2,000 at the same moment the server drops whoever comes next.
    for (let wave = 0; wave < 14; wave += 1) {
      for (let sent = 0; sent < 150; sent += 1) {
        const socket = dial().resume();
        socket.write(event);
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

describe('who is slow', { timeout: LONG ? 40_000 : 8000 }, () => {
  withSite({}, LONG ? {} : { nodeOptions: FAST_SOCKETS });
  /** What a second of the server's settings takes here. */
  const SECOND = LONG ? 1000 : 100;

  it('and silent, or goes on sending after a refusal, is hung up on', async () => {
    const silent = dial().resume();
    const deaf = dial().resume();
    deaf.write('GET / HTTP/1.1\r\nBroken\r\n\r\n');
    const talking = setInterval(() => deaf.write('x'), 50);
    // After twenty seconds of silence; a refusal may be read for ten.
    const closed = [silent, deaf].map(
      (socket) => new Promise((done) => socket.once('close', done)),
    );
    await Promise.all(closed).finally(() => clearInterval(talking));
  });

  it('with headers is told so after ten seconds, however many are, and slows nobody', async () => {
    const times = async () => {
      const start = performance.now();
      for (let n = 0; n < 20; n += 1) expect(await isServing()).toBe(true);
      return performance.now() - start;
    };
    await times();
    const before = await times();
    const slow = Array.from({ length: 200 }, async () => {
      const begin = performance.now();
      const answer = await sockets.exchange(site.origin, 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
      return [statuses(answer), performance.now() - begin > 9 * SECOND];
    });
    // A ratio within one run; what there is of noise is in both.
    expect(await times()).toBeLessThan(Math.max(before * 5, 500));
    expect(await Promise.all(slow)).toEqual(slow.map(() => [[408], true]));
  });

  // The last one: it ends the process.
  it('a tunnel that is reset ends neither the process nor keeps it from ending', async () => {
    for (let round = 0; round < 20; round += 1) {
      const socket = dial();
      socket.write(TUNNEL);
      await once(socket, 'data');
      socket.resetAndDestroy();
    }
    for (let round = 0; round < 5; round += 1) dial().write(TUNNEL);
    expect(await isServing()).toBe(true);
    const exited = once(site.process, 'exit');
    site.process.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });
});
