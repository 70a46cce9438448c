import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES } from '~/i18n/languages';
import { type ServedSite, startSite } from '../production-server';
import { LONG } from '../rounds';
import { RawSockets } from './raw-sockets';
import { anyAddress, Visitor } from './visitor';

let site: ServedSite;
beforeAll(async () => void (site = await startSite({}, { clock: 'held' })), 120_000);
afterAll(() => site.stop());
const sockets = new RawSockets();
afterEach(() => sockets.closeAll());

/** A request as it is sent. */
const raw = (first: string, ...lines: string[]) =>
  [first, 'Host: x', ...lines, '', ''].join('\r\n');
const FORM = 'Content-Type: application/x-www-form-urlencoded';
/** What comes back until the server hangs up, or a second has passed. */
const exchange = (text: string) => sockets.exchange(site.origin, text, pause(1000));
const statuses = (answer: string) =>
  [...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));

/** The descriptors that the server has open; none where the system does not tell. */
function descriptors(): number {
  const folder = `/proc/${site.process.pid}/fd`;
  return existsSync(folder) ? readdirSync(folder).length : 0;
}

function residentMb(): number {
  const file = `/proc/${site.process.pid}/status`;
  const kb = existsSync(file) ? /VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1] : 0;
  return Number(kb) / 1024;
}

it('many built files at once on connections that break off leave nothing open', async () => {
  const html = await (await new Visitor(site.origin).get('/timeline')).text();
  const files = [...new Set(html.match(/\/assets\/[\w.-]+/g))];
  expect(files.length).toBeGreaterThan(3);
  const before = descriptors();
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
  await expect.poll(() => descriptors() - before).toBeLessThan(10);
  expect(residentMb()).toBeLessThan(300);
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

it('who sends more forms than may be has the text kept at first, and then an answer that costs nothing', async () => {
  const visitor = new Visitor(site.origin);
  for (let count = 0; count < 90; count += 1) {
    const response = await visitor.post('/contact', { name: 'Ada Martin' });
    const isKept = (await response.text()).includes('Ada Martin');
    const answer = [count, response.status, isKept];
    expect(answer).toEqual([count, count < 60 ? 422 : 429, count < 80]);
  }
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

  it('what is no address is refused by the same steps as all others', async () => {
    const answer = await exchange(raw('GET * HTTP/1.1'));
    expect(statuses(answer)).toEqual([400]);
    const id = /x-request-id: (\S+)/i.exec(answer)?.[1];
    await expect
      .poll(() => site.logged('request').at(-1))
      .toMatchObject({ id, status: 400, refusal: expect.any(String) as string });
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

  it('a body is only asked for once it may come', async () => {
    const ask = async (...headers: string[]) =>
      statuses(await exchange(raw('POST /contact HTTP/1.1', 'Expect: 100-continue', ...headers)));
    expect(await ask(FORM, 'Content-Length: 70000')).toEqual([413]);
    expect(await ask('Content-Type: text/plain', 'Content-Length: 7')).toEqual([415]);
    expect(await ask(FORM, 'Content-Length: 7')).toEqual([100]);
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
    await expect
      .poll(() => site.logged('request').at(-1))
      .toMatchObject({ refusal: 'limit: post' });
    await Promise.all(Array.from({ length: 700 }, () => visitor.get('/healthz')));
    expect((await visitor.get('/healthz')).status).toBe(200);
    expect((await visitor.post('/readyz', {})).headers.get('Cache-Control')).toBe('no-store');
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
