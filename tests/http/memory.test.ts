import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { JOURNEY_LANGUAGES, rounds } from '../rounds';
import { isKept, PAGES } from '../site-map';
import { site, withSite } from './site';
import { anyAddress, Visitor } from './visitor';

withSite({}, { apart: true });

/** Pages are made small one after the other, beside whatever else the machine does. */
const WITHIN = { timeout: 20_000, interval: 250 };

async function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { port } = new URL(site.origin);
  const own = { 'X-Forwarded-For': anyAddress(), ...headers };
  const sent = request({ port, path, method, headers: own }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}
type Answer = Awaited<ReturnType<typeof ask>>;

const ownHeaders = ({ headers }: Answer) => ({
  date: headers['date'],
  'x-request-id': headers['x-request-id'],
});

/** The pages that are the same for everybody: those that have a tag to compare them by. */
const KEPT = PAGES.map(([path]) => path).filter(isKept);

describe.each(JOURNEY_LANGUAGES)('in %s', (language) => {
  it.each(KEPT)('%s reads the same rendered and from memory', async (path) => {
    const headers = { 'Accept-Language': language };
    const rendered = await ask(path, headers);
    const kept = await ask(path, headers);
    expect(rendered.status).toBe(200);
    expect(kept.headers['etag']).toMatch(/^W\/"[\w-]{22}"$/);
    expect(kept).toEqual({ ...rendered, headers: { ...rendered.headers, ...ownHeaders(kept) } });
    expect(kept.headers['content-language']).toBe(language);
  });
});

describe('a page from memory', () => {
  it('allows inline scripts by their hashes alone', async () => {
    await ask('/application-guide');
    const { headers, body } = await ask('/application-guide');
    expect(headers['content-security-policy']).toMatch(/^(?=.*'sha256-)(?!.*nonce)/);
    expect(body.toString()).not.toContain('nonce=');
  });

  it('reads a header anew that is too long to be kept', async () => {
    const long = 'x'.repeat(4000);
    for (let time = 0; time < 2; time++) {
      const asked = { 'Accept-Language': `de, ${long}`, 'Accept-Encoding': `br, ${long}` };
      const { headers } = await ask('/about', asked);
      expect([headers['content-language'], headers['content-encoding']]).toEqual(['de', 'br']);
    }
  });

  it.each([
    ['br', brotliDecompressSync, 'gzip, deflate, br, zstd'],
    ['gzip', gunzipSync, 'gzip, deflate'],
    [undefined, (body: Buffer) => body, 'identity'],
    [undefined, (body: Buffer) => body, 'br;q=0, gzip;q=0'],
  ])('comes as %s to who can read it', async (encoding, decode, accepted) => {
    const plain = (await ask('/about')).body.toString();
    for (let time = 0; time < 4; time++) {
      const { headers, body } = await ask('/about', { 'Accept-Encoding': accepted });
      expect(headers['content-encoding']).toBe(encoding);
      expect(headers['content-length']).toBe(String(body.length));
      expect(headers['vary']).toContain('Accept-Encoding');
      expect(decode(body).toString()).toBe(plain);
    }
  });

  it('is not sent again to who has it', async () => {
    const { headers } = await ask('/services');
    const tag = String(headers['etag']);
    const same = await ask('/services', { 'If-None-Match': `"other", ${tag}` });
    expect([same.status, same.body.length, same.headers['etag']]).toEqual([304, 0, tag]);
    expect((await ask('/services', { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  it('has its headers and no body for HEAD', async () => {
    const page = await ask('/services');
    const head = await ask('/services', {}, 'HEAD');
    expect([head.body.length, head.headers]).toEqual([0, { ...page.headers, ...ownHeaders(head) }]);
  });
});

describe('nobody gets what is another’s', () => {
  it('each language has its own page, by cookie before Accept-Language', async () => {
    const languageOf = async (headers: Record<string, string>) =>
      /<html lang="(..)"/.exec((await ask('/', headers)).body.toString())?.[1];
    for (let time = 0; time < 2; time++) {
      for (const [accepted, cookie, language] of [
        ['', '', 'fr'],
        ['en-GB,en;q=0.8', '', 'en'],
        ['la, de;q=0.5', '', 'de'],
        ['en', 'lng=de', 'de'],
        ['en', 'a=1; lng=de; b=2', 'de'],
        ['en', 'lng=xx', 'en'],
      ] as const) {
        expect(await languageOf({ 'Accept-Language': accepted, Cookie: cookie })).toBe(language);
      }
    }
  });

  it('an address that asks for a language is answered with it, and the next who asks is not', async () => {
    const asked = await ask('/about?lng=de');
    expect(asked.headers['set-cookie']).toEqual([expect.stringMatching(/^lng=de;/)]);
    const next = await ask('/about');
    expect(next.headers['set-cookie']).toBeUndefined();
    expect(next.body.toString()).toContain('<html lang="fr"');
  });

  it('a toast is shown to whom it is meant for, once', async () => {
    const visitor = new Visitor(site.origin, { 'Accept-Language': 'en' });
    await visitor.get('/');
    const sent = await visitor.post('/sign-out', { returnTo: '/about' });
    expect([sent.status, sent.headers.get('Location')]).toEqual([303, '/about']);
    expect(visitor.cookie('toast')).toBeDefined();
    const own = async () => (await visitor.get('/about')).text();
    const first = await own();
    expect(first).toContain('data-dismissible');
    expect(first).toContain('Auth is disabled in offline mode.');
    for (const page of [(await ask('/about')).body.toString(), await own()]) {
      expect(page).not.toContain('data-dismissible');
    }
  });

  it('who has begun the check sees an own first page, whose choice nobody else sees', async () => {
    const visitor = new Visitor(site.origin);
    const first = await ask('/eligibility-check');
    expect(first.headers['etag']).toBeDefined();
    await visitor.post('/eligibility-check?step=country', { country: 'FR' });
    for (let time = 0; time < 2; time++) {
      const own = await visitor.get('/eligibility-check');
      expect(own.headers.get('etag')).toBeNull();
      expect(await own.text()).toMatch(/<option[^>]*value="FR" selected=""/);
      expect((await ask('/eligibility-check')).body.equals(first.body)).toBe(true);
      expect(await (await visitor.get('/contact')).text()).toContain('France');
    }
    expect(first.headers['cache-control']).toBe('no-store');
  });

  it('a forged host or protocol is in no page', async () => {
    const forged = {
      Host: 'evil.example',
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'javascript',
      Forwarded: 'host=evil.example',
      'X-Original-URL': '/privacy',
    };
    // The first one is rendered, the others come from memory.
    for (const headers of [forged, forged, {}]) {
      const { status, body } = await ask('/how-it-works', headers);
      expect(status).toBe(200);
      expect(body.toString()).not.toMatch(/evil|javascript:/);
    }
    expect((await ask('/how-it-works', { Host: 'no host' })).status).toBe(400);
  });

  it('what an address says beyond the page is in no page', async () => {
    const plain = (await ask('/faq')).body.toString();
    const tagged = await ask('/faq?utm_source=canary&gclid=canary&x=%22%3E%3Cscript%3E');
    expect(tagged.body.toString()).toBe(plain);
    expect((await ask('/faq')).body.toString()).toBe(plain);
  });

  it('a campaign keeps its own parameters', async () => {
    const target = async (query: string) =>
      /\/application\/new\/step-1\?[^"]*landing_variant[^"]*/.exec(
        (await ask(`/landing/expert-help${query}`)).body.toString(),
      )?.[0];
    for (let time = 0; time < 2; time++) {
      expect(await target('?utm_source=a')).toContain('utm_source=a');
      expect(await target('?utm_source=b&other=c')).toContain('utm_source=b');
      expect(await target('')).not.toContain('utm_source');
    }
  });

  it.each([
    ['/application/../contact', 'name="message"'],
    ['/application/%2e%2e/contact', 'name="message"'],
    ['/landing/..\\contact', 'name="message"'],
    ['/application/../readyz', 'ready'],
  ])('%s is no way to have kept what is not for everybody', async (path, content) => {
    for (const { headers, body } of [await ask(path), await ask(path)]) {
      expect(headers['etag']).toBeUndefined();
      if (body.includes(content)) expect(headers['content-security-policy']).toContain('nonce');
    }
  });
});

it('a wrong address is refused each time', async () => {
  for (const date of ['tomorrow', 'tomorrow', '2099-01-01?x']) {
    expect((await ask(`/timeline?date=${date}`)).status).toBe(422);
  }
});

it('the memory is bounded: what has not been asked for in a while makes room', async () => {
  const size = async () =>
    (await ask('/landing/status-check?utm_source=first', { 'Accept-Encoding': 'br' })).body.length;
  const once = await size();
  await expect.poll(size, WITHIN).toBeLessThan(once);
  const bytes = (await ask('/application-guide')).body.length * 3;
  const pages = Math.ceil((rounds(1.2, 4) * 24 * 1024 * 1024) / bytes);
  await Promise.all(
    Array.from({ length: 4 }, async (_, worker) => {
      for (let n = worker; n < pages; n += 4) {
        expect((await ask(`/application-guide?tab=x${n}`)).status).toBe(200);
      }
    }),
  );
  expect(await size()).toBe(once);
});
