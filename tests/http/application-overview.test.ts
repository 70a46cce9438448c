import { randomUUID } from 'node:crypto';

import { addDays } from 'date-fns';
import { describe, expect, it } from 'vitest';

import { issueToken } from '~/accounts/one-time-tokens.server';
import { randomToken } from '~/accounts/tokens.server';
import { dayOf } from '~/clock.server';
import { writeDatabase, writeWithSecureDelete } from '~/database.server';
import { askForLooks } from '~/desk/official-fee.server';
import type { ApplicationState } from '~/domain/application/states';
import { bundles } from '~/i18n/bundles.server';
import { purge } from '../../operations/retention';
import { JOURNEY_LANGUAGES } from '../rounds';
import { contentOf, signedCookie } from '../signed-cookie';
import { typed } from '../domain/application/full';
import { goalOf, makeAccount, PASSWORD, signIn, statusOf } from './accounts';
import { sampleAnswers, sendAnswers, shownIn } from './application';
import { linkIn, mailsTo, tokenOf } from './inbox';
import {
  addDraft,
  anyEmail,
  boss,
  browser,
  desk,
  draftCookie,
  rowOf,
  sendForm,
  setApplication,
  site,
  withSite,
} from './known-site';
import { addPerson } from './signed-in';
import { Visitor } from './visitor';

withSite();

const MINE = '/application-status';
/** Answers that are found nowhere else: where they show, a page shows answers. */
const MARKERS = ['Zwiebelturm', 'Quittengasse', 'C01X00T47'];
const STEPS = {
  1: {
    ...{ phone: '+33 6 12 34 56 78', first_name: 'Marie', last_name: 'Zwiebelturm' },
    ...{ citizenship: 'FR', ...typed('date_of_birth', '1980-02-01') },
  },
  2: { passport_number: 'C01X00T47' },
  3: { address_line1: '1 Quittengasse', parent1_last_name: 'Zwiebelturm' },
  6: typed('arrival_date', '2027-03-01'),
};
const tasksOf = (id: string) =>
  site.query('select * from application_tasks where application_id = ?', id);
/** What a link to the application opens before the day of birth is given. */
const resumeOf = ({ id: applicationId, email: payload }: { id: string; email: string }) =>
  writeDatabase((db) =>
    issueToken(db, { purpose: 'resumeApplication', applicationId, payload }, new Date()),
  );
const expectNoAnswers = (text: string) => {
  for (const marker of MARKERS) expect(text.toLowerCase()).not.toContain(marker.toLowerCase());
};

const application = (whose: Parameters<typeof addDraft>[0] = {}) =>
  addDraft({ ...whose, steps: STEPS });

const overview = ({ id }: { id: string }) => `/application/${id}/overview`;

describe('my applications', () => {
  it('of an account are all there, the latest first, with the name', async () => {
    const person = addPerson(site);
    const first = await application({ userId: person.id });
    const second = await application({ userId: person.id, state: 'filed' });
    const strangers = await application();
    setApplication(first.id, { created_at: '2026-01-01T00:00:00.000Z' });
    const reader = await desk(person, MINE);
    const references = reader.page.all('article').map((one) => one.all('h2')[0]?.text);
    expect(references).toEqual([second.reference, first.reference]);
    for (const text of ['Zwiebelturm, Marie', 'With the US authorities', '1 Mar 2027'])
      expect(reader.text).toContain(text);
    expect(reader.text).not.toContain(strangers.reference);
    expect(reader.links('Continue with step 1 of 8')).toEqual([`/application/${first.id}/step-1`]);
  });

  it('of this browser are there without signing in, and name nobody', async () => {
    const own = await application();
    const reader = await browser(MINE, [own]);
    expect([reader.status, reader.address]).toEqual([200, MINE]);
    expect(reader.text).toContain(own.reference);
    expect(reader.text).toContain('France');
    expectNoAnswers(reader.text);
    const ways = ['/auth', '/auth/sign-up', '/application/status'];
    expect(reader.hrefs('main')).toEqual(expect.arrayContaining(ways));
  });

  it('name both photos that are missing', async () => {
    const { label } = bundles.en['application-states'].owner.photos;
    const paid = await application({ state: 'paid' });
    expect((await browser(MINE, [paid])).text).toContain(label);
  });

  it('leave out what a forged or old cookie names, which is never kept in an account', async () => {
    const own = await application();
    const other = await application({ userId: addPerson(site).id });
    const reader = await desk(addPerson(site), MINE);
    for (const cookie of [
      draftCookie({ id: own.id, token: randomToken() }, other),
      draftCookie({ id: own.id, resume: 'x' }),
      signedCookie('another secret of thirty-two chars!', 'draft', [own]),
    ]) {
      reader.visitor.setCookie('draft', cookie);
      expect(await statusOf(reader.visitor.post(MINE, { intent: 'keep', id: own.id }))).toBe(404);
      await reader.go(MINE);
      expect(reader.page.all('article')).toEqual([]);
    }
    expect(rowOf(own.id)).toMatchObject({ user_id: null });
  });

  it('of this browser are kept in an account by a button, each by its own', async () => {
    const [left, kept] = [await application(), await application()];
    const person = addPerson(site);
    const reader = await desk(person, '/about');
    reader.visitor.setCookie('draft', draftCookie(kept, left));
    await reader.send(MINE, { intent: 'keep', id: kept.id });
    expect(reader.announced('status')).toContain('Kept in your account');
    expect(rowOf(kept.id)).toMatchObject({ user_id: person.id, draft_token_hash: null });
    expect(rowOf(left.id)).toMatchObject({ user_id: null });
    expect(contentOf(reader.visitor.cookie('draft')).value).toMatchObject([{ id: left.id }]);
    await reader.press('Keep it in my account');
    expect(rowOf(left.id)).toMatchObject({ user_id: person.id });
    expect(reader.visitor.cookie('draft')).toBeUndefined();
  });
});

describe('an application of an address', () => {
  it.each<[string, string, string?]>([
    ['signs in', '/auth'],
    ['sets a new password by mail', '/auth/forgot', '/auth/reset'],
    ['confirms the address', '/auth/sign-up', '/auth/verify'],
  ])(
    'becomes its account’s once somebody %s, and not before; its browser opens it no more',
    async (_, first, second) => {
      const account = { isVerified: second === undefined };
      const isThere = first !== '/auth/sign-up';
      const email = isThere ? (await makeAccount(site, account)).email : anyEmail();
      const own = await application({ email: email.toUpperCase() });
      const visitor = new Visitor(site.origin);
      await visitor.post(first, { email, password: PASSWORD });
      if (second !== undefined) {
        const link = linkIn((await mailsTo(site, email))[0], second);
        expect(rowOf(own.id)).toMatchObject({ user_id: null });
        await visitor.post(second, { token: tokenOf(link), password: PASSWORD });
      }
      const user_id = site.query('select id from users where email = ?', email)[0]?.['id'];
      expect(rowOf(own.id)).toMatchObject({ user_id, draft_token_hash: null });
      expect((await visitor.get(overview(own))).status).toBe(200);
      expect((await browser(overview(own), [own])).status).toBe(404);
    },
  );

  it('stays as it is while the password is wrong, and until the second factor is given', async () => {
    const { email } = await makeAccount(site, { hasFactor: true });
    const own = await application({ email });
    await signIn(site, email, 'en', 'eine andere als die richtige');
    expect(rowOf(own.id)).toMatchObject({ user_id: null });
    expect((await signIn(site, email)).cookie('session')).toBeDefined();
    expect(rowOf(own.id)).toMatchObject({ user_id: null });
  });
});

describe('the ticket of an application', () => {
  it.each(JOURNEY_LANGUAGES)('says its state, and shows no answers, in %s', async (language) => {
    const own = await application();
    const reader = await browser(overview(own), [own], language);
    expect(reader.heading).toBe(bundles[language]['application-states'].owner.draft.title);
    expect(reader.text).toContain(own.reference);
    expectNoAnswers(reader.html);
    const steps = reader.page.all('li').filter((one) => one.get('aria-current') === 'step');
    expect(steps).toHaveLength(2);
  });

  it.each<[ApplicationState, ('delete' | 'cancel')?]>([
    ['awaiting_payment', 'delete'],
    ['in_review', 'cancel'],
    ['action_required', 'cancel'],
    ['fee_due', 'cancel'],
    ['filed'],
    ['approved', 'delete'],
    ['expired', 'delete'],
  ])('of one that is %s offers what can be done with it', async (state, way) => {
    const own = await application({ state });
    const reader = await browser(overview(own), [own]);
    expect(reader.status).toBe(200);
    expect(/(Delete|Cancel) this application/.exec(reader.text)?.[1]?.toLowerCase()).toBe(way);
  });

  it('opened by a link without the date of birth shows state and dates, and asks for it', async () => {
    const own = await application();
    const reader = await browser(overview(own), [{ id: own.id, resume: await resumeOf(own) }]);
    expect(reader.heading).toBe('Your application is a draft');
    expectNoAnswers(reader.html);
    const more = /Continue with|Add another|Delete|\/step-|\/border|\/passport-photo/;
    expect(/<main[^]*<\/main>/.exec(reader.html)?.[0]).not.toMatch(more);
    const form = reader.page.all('form').find((one) => one.get('action') === '/application/resume');
    const names = form?.all('input').map((one) => one.get('name'));
    expect(names).toEqual(['token', ...Object.keys(typed('date_of_birth', ''))]);
    for (const intent of ['another', 'delete', 'cancel']) {
      const sent = await reader.visitor.post(overview(own), { intent, confirm: 'yes' });
      expect(sent.status).toBe(404);
    }
    expect(rowOf(own.id)).toMatchObject({ state: 'draft' });
    reader.fill('Day', '27');
    await reader.press('Deutsch', 'header');
    expect([reader.status, reader.valueOf('Tag')]).toEqual([200, '27']);
    await reader.go('/application/new');
    expect(reader.hrefs('main')).not.toContain(`/application/${own.id}/step-1`);
  });

  it('of another, an unknown one, one that an account has taken: the same page, without data', async () => {
    const [own, another] = [await application(), await application()];
    const taken = await application({ userId: addPerson(site).id });
    const pages = new Set<string>();
    for (const one of [another, { id: randomUUID() }, taken, { id: 'nonsense' }]) {
      const reader = await browser(overview(one), [own, taken]);
      expect(reader.status).toBe(404);
      expect(reader.title).toContain(bundles.en.application.closed.title);
      pages.add(reader.text);
      for (const { reference } of [another, taken]) expect(reader.html).not.toContain(reference);
    }
    expect([pages.size, (await desk(addPerson(site), overview(taken))).status]).toEqual([1, 404]);
  });
});

it.each([
  ['still', 'lookApproved'],
  ['changed', 'lookChanged'],
] as const)(
  'a look before departure is ticked, outlives the answers, is told as %s, and goes after arrival',
  async (is, mail) => {
    const now = new Date();
    const after = (days: number) => addDays(now, days);
    const arrival = dayOf(after(40));
    const own = await application({ state: 'approved' });
    const [at, noticed_at] = [now.toISOString(), now.toISOString()];
    setApplication(own.id, { travel_date: arrival, closed_at: at, due_at: at, noticed_at });
    setApplication(own.id, { assigned_to: boss.id });
    const { look } = bundles.en['application-progress'].approved;
    const resume = await resumeOf(own);
    expect((await browser(overview(own), [{ id: own.id, resume }])).text).not.toContain(look.box);
    const reader = await browser(overview(own), [own]);
    const wish = async () => {
      reader.tick(look.box);
      await reader.press(look.save);
      expect(rowOf(own.id)).toMatchObject({ look_on: arrival });
    };
    await wish();
    await reader.press(look.stop);
    expect(rowOf(own.id)).toMatchObject({ look_on: null, birth_sealed: null });
    await wish();
    await purge('cases', writeWithSecureDelete, after(31));
    const gone = { citizenship: null, travel_date: null, person_index: null };
    expect(rowOf(own.id)).toMatchObject({ ...gone, look_on: arrival });
    expect(
      site.query('select * from application_answers where application_id = ?', own.id),
    ).toEqual([]);
    expect(await askForLooks(writeWithSecureDelete, after(34))).toEqual({ 'look tasks': 0 });
    expect(await askForLooks(writeWithSecureDelete, after(35))).toEqual({ 'look tasks': 1 });
    const { fields, looks, buttons, tasks } = bundles.en['desk-work'];
    expect((await desk(boss, '/crm/dashboard')).text).toContain(own.reference);
    const staff = await desk(boss, `/crm/processing/${own.id}`);
    for (const text of ['C01X00T47', '1 February 1980']) expect(staff.text).toContain(text);
    await staff.press(`${buttons.task} ${tasks.look.title}`);
    expect(staff.status).toBe(422);
    staff.choose(fields.look, looks[is]);
    await staff.press(`${buttons.task} ${tasks.look.title}`);
    const subjects = (await mailsTo(site, own.email)).map(({ subject }) => subject);
    expect(subjects).toEqual([bundles.en.mail.mails[mail].subject]);
    const [{ id: task, version } = {}] = tasksOf(own.id);
    const again = { intent: 'reopen-task', task: String(task), task_version: String(version) };
    await sendForm(staff, own.id, again);
    expect(staff.status).toBe(400);
    await purge('cases', writeWithSecureDelete, after(40));
    expect(rowOf(own.id)).toMatchObject({ look_on: arrival });
    await purge('cases', writeWithSecureDelete, after(41));
    const empty = { look_on: null, birth_sealed: null, name_sealed: null, email_sealed: null };
    expect(rowOf(own.id)).toMatchObject({ ...empty, passport_sealed: null });
    expect(tasksOf(own.id)).toEqual([]);
  },
);

describe('what cannot be taken back', () => {
  it('is asked once more: a draft is deleted by the second press', async () => {
    const own = await application();
    const reader = await browser(overview(own), [own]);
    await reader.press('Delete this application', 'main');
    expect(reader.heading).toBe('Delete this application?');
    expect(rowOf(own.id)['id']).toBe(own.id);
    await reader.follow('Keep it');
    await reader.press('Delete this application', 'main');
    await reader.press('Delete for good');
    expect(reader.address).toBe(MINE);
    expect(reader.announced('status')).toContain('Application deleted');
    expect([rowOf(own.id), reader.visitor.cookie('draft')]).toEqual([{}, undefined]);
  });

  it('is asked where it can be done, and done nowhere else', async () => {
    const own = await application({ state: 'filed' });
    const reader = await browser(`${overview(own)}?ask=delete`, [own]);
    expect(reader.heading).toBe('Your application is with the US authorities');
    for (const intent of ['delete', 'cancel']) {
      const sent = reader.visitor.post(overview(own), { intent, confirm: 'yes' });
      expect(goalOf(await sent)).toEqual([303, overview(own)]);
    }
    expect(rowOf(own.id)).toMatchObject({ state: 'filed' });
    setApplication(own.id, { state: 'in_review' });
    await reader.go(overview(own));
    await reader.follow('Cancel this application', 'main');
    await reader.press('Cancel the application');
    expect(reader.heading).toBe('This application was cancelled');
    expect(rowOf(own.id)).toMatchObject({ state: 'cancelled' });
  });
});

it('another traveller finds in the form what both have in common, and belongs to the same account', async () => {
  const person = addPerson(site);
  const reader = await desk(person, '/application/new/step-1');
  await sendAnswers(reader, sampleAnswers(1));
  await reader.go(MINE);
  await reader.press('Add another traveller');
  expect(reader.announced('status')).toContain('Application for the next traveller');
  const { email, postal_code } = sampleAnswers(1);
  const own = { first_name: '', last_name: '', 'date_of_birth.year': '', city_of_birth: '' };
  const known = { email, postal_code, ...own };
  expect(shownIn(reader, Object.keys(known))).toEqual(known);
  const id = reader.address.split('/')[2] ?? '';
  expect(rowOf(id)).toMatchObject({ user_id: person.id, draft_token_hash: null });
  expect(reader.visitor.cookie('draft')).toBeUndefined();
});
