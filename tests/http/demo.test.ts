import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { queryDatabase, writeDatabase } from '~/database.server';
import { STATES } from '~/domain/application/states';
import { pagesOf, STAFF_ROLES } from '~/access';
import { demonstrate } from '../../operations/demo';
import { appWith, partOf } from '../apps';
import { DEMO_KEYS, runDemo } from '../demonstration';
import { addDraftTo } from '../drafts';
import { type PostgresServer, sharedPostgres } from '../postgres';
import type { Site } from '../production-server';
import { someOf } from '../rounds';
import { startInProcess } from '../site-in-process';
import { HtmlBrowser } from './html-browser';
import { signedIn } from './signed-in';

/** What the command says first that shows codes until it is stopped. */
async function firstCodes(database: string): Promise<string> {
  const child = spawn(process.execPath, ['build/server/database.js', 'demo', '--code', 'all'], {
    env: { NODE_ENV: 'production', DATABASE_URL: database, ...DEMO_KEYS },
  });
  const [part] = (await once(child.stdout, 'data')) as [Buffer];
  child.kill();
  return String(part);
}

describe.each(someOf(['SQLite', 'PostgreSQL'], 1))('the demonstration, with %s', (engine) => {
  let server: PostgresServer | undefined;
  let site: Site;
  let database: string;
  beforeAll(async () => {
    if (engine === 'PostgreSQL') server = await sharedPostgres();
    const url = await server?.createDatabase();
    site = await startInProcess({ ...DEMO_KEYS, ...(url && { DATABASE_URL: url }) });
    database = url ?? `file:${site.databaseFile}`;
  }, 90_000);
  afterAll(async () => {
    await site.stop();
    await server?.remove();
  });

  const countBy = (sql: string) => site.query(sql).map((row) => row['name']);
  /** What the command does in a process of its own. */
  const demo = (email?: string) => queryDatabase((db) => demonstrate(db, email));

  it.each([
    [{ OFFLINE_MODE: 'true' }, 'OFFLINE_MODE=false'],
    [{ MAIL_URL: 'smtp://localhost', MAIL_FROM: 'post@example.eu' }, 'MAIL_URL'],
  ])('is refused where real people could be: %o', async (variables, said) => {
    const there = appWith({ ...DEMO_KEYS, ...variables });
    await queryDatabase((db) => expect(partOf(there, demonstrate)(db)).rejects.toThrow(said));
  });

  it('names no code where there is no demonstration, and says which variable to look at', () =>
    expect(demo('agent@demo.example')).rejects.toThrow('DATABASE_URL'));

  it('is made in no database that has applications of others', async () => {
    const { id } = await writeDatabase((db) => addDraftTo(db, { at: new Date() }));
    await expect(demo()).rejects.toThrow('set DATABASE_URL');
    site.execute(`delete from applications where id = '${id}'`);
  });

  it('has cases in every state, and is made once', async () => {
    const { status, stdout, stderr } = await runDemo(database);
    expect([status, stderr]).toEqual([0, '']);
    const states = countBy('select distinct state as name from applications order by 1');
    expect(states).toEqual([...STATES].sort());
    const refunds = countBy('select distinct state as name from refunds order by 1');
    expect(refunds).toEqual(['failed', 'proposed', 'refused', 'requested', 'settled']);
    const [{ count } = {}] = site.query('select count(*) as count from applications');
    expect(stdout).toContain(`${String(count)} invented cases`);
    expect(await demo()).toContain('is there already');
    expect(site.query('select count(*) as count from applications')).toEqual([{ count }]);
    await expect(demo('nobody@demo.example')).rejects.toThrow('nobody');
  });

  it('signs staff in with the password and the codes that it prints, also from role to role', async () => {
    const [, password = ''] = /agent@demo\.example +(\S+) +\d{6}/.exec(await demo()) ?? [];
    const codes = await firstCodes(database);
    const names = codes.split(/ {3}|\n/).map((one) => one.replace(/ \d{6}$/, ''));
    expect(names).toEqual(expect.arrayContaining([...STAFF_ROLES]));
    const [, supervisors = ''] = /supervisor (\d{6})/.exec(codes) ?? [];
    const agents = await demo('agent@demo.example');
    for (const [name, code] of Object.entries({ agent: agents, supervisor: supervisors })) {
      const reader = await HtmlBrowser.open(site.origin, '/crm/auth', 'en');
      await reader.send('/crm/auth', { email: `${name}@demo.example`, password });
      expect(reader.address).toMatch(/^\/auth\/challenge/);
      await reader.send(reader.address, { code, intent: 'code', returnTo: '/crm/dashboard' });
      expect(reader.address).toBe('/crm/dashboard');
    }
  });

  it.each(STAFF_ROLES)('has something on each page of a(n) %s', async (role) => {
    const [user] = site.query('select id, email from users where role = ? limit 1', role);
    const reader = await HtmlBrowser.open(site.origin, '/', 'en');
    const person = { id: String(user?.['id']), email: String(user?.['email']) };
    reader.visitor.setCookie('session', signedIn(site, person).cookie('session') ?? '');
    const own = `assigned_to = '${person.id}' and state = 'in_review'`;
    const cases = site.query(`select id from applications where ${own} limit 1`);
    expect(cases).toHaveLength(role === 'agent' ? 1 : 0);
    const pages: string[] = pagesOf({ role, isOwner: false }).map(({ path }) => path);
    for (const path of [...pages, ...cases.map(({ id }) => `/crm/processing/${String(id)}`)]) {
      await reader.go(path);
      expect([path, reader.status]).toEqual([path, 200]);
    }
  });
});
