import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Site, startSite, temporaryFolder } from '../production-server';
import { Visitor } from './visitor';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());

const get = (address: string, headers: Record<string, string> = {}) =>
  new Visitor(site.origin, headers).get(address);
/** Keeps a result that somebody has saved at a moment. */
const insert = (at: Pick<Site, 'execute'>, id: string, completedAt: string, factors = '[]') =>
  at.execute(`insert into eligibility_assessments (session_id, country_code, is_country_eligible,
    assessment_data, is_eligible, disqualifying_factors, factor_keys, outcome, language_code,
    completed_at) values ('${id}', 'FR', 1, '{"gone":"yes"}', 0, '${factors}', '["gone"]',
    'not_eligible', 'en', '${completedAt}')`);

describe('a saved assessment', () => {
  const save = async (visitor: Visitor, country: string) => {
    await visitor.post('/eligibility-check?step=country', { country });
    await visitor.post('/eligibility-check?step=result', { intent: 'save' });
    const [row] = site.query('select session_id from eligibility_assessments order by id desc');
    return `/eligibility/${String(row?.['session_id'])}`;
  };

  it('is shown to who knows its address, in the reader’s language, and never kept', async () => {
    const address = await save(new Visitor(site.origin, { 'Accept-Language': 'de' }), 'RO');
    const response = await get(address, { 'Accept-Language': 'en' });
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    const page = await response.text();
    expect(page).toContain('<meta name="robots" content="noindex"/>');
    expect(page).toContain('Romania');
    expect(page).toContain('Your country is not part of the Visa Waiver Program');
    expect(page).toContain(
      new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Europe/Paris' }).format(),
    );
  });

  it('is deleted for good after a confirmation', async () => {
    const visitor = new Visitor(site.origin, { 'Accept-Language': 'en' });
    const address = await save(visitor, 'BG');
    expect((await visitor.post(address, { intent: 'other' })).status).toBe(400);
    const deleted = await visitor.post(address, { intent: 'delete' });
    expect([deleted.status, deleted.headers.get('Location')]).toEqual([303, '/']);
    expect(await (await visitor.get('/')).text()).toContain('Your saved result has been deleted.');
    expect((await visitor.get(address)).status).toBe(404);
    expect((await visitor.post(address, { intent: 'delete' })).status).toBe(303);
  });

  it('still tells its factor when the question is gone', async () => {
    insert(site, 'old-one', new Date().toISOString(), '["What it said then."]');
    const page = await (await get('/eligibility/old-one')).text();
    expect(page).toContain('<p lang="en" class="font-semibold">What it said then.</p>');
    expect(page).not.toContain('>gone<');
  });

  it('of an unknown id is a 404', async () => {
    const response = await get('/eligibility/00000000-0000-4000-8000-000000000000');
    expect([response.status, response.headers.get('Cache-Control')]).toEqual([404, 'no-store']);
  });

  it('is gone when its 30 days are over, for who reads and who deletes, before it is purged', async () => {
    const own = await startSite({}, { clock: 'held' });
    await expect.poll(() => own.logged('purged')).toHaveLength(1);
    // They end half an hour from now, in the middle between two purges.
    const completedAt = (await own.clock.now()) - 30 * 86_400_000 + 1_800_000;
    insert(own, 'expiring', new Date(completedAt).toISOString());
    insert(own, 'expiring-too', new Date(completedAt + 1).toISOString());
    const visitor = new Visitor(own.origin, { 'Accept-Language': 'en' });
    const statuses = () =>
      Promise.all(
        ['', '-too'].map(async (id) => (await visitor.get(`/eligibility/expiring${id}`)).status),
      );
    expect(await statuses()).toEqual([200, 200]);
    await own.clock.pass(1_800_000);
    expect(await statuses()).toEqual([200, 200]);
    await own.clock.pass(1);
    expect(await statuses()).toEqual([404, 200]);
    await own.clock.pass(1);
    expect(await statuses()).toEqual([404, 404]);
    expect(own.query('select session_id from eligibility_assessments')).toHaveLength(2);
    expect((await visitor.post('/eligibility/expiring', { intent: 'delete' })).status).toBe(303);
    expect(own.query('select session_id from eligibility_assessments')).toEqual([
      { session_id: 'expiring-too' },
    ]);
    await own.stop();
  });

  it('is purged at start once its 30 days are over', async () => {
    const folder = temporaryFolder();
    const DATABASE_URL = `file:${join(folder, 'esta.db')}`;
    const first = await startSite({ DATABASE_URL });
    await expect.poll(() => first.logged('purged')).toHaveLength(1);
    insert(first, 's', '2020-01-01T00:00:00.000Z');
    await first.stop();
    const second = await startSite({ DATABASE_URL });
    await expect.poll(() => second.logged('purged')).toMatchObject([{ assessments: 1 }]);
    expect(second.query('select * from eligibility_assessments')).toEqual([]);
    await second.stop();
    rmSync(folder, { recursive: true, force: true });
  });
});
