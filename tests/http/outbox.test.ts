import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { inApp, newApp } from '~/current-app.server';
import { closeDatabase, writeDatabase } from '~/database.server';
import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES, type Language } from '~/i18n/languages';
import { withoutBreaks } from '~/i18n/unbreakable';
import { queueMail, queueSms } from '~/mail/outbox.server';
import { sendTestMail } from '../../operations/mail-test';
import { appWith, LIVE, partOf } from '../apps';
import { type MailServer, startMailServer } from '../mail-server';
import { type Site, startSite } from '../production-server';
import { JOURNEY_LANGUAGES } from '../rounds';
import { startInProcess } from '../site-in-process';
import type { ShownMail } from './inbox';
import { HtmlBrowser } from './html-browser';
import { addPerson } from './signed-in';
import { endsWithTest, site, withSite } from './site';
import { anyAddress } from './visitor';

async function queue(site: Site, to: string, language: Language): Promise<void> {
  const now = new Date();
  const { id: userId } = addPerson(site, { columns: { email: to } });
  const work = () =>
    writeDatabase(async (db) => {
      await queueMail(db, { kind: 'resetPassword', to, language, userId }, now);
      const sms = { kind: 'phoneCode', to, language, parameters: { code: '123456' } } as const;
      if (to.startsWith('+')) await queueSms(db, sms, now);
    });
  if (!('process' in site)) return work();
  const env = { ...LIVE, DATABASE_URL: `file:${site.databaseFile}` };
  await inApp(newApp({ env }), () => work().finally(closeDatabase));
}

/** Lets time pass, slowly enough for a mail server's answers, until something has come about. */
async function passingUntil(site: Site, what: () => unknown, is: unknown): Promise<void> {
  const pass = async () => {
    await site.clock.pass(1000);
    return what();
  };
  await expect.poll(pass, { timeout: 25_000, interval: 40 }).toEqual(is);
}

type Listed = ShownMail & { id: string; to: string };
async function listed(site: Site, to = ''): Promise<Listed[]> {
  const response = await fetch(`${site.origin}/outbox?${new URLSearchParams(to && { to })}`, {
    headers: { Accept: 'application/json', 'X-Forwarded-For': anyAddress() },
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Listed[];
}
const statusAt = async ({ origin }: Site, path = '/outbox', headers = {}) =>
  (await fetch(origin + path, { headers })).status;

describe('without a mail server', () => {
  withSite(LIVE, { apart: true });
  beforeAll(async () => {
    for (const language of LANGUAGES) await queue(site, `${language}@example.com`, language);
    await queue(site, '+33612345678', 'fr');
  });

  it('a program reads at once what was sent, the newest first, always with the same link', async () => {
    const { port } = new URL(site.origin);
    const address = `http://localhost:${port}/outbox`;
    await expect.poll(() => site.logged('mail is shown')).toMatchObject([{ address }]);
    const all = await listed(site);
    const mails = LANGUAGES.map((language) => `${language}@example.com`).reverse();
    expect(all.map(({ to }) => to)).toEqual(['+33612345678', '+33612345678', ...mails]);
    const [one, ...others] = await listed(site, 'EN@example.com');
    expect(others).toEqual([]);
    const parts = 'id channel to subject text links state created_at';
    expect(Object.keys(one ?? {}).join(' ')).toBe(parts);
    expect(one).toMatchObject({ subject: 'Choose a new password', state: 'kept', channel: 'mail' });
    // The port that it really has.
    const link = `^http://localhost:${port}/auth/reset\\?token=[\\w-]{43}&lng=en$`;
    expect(one?.links[0]).toMatch(new RegExp(link));
    expect(await listed(site, 'en@example.com')).toEqual([one]);
    expect(await listed(site, 'nobody@example.com')).toEqual([]);
  });

  it.each(JOURNEY_LANGUAGES)(
    'a reader in %s finds a mail and follows its link',
    async (language) => {
      const { title, filter } = bundles[language].mail.outbox;
      const reader = await HtmlBrowser.open(site.origin, '/outbox', language);
      expect([reader.status, reader.heading]).toEqual([200, title]);
      expect(reader.headers.get('Cache-Control')).toBe('no-store');
      expect(reader.html).toMatch(/<meta name="robots" content="noindex/);
      expect(reader.text).toContain('123456');
      reader.fill(filter.label, `${language}@example.com`);
      await reader.press(filter.button);
      const [mail] = await listed(site, `${language}@example.com`);
      const { links: [link = ''] = [], subject = '' } = mail ?? {};
      expect(reader.text).toContain(subject);
      expect(reader.text).not.toContain('123456');
      // On the name under which the reader sees the site, where the cookies are.
      const { pathname, search } = new URL(link);
      const anchors = reader.page.all('main')[0]?.all('a') ?? [];
      expect(anchors.map((anchor) => anchor.get('href'))).toContain(pathname + search);
    },
  );

  it('a mail is shown as a webmail does, with nothing but itself', async () => {
    const [one] = await listed(site, 'de@example.com');
    const response = await fetch(`${site.origin}/outbox/${one?.id}`);
    expect(await response.text()).toContain('Wählen Sie ein neues Passwort</h1>');
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(response.headers.get('Content-Security-Policy')).toMatch(/default-src 'none'.*sandbox/);
    for (const path of ['/outbox/none', '/outbox/%00', `/outbox/${one?.id}x`])
      expect([path, await statusAt(site, path)]).toEqual([path, 404]);
  });

  it('nobody reads it by a name that somebody lets point here', async () => {
    const { port } = new URL(site.origin);
    async function expectStatus(status: number, headers: object, path = '/outbox') {
      const sent = request({ host: '127.0.0.1', port, path, headers: { ...headers } }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      expect([headers, response.resume().statusCode]).toEqual([headers, status]);
    }
    for (const host of ['localhost', `localhost:${port}`, '127.0.0.1', '127.9.9.9', '[::1]:80'])
      await expectStatus(200, { host });
    const [one] = await listed(site);
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io', '10.0.0.1']) {
      await expectStatus(404, { host });
      await expectStatus(404, { host }, `/outbox/${one?.id}`);
    }
    for (const address of ['10.1.2.3', '192.168.1.9', '127.0.0.1', '::1', 'fd00::1'])
      await expectStatus(200, { 'X-Forwarded-For': address });
    // Who comes by a proxy, and writes the name of this machine into the request.
    for (const address of ['8.8.8.8', '10.1.2.3, 8.8.8.8', '2001:4860::1', '::ffff:8.8.8.8'])
      await expectStatus(404, { 'X-Forwarded-For': address });
    for (const name of ['Forwarded', 'Via', 'X-Real-IP', 'X-Forwarded-Host', 'X-Forwarded-Proto'])
      await expectStatus(404, { [name]: 'http' });
    await expectStatus(404, { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': anyAddress() });
  });
});

it('by a proxy that nobody has named it is read at PUBLIC_ORIGIN alone; offline there is none', async () => {
  const variables = { ...LIVE, TRUST_PROXY: '', PUBLIC_ORIGIN: 'http://127.0.0.1' };
  const open = endsWithTest(await startInProcess(variables));
  const closed = endsWithTest(await startInProcess({ ...variables, PUBLIC_ORIGIN: '' }));
  const offline = endsWithTest(await startInProcess());
  const headers = { 'X-Forwarded-For': '10.1.2.3' };
  expect(await statusAt(open, '/outbox', headers)).toBe(200);
  expect([await statusAt(closed, '/outbox', headers), await statusAt(closed)]).toEqual([404, 200]);
  expect([await statusAt(offline), await statusAt(offline, '/outbox/x')]).toEqual([404, 404]);
  expect(offline.logged('mail is shown')).toEqual([]);
});

describe('with a mail server', () => {
  let mail: MailServer;
  const begin = async () => {
    mail = await startMailServer();
    return { ...LIVE, MAIL_URL: mail.url, MAIL_FROM: 'post@esta.example' };
  };
  withSite(begin, { clock: 'held' });
  afterAll(() => mail.stop());

  it('mail waits while it is down, and arrives once when it is up, with both parts and its headers', async () => {
    mail.refuse('451 not now');
    await site.clock.pass(Date.now() - (await site.clock.now()) + 1000);
    await queue(site, 'de@example.com', 'de');
    // At once: by itself it would look only after five seconds, and time stands still.
    await expect.poll(() => site.logged('message not sent')).toHaveLength(1);
    mail.refuse(undefined);
    await passingUntil(site, () => site.logged('message sent').length, 1);
    await site.clock.pass(6000);
    expect(mail.taken).toHaveLength(1);
    const { parsed, raw } = mail.taken[0] ?? {};
    expect(parsed).toMatchObject({
      subject: withoutBreaks(bundles.de.mail.mails.resetPassword.subject),
      messageId: expect.stringMatching(/^<[0-9a-f-]{36}@esta\.example>$/) as string,
      from: { value: [{ name: 'Traversée', address: 'post@esta.example' }] },
    });
    const [own = 'a link'] = /http:\S+reset\?token=[\w-]{43}/.exec(parsed?.text ?? '') ?? [];
    expect(parsed?.html).toContain(own);
    expect(parsed?.headers.get('auto-submitted')).toBe('auto-generated');
    expect(parsed?.headers.get('content-language')).toBe('de');
    // A sample's address gets no answers.
    expect(parsed?.replyTo).toBeUndefined();
    expect(raw).toMatch(/^Content-Type: multipart\/alternative/m);
  });

  it('nothing rendered is kept, and nothing is shown', async () => {
    const rows = site.query('select * from outbox');
    expect(rows).toMatchObject([{ rendered_sealed: null, parameters_sealed: null }]);
    for (const path of ['/outbox', `/outbox/${String(rows[0]?.['id'])}`])
      expect(await statusAt(site, path)).toBe(404);
    expect(site.log()).not.toMatch(/@example\.com|token=/);
  });
});

it('who is killed while sending sends the same mail again', async () => {
  const mail = endsWithTest(await startMailServer());
  const variables = { ...LIVE, MAIL_URL: mail.url, MAIL_FROM: 'post@esta.example' };
  const first = endsWithTest(await startSite(variables));
  mail.stall();
  await queue(first, 'fr@example.com', 'fr');
  await expect.poll(() => mail.seen.length, { timeout: 10_000 }).toBe(1);
  const ended = once(first.process, 'exit');
  first.process.kill('SIGKILL');
  await ended;
  expect(first.query('select state, tries from outbox')).toEqual([{ state: 'queued', tries: 1 }]);

  const again = endsWithTest(await startMailServer());
  const next = { ...variables, MAIL_URL: again.url, DATABASE_URL: `file:${first.databaseFile}` };
  const second = endsWithTest(await startSite(next, { clock: 'held' }));
  // Its lease lasts a minute, in which it may still arrive.
  await second.clock.pass(20_000);
  expect(again.seen).toEqual([]);
  await passingUntil(second, () => again.taken.length, 1);
  expect(again.taken[0]?.messageId).toBe(mail.seen[0]?.messageId);
  await expect.poll(() => second.query('select state from outbox')).toEqual([{ state: 'sent' }]);
  const stopped = once(second.process, 'exit');
  second.process.kill('SIGTERM');
  await expect.poll(() => second.logged('stopping')).toHaveLength(1);
  // It ends within.
  await second.clock.pass(2000).catch(() => undefined);
  expect((await stopped)[0]).toBe(0);
});

it('npm run mail:test says in one sentence what came of it, or what is missing', async () => {
  const mail = await startMailServer({ password: 'correct' });
  const untrusted = await startMailServer({ tls: true });
  const { host } = new URL(mail.url);
  const [from, me] = [{ MAIL_FROM: 'post@esta.example' }, 'me@example.com'];
  const by = (password: string) => ({ ...from, MAIL_URL: `smtp://somebody:${password}@${host}` });
  const good = by('correct');
  const said = (env: Record<string, string>, to?: string) =>
    partOf(appWith(env), sendTestMail)(to).catch(({ message }: Error) => message);
  const taken = `${host} has taken the mail; look into the mailbox of ${me}.`;
  expect(await said(good, me)).toBe(taken);
  expect(mail.taken[0]?.parsed).toMatchObject({ subject: 'Message d’essai de Traversée' });
  const wrong = `${host} refuses the name or the password of MAIL_URL (EAUTH_535).`;
  expect(await said(by('wrong'), me)).toBe(wrong);
  mail.refuse('550 nobody of this name');
  const refused = 'refuses the sender (MAIL_FROM) or this address (EENVELOPE_550)';
  expect(await said(good, me)).toBe(`${host} ${refused}.`);
  expect(await said({ ...from, MAIL_URL: untrusted.url }, me)).toMatch(
    /^\S+ has a certificate that cannot be trusted: .* name \([A-Z_]*CERT[A-Z_]*\)\.$/,
  );
  await untrusted.stop();
  await mail.stop();
  const away = /^127\.0\.0\.1:\d+ cannot be reached, or does not answer \([A-Z_]+\)\.$/;
  expect(await said(good, me)).toMatch(away);
  const none = 'MAIL_URL is not set: nothing is sent, and mail is shown at /outbox.';
  expect(await said({}, me)).toBe(none);
  expect(await said({}, 'nobody')).toBe('Say to whom: npm run mail:test -- ADDRESS.');
});
