import { spawnSync } from 'node:child_process';

import { describe, expect, it } from 'vitest';

import { translator } from '~/i18n/server.server';
import { pagesOf, STAFF_ROLES, type StaffRole } from '~/domain/staff';
import { JOURNEY_LANGUAGES } from '../rounds';
import { authenticator, goalOf } from './accounts';
import { plain } from './html';
import { Reader } from './reader';
import { addPerson, signedIn } from './signed-in';
import { site, withSite } from './site';
import { Visitor } from './visitor';

const PASSWORD = 'correct horse battery staple';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

// The operator’s commands are processes of their own, beside it.
withSite({ OFFLINE_MODE: 'false' }, { clock: 'held', apart: true });

/** Runs a built command on the site's database, as an operator does. */
function command(words: string[], variables: Record<string, string> = {}) {
  const DATABASE_URL = `file:${site.databaseFile}`;
  const env = { NODE_ENV: 'production' as const, OFFLINE_MODE: 'false', PORT: '3000' };
  return spawnSync(process.execPath, ['build/server/database.js', ...words], {
    encoding: 'utf8',
    env: { ...env, DATABASE_URL, ...variables },
  });
}

/** The path of the link of an invitation that the operator made. */
function invited(email: string, role = 'agent'): string {
  const { stdout, stderr } = command(['staff:invite', email, role]);
  const link = /^http:\/\/localhost:3000(\/crm\/auth\?token=[\w-]+)$/m.exec(stdout)?.[1];
  if (!link) throw new Error(stdout + stderr);
  return link;
}

/** Joins by the link of an invitation. */
const join = (link: string, visitor = new Visitor(site.origin)) =>
  visitor.post(link, {
    token: link.split('=')[1] ?? '',
    first_name: 'Zoë',
    last_name: 'Müller',
    password: PASSWORD,
  });
const heldNow = async () => new Date(await site.clock.now());
/** A browser of somebody of the staff. */
const comeAs = async (role: StaffRole, person = addPerson(site, { role })) =>
  signedIn(site, person, { at: await heldNow() });
const factorsOf = (id: string) => site.query('select * from auth_factors where user_id = ?', id);
const refusedFor = (words: string): unknown[] => [422, expect.stringContaining(words)];

/** The names of the recorded events about an account, in alphabetical order: the clock is held. */
const eventsAbout = (id: string) =>
  site
    .query('select action from audit_events where subject_id = ? order by action', id)
    .map(({ action }) => action);
const userOf = (email: string) =>
  site.query("select * from users where kind = 'staff' and email = ?", email)[0] ?? {};

describe('the operator', () => {
  it.each([
    [['staff:invite'], /^Say who: npm run staff:invite -- EMAIL ROLE\.$/],
    [['staff:invite', 'a@example.eu'], /^Say as what: .* the roles are agent, supervisor/],
    [['staff:invite', 'a@example.eu', 'admn'], /^Unknown role "admn"; did you mean admin\?$/],
    [['staff:invite', 'a@example.eu', 'chef'], /^Unknown role "chef"; there is agent, /],
    [['staff:invite', 'no address', 'admin'], /^"no address" is no mail address\.$/],
    [['staff:invite', 'a@example.eu', 'admin', 'now'], /takes no further word, but "now"/],
    [['staff:reset'], /^Say who: npm run staff:reset -- EMAIL\.$/],
    [['staff:reset', 'nobody@example.eu'], /^nobody@example\.eu has no account on the staff\.$/],
  ])('%j is told in one sentence what is wrong', (words, sentence) => {
    const { status, stdout, stderr } = command(words);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr.trimEnd()).toMatch(sentence);
    expect(stderr.trimEnd()).not.toContain('\n');
  });

  it.each([
    ['staff:invite', 'a@example.eu', 'admin'],
    ['staff:reset', 'a@x.eu'],
  ])('%s is told that there is no staff while the site is offline', (...words) => {
    const { status, stderr } = command(words, { OFFLINE_MODE: 'true' });
    const said = 'The live half is off: this needs OFFLINE_MODE=false.\n';
    expect([status, stderr]).toEqual([1, said]);
  });

  it('gets a link of the public address, and a mail of its own where there is a mail server', () => {
    const { stdout } = command(['staff:invite', 'mailed@example.eu', 'auditor'], {
      MAIL_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'post@example.eu',
      PUBLIC_ORIGIN: 'http://desk.example.eu',
    });
    expect(stdout).toMatch(/^http:\/\/desk\.example\.eu\/crm\/auth\?token=[\w-]{43}$/m);
    expect(stdout).toContain('A mail with a link of its own is on its way, too.');
    const { id } = userOf('mailed@example.eu');
    expect(site.query('select kind, state from outbox where user_id = ?', id)).toMatchObject([
      { kind: 'staffInvitation' },
    ]);
    const token = /token=([\w-]+)/.exec(stdout)?.[1] ?? 'none';
    expect(JSON.stringify(site.query('select * from one_time_tokens'))).not.toContain(token);
  });

  it('cannot invite who works here, takes the factor off the last admin, and signs out one person, or everybody', async () => {
    const admin = addPerson(site, { role: 'admin' });
    const desk = await comeAs('admin', admin);
    const statusOf = async () => (await desk.get('/crm/dashboard')).status;
    expect(await statusOf()).toBe(200);
    expect(command(['staff:invite', admin.email.toUpperCase(), 'agent']).stderr).toMatch(
      /has an account on the staff already\.$/m,
    );
    expect(command(['staff:reset', admin.email]).stdout).toBe(
      `${admin.email} has no second factor any more and is signed out everywhere; the next sign-in asks for a new one.\n`,
    );
    expect([await statusOf(), factorsOf(admin.id)]).toEqual([303, []]);

    const people = [addPerson(site, { role: 'agent' }), addPerson(site)] as const;
    const [{ email }] = people;
    const at = await heldNow();
    const visitors = people.map((person) => signedIn(site, person, { at }));
    const statuses = () =>
      Promise.all(visitors.map(async (one) => (await one.get('/auth/security')).status));
    expect(await statuses()).toEqual([200, 200]);
    expect(command(['sessions:end', email.toUpperCase()]).stdout).toBe(
      `Signed out everywhere: ${email.toUpperCase()} (staff).\n`,
    );
    expect(await statuses()).toEqual([303, 200]);
    expect(command(['sessions:end', 'all']).stdout).toMatch(
      /^Signed out everywhere: everybody, \d+ sessions\.\n$/,
    );
    expect(await statuses()).toEqual([303, 303]);
    expect(command(['sessions:end', 'nobody@example.eu']).stderr).toMatch(/has no account\.$/m);
    const noted = site.query(
      "select action, subject_id from audit_events where actor_kind = 'operator' and action <> 'staff.invited' order by at",
    );
    expect(noted).toEqual([
      { action: 'factor.reset', subject_id: admin.id },
      { action: 'session.ended', subject_id: people[0].id },
      { action: 'session.ended', subject_id: null },
    ]);
  });
});

describe.each(JOURNEY_LANGUAGES)('in %s', (language) => {
  const t = translator(language);

  it('who is invited joins by the link, once, and comes to the dashboard with a second factor', async () => {
    const email = `joins-${language}@example.eu`;
    const link = invited(email, 'supervisor');
    // A mail scanner that opens the link uses nothing up.
    expect((await new Visitor(site.origin).get(link)).status).toBe(200);
    const reader = await Reader.open(site.origin, link, language);
    expect(reader.heading).toBe(t('staff:join.title'));
    expect(reader.text).toContain(t('staff:roles.supervisor'));
    expect(reader.headers.get('Cache-Control')).toBe('no-store');
    reader.fill(t('staff:fields.first_name'), 'Zoë');
    reader.fill(t('staff:fields.last_name'), 'Müller');
    for (const [password, problem] of [
      ['short', 'tooShort'],
      ['password123456', 'common'],
      [email, 'ownAddress'],
    ] as const) {
      reader.fill(t('staff:fields.password'), password);
      await reader.press(t('staff:join.button'));
      const said = plain(t(`staff:errors.${problem}`));
      expect([reader.status, reader.announced('alert')]).toEqual(refusedFor(said));
      expect(reader.valueOf(t('staff:fields.first_name'))).toBe('Zoë');
      expect(reader.html).not.toContain('"short"');
    }
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

    // Somebody else with the same link.
    const other = await Reader.open(site.origin, link, language);
    expect([other.status, other.heading]).toEqual([410, t('staff:join.gone')]);
    await other.follow(t('staff:join.toSignIn'));
    expect(other.heading).toBe(t('staff:signIn.title'));
  });

  it('who works here signs in, and nothing opens before the second factor', async () => {
    const email = `signs-${language}@example.eu`;
    const link = invited(email);
    const visitor = new Visitor(site.origin, { 'Accept-Language': language });
    const joined = await join(link, visitor);
    expect(joined.headers.getSetCookie()[0]).toMatch(
      /^session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(goalOf(await visitor.get('/crm/audit?page=2'))).toEqual([
      303,
      '/auth/security?returnTo=%2Fcrm%2Faudit%3Fpage%3D2',
    ]);
    /** What a wrong password is answered with. */
    const refused = async (typed: string) => {
      const reader = await Reader.open(site.origin, '/crm/auth?returnTo=/crm/audit', language);
      reader.fill(t('staff:fields.email'), typed);
      reader.fill(t('staff:fields.password'), 'not the password');
      await reader.press(t('staff:signIn.button'));
      const said = refusedFor(t('staff:errors.wrong'));
      expect([reader.status, reader.announced('alert')]).toEqual(said);
      expect(reader.valueOf(t('staff:fields.email'))).toBe(typed);
      return reader.text;
    };
    expect(await refused(email)).toBe(await refused(email.replace('signs', 'other')));

    const { id } = userOf(email);
    site.execute(`insert into auth_factors (id, user_id, friendly_name, factor_type, status,
      created_at, updated_at) values ('f-${language}', '${String(id)}', 'app', 'totp', 'verified', '', '')`);
    const second = new Visitor(site.origin, { 'Accept-Language': language });
    const right = await second.post('/crm/auth', {
      email: email.toUpperCase(),
      password: PASSWORD,
      returnTo: '/crm/audit',
    });
    expect(goalOf(right)).toEqual([303, '/crm/audit']);
    expect(goalOf(await second.get('/crm/audit'))).toEqual([
      303,
      '/auth/challenge?returnTo=%2Fcrm%2Faudit',
    ]);
    const sessions = site.query('select aal from sessions where user_id = ?', id);
    expect(sessions.map(({ aal }) => aal)).toEqual([1, 1]);
  });

  it('each role sees its own menu, and the audit log in words', async () => {
    for (const role of STAFF_ROLES) {
      const reader = await Reader.open(site.origin, '/', language);
      reader.visitor.setCookie('session', (await comeAs(role)).cookie('session') ?? '');
      await reader.go('/crm/dashboard');
      expect(reader.status).toBe(200);
      const menu = reader.page
        .all('nav')[0]
        ?.all('a')
        .map((link) => link.get('href'));
      expect(menu).toEqual(pagesOf(role).map(({ path }) => path));
      expect(reader.text).toContain(plain(t(`staff:may.${role}.first`)));
      const [header] = reader.page.all('header');
      expect(header?.text).toContain(`Ada Example · ${t(`staff:roles.${role}`)}`);
      // Nothing of the desk is for a script to run.
      expect(reader.page.all('script').map((script) => script.get('src') ?? '')).toEqual([
        expect.stringContaining('polish'),
      ]);
      await reader.follow(t('staff:pages.audit'), 'header');
      expect(reader.heading).toBe(t('staff:audit.title'));
      // Nobody chooses what their role never reads.
      const groups = reader.page.all('option').map((option) => option.get('value'));
      expect([role, groups.includes('case')]).toEqual([role, role !== 'admin']);
      expect(groups).toContain('staff');
    }
  });
});

describe('an invitation', () => {
  it('ends after 72 hours, and with a newer one', async () => {
    const email = 'late@example.eu';
    const [first, second] = [invited(email), invited(email)];
    const statusOf = async (link: string) => (await new Visitor(site.origin).get(link)).status;
    expect([await statusOf(first), await statusOf(second)]).toEqual([410, 200]);
    const { id } = userOf(email);
    const [token] = site.query('select * from one_time_tokens where user_id = ?', id);
    const [end, begin] = ['expires_at', 'created_at'].map((name) =>
      Date.parse(String(token?.[name])),
    );
    expect(Number(end) - Number(begin)).toBe(72 * HOUR_MS);
    const now = new Date(await site.clock.now()).toISOString();
    site.execute(
      `update one_time_tokens set expires_at = '${now}' where user_id = '${String(id)}'`,
    );
    expect(await statusOf(second)).toBe(410);
    expect(goalOf(await join(second))).toEqual([303, second]);
    expect(userOf(email)['password_hash']).toBeNull();
  });

  it('is taken once by three at the same moment', async () => {
    const { id, email } = addPerson(site, { role: 'agent', hasFactor: false, passwordHash: null });
    // Made by the site itself, by its own clock.
    const fields = { intent: 'invite', email, role: 'agent' };
    const answer = await (await comeAs('admin')).post('/crm/staff', fields);
    const [link = ''] = /\/crm\/auth\?token=[\w-]{43}/.exec(await answer.text()) ?? [];
    await Promise.all([join(link), join(link), join(link)]);
    expect(site.query('select id from sessions where user_id = ?', id)).toHaveLength(1);
  });
});

describe('an admin', () => {
  it('invites, changes a role, resets a factor and deactivates, and all is kept', async () => {
    const admin = addPerson(site, { role: 'admin' });
    const colleague = addPerson(site, { role: 'agent' });
    const reader = await Reader.open(site.origin, '/', 'en');
    reader.visitor.setCookie('session', (await comeAs('admin', admin)).cookie('session') ?? '');
    await reader.go('/crm/staff');
    const said = () => [reader.status, reader.announced('alert')];
    reader.fill('Email address', 'nobody');
    await reader.press('Invite');
    expect(said()).toEqual(refusedFor('Please enter an email address'));
    expect(reader.valueOf('Email address')).toBe('nobody');
    reader.fill('Email address', 'new.colleague@example.eu');
    reader.fill('Role', 'Auditor');
    await reader.press('Invite');
    expect(reader.status).toBe(200);
    expect(reader.announced('status')).toMatch(
      /http:\/\/localhost:\d+\/crm\/auth\?token=[\w-]{43}/,
    );
    reader.fill('Email address', colleague.email);
    reader.fill('Role', 'Auditor');
    await reader.press('Invite');
    expect(said()).toEqual(refusedFor('somebody who already works here'));

    const own = await comeAs('agent', colleague);
    const { visitor } = reader;
    const change = async (intent: string, version: number, more = {}) => {
      const fields = { intent, id: colleague.id, version: String(version), ...more };
      return goalOf(await visitor.post('/crm/staff', fields));
    };
    expect((await own.get('/crm/leads')).status).toBe(200);
    expect(await change('role', 1, { role: 'auditor' })).toEqual([303, '/crm/staff?done=role']);
    // From the next page on.
    expect((await own.get('/crm/leads')).status).toBe(403);
    // What another admin's older page sends.
    expect(await change('role', 1, { role: 'admin' })).toEqual([409, null]);
    expect(await change('role', 2, { role: 'chef' })).toEqual([400, null]);
    expect(await change('reset', 2)).toEqual([303, '/crm/staff?done=reset']);
    expect(factorsOf(colleague.id)).toEqual([]);
    expect(goalOf(await own.get('/crm/audit'))[1]).toMatch(/^\/crm\/auth/);
    const again = await comeAs('agent', colleague);
    expect(await change('deactivate', 3)).toEqual([303, '/crm/staff?done=deactivated']);
    expect(goalOf(await again.get('/crm/audit'))[1]).toMatch(/^\/crm\/auth/);
    expect(eventsAbout(colleague.id)).toEqual([
      'account.deactivated',
      'factor.reset',
      'staff.role_changed',
    ]);
    await reader.go('/crm/audit');
    expect(reader.text).toContain('Role changed');
    await reader.go('/crm/staff?done=deactivated');
    expect(reader.announced('status')).toContain('deactivated and signed out everywhere');
    // Who has left is invited again, and is as new.
    expect(command(['staff:invite', colleague.email, 'agent']).status).toBe(0);
    expect(userOf(colleague.email)).toMatchObject({ deactivated_at: null, password_hash: null });
  });

  it('changes nothing of the own account, of a traveller, or of nobody', async () => {
    const admin = addPerson(site, { role: 'admin' });
    const visitor = await comeAs('admin', admin);
    const send = async (id: string, intent: string, version = '1') =>
      (await visitor.post('/crm/staff', { intent, id, version, role: 'agent' })).status;
    for (const intent of ['role', 'deactivate', 'reset']) {
      const ids = [admin.id, addPerson(site).id, 'nobody', '\u0000', ''];
      const statuses = await Promise.all(ids.map((id) => send(id, intent)));
      expect([intent, statuses]).toEqual([intent, [403, 404, 404, 404, 400]]);
      expect(await send('nobody', intent, 'x'.repeat(10_000))).toBe(400);
    }
    expect(await send(admin.id, 'promote')).toBe(400);
    expect(userOf(admin.email)).toMatchObject({ role: 'admin', deactivated_at: null });
  });

  it('invites nobody by what is no address', async () => {
    const visitor = await comeAs('admin');
    for (const email of [
      '\u0000',
      '\u202e',
      'x'.repeat(10_000),
      "'; drop table users; --",
      '<b>@x.eu',
    ]) {
      const response = await visitor.post('/crm/staff', { intent: 'invite', email, role: 'agent' });
      expect([email, response.status]).toEqual([email, 422]);
    }
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
  const all = ['Data exported', 'Signed out', 'case.opened'];
  const auditor = await comeAs('auditor');
  const read = async (query = '') => {
    const page = await (await auditor.get(`/crm/audit${query}`)).text();
    return all.filter((words) => page.includes(`>${words}<`));
  };
  expect(await read()).toEqual(all);
  expect(await read('?group=session')).toEqual(['Signed out']);
  expect(await read("?group=%25'&before=-1")).toEqual(all);
  expect(await read('?before=2019-01-01T00:00:00.000Z_x')).toEqual([]);
  // Every event that there is stands after it.
  expect(await read('?after=2019-01-01T00:00:00.000Z_x')).toEqual(await read());
});

describe('a session of staff', () => {
  const statusOf = async (visitor: Visitor) => (await visitor.get('/crm/dashboard')).status;

  it('ends after 60 minutes without use, and after 12 hours, however much it is used', async () => {
    const seenAt = await heldNow();
    const at = new Date(seenAt.getTime() - 11.5 * HOUR_MS);
    const [visitor, old] = [
      await comeAs('agent'),
      signedIn(site, addPerson(site, { role: 'agent' }), { at, seenAt }),
    ];
    await site.clock.pass(29 * MINUTE_MS);
    expect([await statusOf(visitor), await statusOf(old)]).toEqual([200, 200]);
    await site.clock.pass(MINUTE_MS);
    expect(await statusOf(old)).toBe(303);
    await site.clock.pass(58 * MINUTE_MS);
    expect(await statusOf(visitor)).toBe(200);
    await site.clock.pass(60 * MINUTE_MS);
    expect(goalOf(await visitor.get('/crm/leads?a=1'))).toEqual([
      303,
      '/crm/auth?returnTo=%2Fcrm%2Fleads%3Fa%3D1',
    ]);
  });
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
  const statuses = { '/crm/dashboard': 403, '/crm/auth': 403, '/auth': 403, '/withdrawal': 403 };
  const others = { '/application-status': 403, '/application-guide': 200, '/contact': 200 };
  for (const [path, status] of Object.entries({ ...statuses, ...others })) {
    expect([path, (await visitor.get(path)).status]).toEqual([path, status]);
  }
});
