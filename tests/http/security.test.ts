import { afterAll, describe, expect, it } from 'vitest';

import { forgetSession } from '~/accounts/session.server';
import { rememberClient } from '~/accounts/trusted-device.server';
import { saveDraft } from '~/applications/draft-cookie.server';
import { inApp } from '~/current-app.server';
import { showToast } from '~/http/toast.server';
import { appWith, LIVE, PROVIDER } from '../apps';
import { PAGES } from '../site-map';
import { decisionTables } from '../decision-tables';
import { COMPANY } from '../fixtures';
import { RawSockets } from './raw-sockets';
import { site, withSite } from './site';
import { Visitor } from './visitor';

const HTTPS = 'https://esta.example';
/** As travellers reach it: behind a proxy that speaks https. */
withSite({ PUBLIC_ORIGIN: HTTPS }, { apart: true, settings: { company: COMPANY } });
afterAll(() => sockets.closeAll());
const sockets = new RawSockets();

const send = (text: string) => sockets.exchange(site.origin, text);
const head = (...lines: string[]) => [...lines, 'Host: x', '', ''].join('\r\n');
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

const FORM = 'Content-Type: application/x-www-form-urlencoded';

/** A form whose end never comes. */
const HALF_FORM = `POST /contact HTTP/1.1\r\nHost: x\r\n${FORM}\r\nContent-Length: 100\r\n\r\nname=`;

const PROTECTING: Record<string, RegExp> = {
  'content-security-policy':
    /^default-src 'none'; script-src 'self'( 'nonce-[\w+/]{22}=='|( 'sha256-[\w+/]{43}=')*); ((style|img|font|connect|worker|manifest)-src 'self'; ){6}form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
  'referrer-policy': /^strict-origin-when-cross-origin$/,
  'x-content-type-options': /^nosniff$/,
  'cross-origin-opener-policy': /^same-origin$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'permissions-policy': /camera=\(\).*geolocation=\(\).*microphone=\(\)/,
  'strict-transport-security': /^max-age=63072000; includeSubDomains$/,
};

function expectProtected(headers: Headers): void {
  for (const [name, pattern] of Object.entries(PROTECTING)) {
    expect([name, headers.get(name)]).toEqual([name, expect.stringMatching(pattern)]);
  }
  expect(headers.get('content-security-policy')).not.toContain('unsafe');
  // Text of any kind says how it is written; what has no body says nothing.
  expect(headers.get('content-type') ?? '; charset=utf-8').toMatch(/; charset=utf-8|\/json$/);
  const none = ['server', 'x-powered-by', 'via', 'access-control-allow-origin'];
  for (const name of none) expect(headers.has(name)).toBe(false);
}

describe('every response is protected', () => {
  it.each([
    '/eligibility-check?step=result',
    '/timeline/reminder.ics?date=2099-01-01',
    '/timeline?date=tomorrow',
    '/nowhere',
    '/eligibility/none',
    '/language',
    '/favicon.svg',
    '/assets/none.js',
    '/readyz',
    '/?_data=root',
    '/nowhere?_data=*',
  ])('%s', async (address) => {
    expectProtected((await new Visitor(site.origin).get(address)).headers);
  });

  decisionTables(import.meta.url, {
    'status of a request that is refused': async (_, lines) => {
      const request = lines.replace(/a\{(\d+)\}/, (_, count: string) => 'a'.repeat(Number(count)));
      const answer = await send([...request.split(' & '), '', ''].join('\r\n'));
      const [, ...headers] = answer.split('\r\n\r\n')[0]?.split('\r\n') ?? [];
      const pairs = headers.map(
        (line) => /^([^:]*): *(.*)$/.exec(line)?.slice(1) as [string, string],
      );
      expectProtected(new Headers(pairs));
      return statusOf(answer);
    },
  });

  it('with a nonce that is used once, on every script of the page', async () => {
    const nonces = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const response = await new Visitor(site.origin).get('/eligibility-check?lng=fr');
        const policy = response.headers.get('content-security-policy') ?? '';
        const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
        const scripts = (await response.text()).match(/<script[^>]*>/g) ?? [];
        expect(scripts.length).toBeGreaterThan(2);
        for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(20);
  });
});

it('every page is protected, its scripts are the site’s own, and its cookies for the server alone', async () => {
  const visitor = new Visitor(site.origin);
  const cookies: string[] = [];
  for (const [path] of PAGES) {
    const response = await visitor.get(`${path}${path.includes('?') ? '&' : '?'}lng=de`);
    expectProtected(response.headers);
    const html = await response.text();
    const scripts = [...html.matchAll(/<script[^>]* src="([^"]*)"/g)].map(([, src]) => src);
    expect(scripts.filter((src) => !/^\/[^/]/.test(src ?? ''))).toEqual([]);
    cookies.push(...response.headers.getSetCookie());
  }
  const chosen = await visitor.post('/eligibility-check?step=country', { country: 'FR' });
  cookies.push(...chosen.headers.getSetCookie());
  expect(new Set(cookies.map((cookie) => cookie.split('=')[0]))).toEqual(
    new Set(['__Host-lng', '__Host-wizard', '__Host-country']),
  );
  for (const cookie of cookies)
    expect(cookie).toMatch(/(?=.*; Secure)(?=.*; HttpOnly)(?=.*; SameSite=Lax)/);
});

it('the cookies of the live half are Secure, for the server and this host alone', async () => {
  const request = new Request(HTTPS);
  const live = { ...LIVE, ...PROVIDER, MAIL_URL: 'smtp://h', MAIL_FROM: 'a@b.eu' };
  const cookies = await inApp(appWith({ ...live, PUBLIC_ORIGIN: HTTPS }), async () => [
    forgetSession(),
    await saveDraft(request, { id: 'x' }),
    await showToast({ name: 'signedOut' }),
    await rememberClient(request, 'x'),
  ]);
  for (const cookie of cookies)
    expect(cookie).toMatch(/^__Host-\w+=.*; Path=\/; HttpOnly; Secure; SameSite=Lax/);
});

it('a method that is refused is told which there are', async () =>
  expect(await send(head('DELETE / HTTP/1.1'))).toMatch(/^Allow: GET, HEAD, POST\r$/im));

it('a request may carry its whole address', async () => {
  const request = head('GET http://x/terms?a=1 HTTP/1.1', 'Connection: close');
  expect(statusOf(await send(request))).toBe(200);
  const elsewhere = head('GET http://x/TERMS?a=1 HTTP/1.1', 'Connection: close');
  expect(await send(elsewhere)).toMatch(/^location: \/terms\?a=1\r$/im);
});

it('a client that hangs up in the middle of its form is no failure of the site', async () => {
  const socket = sockets.dial(site.origin);
  await new Promise((sent) => socket.write(HALF_FORM, sent));
  // It has been heard once the next one is answered.
  expect((await new Visitor(site.origin).get('/healthz')).status).toBe(200);
  socket.destroy();
  await expect
    .poll(() => site.log())
    .toMatch(/"event":"request",.*"method":"POST","route":"\/contact",.*"aborted":true/);
  expect((await new Visitor(site.origin).get('/contact')).status).toBe(200);
  expect(site.log()).not.toContain('request failed');
});
