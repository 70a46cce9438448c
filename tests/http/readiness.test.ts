import { renameSync } from 'node:fs';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Site } from '../production-server';
import { startInProcess as startSite } from '../site-in-process';
import { someOf } from '../rounds';
import { Visitor } from './visitor';

let site: Site;
beforeEach(async () => {
  site = await startSite({}, { clock: 'held' });
  await expect.poll(() => site.logged('purged')).toHaveLength(1);
});
afterEach(() => site.stop());

const ask = async () => {
  const response = await new Visitor(site.origin).get('/readyz');
  return [response.status, await response.text()];
};
const READY = [200, 'ready\n'];
const INCOMPLETE = [503, 'content incomplete\n'];
const UNAVAILABLE = [503, 'database unavailable\n'];

const mark = () => site.query('pragma user_version')[0]?.['user_version'];

describe('/readyz', () => {
  it('checks at most once a second, however many ask, and refuses none of them', async () => {
    const first = mark();
    const visitor = new Visitor(site.origin);
    const answers = await Promise.all(
      Array.from({ length: 700 }, async () => (await visitor.get('/readyz')).status),
    );
    expect(new Set(answers)).toEqual(new Set([200]));
    const written = mark();
    expect(written).not.toBe(first);
    await site.clock.pass(990);
    expect(await ask()).toEqual(READY);
    expect(mark()).toBe(written);
    await site.clock.pass(11);
    expect(await ask()).toEqual(READY);
    expect(mark()).not.toBe(written);
  });

  it('says nothing that is older than a second, and why it is not ready once', async () => {
    expect(await ask()).toEqual(READY);
    renameSync(site.databaseFile, `${site.databaseFile}.away`);
    await site.clock.pass(990);
    expect(await ask()).toEqual(READY);
    await site.clock.pass(11);
    expect(await ask()).toEqual(UNAVAILABLE);
    await site.clock.pass(5000);
    expect(await ask()).toEqual(UNAVAILABLE);
    expect(site.logged('not ready')).toMatchObject([{ level: 'error' }]);
    renameSync(`${site.databaseFile}.away`, site.databaseFile);
    await site.clock.pass(2001);
    expect(await ask()).toEqual(READY);
    expect(site.logged('ready')).toHaveLength(1);
  });
});

describe('content that cannot be shown', () => {
  const pages = ['/', '/services', '/about', '/timeline', '/application-guide'];
  pages.push('/contact', '/eligibility-check');
  const statuses = async () =>
    Promise.all(pages.map(async (page) => (await new Visitor(site.origin).get(page)).status));

  it('leaves its row out: pages go on, it is not ready, and says which row', async () => {
    expect(await ask()).toEqual(READY);
    const change = (to: string, where: string) =>
      site.execute(`pragma ignore_check_constraints = on; update facts set checked_on = '${to}'
        where fact_key = 'esta_fee_total' and ${where}`);
    change('2026-09-31', 'valid_to is null');
    await site.clock.pass(1001);
    expect([await ask(), new Set(await statuses())]).toEqual([INCOMPLETE, new Set([200])]);
    const fact = { table: 'facts', fact_key: 'esta_fee_total', column: 'checked_on' };
    const problems = [{ event: 'a fact is left out', ...fact }];
    expect(site.logged('not ready')).toMatchObject([{ level: 'error', problems }]);
    change('2026-09-28', "checked_on = '2026-09-31'");
    await site.clock.pass(1001);
    expect(await ask()).toEqual(READY);
  });

  it.each(someOf(['vwp_countries', 'eligibility_questions', 'guidance_content', 'facts'], 2))(
    'no row in %s, and no table: it is not ready',
    async (table) => {
      site.execute(`delete from ${table}`);
      expect(await ask()).toEqual(INCOMPLETE);
      site.execute(`pragma foreign_keys = off; drop table ${table}`);
      await site.clock.pass(1001);
      expect(await ask()).toEqual(UNAVAILABLE);
      const missing = expect.objectContaining({ table }) as unknown;
      expect(site.logged('not ready')).toMatchObject([
        { problems: expect.arrayContaining([missing]) as unknown },
        { level: 'error', error: expect.stringContaining(table) as string },
      ]);
    },
  );
});
