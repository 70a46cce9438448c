import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';

import { deliverDue } from '~/mail-features.server';
import { queueMail, queueSms } from '~/mail/outbox.server';
import { shownMessage } from '~/mail/shown.server';
import { openMigrated } from '~db/open-store.server';
import { queueAgain } from '~db/queries/outbox.server';
import { COMMAND_BUSY_TIMEOUT_MS } from '~db/sqlite/open.server';
import type { DatabaseAddress, Store } from '~db/store.server';
import { purge } from '../../operations/retention';
import { appWith, partOf } from '../apps';
import { type MailServer, startMailServer } from '../mail-server';
import { runBuilt } from '../production-server';
import { describeEngines, variablesOf } from './engines';
import { addUser, tally } from './live-store';

const KEY = 'k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const NOON = new Date('2026-11-22T12:00:00.000Z');
const USER = 'a0a0a0a0-0000-4000-8000-000000000001';
const MARKER = 'marker-4711@example.com';

const after = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);

let mailServer: MailServer;
beforeEach(async () => void (mailServer = await startMailServer()));
afterEach(() => mailServer.stop());

function mailWith(variables: Record<string, string> = {}) {
  const mails = { MAIL_URL: mailServer.url, MAIL_FROM: 'post@esta.example' };
  const app = appWith({ DATA_KEYS: KEY, ...mails, ...variables });
  return {
    queueMail: partOf(app, queueMail),
    queueSms: partOf(app, queueSms),
    deliverDue: partOf(app, deliverDue),
    shownMessage: partOf(app, shownMessage),
    purge: partOf(app, purge),
  };
}
type Mail = ReturnType<typeof mailWith>;
type OwnStore = Pick<Store, 'db' | 'write'>;
const KEPT = { MAIL_URL: '', MAIL_FROM: '' };

const deliver = (mail: Mail, store: OwnStore, at: Date) =>
  mail.deliverDue({
    read: (work) => work(store.db),
    write: (work) => store.write(work),
    clock: () => at,
  });

/** `npm run jobs` in a process of its own. */
async function jobs(address: DatabaseAddress): Promise<void> {
  const mails = { MAIL_URL: mailServer.url, MAIL_FROM: 'post@esta.example' };
  const own = { ...variablesOf(address), OFFLINE_MODE: 'false', DATA_KEYS: KEY, ...mails };
  expect(await runBuilt('database', ['jobs'], own)).toMatchObject({ status: 0, stderr: '' });
}

const RESET = { kind: 'resetPassword', to: MARKER, language: 'fr', userId: USER } as const;
const CODE = { kind: 'phoneCode', to: '+33612345678', language: 'fr' } as const;

describeEngines('the outbox', (store, databases) => {
  type Message = Parameters<Mail['queueMail']>[1];
  const addMarker = () => addUser(store.db, { id: USER, email: MARKER }, NOON);
  const queue = (mail: Mail, message: Partial<Message> = {}, at = NOON, on: OwnStore = store) => {
    const usual = { kind: 'passwordChanged', to: MARKER, language: 'fr' } as const;
    return on.write((db) => mail.queueMail(db, { ...usual, ...message }, at));
  };
  const queueCode = (mail: Mail) =>
    store.write((db) => mail.queueSms(db, { ...CODE, parameters: { code: '123456' } }, NOON));
  const rows = () => store.rows('outbox');

  it('sends each message once, however many look at the same moment', async () => {
    const mail = mailWith();
    // Of its own: a file that other processes have changed is opened anew. They hold it while they seed it.
    const address = await databases.makeMigrated();
    const store = await openMigrated(address, { waitMs: COMMAND_BUSY_TIMEOUT_MS });
    onTestFinished(() => store.close());
    const at = new Date();
    const all = [0, 1, 2, 3, 4, 5].map((count) => `to-${count}@example.com`);
    for (const to of all) await queue(mail, { to }, at, store);
    // Another process, and two at once in this one.
    const elsewhere = jobs(address);
    await Promise.all([1, 2].map(() => deliver(mail, store, at)));
    await elsewhere;
    expect(mailServer.taken.map(({ to }) => to).sort()).toEqual(all);
    const sent = { state: 'sent', tries: 1, lease: null };
    const gone = { ...sent, parameters_sealed: null, rendered_sealed: null };
    const left = await store.db.selectFrom('outbox').selectAll().execute();
    expect(left).toMatchObject(all.map(() => gone));
  });

  it('leaves a message alone that somebody is sending, and takes it over after a minute', async () => {
    const mail = mailWith();
    await queue(mail);
    const leased = { lease: 'somebody', leased_until: after(1).toISOString(), tries: 1 };
    await store.write((db) => db.updateTable('outbox').set(leased).execute());
    expect(await deliver(mail, store, new Date(after(1).getTime() - 1))).toMatchObject({ sent: 0 });
    expect(await deliver(mail, store, after(1))).toMatchObject({ sent: 1 });
    expect(await rows()).toMatchObject([{ state: 'sent', tries: 2 }]);
  });

  it('tries for ten hours while the mail server is down, then gives up, with a code alone', async () => {
    const mail = mailWith();
    mailServer.refuse(`451 ${MARKER} come back later`);
    await queue(mail, { kind: 'filed', parameters: { reference: 'TRV-4711' } });
    let at = NOON;
    for (let tries = 1; tries <= 8; tries += 1) {
      const early = new Date(at.getTime() - 1);
      expect(await deliver(mail, store, early)).toEqual({ sent: 0, kept: 0, failed: 0 });
      expect(await deliver(mail, store, at)).toMatchObject({ failed: 1 });
      const [row] = await rows();
      expect(row).toMatchObject({ tries, last_error: 'EENVELOPE_451', lease: null });
      at = new Date(row?.due_at ?? '');
    }
    expect(await rows()).toMatchObject([{ state: 'failed', due_at: after(602).toISOString() }]);
    mailServer.refuse(undefined);
    expect(await deliver(mail, store, after(9999))).toMatchObject({ sent: 0, failed: 0 });
    expect(mailServer.taken).toEqual([]);
    // Who sends it again sends what it said, once.
    const { id } = (await rows())[0]!;
    const again = () => store.write((db) => queueAgain(db, id, after(9999)));
    expect((await Promise.all([again(), again()])).sort()).toEqual([false, true]);
    expect(await deliver(mail, store, after(9999))).toMatchObject({ sent: 1 });
    expect(mailServer.taken.map(({ text }) => text.includes('TRV-4711'))).toEqual([true]);
    expect(await rows()).toMatchObject([{ state: 'sent', parameters_sealed: null }]);
  });

  it('sends what failed as the same message, with a fresh link', async () => {
    const mail = mailWith();
    await addMarker();
    mailServer.refuse('451 later', 'after');
    await queue(mail, { ...RESET, kind: 'verifyEmail', language: 'de' });
    await deliver(mail, store, NOON);
    mailServer.refuse(undefined);
    await deliver(mail, store, after(1));
    const ids = mailServer.seen.map(({ messageId }) => messageId);
    expect(ids).toEqual([ids[1], expect.stringMatching(/^<[0-9a-f-]{36}@esta\.example>$/)]);
    const links = mailServer.seen.map(({ text }) => /token=([\w-]{43})/.exec(text)?.[1]);
    expect(new Set(links).size).toBe(2);
    expect(await store.rows('one_time_tokens')).toHaveLength(2);
  });

  it('sends no link to an account that is gone, and no code that is late', async () => {
    const mail = mailWith({ SMS_URL: 'https://token@127.0.0.1:9' });
    await queue(mail, RESET);
    await queueCode(mail);
    await deliver(mail, store, after(6));
    expect(await rows()).toMatchObject([
      { state: 'failed', last_error: 'GONE' },
      { state: 'failed', last_error: 'LATE', parameters_sealed: null },
    ]);
  });

  it('sends the links that open an account to its present address alone', async () => {
    const mail = mailWith();
    await addMarker();
    const parameters = { due: NOON.toISOString() };
    for (const to of [MARKER, 'old@example.com']) {
      await queue(mail, { ...RESET, to });
      await queue(mail, { ...RESET, to, kind: 'recoverFactor' });
      await queue(mail, { ...RESET, to, kind: 'factorRemovalRequested', parameters });
      await queue(mail, { ...RESET, to, kind: 'emailChanged' });
    }
    await deliver(mail, store, NOON);
    const sent = { state: 'sent', last_error: null };
    const moved = { state: 'failed', last_error: 'MOVED', parameters_sealed: null };
    expect(await rows()).toMatchObject([sent, sent, sent, sent, moved, moved, moved, sent]);
    expect(await store.rows('one_time_tokens')).toHaveLength(3);
  });

  it('makes no link while the account that it opens is being changed', async () => {
    const mail = mailWith();
    await addMarker();
    await queue(mail, RESET);
    let delivered: Promise<unknown> = Promise.resolve();
    await store.write(async (db) => {
      const moved = { email: 'new@example.com', email_normalized: 'new@example.com' };
      await db.updateTable('users').set(moved).execute();
      delivered = deliver(mail, store, NOON);
      await Promise.race([delivered, new Promise((resolve) => setTimeout(resolve, 100))]);
    });
    await delivered;
    expect(await rows()).toMatchObject([{ state: 'failed', last_error: 'MOVED' }]);
    expect(mailServer.taken).toEqual([]);
  });

  it('keeps what it would send where there is no mail server, the same for each who looks', async () => {
    const mail = mailWith(KEPT);
    const two = [store, await store.another()];
    await addMarker();
    await queue(mail, { ...RESET, language: 'en' });
    await queueCode(mail);
    const done = await Promise.all(two.map((one) => deliver(mail, one, NOON)));
    expect(done.reduce((sum, { kept }) => sum + kept, 0)).toBe(2);
    expect(await store.rows('one_time_tokens')).toHaveLength(1);
    const [reset, sms] = (await rows()).map((row) => mail.shownMessage(row));
    expect(reset).toMatchObject({ to: MARKER, state: 'kept', subject: 'Choose a new password' });
    expect(reset?.links).toEqual([expect.stringMatching(/\/auth\/reset\?token=[\w-]{43}&lng=en$/)]);
    expect(sms?.text).toContain('123456');
    expect(JSON.stringify(await rows())).not.toMatch(/marker|123456|token=/);
  });

  it('forgets what was kept once there is a mail server, and all after thirty days', async () => {
    const mail = mailWith(KEPT);
    await queue(mail);
    await deliver(mail, store, NOON);
    await mail.purge('site', store.secureWrite, NOON);
    expect((await rows())[0]?.rendered_sealed).toMatch(/^k1\./);
    const later = mailWith();
    await later.purge('site', store.secureWrite, NOON);
    expect(await rows()).toMatchObject([{ state: 'kept', rendered_sealed: null }]);
    const month = 30 * 24 * 60;
    expect(await later.purge('site', store.secureWrite, after(month))).toMatchObject({
      messages: 0,
    });
    expect(await later.purge('site', store.secureWrite, after(month + 1))).toMatchObject({
      messages: 1,
    });
  });

  it('takes three a day for an address that nobody has confirmed, of all kinds together', async () => {
    const mail = mailWith();
    await addMarker();
    let clients = 0;
    const ask = (to: string, at: Date, kind = 'verifyEmail') => {
      const unverified = { client: `client ${(clients += 1)}` };
      return queue(mail, { ...RESET, kind, to, unverified } as Partial<Message>, at);
    };
    expect(await ask(MARKER, NOON)).toBe(true);
    expect(await ask(' Marker-4711@Example.com', after(1), 'alreadyRegistered')).toBe(true);
    const both = await Promise.all([ask(MARKER, after(2)), ask(MARKER, after(2))]);
    expect([both.sort(), await ask(MARKER, after(3))]).toEqual([[false, true], false]);
    expect(await ask('other@example.com', after(3))).toBe(true);
    expect(await rows()).toHaveLength(4);
    // A confirmed one is told what happens to its account, however much that is.
    await queue(mail, {}, after(3));
    expect(await ask(MARKER, after(24 * 60))).toBe(true);
    expect(await ask(MARKER, after(24 * 60))).toBe(false);
  });

  it('takes ten an hour from a client, to whatever addresses', async () => {
    const mail = mailWith();
    const ask = (at: Date, count: number) => {
      const unverified = { client: '192.0.2.7' };
      return queue(mail, { kind: 'alreadyRegistered', to: `to-${count}@a.eu`, unverified }, at);
    };
    const taken = [];
    for (let tries = 0; tries < 12; tries += 1) taken.push(await ask(after(tries), tries));
    expect(tally(taken)).toEqual({ true: 10, false: 2 });
    expect([await ask(after(60), 12), await ask(after(60), 13)]).toEqual([true, false]);
    await mail.purge('site', store.secureWrite, after(26 * 60));
    expect(new Set((await rows()).map((row) => row.client_index))).toEqual(new Set([null]));
  });

  it('refuses at once what a mistake of the program would send without its link or words', async () => {
    const mail = mailWith();
    await expect(queue(mail, { kind: 'resetPassword' })).rejects.toThrow('needs the account');
    await expect(queue(mail, { kind: 'newSignIn' })).rejects.toThrow('needs browser, system');
    expect(await rows()).toEqual([]);
  });
});
