import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { freePort, temporaryFolder } from '../production-server';
import { site, whileAway, withSite } from './site';
import { anyAddress, Visitor } from './visitor';

let visitor: Visitor;
withSite({ PUBLIC_ORIGIN: 'http://esta.example' });
beforeAll(() => (visitor = new Visitor(site.origin, { 'Accept-Language': 'en' })));

/** Starts the built server with its output somewhere else. */
async function startInto(output: string, folder: string) {
  const PORT = String(await freePort());
  const DATABASE_URL = `file:${folder}/esta.db`;
  const env = { NODE_ENV: 'production', TRUST_PROXY: '1', PORT, DATABASE_URL } as const;
  const command = `exec "$0" build/server/main.js > "${output}"`;
  const server = spawn('sh', ['-c', command, process.execPath], { env });
  const ask = async (path: string) => {
    const headers = { 'X-Forwarded-For': anyAddress() };
    return (await fetch(`http://127.0.0.1:${PORT}${path}`, { headers })).status;
  };
  return { server, ask };
}

const lineOf = async (response: Response) => {
  const id = response.headers.get('X-Request-Id');
  const line = () => site.logged('request').find((one) => one['id'] === id);
  await expect.poll(line).toBeDefined();
  return line();
};

describe('a request', () => {
  it.each(['/', '/contact', '/nowhere', '/favicon.svg', '/healthz', '/terms/'])(
    'of %s has an id of its own, in the response and in the log',
    async (path) => {
      const answers = [await visitor.get(path), await visitor.get(path)];
      expect(new Set(answers.map(({ headers }) => headers.get('X-Request-Id'))).size).toBe(2);
      for (const answer of answers) {
        expect(await lineOf(answer)).toMatchObject({ level: 'info', status: answer.status });
      }
    },
  );

  it('that fails is an error, and every line about it has the id that the page shows', async () => {
    let failed = new Response();
    await whileAway('eligibility_assessments', async () => {
      failed = await visitor.get('/eligibility/6b1d4a52-0d43-4a6e-9f0a-93a7c54f7a10');
    });
    expect(failed.status).toBe(503);
    const id = failed.headers.get('X-Request-Id');
    const page = await failed.text();
    expect(page).toContain(bundles.en.shell.errors.reference);
    expect(page).toContain(`>${id}</code>`);
    expect(await lineOf(failed)).toMatchObject({
      ...{ level: 'error', status: 503, method: 'GET', route: '/eligibility/:sessionId' },
      ms: expect.any(Number) as number,
    });
    expect(site.logged('database cannot be used').map((line) => line['id'])).toEqual([id]);
    const lost = await (await visitor.get('/nowhere')).text();
    expect(lost).not.toContain(bundles.en.shell.errors.reference);
  });

  it.each<[string, string, RequestInit, number]>([
    ['Origin is not PUBLIC_ORIGIN', '/contact', { headers: { Origin: 'https://a.example' } }, 403],
    ['content type', '/contact', { body: '{}', headers: { 'Content-Type': 'text/plain' } }, 415],
    ['too large', '/contact', { body: new URLSearchParams({ a: 'x'.repeat(70_000) }) }, 413],
    ['method', '/contact', { method: 'PUT' }, 405],
    ['address too long', `/${'x'.repeat(3000)}`, { method: 'GET', body: null }, 414],
  ])('that is refused says why: %s', async (refusal, path, init, status) => {
    const body = new URLSearchParams({ name: 'c4n4ry' });
    const response = await fetch(site.origin + path, { method: 'POST', body, ...init });
    expect(response.status).toBe(status);
    expect(await lineOf(response)).toMatchObject({ refusal, status });
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(site.log()).not.toContain('c4n4ry');
  });

  it('of a deleted result leaves no id in the log, whatever follows it', async () => {
    const id = '1c9b6d0e-5f0f-4b7c-8a52-6f1f7d1f0c33';
    for (const path of [
      ...[`/eligibility/${id}`, `/eligibility/${id}%20`, `//eligibility/${id}/x`],
      ...[`/%65ligibility/${id}/x`, `/ELIGIBILITY/${id}/x`, `/about/${id}.html`],
      `/eligibility/${id.replace('1c', '%31c')}/x`,
    ]) {
      expect([400, 404]).toContain((await visitor.get(site.origin + path)).status);
    }
    await visitor.get('/old-page%1B%22');
    await expect.poll(() => site.log()).toContain(String.raw`"path":"/old-page\u001b\""`);
    expect(site.log()).not.toContain(id);
    expect(site.log()).not.toContain(id.slice(2));
  });
});

it('a log that nobody reads ends nothing, and goes on with who reads it next', async () => {
  const folder = temporaryFolder();
  const pipe = join(folder, 'log');
  execFileSync('mkfifo', [pipe]);
  const read = () => {
    const reader = spawn('cat', [pipe]);
    let text = '';
    reader.stdout.on('data', (chunk) => (text += String(chunk)));
    return { reader, text: () => text };
  };
  const first = read();
  const { server, ask } = await startInto(pipe, folder);
  try {
    await expect.poll(first.text, { timeout: 30_000 }).toContain('"event":"listening"');
    first.reader.kill();
    await once(first.reader, 'exit');
    for (let count = 0; count < 20; count += 1) expect(await ask('/about')).toBe(200);
    const second = read();
    const afterAsking = async () => {
      await ask('/about');
      return second.text();
    };
    await expect.poll(afterAsking).toContain('"event":"request"');
    expect(second.text().split('\n')[0]).toMatch(/"event":"log lines lost","lines":[1-9]\d*\}$/);
    // Who reads no more, and does not go, is not waited for; who goes on later gets whole lines.
    second.reader.kill('SIGSTOP');
    // A line of two thousand characters each, and no page to be made.
    for (let count = 0; count < 800; count += 40) {
      const asked = Array.from({ length: 40 }, () => ask(`/${'x'.repeat(2000)}?_data=*`));
      expect(new Set(await Promise.all(asked))).toEqual(new Set([404]));
    }
    second.reader.kill('SIGCONT');
    const lost = async () => (await afterAsking()).match(/"event":"log lines lost"/g);
    await expect.poll(lost).toHaveLength(2);
    for (const line of second.text().split('\n').slice(0, -1)) JSON.parse(line);
    second.reader.kill('SIGKILL');
  } finally {
    server.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});

it.skipIf(process.platform !== 'linux')('a disk that is full ends nothing', async () => {
  const folder = temporaryFolder();
  const { server, ask } = await startInto('/dev/full', folder);
  let said = '';
  server.stderr.on('data', (chunk) => (said += String(chunk)));
  await expect.poll(() => ask('/readyz').catch(String), { timeout: 30_000 }).toBe(200);
  expect([server.exitCode, said]).toEqual([null, '']);
  server.kill('SIGTERM');
  expect((await once(server, 'exit'))[0]).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});
