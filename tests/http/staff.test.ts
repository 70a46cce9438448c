import { describe, expect, it } from 'vitest';

import { AUDIT_ACTIONS } from '~/accounts/audit.server';
import { inviteStaff } from '~/desk/staff-accounts.server';
import { writeDatabase } from '~/database.server';
import { pagesOf, STAFF_ROLES, type StaffRole } from '~/access';
import { bundles } from '~/i18n/bundles.server';
import { type Language, LANGUAGES } from '~/i18n/languages';
import { translator } from '~/i18n/locale.server';
import { parseInvitation } from '../../operations/account-commands';
import { decisionTables } from '../decision-tables';
import { runBuilt } from '../production-server';
import { JOURNEY_LANGUAGES } from '../rounds';
import { authenticator, goalOf, statusOf } from './accounts';
import { tokenOf } from './inbox';
import { HtmlBrowser } from './html-browser';
import { addPerson, type Person, signedIn } from './signed-in';
import { site, withSite } from './site';
import { expectRefused } from './told';
import { Visitor } from './visitor';

const PASSWORD = 'correct horse battery staple';
const HOUR_MS = 60 * 60_000;

withSite({ OFFLINE_MODE: 'false' }, { clock: 'held' });

/** Runs a built command on the site's database, as an operator does. */
const command = (words: string[], variables: Record<string, string> = {}) =>
  runBuilt('database', words, {
    ...{ DATABASE_URL: `file:${site.databaseFile}`, OFFLINE_MODE: 'false', PORT: '3000' },
    ...variables,
  });

async function invited(email: string, role: StaffRole = 'agent'): Promise<string> {
  const invitation = { email, role, language: 'fr', actor: { kind: 'operator' } } as const;
  const at = await heldNow();
  const made = await writeDatabase((db) => inviteStaff(db, invitation, at));
  if (typeof made === 'string') throw new Error(made);
  const { pathname, search } = new URL(made.link);
  return pathname + search;
}

const join = (link: string, visitor = new Visitor(site.origin)) => {
  const names = { first_name: 'Zoë', last_name: 'Müller' };
  return visitor.post(link, { ...names, token: tokenOf(link), password: PASSWORD });
};
const heldNow = async () => new Date(await site.clock.now());
const comeAs = async (role: StaffRole, person = addPerson(site, { role })) =>
  signedIn(site, person, { at: await heldNow() });
const readAs = async (role: StaffRole, address: string, language: Language, person?: Person) =>
  HtmlBrowser.open(site.origin, address, language, {
    session: (await comeAs(role, person)).cookie('session'),
  });
const factorsOf = (id: string) => site.query('select * from auth_factors where user_id = ?', id);

/** The names of the recorded events about an account, in alphabetical order: the clock is held. */
const eventsAbout = (id: string) =>
  site
    .query('select action from audit_events where subject_id = ? order by action', id)
    .map(({ action }) => action);
const userOf = (email: string) =>
  site.query("select * from users where kind = 'staff' and email = ?", email)[0] ?? {};

decisionTables(import.meta.url, {
  'what is wrong with the words of an invitation': (words?: string) => {
    try {
      return parseInvitation(words?.split(', ') ?? []);
    } catch (error) {
      return (error as Error).message;
    }
  },
});

describe('the operator', () => {
  it('gets a link of the public address, and a mail of its own where there is a mail server', async () => {
    // A new database has no account.
    expect(site.query('select * from users')).toEqual([]);
    const { stdout } = await command(['staff:invite', 'mailed@example.eu', 'auditor'], {
      MAIL_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'post@example.eu',
      PUBLIC_ORIGIN: 'http://desk.example.eu',
    });
    const link = /^http:\/\/desk\.example\.eu\/crm\/auth\?token=([\w-]{43})$/m.exec(stdout);
    expect(stdout).toContain('A mail with a link of its own is on its way, too.');
    const { id } = userOf('mailed@example.eu');
    expect(site.query('select kind from outbox where user_id = ?', id)).toEqual([
      { kind: 'staffInvitation' },
    ]);
    const tokens = JSON.stringify(site.query('select * from one_time_tokens'));
    expect(tokens).not.toContain(link?.[1] ?? 'id');
  });

  it('cannot invite who works here, takes the factor off the last admin, and signs out one person, or everybody', async () => {
    const [admin, agent] = [addPerson(site, { role: 'admin' }), addPerson(site, { role: 'agent' })];
    const at = await heldNow();
    const browsers = [admin, agent, addPerson(site)].map((one) => signedIn(site, one, { at }));
    const statuses = () =>
      Promise.all(browsers.map((visitor) => statusOf(visitor.get('/auth/security'))));
    const after = async (words: string[], says: string | RegExp) => {
      const { stdout, stderr } = await command(words);
      expect(stdout + stderr).toMatch(says);
      return statuses();
    };
    const email = agent.email.toUpperCase();
    const isThere = 'has an account on the staff already.\n';
    expect(await after(['staff:invite', email, 'agent'], isThere)).toEqual([200, 200, 200]);
    const isOff = `${admin.email} has no second factor any more and is signed out everywhere; the next sign-in asks for a new one.\n`;
    expect(await after(['staff:reset', admin.email], isOff)).toEqual([303, 200, 200]);
    expect(factorsOf(admin.id)).toEqual([]);
    const one = `Signed out everywhere: ${email} (staff).\n`;
    expect(await after(['sessions:end', email], one)).toEqual([303, 303, 200]);
    const all = /^Signed out everywhere: everybody, \d+ sessions\.\n$/;
    expect(await after(['sessions:end', 'all'], all)).toEqual([303, 303, 303]);
    const nobody = 'nobody@example.eu';
    await after(['sessions:end', nobody], 'nobody@example.eu has no account.\n');
    await after(['staff:reset', nobody], 'nobody@example.eu has no account on the staff.\n');
    const noted = site.query(
      "select action, subject_id from audit_events where actor_kind = 'operator' and action <> 'staff.invited' order by at",
    );
    expect(noted).toEqual([
      { action: 'factor.reset', subject_id: admin.id },
      { action: 'session.ended', subject_id: agent.id },
      { action: 'session.ended', subject_id: null },
    ]);
  });
});

describe.each(JOURNEY_LANGUAGES)('in %s', (language) => {
  const t = translator(language);

  it('who is invited joins by the link, once, and comes to the dashboard with a second factor', async () => {
    const email = `joins-${language}@example.eu`;
    const link = await invited(email, 'supervisor');
    // A mail scanner that opens the link uses nothing up.
    expect((await new Visitor(site.origin).get(link)).status).toBe(200);
    const reader = await HtmlBrowser.open(site.origin, link, language);
    expect(reader.heading).toBe(t('staff:join.title'));
    expect(reader.text).toContain(t('staff:roles.supervisor'));
    expect(reader.headers.get('Cache-Control')).toBe('no-store');
    reader.fill(t('staff:fields.first_name'), 'Zoë');
    reader.fill(t('staff:fields.last_name'), 'Müller');
    reader.fill(t('staff:fields.password'), email);
    await reader.press(t('staff:join.button'));
    expectRefused(reader, t('staff:errors.ownAddress'));
    expect(reader.valueOf(t('staff:fields.first_name'))).toBe('Zoë');
    expect(reader.valueOf(t('staff:fields.password'))).toBe('');
    reader.fill(t('staff:fields.password'), PASSWORD);
    await reader.press(t('staff:join.button'));
    expect(reader.address).toBe('/auth/security?returnTo=%2Fcrm%2Fdashboard');
    const user = userOf(email);
    expect(user).toMatchObject({ first_name: 'Zoë', last_name: 'Müller', language_code: language });
    expect(eventsAbout(String(user['id']))).toEqual(['staff.invited', 'staff.joined']);
    reader.within = 'change-add-factor-totp';
    await reader.press(t('security:factors.add.submit'));
    reader.within = undefined;
    const codeAt = authenticator(reader.page.all('code')[0]?.text ?? '');
    reader.fill(t('security:fields.code'), codeAt(await site.clock.now()));
    await reader.press(t('security:newFactor.submit'));
    await reader.press(t('security:recovery.submit'));
    expect(reader.page.all('code')).toHaveLength(10);
    await reader.follow(t('security:recovery.done'));
    expect([reader.address, reader.status]).toEqual(['/crm/dashboard', 200]);

    const other = await HtmlBrowser.open(site.origin, link, language);
    expect([other.status, other.heading]).toEqual([410, t('staff:join.gone')]);
    await other.follow(t('staff:join.toSignIn'));
    expect(other.heading).toBe(t('staff:signIn.title'));
  });

  it('who works here signs in, and nothing opens before the second factor', async () => {
    const email = `signs-${language}@example.eu`;
    const link = await invited(email);
    const visitor = new Visitor(site.origin, { 'Accept-Language': language });
    expect((await join(link, visitor)).headers.getSetCookie()[0]).toMatch(
      /^session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const security = '/auth/security?returnTo=%2Fcrm%2Faudit%3Fpage%3D2';
    expect(goalOf(await visitor.get('/crm/audit?page=2'))).toEqual([303, security]);
    const refused = async (typed: string) => {
      const reader = await HtmlBrowser.open(site.origin, '/crm/auth?returnTo=/crm/audit', language);
      reader.fill(t('staff:fields.email'), typed);
      reader.fill(t('staff:fields.password'), 'not the password');
      await reader.press(t('staff:signIn.button'));
      expectRefused(reader, t('staff:errors.wrong'));
      expect(reader.valueOf(t('staff:fields.email'))).toBe(typed);
      return reader.text;
    };
    expect(await refused(email)).toBe(await refused(email.replace('signs', 'other')));

    const { id } = userOf(email);
    site.execute(`insert into auth_factors (id, user_id, friendly_name, factor_type, status,
      created_at, updated_at) values ('f-${language}', '${String(id)}', 'app', 'totp', 'verified', '', '')`);
    const second = new Visitor(site.origin, { 'Accept-Language': language });
    const right = { email: email.toUpperCase(), password: PASSWORD, returnTo: '/crm/audit' };
    expect(goalOf(await second.post('/crm/auth', right))).toEqual([303, '/crm/audit']);
    const challenge = '/auth/challenge?returnTo=%2Fcrm%2Faudit';
    expect(goalOf(await second.get('/crm/audit'))).toEqual([303, challenge]);
    const sessions = site.query('select aal from sessions where user_id = ?', id);
    expect(sessions.map(({ aal }) => aal)).toEqual([1, 1]);
  });

  it('each role sees its own menu, and the audit log in words', async () => {
    for (const role of STAFF_ROLES) {
      const reader = await readAs(role, '/crm/dashboard', language);
      expect(reader.status).toBe(200);
      const menu = reader.page.all('nav')[0]?.all('a') ?? [];
      const places = pagesOf({ role, isOwner: false }).flatMap(({ path }) =>
        path.startsWith('/crm/leads') ? [] : path,
      );
      expect(menu.map((link) => link.get('href'))).toEqual(places);
      const [header] = reader.page.all('header');
      expect(header?.text).toContain(`Ada Example ${t(`staff:roles.${role}`)}`);
      expect(reader.page.all('script').map((script) => script.get('src') ?? '')).toEqual([
        expect.stringContaining('progressive'),
        expect.stringContaining('desk'),
      ]);
      await reader.follow(t('staff:pages.audit'), 'header');
      expect(reader.heading).toBe(t('desk-audit:title'));
      const options = reader.page.all('option').map((option) => option.get('value'));
      const [kinds, people] = [options.includes('look'), options.includes('traveller')];
      expect([role, kinds, people]).toEqual([role, role !== 'admin', /sup|aud/.test(role)]);
    }
  });
});

it('an invitation ends after 72 hours, and with a newer one', async () => {
  const email = 'late@example.eu';
  const [first, second] = [await invited(email), await invited(email)];
  const opens = (link: string) => statusOf(new Visitor(site.origin).get(link));
  expect([await opens(first), await opens(second)]).toEqual([410, 200]);
  const tokens = `one_time_tokens where user_id = '${String(userOf(email)['id'])}'`;
  const [{ expires_at: end, created_at: begin } = {}] = site.query(`select * from ${tokens}`);
  expect(Date.parse(String(end)) - Date.parse(String(begin))).toBe(72 * HOUR_MS);
  const now = (await heldNow()).toISOString();
  site.execute(`update ${tokens.replace('where', `set expires_at = '${now}' where`)}`);
  expect([await opens(second), goalOf(await join(second))]).toEqual([410, [303, second]]);
  expect(userOf(email)['password_hash']).toBeNull();
});

describe('an admin', () => {
  it('invites, changes a role, resets a factor and deactivates, and all is kept', async () => {
    const admin = addPerson(site, { role: 'admin' });
    const colleague = addPerson(site, { role: 'agent' });
    const reader = await readAs('admin', '/crm/staff', 'en', admin);
    const invite = async (email: string) => {
      reader.fill('Email address', email);
      reader.fill('Role', 'Auditor');
      await reader.press('Invite');
    };
    await invite('nobody');
    expectRefused(reader, 'Please enter an email address');
    expect(reader.valueOf('Email address')).toBe('nobody');
    await invite('new.colleague@example.eu');
    expect(reader.status).toBe(200);
    const link = /http:\/\/localhost:\d+\/crm\/auth\?token=[\w-]{43}/;
    expect(reader.announced('status')).toMatch(link);
    await invite(colleague.email);
    expectRefused(reader, 'somebody who already works here');

    const own = await comeAs('agent', colleague);
    const { visitor } = reader;
    const change = async (intent: string, version: number, more = {}) => {
      const fields = { intent, id: colleague.id, version: String(version), ...more };
      return goalOf(await visitor.post('/crm/staff', fields));
    };
    expect(await statusOf(own.get('/crm/leads'))).toBe(200);
    expect(await change('role', 1, { role: 'auditor' })).toEqual([303, '/crm/staff?done=role']);
    expect(await statusOf(own.get('/crm/leads'))).toBe(403);
    expect(await change('reset', 2)).toEqual([303, '/crm/staff?done=reset']);
    expect(goalOf(await own.get('/crm/audit'))[1]).toMatch(/^\/crm\/auth/);
    const again = await comeAs('agent', colleague);
    expect(await change('deactivate', 3)).toEqual([303, '/crm/staff?done=deactivated']);
    expect(goalOf(await again.get('/crm/audit'))[1]).toMatch(/^\/crm\/auth/);
    const done = ['account.deactivated', 'factor.reset', 'staff.role_changed'];
    expect(eventsAbout(colleague.id)).toEqual(done);
    await reader.go('/crm/staff?done=deactivated');
    expect(reader.announced('status')).toContain('deactivated and signed out everywhere');
    await invited(colleague.email);
    expect(userOf(colleague.email)).toMatchObject({ deactivated_at: null, password_hash: null });
  });

  it('changes nothing of the own account, of a traveller, or of nobody', async () => {
    const admin = addPerson(site, { role: 'admin' });
    const visitor = await comeAs('admin', admin);
    for (const intent of ['role', 'deactivate', 'reset']) {
      const ids = [admin.id, addPerson(site).id, 'nobody', '\u0000', ''];
      const sent = ids.map((id) => ({ intent, id, version: '1', role: 'agent' }));
      const answers = sent.map((fields) => statusOf(visitor.post('/crm/staff', fields)));
      expect([intent, ...(await Promise.all(answers))]).toEqual([intent, 403, 404, 404, 404, 400]);
    }
    expect(userOf(admin.email)).toMatchObject({ role: 'admin', deactivated_at: null });
  });
});

it('the audit log tells events in words, and is narrowed and gone through by its address', async () => {
  const traveller = addPerson(site);
  const event = (action: string) =>
    site.execute(`insert into audit_events (id, at, actor_id, actor_kind, action, subject_type,
      subject_id, details, kept_until) values ('${action}', '2999-01-01T00:00:00.000Z',
      '${traveller.id}', 'traveller', '${action}', 'user', '${traveller.id}', '{"n":1}',
      '2999-01-01T00:00:00.000Z')`);
  for (const action of ['account.exported', 'session.ended', 'case.opened']) event(action);
  const all = ['exported the data of an account', 'ended a session', 'did something with'];
  const auditor = await comeAs('auditor');
  const read = async (query = '') => {
    const page = await (await auditor.get(`/crm/audit${query}`)).text();
    return all.filter((words) => page.includes(words));
  };
  expect([await read(), await read('?from=2999-01-01&to=3000-01-01')]).toEqual([all, all]);
  expect(await read('?kind=staff&person=traveller')).toEqual(all.slice(0, 2));
  for (const none of ['?from=2999-01-03', '?person=system&from=2999-01-01']) {
    expect([none, await read(none)]).toEqual([none, []]);
  }
  expect(await read("?kind=%25'&before=-1&from=1+janv.+2999")).toEqual(all);
  for (const wrong of ['reference=TRV-0000-0000', 'from=yesterday', 'to=31.2.2026'])
    expect([wrong, await statusOf(auditor.get(`/crm/audit?${wrong}`))]).toEqual([wrong, 422]);
  for (const language of LANGUAGES) {
    const { does } = bundles[language]['desk-audit'];
    const names = Object.values(AUDIT_ACTIONS).flat();
    expect(names.filter((name) => !(name.replace('.', '_') in does))).toEqual([]);
  }
});

it('a page asks what others have done, which prolongs no session; who stays presses for it', async () => {
  const visitor = await comeAs('agent');
  const since = new Date(Date.now() - 50 * 60_000).toISOString();
  site.execute(`update sessions set last_seen_at = '${since}'`);
  const seen = () => site.query('select distinct last_seen_at from sessions').length;
  const address = `/crm/pulse?${new URLSearchParams({ of: '/crm/processing', since })}`;
  const ask = async () => (await (await visitor.get(address)).json()) as Record<string, unknown>;
  const endsAt = new Date(Date.parse(since) + 3_600_000).toISOString();
  expect(await ask()).toMatchObject({ endsAt, counts: {} });
  site.execute(`insert into audit_events (id, at, actor_kind, action, subject_type, subject_id,
    details, kept_until) values ('moved', '${new Date().toISOString()}', 'system',
    'application.moved', 'application', 'one', '{}', '2999-01-01T00:00:00.000Z')`);
  const news = bundles.en.staff.news.cases_one.replace('{{count}}', '1');
  expect([await ask(), seen()]).toMatchObject([{ news }, 1]);
  expect(await statusOf(visitor.post('/crm/pulse', { intent: 'stay' }))).toBe(200);
  expect(seen()).toBe(2);
});

it('nothing of the desk is fetched ahead, nor by a browser that does not keep to the rules', async () => {
  const visitor = await comeAs('agent');
  const rules = await (await visitor.get('/speculation-rules')).text();
  for (const pattern of ['/crm*', '/auth*', '/application/*', '/outbox*', '/withdrawal*']) {
    expect(rules).toContain(`"${pattern}"`);
  }
  const page = await (await visitor.get('/crm/dashboard')).text();
  expect(page).not.toMatch(/rel="(prefetch|prerender|modulepreload)"/);
  visitor.headers['Sec-Purpose'] = 'prefetch;prerender';
  const never = ['/crm/dashboard', '/crm/auth', '/auth', '/withdrawal', '/application-status'];
  for (const path of [...never, '/application-guide', '/contact']) {
    const status = never.includes(path) ? 403 : 200;
    expect([path, await statusOf(visitor.get(path))]).toEqual([path, status]);
  }
});
