import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { LIVE } from '../apps';
import { contentOf } from '../signed-cookie';
import { type PostgresServer, startPostgres } from '../postgres';
import { type Site, startSite } from '../production-server';
import { makeAccount } from './accounts';
import { call, refresh, signIn } from './programs';
import { Visitor } from './visitor';

const RESULT = '/eligibility-check?step=result';
/** What a change may take to be seen on every server. */
const SEEN_MS = 2000;

let postgres: PostgresServer;
let DATABASE_URL: string;
let sites: [Site, Site];
beforeAll(async () => {
  postgres = await startPostgres();
  DATABASE_URL = await postgres.createDatabase();
  // Whose tokens they are.
  const PUBLIC_ORIGIN = 'http://esta.example';
  const live = { ...LIVE, DATABASE_URL, PUBLIC_ORIGIN };
  sites = [await startSite(live), await startSite(live)];
}, 60_000);
afterAll(async () => {
  for (const site of sites) await site.stop();
  await postgres.remove();
});

/** As an operator with psql, who does not wait until it is seen. */
async function sql(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  expect((await client.query(statement)).rowCount).toBeGreaterThan(0);
  await client.end();
}

const text = async (site: Site, address: string) =>
  (await new Visitor(site.origin, { 'Accept-Language': 'en' }).get(address)).text();

/** Saves a result; its address, and where it was refused undefined. */
async function save(site: Site): Promise<string | undefined> {
  const visitor = new Visitor(site.origin);
  await visitor.post('/eligibility-check?step=country', { country: 'RO' });
  const { id } = contentOf(visitor.cookie('wizard')).value as { id: string };
  const { status } = await visitor.post(RESULT, { intent: 'save' });
  return status === 303 && visitor.cookie('toast') ? `/eligibility/${id}` : undefined;
}

it('both show within two seconds what plain SQL has changed', async () => {
  const english = "where language_code = 'en'";
  const country = `vwp_country_translations set country_name = 'Xland' ${english} and country_code = 'FR'`;
  const tip = `guidance_content set title = 'Changed tip' ${english} and kind = 'tip' and display_order = 1`;
  for (const [address, change, shown] of [
    ['/eligibility-check', country, 'Xland'],
    ['/services', "facts set value = '55.55' where value = '40.27'", '55.55'],
    ['/application-guide?tab=tips', tip, 'Changed tip'],
  ] as const) {
    for (const site of sites) expect(await text(site, address)).not.toContain(shown);
    await sql(`update ${change}`);
    const seen = (site: Site) =>
      expect.poll(() => text(site, address), { timeout: SEEN_MS }).toContain(shown);
    await Promise.all(sites.map(seen));
  }
});

it('while PostgreSQL is away pages go on and saves are refused; both recover by themselves', async () => {
  const PAGES = ['/', '/services', '/timeline', '/application-guide', '/contact'];
  for (const site of sites) {
    for (const page of [...PAGES, ...PAGES]) await text(site, page);
  }
  let running = true;
  const failed: string[] = [];
  const readers = sites.map(async (site) => {
    for (let n = 0; running; n += 1) {
      const page = PAGES[n % PAGES.length] ?? '/';
      // As many people, none of whom asks for more than one may.
      const response = await new Visitor(site.origin, { 'Accept-Language': 'en' }).get(page);
      if (response.status !== 200) failed.push(`${page} ${response.status}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });
  let before: string | undefined;
  try {
    before = await save(sites[0]);
    const ready = async (site: Site) => (await new Visitor(site.origin).get('/readyz')).status;

    const visitors = sites.map(({ origin }) => new Visitor(origin, { 'Accept-Language': 'en' }));
    for (const visitor of visitors) {
      await visitor.post('/eligibility-check?step=country', { country: 'RO' });
      await visitor.get(RESULT);
    }

    await postgres.stop('immediate');
    for (const [index, site] of sites.entries()) {
      const refused = await (visitors[index] as Visitor).post(RESULT, { intent: 'save' });
      expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '10']);
      expect(await refused.text()).toContain(bundles.en.eligibility.notSaved.title);
      await expect.poll(() => ready(site), { timeout: 10_000 }).toBe(503);
      expect(await text(site, '/healthz')).toMatch(/^ok/);
      expect(site.log()).toContain('The database server cannot be reached');
    }
    await postgres.start();
    for (const site of sites) await expect.poll(() => ready(site), { timeout: 10_000 }).toBe(200);
    for (const visitor of visitors) {
      expect((await visitor.post(RESULT, { intent: 'save' })).status).toBe(303);
    }
  } finally {
    running = false;
    await Promise.all(readers);
  }
  expect(failed).toEqual([]);
  for (const address of [before, await save(sites[1])]) {
    expect(address).toBeDefined();
    expect((await new Visitor(sites[0].origin).get(address ?? '')).status).toBe(200);
  }
}, 60_000);

it('pages from memory go on for fifteen minutes without PostgreSQL, and no longer', async () => {
  // One day throughout: pages are another at midnight, and then there is nothing to make them of.
  const site = await startSite({ DATABASE_URL, TODAY: '2026-11-22' }, { clock: 'held' });
  try {
    // Its words are rows: without memory there is nothing to show.
    const guide = async () =>
      (await new Visitor(site.origin).get('/application-guide?tab=tips')).status;
    const second = async () => {
      await site.clock.pass(1000);
      await new Promise((resolve) => setTimeout(resolve, 30));
    };
    for (let n = 0; n < 3; n += 1) {
      await second();
      expect(await guide()).toBe(200);
    }
    await postgres.stop('immediate');
    for (let n = 0; n < 5; n += 1) await second();
    expect(await guide()).toBe(200);
    await site.clock.pass(14 * 60_000);
    expect(await guide()).toBe(200);
    await site.clock.pass(60_000);
    expect(await guide()).toBe(503);
    await postgres.start();
    await second();
    await expect.poll(guide, { timeout: 10_000 }).toBe(200);
  } finally {
    await postgres.start();
    await site.stop();
  }
}, 60_000);

it('a network that swallows everything ends no page from memory, and leaves no dead connection', async () => {
  const { port, pathname } = new URL(DATABASE_URL);
  const carried: Socket[] = [];
  let swallows = false;
  const network = createServer((near) => {
    const far = connect(Number(port), '127.0.0.1');
    const isLost = swallows;
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      carried.push(from);
      from.on('error', () => undefined);
      from.on('data', (data) => swallows || isLost || dead.has(near) || to.write(data));
      from.on('close', () => to.destroy());
    }
    open.add(near);
  });
  const open = new Set<Socket>();
  const dead = new Set<Socket>();
  await once(network.listen(0, '127.0.0.1'), 'listening');
  const { port: nearPort } = network.address() as AddressInfo;
  const site = await startSite({
    DATABASE_URL: `postgres://postgres@127.0.0.1:${nearPort}${pathname}`,
  });
  try {
    const guide = async () =>
      (await new Visitor(site.origin).get('/application-guide?tab=tips')).status;
    for (let n = 0; n < 3; n += 1) {
      expect(await guide()).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 600));
    }
    swallows = true;
    for (const socket of open) dead.add(socket);
    for (let n = 0; n < 16; n += 1) {
      expect([n, await guide()]).toEqual([n, 200]);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    // The old connections stay lost without a word; new ones are as before.
    swallows = false;
    const saved = async () => (await save(site)) !== undefined;
    await expect.poll(saved, { timeout: 30_000, interval: 200 }).toBe(true);
    expect(await Promise.all([saved(), saved(), saved()])).toEqual([true, true, true]);
  } finally {
    await site.stop();
    for (const socket of carried) socket.destroy();
    network.close();
  }
}, 90_000);

it('both give one next refresh token to who asks both at once', async () => {
  const [first, second] = sites;
  const { id, email } = await makeAccount(first);
  const { refresh: token } = await signIn(first, email);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => refresh(index % 2 ? second : first, token)),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const next = new Set(answers.map(({ json }) => String(json['refresh_token'])));
  expect(next.size).toBe(1);
  const [current = ''] = next;
  expect((await refresh(second, current)).status).toBe(200);
  // The one before is nobody's any more, whichever server is asked.
  const { status, json } = await refresh(first, token);
  expect([status, json['error_code']]).toEqual([400, 'refresh_token_already_used']);
  expect(first.query('select id from sessions where user_id = ?', id)).toEqual([]);
});

it('each takes the tokens that the other has signed, and knows at once what has ended', async () => {
  const { email } = await makeAccount(sites[0]);
  for (const [one, other] of [sites, sites.toReversed()] as [Site, Site][]) {
    const { access: token } = await signIn(one, email);
    expect((await call(other, 'GET /user', { token })).json).toMatchObject({ email });
    expect((await call(other, 'POST /logout?scope=local', { token })).status).toBe(204);
    expect((await call(one, 'GET /user', { token })).status).toBe(403);
  }
});
