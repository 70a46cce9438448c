import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { addSeconds } from 'date-fns';
import { beforeEach, expect, it } from 'vitest';

import { confirmAddress, findAddressChange } from '~/accounts/address-change.server';
import { findToken, issueToken } from '~/accounts/one-time-tokens.server';
import { saveStep } from '~/applications/answers.server';
import { beginDraft } from '~/applications/drafts.server';
import { queueMail } from '~/mail/outbox.server';
import { findApplication } from '~db/queries/applications.server';
import { findUser, updateUser } from '~db/queries/users.server';
import { describeEngines } from './engines';
import { addUser, freshStore, stubLiveSite } from './live-store';

stubLiveSite();

const NOON = new Date('2026-11-22T12:00:00.000Z');
const OLD = 'marie@example.com';
const NEW = 'Marie.Neu@example.com';

describeEngines('a change of address', (databases) => {
  const store = freshStore(databases);
  beforeEach(async () => {
    await addUser(store.db, { id: 'marie', email: OLD });
  });

  const ask = async (to = NEW) => {
    const payload = JSON.stringify({ change: randomUUID(), from: OLD, to });
    return store.write(async (db) => {
      const of = { userId: 'marie', payload };
      return {
        old: await issueToken(db, { ...of, purpose: 'confirmOldEmail' }, NOON),
        new: await issueToken(db, { ...of, purpose: 'confirmNewEmail' }, NOON),
      };
    });
  };
  const confirm = (token: string, now = NOON) =>
    store.write((db) => confirmAddress(db, token, now));
  const email = async () => (await findUser(store.db, 'marie'))?.email;

  it('comes about once both sides have confirmed, also at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      await updateUser(store.db, 'marie', { email: OLD, email_normalized: OLD });
      const tokens = await ask();
      const outcomes = await Promise.all(
        [tokens.old, tokens.new, tokens.old, tokens.new].map((token) => confirm(token)),
      );
      expect(outcomes.filter(Boolean).sort()).toEqual(['changed', 'waiting']);
      expect(await email()).toBe(NEW);
    }
    expect(await findUser(store.db, 'marie')).toMatchObject({
      email_normalized: NEW.toLowerCase(),
      email_verified_at: NOON.toISOString(),
    });
  });

  it('gives the account the applications that have the new address', async () => {
    const own = { id: randomUUID(), token: 'a'.repeat(43) };
    const step = { application: own, step: 1, answers: { email: NEW }, isComplete: false } as const;
    await store.write(async (db) => {
      await beginDraft(db, { ...own, language: 'fr' }, NOON);
      await saveStep(db, { ...step, version: 0 }, NOON);
    });
    const tokens = await ask();
    const ownerOf = async () => (await findApplication(store.db, own.id))?.user_id;
    expect([await confirm(tokens.old), await ownerOf()]).toEqual(['waiting', null]);
    expect([await confirm(tokens.new), await ownerOf()]).toEqual(['changed', 'marie']);
  });

  it('comes about if the second side confirms before the first is written', async () => {
    const tokens = await ask();
    let second: Promise<unknown> = Promise.resolve();
    const first = await store.write(async (db) => {
      const outcome = await confirmAddress(db, tokens.old, NOON);
      second = confirm(tokens.new);
      // Held, it waits for this transaction; not held, it would be done first, and see nothing of it.
      await Promise.race([second, pause(100)]);
      return outcome;
    });
    expect([first, await second]).toEqual(['waiting', 'changed']);
  });

  it('ends with its links after a day', async () => {
    const tokens = await ask();
    const day = 24 * 60 * 60;
    expect(await findAddressChange(store.db, tokens.old, addSeconds(NOON, day - 1))).toMatchObject({
      to: NEW,
      side: 'confirmOldEmail',
    });
    expect(await confirm(tokens.old, addSeconds(NOON, day))).toBeUndefined();
    expect(await confirm(tokens.old)).toBe('waiting');
    expect(await confirm(tokens.new, addSeconds(NOON, day))).toBeUndefined();
    expect(await email()).toBe(OLD);
  });

  it('is void once the account has moved by another one', async () => {
    const [one, two] = [await ask(), await ask('third@example.com')];
    expect([await confirm(two.old), await confirm(one.new), await confirm(one.old)]).toEqual([
      'waiting',
      'waiting',
      'changed',
    ]);
    expect(await confirm(two.new)).toBeUndefined();
    expect(await email()).toBe(NEW);
  });

  it('ends what opens the account from the old mailbox, sent or still waiting', async () => {
    const kinds = ['resetPassword', 'recoverFactor'] as const;
    const sent = await store.write(async (db) => {
      const tokens = [];
      for (const kind of kinds) {
        tokens.push(await issueToken(db, { purpose: kind, userId: 'marie' }, NOON));
        await queueMail(db, { kind, to: OLD, language: 'fr', userId: 'marie' }, NOON);
      }
      return tokens;
    });
    const tokens = await ask();
    await confirm(tokens.old);
    expect(await confirm(tokens.new)).toBe('changed');
    for (const [index, kind] of kinds.entries()) {
      expect(await findToken(store.db, kind, sent[index] ?? '', NOON)).toBeUndefined();
    }
    expect(await store.mails()).toEqual(['emailChanged']);
  });
});
