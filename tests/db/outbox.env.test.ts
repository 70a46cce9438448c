import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import { openMigrated } from '~db/open-store.server';
import type { Database } from '~db/schema';
import { COMMAND_BUSY_TIMEOUT_MS } from '~db/sqlite/open.server';
import type { DatabaseAddress, Store } from '~db/store.server';
import { type MailServer, startMailServer } from '../mail-server';
import { describeEngines, variablesOf } from './engines';
import { addUser, freshStore } from './live-store';

const KEY = 'k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const NOON = new Date('2026-11-22T12:00:00.000Z');
const USER = 'a0a0a0a0-0000-4000-8000-000000000001';
const MARKER = 'marker-4711@example.com';

const after = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);

let mailServer: MailServer;
beforeEach(async () => void (mailServer = await startMailServer()));
afterEach(async () => {
  vi.unstubAllEnvs();
  await mailServer.stop();
});

/** The modules as a process with these variables has them. */
async function mailWith(variables: Record<string, string> = {}) {
  vi.resetModules();
  for (const [name, value] of Object.entries({
    DATA_KEYS: KEY,
    MAIL_URL: mailServer.url,
    MAIL_FROM: 'post@esta.example',
    ...variables,
  })) {
    vi.stubEnv(name, value);
  }
  const [outbox, deliver, shown, { purge }] = [
    await import('~/mail/outbox.server'),
    await import('~/mail/deliver.server'),
    await import('~/mail/shown.server'),
    await import('../../operations/purge'),
  ];
  return { ...outbox, ...shown, ...deliver, purge };
}
type Mail = Awaited<ReturnType<typeof mailWith>>;
type OwnStore = Pick<Store, 'db' | 'write'>;
const KEPT = { MAIL_URL: '', MAIL_FROM: '' };

/** Sends what is due in a store at an instant. */
const deliver = (mail: Mail, store: OwnStore, at: Date) =>
  mail.deliverDue({
    read: (work) => work(store.db),
    write: (work) => store.write(work),
    clock: () => at,
  });

/** `npm run jobs` in a process of its own. */
async function jobs(address: DatabaseAddress): Promise<void> {
  const child = spawn(process.execPath, ['build/server/database.js', 'jobs'], {
    env: {
      ...variablesOf(address),
      OFFLINE_MODE: 'false',
      DATA_KEYS: KEY,
      MAIL_URL: mailServer.url,
      MAIL_FROM: 'post@esta.example',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(0);
}

const rowsOf = (store: OwnStore) =>
  store.db.selectFrom('outbox').selectAll().orderBy('id').execute();

const addMarker = (db: Database) => addUser(db, { id: USER, email: MARKER }, NOON);

describeEngines('the outbox', (databases) => {
  const store = freshStore(databases);

  const queue = (mail: Mail, store: OwnStore, to = MARKER, at = NOON) =>
    store.write((db) => mail.queueMail(db, { kind: 'passwordChanged', to, language: 'fr' }, at));

  it('has nothing in it that was to be sent and then was not done', async () => {
    const mail = await mailWith();
    const broken = store.write(async (db) => {
      await mail.queueMail(db, { kind: 'passwordChanged', to: MARKER, language: 'fr' }, NOON);
      throw new Error('changed its mind');
    });
    await expect(broken).rejects.toThrow('changed its mind');
    expect(await rowsOf(store)).toEqual([]);
  });

  it('sends each message once, however many look at the same moment', async () => {
    const mail = await mailWith();
    // Of its own: a file that other processes have changed is opened anew. They hold it while they seed it.
    const address = await databases.make();
    const store = await openMigrated(address, { waitMs: COMMAND_BUSY_TIMEOUT_MS });
    onTestFinished(() => store.close());
    const at = new Date();
    for (let count = 0; count < 6; count += 1)
      await queue(mail, store, `to-${count}@example.com`, at);
    // Two processes, and two at once in this one.
    const [one, other] = [jobs(address), jobs(address)];
    await Promise.all([1, 2].map(() => deliver(mail, store, at)));
    await Promise.all([one, other]);
    expect(mailServer.taken.map(({ to }) => to).sort()).toEqual(
      [0, 1, 2, 3, 4, 5].map((count) => `to-${count}@example.com`),
    );
    for (const row of await rowsOf(store)) {
      const sent = { state: 'sent', tries: 1, lease: null };
      expect(row).toMatchObject({ ...sent, parameters_sealed: null, rendered_sealed: null });
    }
  });

  it('leaves a message alone that somebody is sending, and takes it over after a minute', async () => {
    const mail = await mailWith();
    await queue(mail, store);
    const leased = { lease: 'somebody', leased_until: after(1).toISOString(), tries: 1 };
    await store.write((db) => db.updateTable('outbox').set(leased).execute());
    expect(await deliver(mail, store, new Date(after(1).getTime() - 1))).toMatchObject({ sent: 0 });
    expect(await deliver(mail, store, after(1))).toMatchObject({ sent: 1 });
    expect(await rowsOf(store)).toMatchObject([{ state: 'sent', tries: 2 }]);
  });

  it('tries for ten hours while the mail server is down, then gives up, with a code alone', async () => {
    const mail = await mailWith();
    mailServer.refuse(`451 ${MARKER} come back later`);
    await queue(mail, store);
    const waits = [];
    let at = NOON;
    for (let tries = 1; tries <= 8; tries += 1) {
      expect(await deliver(mail, store, at)).toMatchObject({ failed: 1 });
      const [row] = await rowsOf(store);
      expect(row).toMatchObject({ tries, last_error: 'EENVELOPE_451', lease: null });
      if (row?.state === 'failed') break;
      const due = new Date(row?.due_at ?? '');
      waits.push((due.getTime() - at.getTime()) / 60_000);
      // Not before it is due.
      const early = new Date(due.getTime() - 1);
      expect(await deliver(mail, store, early)).toEqual({ sent: 0, kept: 0, failed: 0 });
      at = due;
    }
    expect(waits).toEqual([1, 3, 8, 20, 60, 150, 360]);
    expect(await rowsOf(store)).toMatchObject([{ state: 'failed', tries: 8 }]);
    mailServer.refuse(undefined);
    expect(await deliver(mail, store, after(9999))).toMatchObject({ sent: 0, failed: 0 });
    expect(mailServer.taken).toEqual([]);
  });

  it('sends what failed as the same message, with a fresh link', async () => {
    const mail = await mailWith();
    await store.write(addMarker);
    mailServer.refuse('451 later', 'after');
    const message = { kind: 'verifyEmail', to: MARKER, language: 'de', userId: USER } as const;
    await store.write((db) => mail.queueMail(db, message, NOON));
    await deliver(mail, store, NOON);
    mailServer.refuse(undefined);
    await deliver(mail, store, after(1));
    const ids = mailServer.seen.map(({ messageId }) => messageId);
    expect(new Set(ids)).toEqual(
      new Set([expect.stringMatching(/^<[0-9a-f-]{36}@esta\.example>$/)]),
    );
    expect(ids).toHaveLength(2);
    const links = mailServer.seen.map(({ text }) => /token=([\w-]{43})/.exec(text)?.[1]);
    expect(new Set(links).size).toBe(2);
    expect(await store.db.selectFrom('one_time_tokens').selectAll().execute()).toHaveLength(2);
  });

  it('sends no link to an account that is gone, and no code that is late', async () => {
    const mail = await mailWith({ SMS_URL: 'https://token@127.0.0.1:9' });
    const message = { kind: 'resetPassword', to: MARKER, language: 'fr', userId: USER } as const;
    const code = { kind: 'phoneCode', to: '+33612345678', language: 'fr' } as const;
    await store.write(async (db) => {
      await mail.queueMail(db, message, NOON);
      await mail.queueSms(db, { ...code, parameters: { code: '123456' } }, NOON);
    });
    await deliver(mail, store, after(6));
    expect(await rowsOf(store)).toMatchObject([
      { state: 'failed', last_error: 'GONE' },
      { state: 'failed', last_error: 'LATE', parameters_sealed: null },
    ]);
  });

  it('sends the links that open an account to its present address alone', async () => {
    const mail = await mailWith();
    await store.write(addMarker);
    const common = { language: 'fr', userId: USER } as const;
    const parameters = { due: NOON.toISOString() };
    for (const to of [MARKER, 'old@example.com']) {
      await store.write(async (db) => {
        await mail.queueMail(db, { ...common, kind: 'resetPassword', to }, NOON);
        await mail.queueMail(db, { ...common, kind: 'recoverFactor', to }, NOON);
        const notice = { ...common, kind: 'factorRemovalRequested', to, parameters } as const;
        await mail.queueMail(db, notice, NOON);
        await mail.queueMail(db, { ...common, kind: 'emailChanged', to }, NOON);
      });
    }
    await deliver(mail, store, NOON);
    const sent = { state: 'sent', last_error: null };
    const moved = { state: 'failed', last_error: 'MOVED', parameters_sealed: null };
    expect(await rowsOf(store)).toMatchObject([sent, sent, sent, sent, moved, moved, moved, sent]);
    expect(await store.db.selectFrom('one_time_tokens').selectAll().execute()).toHaveLength(3);
  });

  it('makes no link while the account that it opens is being changed', async () => {
    const mail = await mailWith();
    await store.write(addMarker);
    const message = { kind: 'resetPassword', to: MARKER, language: 'fr', userId: USER } as const;
    await store.write((db) => mail.queueMail(db, message, NOON));
    let delivered: Promise<unknown> = Promise.resolve();
    await store.write(async (db) => {
      const moved = { email: 'new@example.com', email_normalized: 'new@example.com' };
      await db.updateTable('users').set(moved).execute();
      delivered = deliver(mail, store, NOON);
      await Promise.race([delivered, new Promise((resolve) => setTimeout(resolve, 100))]);
    });
    await delivered;
    expect(await rowsOf(store)).toMatchObject([{ state: 'failed', last_error: 'MOVED' }]);
    expect(mailServer.taken).toEqual([]);
  });

  it('keeps what it would send where there is no mail server, the same for each who looks', async () => {
    const mail = await mailWith(KEPT);
    const two = [store, await store.another()];
    await store.write(addMarker);
    await store.write(async (db) => {
      const message = { kind: 'resetPassword', to: MARKER, language: 'en', userId: USER } as const;
      await mail.queueMail(db, message, NOON);
      const code = { kind: 'phoneCode', to: '+33612345678', language: 'fr' } as const;
      await mail.queueSms(db, { ...code, parameters: { code: '123456' } }, NOON);
    });
    const done = await Promise.all(two.map((one) => deliver(mail, one, NOON)));
    expect(done.reduce((sum, { kept }) => sum + kept, 0)).toBe(2);
    // One link, one token: of several that look, one has made it.
    expect(await store.db.selectFrom('one_time_tokens').selectAll().execute()).toHaveLength(1);
    const [reset, sms] = (await rowsOf(store)).map((row) => mail.shownMessage(row));
    expect(reset).toMatchObject({ to: MARKER, state: 'kept', subject: 'Choose a new password' });
    expect(reset?.links).toEqual([expect.stringMatching(/\/auth\/reset\?token=[\w-]{43}&lng=en$/)]);
    expect(sms).toMatchObject({ channel: 'sms', subject: '', links: [] });
    expect(sms?.text).toContain('123456');
    expect(JSON.stringify(await rowsOf(store))).not.toMatch(/marker|123456|token=/);
  });

  it('forgets what was kept once there is a mail server', async () => {
    const mail = await mailWith(KEPT);
    await queue(mail, store);
    await deliver(mail, store, NOON);
    await mail.purge(store.erase, NOON);
    expect((await rowsOf(store))[0]?.rendered_sealed).toMatch(/^k1\./);
    const later = await mailWith();
    await later.purge(store.erase, NOON);
    expect(await rowsOf(store)).toMatchObject([{ state: 'kept', rendered_sealed: null }]);
  });

  it('is purged after thirty days, and nothing of it stays in the files', async () => {
    const mail = await mailWith(KEPT);
    await queue(mail, store);
    await deliver(mail, store, NOON);
    const [row] = await rowsOf(store);
    const sealed = [row?.to_sealed ?? '', row?.rendered_sealed ?? ''];
    const isInFile = () => {
      if (store.address.engine === 'postgres') return undefined;
      const { file } = store.address;
      const bytes = ['', '-wal'].map((end) => readFileSync(`${file}${end}`, 'latin1'));
      return sealed.some((text) => bytes.some((all) => all.includes(text.slice(0, 40))));
    };
    expect(isInFile()).not.toBe(false);
    const day = 24 * 60;
    const purge = (at: Date) => mail.purge(store.erase, at);
    expect(await purge(after(30 * day))).toMatchObject({ messages: 0 });
    expect(await purge(after(30 * day + 1))).toMatchObject({ messages: 1 });
    expect(await rowsOf(store)).toEqual([]);
    expect(isInFile()).not.toBe(true);
  });

  it('takes three a day for an address that nobody has confirmed, of all kinds together', async () => {
    const mail = await mailWith();
    await store.write(addMarker);
    let clients = 0;
    const ask = (
      to: string,
      at: Date,
      kind: 'verifyEmail' | 'alreadyRegistered' = 'verifyEmail',
    ) => {
      clients += 1;
      const unverified = { client: `client ${clients}` };
      const message = { kind, to, language: 'fr', userId: USER, unverified } as const;
      return store.write((db) => mail.queueMail(db, message, at));
    };
    expect(await ask(MARKER, NOON)).toBe(true);
    expect(await ask(' Marker-4711@Example.com', after(1), 'alreadyRegistered')).toBe(true);
    // At the same moment, one of them is the third.
    const both = await Promise.all([ask(MARKER, after(2)), ask(MARKER, after(2))]);
    expect(both.sort()).toEqual([false, true]);
    expect(await ask(MARKER, after(3))).toBe(false);
    expect(await ask('other@example.com', after(3))).toBe(true);
    expect(await rowsOf(store)).toHaveLength(4);
    // A confirmed one is told what happens to its account, however much that is.
    await queue(mail, store, MARKER, after(3));
    expect(await ask(MARKER, after(24 * 60))).toBe(true);
    expect(await ask(MARKER, after(24 * 60))).toBe(false);
  });

  it('takes ten an hour from a client, to whatever addresses', async () => {
    const mail = await mailWith();
    let count = 0;
    const ask = (at: Date) => {
      count += 1;
      const to = `to-${count}@example.com`;
      const message = { kind: 'alreadyRegistered', to, language: 'fr' } as const;
      const unverified = { client: '192.0.2.7' };
      return store.write((db) => mail.queueMail(db, { ...message, unverified }, at));
    };
    const taken = [];
    for (let tries = 0; tries < 12; tries += 1) taken.push(await ask(after(tries)));
    expect(taken.filter(Boolean)).toHaveLength(10);
    expect(taken.slice(10)).toEqual([false, false]);
    expect(await ask(after(60))).toBe(true);
    expect(await ask(after(60))).toBe(false);
    await mail.purge(store.erase, after(26 * 60));
    const known = (await rowsOf(store)).filter(({ client_index }) => client_index !== null);
    expect(known).toEqual([]);
  });

  it('refuses at once what a mistake of the program would send without its link or words', async () => {
    const mail = await mailWith();
    const ask = (message: Parameters<Mail['queueMail']>[1]) =>
      store.write((db) => mail.queueMail(db, message, NOON));
    const to = { to: MARKER, language: 'fr' } as const;
    await expect(ask({ kind: 'resetPassword', ...to })).rejects.toThrow('needs the account');
    await expect(ask({ kind: 'newSignIn', ...to })).rejects.toThrow('needs browser, system');
    expect(await rowsOf(store)).toEqual([]);
  });
});
