import { beforeEach, expect, it } from 'vitest';

import { hashOfToken } from '~/accounts/tokens.server';
import { saveStep } from '~/applications/answers.server';
import { endApplicationLinks, queueResumeLink } from '~/applications/links.server';
import { consumeMagicLink } from '~/applications/magic-link.server';
import { deliverDue } from '~/mail-features.server';
import { queueMail } from '~/mail/outbox.server';
import { renderedOf } from '~/mail/shown.server';
import { forgetMessagesOfApplication } from '~db/queries/application-retention.server';
import { type ApplicationRow, findApplication } from '~db/queries/applications.server';
import { takeTokenTry } from '~db/queries/one-time-tokens.server';
import { updateUser } from '~db/queries/users.server';
import type { Store } from '~db/store.server';
import { addDraftTo } from '../drafts';
import { describeEngines } from './engines';
import { addUser, atOnce, tally } from './live-store';

const NOON = new Date('2026-11-25T12:00:00.000Z');
const USER = 'a0a0a0a0-0000-4000-8000-000000000001';
const CLIENT = '10.0.0.1';
const after = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);

describeEngines('the links of applications', (store) => {
  let second: Store;
  beforeEach(async () => void (second = await store.another()));

  const ANSWERS = {
    ...{ email: 'marker-4711@example.com', 'date_of_birth.day': '9' },
    ...{ 'date_of_birth.month': 'August', 'date_of_birth.year': '1971' },
  };
  const draft = (answers: Record<string, string> = ANSWERS, userId?: string) =>
    store.write(async (db) => {
      const application = await addDraftTo(db, { at: NOON, language: 'en', userId });
      const step = { step: 1, answers, isComplete: false, version: 0, language: 'de' } as const;
      await saveStep(db, { application, ...step }, NOON);
      return (await findApplication(db, application.id)) as ApplicationRow;
    });
  const addMarie = async () => {
    await addUser(store.db, { id: USER, email: 'marie@example.com' }, NOON);
    await updateUser(store.db, USER, { email_verified_at: NOON.toISOString() });
  };
  const queue = (row: ApplicationRow, at = NOON) =>
    store.write((db) => queueResumeLink(db, row, CLIENT, at));
  const deliver = (at = NOON) =>
    deliverDue({ read: store.read, write: store.write, clock: () => at });
  const mails = () => store.rows('outbox');
  const tokens = () => store.rows('one_time_tokens');
  async function mailedToken(): Promise<string> {
    const row = (await mails()).at(-1);
    const [link = 'http://none'] = (row && renderedOf(row)?.links) ?? [];
    return new URL(link).searchParams.get('token') ?? '';
  }
  const follow = (token: string, at = NOON) =>
    consumeMagicLink(store.db, 'resumeApplication', token, at);

  it('are not sent for a draft without an address or a day of birth', async () => {
    for (const wrong of [
      ...[{ email: '' }, { email: 'marie at example' }],
      ...[{ 'date_of_birth.year': '' }, { 'date_of_birth.day': '32' }],
    ]) {
      expect(await queue(await draft({ ...ANSWERS, ...wrong }))).toBe('noAddress');
    }
    expect(await mails()).toEqual([]);
  });

  it('are a mail to the account of an application that has one, once an hour', async () => {
    await addMarie();
    const row = await draft(ANSWERS, USER);
    const results = await atOnce(4, (n) =>
      (n % 2 ? store : second).write((db) => queueResumeLink(db, row, CLIENT, NOON)),
    );
    expect(tally(results)).toEqual({ sent: 1, tooMany: 3 });
    expect([await queue(row, after(59)), await queue(row, after(60))]).toEqual(['tooMany', 'sent']);
    const mail = { kind: 'applicationOfAccount', user_id: USER, language_code: 'de' };
    expect(await mails()).toMatchObject([1, 2].map(() => ({ ...mail, client_index: null })));
    await deliver(after(60));
    expect(await tokens()).toEqual([]);
  });

  it('are not made once the draft is gone, is an account’s, or has another address', async () => {
    await addMarie();
    const rows = [await draft(), await draft(), await draft()];
    for (const row of rows) expect(await queue(row)).toBe('sent');
    const [gone, taken, mended] = rows.map(({ id }) => id);
    await store.db.deleteFrom('applications').where('id', '=', String(gone)).execute();
    await store.setApplications({ user_id: USER }, taken);
    const answers = { ...ANSWERS, email: 'other@example.com' };
    const application = { id: String(mended) };
    const other = { application, step: 1, answers, isComplete: false, version: 1 } as const;
    await store.write((db) => saveStep(db, other, NOON));
    expect(await deliver()).toEqual({ sent: 0, kept: 0, failed: 3 });
    expect(tally((await mails()).map((mail) => mail.last_error))).toEqual({ GONE: 1, MOVED: 2 });
    expect(await tokens()).toEqual([]);
  });

  it('lead to the sign-in once an account has taken the draft over', async () => {
    await addMarie();
    const row = await draft();
    await queue(row);
    await deliver();
    const token = await mailedToken();
    await queue(row, after(1));
    await store.write(async (db) => {
      await db.updateTable('applications').set({ user_id: USER }).execute();
      await endApplicationLinks(db, row.id, after(2));
    });
    expect(await follow(token)).toEqual({ leadsTo: 'signIn', id: row.id });
    expect((await mails()).map(({ state }) => state)).toEqual(['kept']);
    // Nor does the link open anything when the account goes and the application stays.
    await store.db.deleteFrom('users').execute();
    expect(await follow(token)).toEqual({ leadsTo: 'nothing' });
  });

  it('end without the mail about an order, which is sent all the same', async () => {
    const row = await draft();
    const order = { reference: 'TRV-1', amount: '69.95', number: '1' };
    const about = { to: ANSWERS.email, language: 'de', applicationId: row.id } as const;
    const mail = { kind: 'refundSent', ...about, parameters: order } as const;
    await store.write((db) => queueMail(db, mail, NOON));
    await queue(row);
    await store.write(async (db) => {
      await endApplicationLinks(db, row.id);
      await forgetMessagesOfApplication(db, row.id);
    });
    // What it must say is there still.
    expect(await mails()).toMatchObject([{ parameters_sealed: expect.any(String) as string }]);
    await deliver();
    expect(await mails()).toMatchObject([{ kind: 'refundSent', state: 'kept' }]);
  });

  it('let five of thirty tries at the same moment through', async () => {
    await queue(await draft());
    await deliver();
    const hash = hashOfToken(await mailedToken());
    const tries = await atOnce(30, (n) =>
      (n % 2 ? store : second).write((db) => takeTokenTry(db, hash, 5, NOON)),
    );
    expect(tries.filter((left) => left !== undefined).sort()).toEqual([0, 1, 2, 3, 4]);
    expect(await follow(await mailedToken())).toEqual({ leadsTo: 'nothing' });
  });
});
