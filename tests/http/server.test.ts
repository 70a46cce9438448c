import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { decisionTables } from '../decision-tables';
import { startSite, temporaryFolder } from '../production-server';
import { signedCookie } from '../signed-cookie';
import { startInProcess } from '../site-in-process';
import { goalOf, statusOf } from './accounts';
import { RawSockets } from './raw-sockets';
import { endsWithTest, site, withSite } from './site';
import { Visitor } from './visitor';

withSite();
let folder: string;
beforeEach(() => void (folder = temporaryFolder()));
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const sockets = new RawSockets();
afterEach(() => sockets.closeAll());

async function open(variables: Record<string, string>, clock: 'real' | 'held' = 'real') {
  const own = endsWithTest(await startInProcess(variables, { clock }));
  const visitor = new Visitor(own.origin, { 'Accept-Language': 'en' });
  return { own, visitor, status: (path: string) => statusOf(visitor.get(path)) };
}

const get = (address: string, headers: Record<string, string> = {}) =>
  new Visitor(site.origin, headers).get(address);

const asset = (ending: string) =>
  `/assets/${readdirSync('build/client/assets').find((name) => name.endsWith(ending))}`;

it('files that are not there are a 404', async () => {
  for (const path of [
    '/assets/none.js',
    '/assets/',
    '/.vite/manifest.json',
    '/../package.json',
    '/.git/HEAD',
  ])
    expect([path, (await get(path)).status]).toEqual([path, 404]);
});

decisionTables(import.meta.url, {
  'how long an answer is kept': async (_, path) =>
    (await get(path.replace('*.css', asset('.css')))).headers.get('Cache-Control'),
  'status of a form, by where the browser says that it comes from, and its origin': async (
    place?: string,
    origin?: string,
  ) => {
    const visitor = new Visitor(site.origin, {
      ...(place && { 'Sec-Fetch-Site': place }),
      ...(origin && { Origin: origin === 'self' ? site.origin : origin }),
    });
    const response = await visitor.post('/language', { lng: 'de', returnTo: '/' });
    if (response.status !== 303) {
      expect(response.headers.has('Set-Cookie')).toBe(false);
      const data = '/eligibility-check?step=country&_data=eligibility-check';
      expect((await visitor.post(data, { country: 'FR' })).status).toBe(403);
    }
    return response.status;
  },
});

describe('another spelling of an address', () => {
  it('leads to the usual one, from memory or not', async () => {
    for (const address of ['/TERMS/?lng=de', '/%74erms?lng=de']) {
      expect(goalOf(await get(address))).toEqual([308, '/terms?lng=de']);
    }
  });

  it('leads to no other site', async () => {
    for (const address of ['//evil.example', '//evil.example/terms', '/\\evil.example/']) {
      const location = (await get(`${site.origin}${address}`)).headers.get('Location') ?? '/';
      expect(new URL(location, site.origin).origin).toBe(site.origin);
    }
  });
});

it('the language of the address survives a redirect between steps', async () => {
  const response = await get('/eligibility-check?step=result&lng=de');
  expect(response.headers.get('Location')).toBe('/eligibility-check?step=country&lng=de');
});

describe('starting and stopping', () => {
  it('makes a secret beside the database and keeps it', async () => {
    const variables = { DATABASE_URL: `file:${join(folder, 'esta.db')}` };
    const { own, visitor } = await open(variables);
    await visitor.post('/eligibility-check?step=country', { country: 'FR' });
    expect(readFileSync(join(folder, 'session-secret'), 'utf8')).toMatch(/^[\w-]{43}$/);
    await own.stop();
    const again = await open(variables);
    again.visitor.setCookie('wizard', visitor.cookie('wizard') ?? '');
    expect(await again.status('/eligibility-check?step=questions')).toBe(200);
  });

  it('does not sign with an empty secret', async () => {
    writeFileSync(join(folder, 'session-secret'), '');
    const { own, visitor } = await open({ DATABASE_URL: `file:${join(folder, 'esta.db')}` });
    const run = { id: randomUUID(), country: 'RO', answers: {}, submitted: true };
    visitor.setCookie('wizard', signedCookie('', 'wizard', run));
    const response = await visitor.get('/eligibility-check?step=result');
    expect(response.headers.get('Location')).toBe('/eligibility-check?step=country');
    expect(own.log()).toContain('too short for a secret');
  });

  it('SIGTERM is not ready at once, finishes what runs and ends with 0, even with a stuck client', async () => {
    const own = endsWithTest(await startSite({}, { clock: 'held' }));
    sockets.dial(own.origin).write('GET / HTTP/1.1\r\nHost: x\r\n');
    // A second client is in the middle of a form when the signal comes.
    const slow = sockets.dial(own.origin);
    let answer = '';
    slow.on('data', (chunk) => (answer += String(chunk)));
    slow.write(
      'POST /language HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n' +
        'Content-Length: 19\r\n\r\nlng=de&',
    );
    await expect.poll(async () => (await new Visitor(own.origin).get('/healthz')).status).toBe(200);
    const exited = once(own.process, 'exit') as Promise<[number | null]>;
    own.process.kill('SIGTERM');
    await expect.poll(() => own.logged('stopping')).toHaveLength(1);
    const visitor = new Visitor(own.origin);
    const statuses = ['/readyz', '/services'].map((path) => statusOf(visitor.get(path)));
    expect(await Promise.all(statuses)).toEqual([503, 200]);
    // A second signal, as an impatient operator sends it, changes nothing.
    own.process.kill('SIGTERM');
    // The drain is over: nobody new is let in, and the form goes on.
    await own.clock.pass(1000);
    slow.write('returnTo=%2F');
    await expect.poll(() => answer).toMatch(/^HTTP\/1.1 303 /);
    // The stuck one is hung up on five seconds after the signal.
    await own.clock.pass(3999);
    expect(own.process.exitCode).toBe(null);
    // The server may be gone before it can say that the time has passed.
    await own.clock.pass(1).catch(() => undefined);
    expect([(await exited)[0], existsSync(`${own.databaseFile}-wal`)]).toEqual([0, false]);
  });
});
