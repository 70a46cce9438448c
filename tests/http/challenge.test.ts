import { randomUUID } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { makeRecoveryCodes } from '~/accounts/codes.server';
import { confirmFactor, enrollPhone, enrollTotp } from '~/accounts/factors.server';
import { writeDatabase } from '~/database.server';
import { bundles } from '~/i18n/bundles.server';
import type { Language } from '~/i18n/languages';
import { JOURNEY_LANGUAGES } from '../rounds';
import { authenticator, goalOf, PASSWORD, passwordHash, statusOf } from './accounts';
import { linkIn, mailsTo } from './inbox';
import { auditOf, site, withSite } from './known-site';
import { addPerson, signedIn, withSession } from './signed-in';
import { HtmlBrowser } from './html-browser';
import { expectRefused } from './told';
import { anyAddress, Visitor } from './visitor';

const PAGE = '/auth/challenge';
withSite(undefined, { clock: 'held' });

const timeOfSite = async () => new Date(await site.clock.now());

async function member({ phone, role }: { phone?: string; role?: 'agent' } = {}) {
  const at = await timeOfSite();
  const person = addPerson(site, {
    ...{ passwordHash: await passwordHash(), hasFactor: false, columns: { language_code: 'fr' } },
    ...(role && { role }),
  });
  const { id: userId, email } = person;
  return writeDatabase(async (db) => {
    const begun = { userId, friendlyName: 'A' };
    const factor = await (phone === undefined
      ? enrollTotp(db, { ...begun, email }, at)
      : enrollPhone(db, { ...begun, phone, country: 'FR', client: userId }, at));
    if (typeof factor === 'string') throw new Error(factor);
    await confirmFactor(db, { userId, factorId: factor.id }, at);
    const secret = 'secret' in factor ? factor.secret : '';
    return {
      ...person,
      factorId: factor.id,
      recoveryCodes: await makeRecoveryCodes(db, userId, at),
      visitor: signedIn(site, person, { aal: 1, at }),
      code: async () => authenticator(secret)(await site.clock.now()),
    };
  });
}

type Member = Awaited<ReturnType<typeof member>>;

let numbers = 10;
const someNumber = () => `+336123456${String((numbers += 1))}`;

const browserOf = ({ visitor }: Pick<Member, 'visitor'>, language: Language, address = PAGE) =>
  HtmlBrowser.open(site.origin, address, language, { session: visitor.cookie('session') });

const levelsOf = (id: string) => site.query('select aal from sessions where user_id = ?', id);
const actionsOf = (id: string) => auditOf(id).map(({ action }) => action);

describe.each(JOURNEY_LANGUAGES)('the second factor, in the language %s', (language) => {
  const words = bundles[language].factors;

  it('opens the account with a code, once it is right, and leads to where its owner wanted to go', async () => {
    const marie = await member();
    const reader = await browserOf(marie, language, '/auth/challenge?returnTo=/contact');
    expect(reader.heading).toBe(words.challenge.title);
    const before = reader.visitor.cookie('session');
    reader.fill(words.challenge.code, '12 34');
    await reader.press(words.challenge.submit, 'main');
    expectRefused(reader, words.errors.code.digits);
    expect(reader.valueOf(words.challenge.code)).toBe('12 34');
    const [first, second] = [(await marie.code()).slice(0, 3), (await marie.code()).slice(3)];
    reader.fill(words.challenge.code, `${first} ${second}`);
    await reader.press(words.challenge.submit, 'main');
    expect([reader.status, reader.address]).toEqual([200, '/contact']);
    expect(reader.visitor.cookie('session')).not.toBe(before);
    expect(levelsOf(marie.id)).toEqual([{ aal: 2 }]);
  });

  it('takes a recovery code in place of it, once, and says how many are left', async () => {
    const marie = await member();
    const typed = marie.recoveryCodes[0]?.toLowerCase().replace('-', ' ') ?? '';
    const reader = await browserOf(marie, language, '/auth/challenge?returnTo=/contact');
    reader.fill(words.recovery.code, typed);
    await reader.press(words.recovery.submit, 'main');
    expect(reader.address).toBe('/contact');
    expect(reader.announced('status')).toContain('9');
    expect(actionsOf(marie.id)).toContain('recovery_code.used');

    const again = await browserOf({ visitor: await signInAgain(marie) }, language);
    again.fill(words.recovery.code, typed);
    await again.press(words.recovery.submit, 'main');
    expectRefused(again, words.errors.recovery.wrong);
    expect(again.valueOf(words.recovery.code)).toBe(typed);
  });
});

/** A browser of the account that has seen the password only, unless its level is said. */
async function signInAgain(
  person: { id: string; email: string },
  { aal = 1, idleS = 0 }: { aal?: 1 | 2; idleS?: number } = {},
): Promise<Visitor> {
  return signedIn(site, person, { aal, at: new Date((await site.clock.now()) - idleS * 1000) });
}

const en = bundles.en.factors;
/** A code that is sent from an address of its own, unless one is said. */
function post(who: Pick<Member, 'visitor'>, fields: Record<string, string>, client = anyAddress()) {
  const copy = withSession(site, who.visitor.cookie('session'), { 'X-Forwarded-For': client });
  return copy.post(PAGE, fields);
}
const sent = (...form: Parameters<typeof post>) => statusOf(post(...form));

describe('a code', () => {
  it('is tried five times, then after a pause that grows', async () => {
    const marie = await member();
    const client = anyAddress();
    for (let tries = 0; tries < 5; tries += 1) {
      expect(await sent(marie, { code: '000000' }, client)).toBe(422);
    }
    const held = await post(marie, { code: await marie.code() }, client);
    expect([held.status, held.headers.get('Retry-After')]).toEqual([429, '15']);
    expect(actionsOf(marie.id).slice(-5)).toEqual(Array(5).fill('session.refused'));
    expect(await held.text()).toContain('15\u00a0seconds');
    await site.clock.pass(15_000);
    expect(await sent(marie, { code: await marie.code() }, client)).toBe(303);
  });

  it('goes to no phone of somebody else', async () => {
    const marie = await member();
    expect([await sent(marie, {}), await sent(marie, { intent: 'other' })]).toEqual([422, 400]);
    const { factorId: others } = await member({ phone: someNumber() });
    for (const factor of ['\u0000', others]) {
      expect(await sent(marie, { intent: 'send', factor })).toBe(400);
    }
  });

  it('is asked of nobody else', async () => {
    const RETURNING = `${PAGE}?returnTo=/contact`;
    const sentAway = await new Visitor(site.origin).get(RETURNING);
    expect(goalOf(sentAway)).toEqual([303, '/auth?returnTo=%2Fcontact']);
    const marie = await member();
    const before = withSession(site, marie.visitor.cookie('session'));
    const proof = { code: await marie.code(), returnTo: '//evil.example' };
    expect(goalOf(await marie.visitor.post(PAGE, proof))).toEqual([303, '/application-status']);
    expect(goalOf(await marie.visitor.get(RETURNING))).toEqual([303, '/contact']);
    expect(goalOf(await before.post(PAGE, { code: '000000' }))[1]).toMatch(/^\/auth/);
  });
});

it('a code by message is sent by a button, again after a minute, and opens the account', async () => {
  const number = someNumber();
  const marie = await member({ phone: number });
  const reader = await browserOf(marie, 'fr');
  const words = bundles.fr.factors;
  const ending = number.slice(-2);
  reader.fill(words.challenge.code, '123456');
  await reader.press(words.challenge.submit, 'main');
  expectRefused(reader, words.errors.code.late);
  await reader.press(words.phone.send.replace('{{phone}}', ending), 'main');
  expect(reader.text).toContain(words.phone.sent.replace('{{phone}}', ending));
  await reader.press(words.phone.again.replace('{{phone}}', ending), 'main');
  expect([reader.status, reader.headers.get('Retry-After')]).toEqual([429, '60']);
  const [message] = await mailsTo(site, number);
  reader.fill(words.challenge.code, /\d{6}/.exec(message?.text ?? '')?.[0] ?? '');
  await reader.press(words.challenge.submit, 'main');
  expect(levelsOf(marie.id)).toEqual([{ aal: 2 }]);
});

async function waiting(): Promise<Member> {
  const marie = await member();
  const at = (await timeOfSite()).toISOString();
  site.execute(`insert into factor_removals (id, user_id, requested_at, due_at, noticed_at)
    values ('${randomUUID()}', '${marie.id}', '${at}', '2099-01-01T00:00:00.000Z', '${at}')`);
  return marie;
}
const isWaiting = ({ id }: Member) =>
  site.query('select * from factor_removals where user_id = ?', id).length > 0;

describe('the way back without a factor', () => {
  it('begins with a link by mail, and ends with one', async () => {
    const marie = await member();
    const reader = await browserOf(marie, 'en');
    await reader.follow(en.recovery.lost);
    expect(reader.heading).toBe(en.lost.title);
    await reader.press(en.lost.send, 'main');
    expect(reader.heading).toBe(en.lost.sent.title);
    const linkTo = async (mails: number) =>
      linkIn((await mailsTo(site, marie.email, mails))[0], '/auth/lost-factor');
    const { lost } = bundles.fr.factors;
    const link = await linkTo(1);
    const anywhere = await HtmlBrowser.open(site.origin, link, 'en');
    const told = () => [anywhere.heading, isWaiting(marie)];
    expect(told()).toEqual([lost.confirm.title, false]);
    await anywhere.press(lost.confirm.submit, 'main');
    expect(told()).toEqual([lost.started.title, true]);
    await anywhere.go(link);
    expect([anywhere.status, ...told()]).toEqual([410, lost.gone.title, true]);

    await anywhere.go(await linkTo(2));
    expect(isWaiting(marie)).toBe(true);
    await anywhere.press(lost.cancel.submit, 'main');
    expect(told()).toEqual([lost.cancelled.title, false]);
  });

  it('ends when somebody goes on in a session that has seen the factor, and in no other', async () => {
    const marie = await waiting();
    const pages = ['/', '/auth/challenge', '/auth/lost-factor'];
    const withPassword = await signInAgain(marie, { idleS: 61 });
    for (const page of pages) await withPassword.get(page);
    await withPassword.post('/auth/lost-factor', { intent: 'ask' });
    expect(isWaiting(marie)).toBe(true);
    await (await signInAgain(marie, { aal: 2, idleS: 61 })).get('/auth/security');
    expect(isWaiting(marie)).toBe(false);
    expect(actionsOf(marie.id).filter((one) => one === 'factor_removal.cancelled')).toHaveLength(1);
  });

  it('ends when a code is given, at sign-in or on the security page', async () => {
    const [marie, other] = [await waiting(), await waiting()];
    expect(await sent(marie, { code: await marie.code() })).toBe(303);
    expect(isWaiting(marie)).toBe(false);
    const visitor = await signInAgain(other, { aal: 2 });
    const fields = { intent: 'recovery-codes', password: PASSWORD };
    const give = (code: string) => statusOf(visitor.post('/auth/security', { ...fields, code }));
    expect([await give('000000'), isWaiting(other)]).toEqual([422, true]);
    expect([await give(await other.code()), isWaiting(other)]).toEqual([200, false]);
  });

  it('is not for staff, who ask an admin', async () => {
    const agent = await member({ role: 'agent' });
    expect((await browserOf(agent, 'en', '/auth/lost-factor')).text).toContain(en.lost.staff);
    await agent.visitor.post('/auth/lost-factor', { intent: 'ask' });
    const sent = "select * from outbox where kind = 'recoverFactor' and user_id = ?";
    expect(site.query(sent, agent.id)).toEqual([]);
  });
});
