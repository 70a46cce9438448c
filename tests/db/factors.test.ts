import { randomUUID } from 'node:crypto';

import { addHours, addSeconds } from 'date-fns';
import { Secret, TOTP } from 'otpauth';
import { beforeEach, describe, expect, it } from 'vitest';

import { makeRecoveryCodes, takeAnyCode, takeRecoveryCode } from '~/accounts/codes.server';
import {
  cancelRemoval,
  removalOf,
  requestRemoval,
  runRemovals,
} from '~/accounts/factor-removal.server';
import {
  confirmFactor,
  enrollPhone,
  enrollTotp,
  listFactors,
  removeFactor,
  startChallenge,
  takeCode,
  phoneNumberOf,
  totpOf,
} from '~/accounts/factors.server';
import { findToken, issueToken } from '~/accounts/one-time-tokens.server';
import { inApp } from '~/current-app.server';
import { seal, unseal } from '~/sealing/seal.server';
import { recoveryCodesLeft } from '~db/queries/factors.server';
import { deleteSession, listSessions } from '~db/queries/sessions.server';
import type { Database } from '~db/schema';
import { rowsIn } from '~db/queries/rows.server';
import { appWith, LIVE } from '../apps';
import { describeEngines } from './engines';
import { addSession, addUser, atOnce, tally } from './live-store';

const NOON = new Date('2026-11-22T12:00:00.000Z');
const after = (seconds: number) => addSeconds(NOON, seconds);

describeEngines('second factors', (store) => {
  beforeEach(async () => {
    for (const id of ['marie', 'paul', 'agent']) await addPerson(id);
    const none = { esta_validity_months: null, remark: null, citizenship_code: null };
    const countries = (['FR', 'GB', 'BR'] as const).map((code) => {
      const is_eligible = code === 'BR' ? (0 as const) : (1 as const);
      return { country_code: code, country_name: code, is_eligible, ...none };
    });
    await store.db.insertInto('vwp_countries').values(countries).execute();
  });

  const { mails, write } = store;

  async function addPerson(id: string): Promise<void> {
    const role = id === 'agent' ? id : null;
    await addUser(store.db, { id, email: `${id}@example.eu`, role }, NOON);
    await signIn(id, here(id).sessionId, 2);
  }

  const signIn = (user_id: string, id: string, aal: 1 | 2) =>
    addSession(store.db, { id, user_id, aal }, NOON);

  const here = (userId: string) => ({ userId, sessionId: `${userId} here` });

  async function begin(userId = 'marie', friendlyName = 'Phone') {
    const of = { userId, email: `${userId}@example.eu`, friendlyName };
    const begun = await write((db) => enrollTotp(db, of, NOON));
    if (begun === 'nameTaken') throw new Error(begun);
    const totp = new TOTP({ secret: Secret.fromBase32(begun.secret) });
    const codeAt = (at: Date) => totp.generate({ timestamp: at.getTime() });
    const take = (code: string, at: Date) =>
      write((db) => takeCode(db, { ...here(userId), factorId: begun.id, code }, at));
    return { ...begun, codeAt, take };
  }

  async function have(userId = 'marie', friendlyName = 'Phone') {
    const begun = await begin(userId, friendlyName);
    await write((db) => confirmFactor(db, { userId, factorId: begun.id }, NOON));
    return begun;
  }

  async function beginPhone(phone = '06 12 34 56 78', userId = 'marie') {
    const of = { userId, friendlyName: 'SMS', phone, country: 'FR', client: `of ${userId}` };
    return write((db) => enrollPhone(db, of, NOON));
  }

  /** Begins a phone some minutes after noon. @returns whether a code is sent to it */
  async function addNumber(phone: string, userId: string, minutes: number, client = userId) {
    const at = after(minutes * 60);
    const id = randomUUID();
    // However it was begun: the message itself is counted.
    const place = { table: 'auth_factors', row: id, field: 'phone_sealed' };
    const phone_sealed = seal((await phoneNumberOf(store.db, phone, 'FR')) ?? '', place);
    await rowsIn(store.db).insertNew('auth_factors', {
      ...{ id, user_id: userId, friendly_name: id, factor_type: 'phone', status: 'unverified' },
      ...{ secret_sealed: null, phone_sealed, last_step: null },
      ...{ created_at: at.toISOString(), updated_at: at.toISOString() },
    });
    const of = { ...here(userId), factorId: id, language: 'fr', client } as const;
    const started = await write((db) => startChallenge(db, of, at));
    return started !== undefined && 'id' in started;
  }

  async function havePhone() {
    const begun = await beginPhone();
    if (typeof begun === 'string') throw new Error(begun);
    const of = { ...here('marie'), factorId: begun.id };
    await write((db) => confirmFactor(db, of, NOON));
    const challenge = (at: Date, sessionId = of.sessionId) =>
      write((db) => startChallenge(db, { ...of, sessionId, language: 'fr', client: 'a' }, at));
    const take = (code: string, at: Date, sessionId = of.sessionId) =>
      write((db) => takeCode(db, { ...of, sessionId, code }, at));
    return { ...of, challenge, take };
  }

  async function sentCode(): Promise<string> {
    const row = (await store.rows('outbox')).findLast(({ channel }) => channel === 'sms');
    if (!row) throw new Error('No code was sent.');
    const place = { table: 'outbox', row: row.id, field: 'parameters_sealed' };
    return (JSON.parse(unseal(row.parameters_sealed ?? '', place)) as { code: string }).code;
  }

  const events = async () => {
    const rows = store.db.selectFrom('audit_events').select('action').orderBy('at');
    return (await rows.execute()).map(({ action }) => action);
  };

  describe('an authenticator', () => {
    it('is set up by secret, address and picture, and its secret is sealed', async () => {
      const { id, secret, uri, qrCode } = await begin();
      expect(Secret.fromBase32(secret).bytes).toHaveLength(20);
      expect(uri).toMatch(/^otpauth:\/\/totp\/[^?]+:marie%40example\.eu\?/);
      const asked = { secret, algorithm: 'SHA1', digits: '6', period: '30' };
      expect(Object.fromEntries(new URL(uri).searchParams)).toMatchObject(asked);
      expect(qrCode).toMatch(/^<svg [^>]*viewBox="0 0 \d+ \d+"/);
      expect(qrCode).not.toContain('#');
      const [row] = await store.rows('auth_factors');
      expect(row?.secret_sealed).not.toContain(secret);
      expect(await totpOf(store.db, 'marie', id)).toEqual({ secret, uri, qrCode });
      expect(await totpOf(store.db, 'paul', id)).toBeUndefined();
      await write((db) => confirmFactor(db, { userId: 'marie', factorId: id }, NOON));
      expect(await totpOf(store.db, 'marie', id)).toBeUndefined();
    });

    it('takes a code, with spaces, once, and none before it', async () => {
      const { codeAt, take } = await have();
      const code = codeAt(NOON);
      expect(await take(` ${code.slice(0, 3)} ${code.slice(3)} `, NOON)).toBe('right');
      expect([await take(code, NOON), await take(code, after(20))]).toEqual(['wrong', 'wrong']);
      expect(await take(codeAt(after(-30)), NOON)).toBe('wrong');
      const next = codeAt(after(30));
      expect(tally(await atOnce(10, () => take(next, after(30))))).toEqual({ right: 1, wrong: 9 });
    });

    it('has a name of its own; one that was not finished gives way', async () => {
      const first = await begin();
      const second = await begin();
      expect((await listFactors(store.db, 'marie')).map(({ id }) => id)).toEqual([second.id]);
      expect(first.id).not.toBe(second.id);
      await write((db) => confirmFactor(db, { userId: 'marie', factorId: second.id }, NOON));
      const of = { userId: 'marie', email: 'marie@example.eu', friendlyName: 'Phone' };
      expect(await write((db) => enrollTotp(db, of, NOON))).toBe('nameTaken');
    });
  });

  it('end the sessions without it once one counts, and tell its owner', async () => {
    const { id } = await begin();
    await signIn('marie', 'this', 1);
    await signIn('marie', 'other', 1);
    await signIn('marie', 'full', 2);
    await signIn('paul', 'paul', 1);
    const confirm = () =>
      write((db) => confirmFactor(db, { userId: 'marie', factorId: id, keep: 'this' }, NOON));
    await confirm();
    await confirm();
    const left = await listSessions(store.db, 'marie');
    expect(left.map((one) => one.id).sort()).toEqual(['full', 'marie here', 'this']);
    expect(await listSessions(store.db, 'paul')).toHaveLength(2);
    expect([await mails(), await events()]).toEqual([['factorAdded'], ['factor.added']]);
  });

  const remove = ({ id: factorId }: { id: string }) =>
    write((db) => removeFactor(db, { userId: 'marie', factorId }, NOON));
  const makeCodes = (db: Database) => makeRecoveryCodes(db, 'marie', NOON);
  const codesLeft = () => recoveryCodesLeft(store.db, 'marie');

  it('go with the recovery codes when the last one goes, or the last two at once', async () => {
    const [one, two] = [await have(), await have('marie', 'B')];
    const unfinished = await begin('marie', 'C');
    await write(makeCodes);
    expect([await remove(one), await codesLeft()]).toEqual([true, 10]);
    expect([await remove(two), await codesLeft()]).toEqual([true, 0]);
    expect([await remove(two), await remove(unfinished)]).toEqual([false, true]);
    expect(await mails()).toEqual(['factorAdded', 'factorAdded', 'factorRemoved', 'factorRemoved']);
    for (let round = 0; round < 5; round += 1) {
      const both = [await have('marie', `A${round}`), await have('marie', `B${round}`)];
      await write(makeCodes);
      expect([await Promise.all(both.map(remove)), await codesLeft()]).toEqual([[true, true], 0]);
    }
  });

  it('have ten recovery codes, good once each, until there are new ones', async () => {
    const codes = await write(makeCodes);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes)
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}(-[0-9A-HJKMNP-TV-Z]{8}){2}$/);
    const rows = JSON.stringify(await store.rows('recovery_codes'));
    for (const code of codes) expect(rows).not.toContain(code.slice(0, 8));
    const [one = '', two = ''] = codes;
    const take = (code: string, userId = 'marie') =>
      write((db) => takeRecoveryCode(db, userId, code, NOON));
    expect(await take(one, 'paul')).toBe(false);
    expect(await take(one.toLowerCase().replace('-', ' '))).toBe(true);
    for (const code of [one, '', '123456', 'x'.repeat(10_000)])
      expect(await take(code)).toBe(false);
    expect(tally(await atOnce(8, () => take(two)))).toEqual({ true: 1, false: 7 });
    expect(await codesLeft()).toBe(8);
    // New ones take their place, also by three at the same moment.
    await atOnce(3, () => write(makeCodes));
    expect([await codesLeft(), await take(codes[3] ?? '')]).toEqual([10, false]);
  });

  describe('a phone', () => {
    it('is understood as people write it, sealed, and listed by its ending', async () => {
      for (const typed of ['06 12 34 56 78', '+33 6 12 34 56 78', '0033 6 12 34 56 78'])
        expect(await beginPhone(typed)).toMatchObject({ phone: '+33612345678' });
      const listed = { factor_type: 'phone', phone: '··78' };
      expect(await listFactors(store.db, 'marie')).toMatchObject([listed]);
      expect((await store.rows('auth_factors'))[0]?.phone_sealed).not.toContain('345678');
      expect(await beginPhone('+44 7911 123456')).toMatchObject({ phone: '+447911123456' });
    });

    it('has a code for five minutes, five tries and one use, a minute after the one before', async () => {
      const { challenge, take } = await havePhone();
      expect(await take('123456', NOON)).toBe('late');
      const both = await atOnce(2, () => challenge(NOON));
      const [asked] = both.filter((one) => one && 'id' in one);
      expect(asked).toMatchObject({ type: 'phone', expiresAt: after(300) });
      expect(both).toContainEqual({ wait: 60 });
      const code = await sentCode();
      expect(code).toMatch(/^\d{6}$/);
      const other = code === '000000' ? '000001' : '000000';
      expect(await take(code, after(300))).toBe('late');
      for (let tries = 0; tries < 4; tries += 1) expect(await take(other, NOON)).toBe('wrong');
      expect(tally(await atOnce(4, () => take(code, after(299))))).toMatchObject({ right: 1 });
      expect(await take(code, after(299))).toBe('late');
      expect(await challenge(after(59))).toEqual({ wait: 1 });
      await challenge(after(60));
      if (code !== (await sentCode())) expect(await take(code, after(60))).toBe('wrong');
      await challenge(after(120));
      const wrong = other === (await sentCode()) ? '000002' : other;
      for (let tries = 0; tries < 5; tries += 1)
        expect(await take(wrong, after(121))).toBe('wrong');
      expect(await take(await sentCode(), after(121))).toBe('late');
      expect(JSON.stringify(await store.rows('factor_challenges'))).not.toContain(await sentCode());
    });

    it('has a code for the session that asked for it, and for no other', async () => {
      const { challenge, take } = await havePhone();
      await signIn('marie', 'stranger’s', 1);
      await challenge(NOON);
      const own = await sentCode();
      expect(await take(own, NOON, 'stranger’s')).toBe('late');
      await challenge(after(60), 'stranger’s');
      const strangers = await sentCode();
      // Neither does the stranger's take the place of the owner's, nor is it good for them.
      if (own !== strangers) expect(await take(strangers, after(61))).toBe('wrong');
      expect(await take(own, after(61))).toBe('right');
      await deleteSession(store.db, { user_id: 'marie', id: 'stranger’s' });
      expect(await challenge(after(120), 'stranger’s')).toBeUndefined();
      expect(await store.rows('factor_challenges')).toMatchObject([{ session_id: 'marie here' }]);
    });

    it('has its codes also while a stranger has some sent to the same number', async () => {
      const { challenge } = await havePhone();
      const sent = [];
      for (const minute of [0, 0.9, 1, 2])
        sent.push(await addNumber('06 12 34 56 78', 'paul', minute));
      expect(sent).toEqual([true, false, true, false]);
      expect(await addNumber('06 12 34 56 78', 'agent', 3)).toBe(false);
      expect(await beginPhone('06 12 34 56 78', 'agent')).toBe('tooMany');
      expect(await challenge(NOON)).toHaveProperty('id');
      for (const minute of [1, 2, 3, 4])
        expect(await challenge(after(minute * 60))).toHaveProperty('id');
      expect(await addNumber('06 12 34 56 78', 'agent', 24 * 60)).toBe(true);
    });

    it('is one of five that an account adds in a day, and of ten that a client’s address does, also all at once', async () => {
      const sent = [];
      for (let one = 10; one < 17; one += 1)
        sent.push(await addNumber(`06 12 34 56 ${one}`, 'marie', 0, `client ${one}`));
      expect(sent).toEqual([true, true, true, true, true, false, false]);
      expect(await beginPhone('06 12 34 56 99')).toBe('tooMany');
      expect(await addNumber('06 12 34 56 99', 'marie', 24 * 60)).toBe(true);
      for (let one = 0; one < 4; one += 1) await addPerson(`user${one}`);
      const ofClient = await atOnce(12, (one) =>
        addNumber(`06 12 34 57 ${one + 10}`, `user${one % 4}`, 0, 'one'),
      );
      expect(ofClient.filter(Boolean)).toHaveLength(10);
      expect(await addNumber('06 12 34 57 99', 'paul', 1, 'one')).toBe(false);
      expect(await addNumber('06 12 34 57 99', 'paul', 1, 'other')).toBe(true);
    });

    it.each([
      ['of a country outside the programme', '+55 11 91234 5678', '+1 202 555 0123'],
      ['none', '12', '', 'x', '\u0000', '9'.repeat(10_000)],
      ['premium rate', '+33 899 70 12 34', '+44 909 879 0123'],
      ['shared cost or free', '+33 820 12 34 56', '+33 801 23 45 67'],
      ['a landline', '01 42 68 53 00', '+44 121 234 5678'],
      ['a pager', '+44 7640 123456'],
      ['personal, or for a whole company', '+44 7012 345678', '+44 5512 345678'],
    ])('is no number that is %s', async (_, ...numbers) => {
      for (const typed of numbers)
        expect([typed, await beginPhone(typed)]).toEqual([typed, 'phone']);
    });

    it('comes after the authenticator, whose code costs no try', async () => {
      const { challenge } = await havePhone();
      const { codeAt } = await have();
      await challenge(NOON);
      const take = (code: string) =>
        write((db) => takeAnyCode(db, { ...here('marie'), code }, NOON));
      expect(await take(codeAt(NOON))).toEqual({ method: 'totp' });
      expect(await take(await sentCode())).toEqual({ method: 'phone' });
    });

    it('is not offered where no message can be sent', async () => {
      const mails = { MAIL_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'post@example.eu' };
      const app = appWith({ ...LIVE, ...mails });
      const phone = { userId: 'marie', friendlyName: 'A', phone: '+33612345678', client: 'a' };
      const enrolled = write((db) => inApp(app, () => enrollPhone(db, phone, NOON)));
      expect(await enrolled).toBe('unavailable');
    });
  });

  describe('lost', () => {
    const run = (at: Date) => runRemovals(write, at);
    const HOUR_S = 3600;
    const request = (userId = 'marie', at = NOON) => write((db) => requestRemoval(db, userId, at));

    it('go after exactly seven days, with a notice each day, and all sessions end', async () => {
      await have();
      await write(makeCodes);
      await signIn('marie', 'one', 1);
      await signIn('marie', 'two', 2);
      expect(await request()).toEqual(addHours(NOON, 168));
      // Asked for again: the wait goes on.
      expect(await request('marie', after(60))).toEqual(addHours(NOON, 168));
      const told = [];
      for (let day = 0; day < 7; day += 1) {
        for (const hour of [day * 24, day * 24 + 1]) {
          const at = after(hour * HOUR_S + 900);
          const [a, b] = await Promise.all([run(at), run(at)]);
          told.push(a.notices + b.notices);
          expect(a.removals + b.removals).toBe(0);
        }
      }
      expect(told).toEqual([0, 0, ...Array.from({ length: 6 }, () => [1, 0]).flat()]);
      expect(await run(after(168 * HOUR_S - 1))).toEqual({ removals: 0, notices: 0 });
      expect(await listFactors(store.db, 'marie')).toHaveLength(1);
      const due = after(168 * HOUR_S);
      const both = await Promise.all([run(due), run(due)]);
      expect(both.map(({ removals }) => removals).sort()).toEqual([0, 1]);
      expect([await listFactors(store.db, 'marie'), await codesLeft()]).toEqual([[], 0]);
      expect(await listSessions(store.db, 'marie')).toEqual([]);
      const requested = Array<string>(7).fill('factorRemovalRequested');
      expect(await mails()).toEqual(['factorAdded', ...requested, 'factorRemovalDone']);
      const noted = (await events()).filter((name) => name.startsWith('factor_removal.'));
      expect(noted).toEqual(['factor_removal.requested', 'factor_removal.done']);
    });

    it('stay when the wait is cancelled, and its links end', async () => {
      await have();
      await request();
      const link = { purpose: 'cancelRecovery', userId: 'marie' } as const;
      const token = await write((db) => issueToken(db, link, NOON));
      expect(await write((db) => cancelRemoval(db, 'paul', NOON))).toBe(false);
      expect(await write((db) => cancelRemoval(db, 'marie', NOON))).toBe(true);
      expect(await write((db) => cancelRemoval(db, 'marie', NOON))).toBe(false);
      expect(await findToken(store.db, 'cancelRecovery', token, NOON)).toBeUndefined();
      expect(await run(after(999 * HOUR_S))).toEqual({ removals: 0, notices: 0 });
      expect(await listFactors(store.db, 'marie')).toHaveLength(1);
    });

    it('leave a new one alone: confirming it ends the wait', async () => {
      const [old, other] = [await have(), await have('paul')];
      for (const userId of ['marie', 'paul']) await request(userId);
      const begun = await begin('marie', 'New');
      expect(await removalOf(store.db, 'marie')).toBeDefined();
      await write((db) => confirmFactor(db, { userId: 'marie', factorId: begun.id }, NOON));
      await write((db) => confirmFactor(db, { userId: 'paul', factorId: other.id }, NOON));
      expect(await removalOf(store.db, 'marie')).toBeUndefined();
      expect(await removalOf(store.db, 'paul')).toBeDefined();
      expect(await events()).toContain('factor_removal.cancelled');
      expect(await run(after(999 * HOUR_S))).toEqual({ removals: 1, notices: 0 });
      const left = (await listFactors(store.db, 'marie')).map(({ id }) => id);
      expect(left.sort()).toEqual([old.id, begun.id].sort());
    });

    it('tell once, however long no job ran, and are never taken off staff', async () => {
      await have();
      await request();
      const notices = [];
      for (const hour of [75, 76, 96]) notices.push(await run(after(hour * HOUR_S)));
      expect(notices).toEqual([1, 0, 1].map((count) => ({ removals: 0, notices: count })));
      await have('agent');
      expect(await request('agent')).toBeUndefined();
      expect(await removalOf(store.db, 'agent')).toBeUndefined();
    });
  });
});
