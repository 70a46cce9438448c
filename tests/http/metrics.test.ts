import { beforeAll, expect, it } from 'vitest';

import { site, withSite } from './site';
import { Visitor } from './visitor';

let metrics: string;
withSite({ METRICS_PORT: '0' }, { apart: true, clock: 'held' });
beforeAll(() => {
  metrics = `http://127.0.0.1:${String(site.logged('metrics')[0]?.['port'])}/metrics`;
});

async function valueOf(line: string): Promise<number | undefined> {
  const text = await (await fetch(metrics)).text();
  const value = text.split('\n').find((one) => one.startsWith(`${line} `));
  return value === undefined ? undefined : Number(value.slice(line.length + 1));
}

it('counts what is asked for and how it is answered', async () => {
  const visitor = new Visitor(site.origin);
  for (let count = 0; count < 3; count += 1) await visitor.get('/services');
  await visitor.get('/nowhere?secret=c4n4ry');
  const count = (route: string, status: number) =>
    valueOf(`esta_http_request_duration_seconds_count{route="${route}",status="${status}"}`);
  await expect.poll(() => count('/services', 200)).toBe(3);
  await expect.poll(() => count('/*', 404)).toBe(1);
  expect(await valueOf('esta_page_memory_total{result="hit"}')).toBeGreaterThan(0);
  expect(await valueOf('esta_last_purge_timestamp_seconds')).toBeGreaterThan(1_700_000_000);
  expect(await valueOf('process_resident_memory_bytes')).toBeGreaterThan(0);
  expect(await (await fetch(metrics)).text()).not.toMatch(/c4n4ry|nowhere/);
});

it('counts who is over a limit, and failures of the database', async () => {
  const visitor = new Visitor(site.origin);
  for (let count = 0; count < 62; count += 1) {
    await visitor.post('/language', { lng: 'de', returnTo: '/' });
  }
  expect(await valueOf('esta_rate_limited_total{limit="post"}')).toBe(2);
  expect(await valueOf('esta_database_errors_total')).toBe(0);
  site.execute('alter table eligibility_assessments rename to away');
  await visitor.get('/eligibility/6b1d4a52-0d43-4a6e-9f0a-93a7c54f7a10');
  expect(await valueOf('esta_database_errors_total')).toBe(1);
});

it('is on no other port, and its port has nothing else', async () => {
  expect((await new Visitor(site.origin).get('/metrics')).status).toBe(404);
  expect((await fetch(new URL('/', metrics))).status).toBe(404);
  expect((await fetch(metrics, { method: 'POST' })).status).toBe(404);
});
