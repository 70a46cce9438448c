import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { LANGUAGES } from '~/i18n/languages';
import { type Site, startSite, temporaryFolder } from '../production-server';
import { signedCookie } from '../signed-cookie';
import { Visitor } from './visitor';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());

const get = (address: string, headers: Record<string, string> = {}) =>
  new Visitor(site.origin, headers).get(address);

const asset = (ending: string) =>
  `/assets/${readdirSync('build/client/assets').find((name) => name.endsWith(ending))}`;

/** Inline scripts by a nonce, or in a page from memory by their hashes. */
const POLICY =
  /^default-src 'none'; script-src 'self'( 'nonce-[\w+/]{22}=='|( 'sha256-[\w+/]{43}=')*); [^,]*frame-ancestors 'none'$/;

describe('every response', () => {
  it.each(['/', '/eligibility-check', '/nowhere', '/healthz', '/favicon.svg', '/assets/none.js'])(
    '%s carries the protecting headers once',
    async (address) => {
      const { headers } = await get(address);
      expect(headers.get('Content-Security-Policy')).toMatch(POLICY);
      expect(headers.get('Content-Security-Policy')).not.toContain('unsafe');
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('Referrer-Policy')).toBe('strict-origin-when-cross-origin');
      expect(headers.has('X-Powered-By')).toBe(false);
    },
  );

  it('has a nonce of its own, on every script of the page', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        // Its language makes it a page that is rendered.
        const response = await get('/eligibility-check?lng=fr');
        const policy = response.headers.get('Content-Security-Policy') ?? '';
        const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
        const scripts = (await response.text()).match(/<script[^>]*>/g) ?? [];
        expect(scripts.length).toBeGreaterThan(2);
        for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(2);
  });

  it('has no inline style', async () => {
    for (const address of ['/', '/eligibility-check', '/nowhere']) {
      expect(await (await get(address)).text()).not.toMatch(/ style=|<style/);
    }
  });
});

describe('files', () => {
  it('with a hash in their name are kept for ever, others for an hour', async () => {
    const script = await get(asset('.css'));
    expect(script.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    const icon = await get('/favicon.svg');
    expect(icon.headers.get('Cache-Control')).toBe('public, max-age=3600');
  });

  it('that are not there are a 404', async () => {
    expect((await get('/assets/none.js')).status).toBe(404);
    expect((await get('/.vite/manifest.json')).status).toBe(404);
    expect((await get('/../package.json')).status).toBe(404);
  });
});

describe('pages', () => {
  it.each(['br', 'gzip'])('are compressed with %s', async (encoding) => {
    const response = await get('/eligibility-check', { 'Accept-Encoding': encoding });
    expect(response.headers.get('Content-Encoding')).toBe(encoding);
    expect(await response.text()).toContain('</html>');
  });

  it('load no React where there is nothing to enhance', async () => {
    expect(await (await get('/')).text()).not.toContain('data-after-paint');
    expect(await (await get('/eligibility-check')).text()).toContain('data-after-paint');
  });

  it('that do not exist say so, with a way home and the path in the log', async () => {
    const response = await get('/no/such?canary=c4n4ry', { 'Accept-Language': 'en' });
    expect(response.status).toBe(404);
    const page = await response.text();
    expect(page).toContain('Oops! Page not found');
    expect(page).toMatch(/<a href="\/" class="button">Return to Home<\/a>/);
    expect(site.logged('page not found')).toContainEqual(
      expect.objectContaining({ path: '/no/such' }),
    );
    expect(site.log()).not.toContain('c4n4ry');
  });

  it('have one title, one main heading and their language', async () => {
    for (const language of LANGUAGES) {
      for (const address of ['/', '/eligibility-check', '/nowhere']) {
        const page = await (await get(`${address}?lng=${language}`)).text();
        expect(page).toContain(`<html lang="${language}">`);
        expect(page.match(/<title>/g)).toHaveLength(1);
        expect(page.match(/<h1/g)).toHaveLength(1);
      }
    }
  });
});

describe('another spelling of an address', () => {
  it.each([
    ['/terms/', '/terms'],
    ['/TERMS', '/terms'],
    ['/%74erms?lng=de', '/terms?lng=de'],
    ['/Crm/Leads/', '/crm/leads'],
  ])('%s leads to %s', async (address, goal) => {
    // From memory or not.
    for (let time = 0; time < 2; time += 1) {
      const response = await get(address);
      expect([response.status, response.headers.get('Location')]).toEqual([308, goal]);
    }
  });

  it('leads to no other site', async () => {
    for (const address of ['//evil.example', '//evil.example/terms', '/\\evil.example/']) {
      const location = (await get(`${site.origin}${address}`)).headers.get('Location') ?? '/';
      expect(new URL(location, site.origin).origin).toBe(site.origin);
    }
  });
});

describe('the language', () => {
  it('of the address is remembered in a plain cookie', async () => {
    const visitor = new Visitor(site.origin);
    await visitor.get('/?lng=de');
    expect(visitor.cookie('lng')).toBe('de');
    expect(await (await visitor.get('/')).text()).toContain('<html lang="de">');
  });

  it('is chosen with a form that returns to the page', async () => {
    const visitor = new Visitor(site.origin);
    const response = await visitor.post('/language', {
      lng: 'en',
      returnTo: '/eligibility-check?step=country&lng=fr',
    });
    expect([response.status, response.headers.get('Location')]).toEqual([
      303,
      '/eligibility-check?step=country',
    ]);
    expect(visitor.cookie('lng')).toBe('en');
  });

  it('form leads nowhere else and takes no other language', async () => {
    const visitor = new Visitor(site.origin);
    const away = await visitor.post('/language', { lng: 'de', returnTo: '//evil.example' });
    expect(away.headers.get('Location')).toBe('/');
    expect((await visitor.post('/language', { lng: 'xx', returnTo: '/' })).status).toBe(400);
    expect((await visitor.get('/language')).headers.get('Location')).toBe('/');
  });

  it('of the address survives a redirect between steps', async () => {
    const response = await get('/eligibility-check?step=result&lng=de');
    expect(response.headers.get('Location')).toBe('/eligibility-check?step=country&lng=de');
  });
});

describe('the log', () => {
  it('has one line a request, with the route’s pattern and nothing of the visitor’s', async () => {
    await get('/eligibility/c4n4ry-path?c4n4ry-query=1', { 'User-Agent': 'c4n4ry-agent' });
    const ours = () =>
      site.logged('request').filter(({ route }) => route === '/eligibility/:sessionId');
    await expect.poll(ours).toHaveLength(1);
    const lines = ours();
    expect(lines[0]).toMatchObject({ method: 'GET', status: 404 });
    expect(lines[0]?.['id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(lines[0]?.['ms']).toBeGreaterThan(0);
    expect(site.log()).not.toContain('c4n4ry');
  });
});

describe('health', () => {
  it('is told apart: the process with its version, and the database behind it', async () => {
    const alive = await get('/healthz');
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect([alive.status, await alive.text()]).toEqual([200, `ok\nversion ${version}\n`]);
    expect((await get('/readyz')).status).toBe(200);
  });

  it('recovers without a restart when a broken file is mended', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'esta.db');
    writeFileSync(file, 'this is no database, and never was one, not in the least');
    const broken = await startSite({ DATABASE_URL: `file:${file}` }, { clock: 'held' });
    try {
      const visitor = new Visitor(broken.origin, { 'Accept-Language': 'en' });
      expect((await visitor.get('/healthz')).status).toBe(200);
      expect((await visitor.get('/')).status).toBe(200);
      expect((await visitor.get('/readyz')).status).toBe(503);
      const page = await visitor.get('/eligibility-check');
      expect(page.status).toBe(503);
      expect(await page.text()).toContain('Failed to load eligibility data. Please try again.');
      const saved = await visitor.get('/eligibility/some-id');
      expect([saved.status, saved.headers.get('Retry-After')]).toEqual([503, '10']);
      expect(await saved.text()).toContain('Back in a moment');
      expect(readFileSync(file, 'utf8')).toContain('this is no database');

      rmSync(file);
      // As long as nobody tries again after a failure.
      await broken.clock.pass(2001);
      expect((await visitor.get('/readyz')).status).toBe(200);
      expect((await visitor.get('/eligibility-check')).status).toBe(200);
    } finally {
      await broken.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('a database file that changes under the running server', () => {
  it('recovers from damage once a good file is back', async () => {
    const own = await startSite({}, { clock: 'held' });
    const visitor = new Visitor(own.origin);
    expect((await visitor.get('/readyz')).status).toBe(200);
    own.execute('pragma wal_checkpoint(truncate)');
    const good = readFileSync(own.databaseFile);
    rmSync(`${own.databaseFile}-wal`, { force: true });
    writeFileSync(own.databaseFile, Buffer.alloc(good.length, 'x'));
    // What was read goes on for this millisecond.
    await own.clock.pass(1);
    expect((await visitor.get('/eligibility-check')).status).toBe(503);
    expect((await visitor.get('/')).status).toBe(200);
    for (const suffix of ['-wal', '-shm']) rmSync(own.databaseFile + suffix, { force: true });
    writeFileSync(own.databaseFile, good);
    expect((await visitor.get('/eligibility-check')).status).toBe(503);
    await own.clock.pass(2001);
    expect((await visitor.get('/eligibility-check')).status).toBe(200);
    await own.stop();
  });
});

describe('a request that is none', () => {
  /** Sends bytes as they are, since no client would, and returns the status line. */
  const send = async (...lines: string[]) => {
    const socket = connectSocket(Number(new URL(site.origin).port), '127.0.0.1');
    // To end the socket would be to abort the request.
    socket.write([...lines, 'Connection: close', '', ''].join('\r\n'));
    let answer = '';
    socket.on('data', (chunk) => (answer += String(chunk)));
    await once(socket, 'close');
    return answer.split('\r\n')[0];
  };

  it.each([
    [['GET / HTTP/1.1', 'Host: ['], 400],
    [['GET / HTTP/1.1', 'Host: a b'], 400],
    [['GET / HTTP/1.1', 'Host: a:99999999'], 400],
    [['GET /%E0%A4%A HTTP/1.1', 'Host: a'], 400],
    [['GET / HTTP/1.1', 'Host: a', 'X-Forwarded-Host: a:99999999'], 200],
    [['PUT /eligibility-check HTTP/1.1', 'Host: a', 'Content-Length: 0'], 405],
    [['DELETE / HTTP/1.1', 'Host: a'], 405],
  ])('%j is answered with %i', async (lines, status) => {
    expect(await send(...lines)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  const post = (headers: Record<string, string>) =>
    fetch(new URL('/language', site.origin), {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: new URLSearchParams({ lng: 'de', returnTo: '/' }),
    });
  it.each<[Record<string, string>, number]>([
    [{}, 303],
    [{ Origin: 'self' }, 303],
    [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }, 303],
    [{ 'Sec-Fetch-Site': 'none' }, 303],
    [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
    [{ 'Sec-Fetch-Site': 'same-site', Origin: 'self' }, 403],
    [{ Origin: 'https://evil.example' }, 403],
    [{ Origin: 'null' }, 403],
    [{ Origin: 'nonsense' }, 403],
  ])('a form sent with %j is answered with %i', async ({ Origin, ...headers }, status) => {
    const origin = Origin === 'self' ? site.origin : Origin;
    const response = await post({ ...headers, ...(origin && { Origin: origin }) });
    expect(response.status).toBe(status);
    if (status === 403) expect(response.headers.has('Set-Cookie')).toBe(false);
  });
});

describe('starting and stopping', () => {
  const start = (variables: Record<string, string>, command = ['build/server/main.js']) =>
    spawn(process.execPath, command, {
      env: { NODE_ENV: 'production', PORT: '0', ...variables },
    });
  const ended = async (child: ChildProcess) => {
    let output = '';
    child.stdout?.on('data', (chunk) => (output += String(chunk)));
    child.stderr?.on('data', (chunk) => (output += String(chunk)));
    const [code] = (await once(child, 'exit')) as [number | null];
    return { code, output };
  };

  it('a wrong setting stops the start with one sentence', async () => {
    const { code, output } = await ended(start({ DATABASE_URL: 'postgres://db' }));
    expect(code).toBe(1);
    expect(output).toBe(
      'DATABASE_URL is "postgres://db"; expected file: and a path, such as file:./data/esta.db, or postgres://user:password@host/database.\n',
    );
  });

  it('the sample company is refused where the world can reach it', async () => {
    const { code, output } = await ended(start({ PUBLIC_ORIGIN: 'https://esta.example' }));
    expect(code).toBe(1);
    const details =
      'legalForm capital name address registration vatNumber director email phone dataProtectionContact host.name host.address mediator.name mediator.address mediator.url example';
    const named = details.split(' ').map((detail) => `company.${detail}`);
    expect(output).toBe(
      `SITE_CONFIG: these are still the sample's: ${named.join(', ')}; while PUBLIC_ORIGIN is https the company must be yours, with "example": false.\n`,
    );
  });

  it('makes a secret beside the database and keeps it', async () => {
    const folder = temporaryFolder();
    const variables = { DATABASE_URL: `file:${join(folder, 'esta.db')}` };
    const first = await startSite(variables);
    const visitor = new Visitor(first.origin);
    await visitor.post('/eligibility-check?step=country', { country: 'FR' });
    await first.stop();
    expect(readFileSync(join(folder, 'session-secret'), 'utf8')).toMatch(/^[\w-]{43}$/);
    const second = await startSite(variables);
    const again = new Visitor(second.origin);
    again.setCookie('wizard', visitor.cookie('wizard') ?? '');
    expect((await again.get('/eligibility-check?step=questions')).status).toBe(200);
    await second.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('does not sign with an empty secret', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'session-secret'), '');
    const own = await startSite({ DATABASE_URL: `file:${join(folder, 'esta.db')}` });
    const visitor = new Visitor(own.origin);
    const run = { id: randomUUID(), country: 'RO', answers: {}, submitted: true };
    visitor.setCookie('wizard', signedCookie('', 'wizard', run));
    const response = await visitor.get('/eligibility-check?step=result');
    expect(response.headers.get('Location')).toBe('/eligibility-check?step=country');
    expect(own.log()).toContain('too short for a secret');
    await own.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('serves pages though nothing can be written', async () => {
    const readOnly = await startSite({ DATABASE_URL: 'file:/dev/null/none/esta.db' });
    const visitor = new Visitor(readOnly.origin);
    expect((await visitor.get('/')).status).toBe(200);
    expect((await visitor.get('/eligibility-check')).status).toBe(503);
    await readOnly.stop();
  });

  it('SIGTERM finishes what runs and ends with 0, even with a stuck client', async () => {
    const own = await startSite({}, { clock: 'held' });
    const { port } = new URL(own.origin);
    const stuck = connectSocket(Number(port), '127.0.0.1');
    stuck.on('error', () => undefined);
    stuck.write('GET / HTTP/1.1\r\nHost: x\r\n');
    // A second client is in the middle of a form when the signal comes.
    const slow = connectSocket(Number(port), '127.0.0.1');
    let answer = '';
    slow.on('data', (chunk) => (answer += String(chunk)));
    slow.write(
      'POST /language HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n' +
        'Content-Length: 19\r\n\r\nlng=de&',
    );
    // Both have been heard once a third client is answered.
    await expect.poll(async () => (await new Visitor(own.origin).get('/healthz')).status).toBe(200);
    const exited = once(own.process, 'exit') as Promise<[number | null]>;
    own.process.kill('SIGTERM');
    await expect.poll(() => own.logged('stopping')).toHaveLength(1);
    // The drain is over: nobody new is let in, and the form goes on.
    await own.clock.pass(1000);
    slow.write('returnTo=%2F');
    await expect.poll(() => answer).toMatch(/^HTTP\/1.1 303 /);
    expect(own.process.exitCode).toBe(null);
    const { value, ms } = await own.clock.until(exited);
    // The stuck one is hung up on five seconds after the signal.
    expect([value[0], ms]).toEqual([0, 4000]);
    expect(existsSync(`${own.databaseFile}-wal`)).toBe(false);
    await own.stop();
  });
});
