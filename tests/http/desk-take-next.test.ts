import { randomBytes, randomUUID } from 'node:crypto';
import { setImmediate, setTimeout as pause } from 'node:timers/promises';

import { addMinutes } from 'date-fns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type PostgresServer, sharedPostgres } from '../postgres';
import { type Site, startSite } from '../production-server';
import { rounds } from '../rounds';
import { addPerson, type Person, signedIn } from './signed-in';
import { anyAddress, type Visitor } from './visitor';

/*
 * Two servers with one database, and people at both who press Take next at the same moment: within one
 * process the queue of writers keeps them apart, here only the database does.
 */

const KEYS = {
  OFFLINE_MODE: 'false',
  SESSION_SECRET: randomBytes(32).toString('base64url'),
  DATA_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
};
/** Presses of one client that are taken in a minute, with room to spare. */
const PRESSES = 5;

describe.each(['SQLite', 'PostgreSQL'] as const)('with two servers and %s', (engine) => {
  let postgres: PostgresServer | undefined;
  let sites: [Site, Site];
  let agents: [Person, Person];
  beforeAll(async () => {
    postgres = engine === 'PostgreSQL' ? await sharedPostgres() : undefined;
    const own = postgres ? { DATABASE_URL: await postgres.createDatabase() } : {};
    const first = await startSite({ ...KEYS, ...own });
    await fetch(`${first.origin}/readyz`);
    const DATABASE_URL = own.DATABASE_URL ?? `file:${first.databaseFile}`;
    sites = [first, await startSite({ ...KEYS, DATABASE_URL })];
    agents = [addPerson(first, { role: 'agent' }), addPerson(first, { role: 'agent' })];
  }, 60_000);
  afterAll(async () => {
    for (const site of sites) await site.stop();
    await postgres?.remove();
  });

  /** Paid cases of nobody's. @returns their ids, those that are due first first */
  function addCases(count: number): string[] {
    const now = new Date();
    const ids = Array.from({ length: count }, () => randomUUID());
    const at = now.toISOString();
    const values = ids.map((id, n) => {
      const due = addMinutes(now, 60 + n).toISOString();
      return `('${id}', '${id}', 1, 'paid', 'en', 'standard', '${due}', '${at}', '${at}', '${at}')`;
    });
    sites[0].execute(`insert into applications (id, reference, form_version, state, language_code,
      package, due_at, starts_at, created_at, updated_at) values ${values.join(', ')}`);
    return ids;
  }

  async function press(visitor: Visitor): Promise<string | undefined> {
    const once = async () => {
      const response = await visitor.post('/crm/processing', { intent: 'take-next' });
      await response.body?.cancel();
      return response;
    };
    let response = await once();
    // A busy machine may stop one server while it holds the file, for longer than a page waits: then
    // nothing is taken, the page says so, and its reader presses again.
    while (engine === 'SQLite' && response.status === 503) {
      await pause(100);
      visitor.headers['X-Forwarded-For'] = anyAddress();
      response = await once();
    }
    const goal = response.headers.get('Location') ?? '';
    expect([response.status, goal]).toEqual([303, expect.stringContaining('/crm/processing')]);
    return /\/crm\/processing\/([\w-]+)\?done=take$/.exec(goal)?.[1];
  }

  it('nobody gets a case that another one has, and none is skipped', async () => {
    const presses = rounds(30, 300);
    const ids = addCases(2 * presses);
    const visitors = sites.map((site, n) => signedIn(site, agents[n] as Person));
    // What has happened to connections while the database was asked is noticed first.
    await setImmediate();
    const taken: [string[], string[]] = [[], []];
    for (let n = 0; n < presses; n += 1) {
      // Other clients now and then: how many forms one may send is limited.
      if (n % PRESSES === 0) {
        for (const { headers } of visitors) headers['X-Forwarded-For'] = anyAddress();
      }
      const pair = await Promise.all(visitors.map(press));
      pair.forEach((id, which) => id && taken[which]?.push(id));
      // Each pair has the two that are due next.
      expect(new Set(pair)).toEqual(new Set(ids.slice(2 * n, 2 * n + 2)));
    }
    expect(await Promise.all(visitors.map(press))).toEqual([undefined, undefined]);
    for (const row of sites[0].query('select id, state, assigned_to from applications')) {
      const which = taken.findIndex((list) => list.includes(String(row['id'])));
      expect(row).toMatchObject({ state: 'in_review', assigned_to: agents[which]?.id });
    }
    // Each was given away once.
    const given = sites[0].query(
      "select subject_id as id from audit_events where action = 'case.assigned'",
    );
    expect(given.map(({ id }) => id).sort()).toEqual(ids.sort());
  }, 300_000);
});
