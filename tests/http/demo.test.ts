import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { STATES } from '~/domain/application/states';
import { pagesOf, STAFF_ROLES } from '~/domain/staff';
import { DEMO_KEYS, firstCodes, runDemo } from '../demonstration';
import { type PostgresServer, sharedPostgres } from '../postgres';
import { type Site, startSite } from '../production-server';
import { someOf } from '../rounds';
import { Reader } from './reader';
import { signedIn } from './signed-in';
import { endsWithTest } from './site';

describe.each(someOf(['SQLite', 'PostgreSQL'], 1))('the demonstration, with %s', (engine) => {
  let server: PostgresServer | undefined;
  let site: Site;
  let database: string;
  beforeAll(async () => {
    if (engine === 'PostgreSQL') server = await sharedPostgres();
    const url = await server?.createDatabase();
    site = await startSite({ ...DEMO_KEYS, ...(url && { DATABASE_URL: url }) });
    await fetch(`${site.origin}/readyz`);
    database = url ?? `file:${site.databaseFile}`;
  }, 90_000);
  afterAll(async () => {
    await site.stop();
    await server?.remove();
  });

  const countBy = (sql: string) => site.query(sql).map((row) => row['name']);

  it('is refused where real people could be', async () => {
    for (const variables of [
      { OFFLINE_MODE: 'true' },
      { MAIL_URL: 'smtp://localhost', MAIL_FROM: 'post@example.eu' },
    ]) {
      const { status, stdout, stderr } = await runDemo(database, [], variables);
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/\.\n$/);
    }
  });

  it('names no code where there is no demonstration, and says which variable to look at', async () => {
    const { status, stderr } = await runDemo(database, ['--code', 'agent@demo.example']);
    expect([status, stderr]).toEqual([1, expect.stringContaining('DATABASE_URL')]);
  });

  it('has cases in every state, and is made once', async () => {
    const { status, stdout, stderr } = await runDemo(database);
    expect([status, stderr]).toEqual([0, '']);
    expect(countBy('select distinct state as name from applications order by 1')).toEqual(
      [...STATES].sort(),
    );
    const refunds = countBy('select distinct state as name from refunds order by 1');
    expect(refunds).toEqual(['failed', 'proposed', 'refused', 'requested', 'settled']);
    const [{ count } = {}] = site.query('select count(*) as count from applications');
    expect(stdout).toContain(`${String(count)} invented cases`);
    const again = await runDemo(database);
    expect(again.stdout).toContain('is there already');
    expect(site.query('select count(*) as count from applications')).toEqual([{ count }]);
    const code = await runDemo(database, ['--code', 'agent@demo.example']);
    expect(code.stdout).toMatch(/^\d{6}\n$/);
    expect((await runDemo(database, ['--code', 'nobody@demo.example'])).status).toBe(1);
  });

  it('signs staff in with the password and the codes that it prints, also from role to role', async () => {
    const { stdout } = await runDemo(database);
    const [, password = ''] = /agent@demo\.example +(\S+) +\d{6}/.exec(stdout) ?? [];
    const codes = await firstCodes(database);
    const names = codes.split(/ {3}|\n/).map((one) => one.replace(/ \d{6}$/, ''));
    expect(names.join(' ')).toBe('agent agent2 supervisor auditor admin ');
    const [, supervisors = ''] = /supervisor (\d{6})/.exec(codes) ?? [];
    const agents = (await runDemo(database, ['--code', 'agent@demo.example'])).stdout.trim();
    for (const [name, code] of Object.entries({ agent: agents, supervisor: supervisors })) {
      const reader = await Reader.open(site.origin, '/crm/auth', 'en');
      await reader.send('/crm/auth', { email: `${name}@demo.example`, password });
      expect(reader.address).toMatch(/^\/auth\/challenge/);
      await reader.send(reader.address, { code, intent: 'code', returnTo: '/crm/dashboard' });
      expect(reader.address).toBe('/crm/dashboard');
    }
  });

  it.each(STAFF_ROLES)('has something on each page of a(n) %s', async (role) => {
    const [user] = site.query('select id, email from users where role = ? limit 1', role);
    const reader = await Reader.open(site.origin, '/', 'en');
    const person = { id: String(user?.['id']), email: String(user?.['email']) };
    reader.visitor.setCookie('session', signedIn(site, person).cookie('session') ?? '');
    const pages: string[] = pagesOf(role).map(({ path }) => path);
    if (role === 'agent') {
      const [row] = site.query(
        `select id from applications where assigned_to = '${person.id}' and state = 'in_review'`,
      );
      pages.push(`/crm/processing/${String(row?.['id'])}`);
    }
    for (const path of pages) {
      await reader.go(path);
      expect([path, reader.status]).toEqual([path, 200]);
    }
  });
});

it('is made in no database that has applications of others', async () => {
  const site = endsWithTest(await startSite(DEMO_KEYS));
  await fetch(`${site.origin}/readyz`);
  site.execute(`insert into applications (id, reference, state, language_code, form_version,
    created_at, updated_at) values ('one', 'TRV-1', 'draft', 'en', 1, '', '')`);
  const { status, stderr } = await runDemo(`file:${site.databaseFile}`);
  expect([status, stderr]).toEqual([1, expect.stringContaining('set DATABASE_URL')]);
});
