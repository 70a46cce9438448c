import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { addDays, subMinutes } from 'date-fns';
import { describe, expect, it } from 'vitest';

import { saveStep } from '~/applications/answers.server';
import { writeDatabase } from '~/database.server';
import { officialNumberOf, sealOfficialNumber } from '~/desk/official-fee.server';
import { reopenTasksFor } from '~/desk/tasks.server';
import { bundles } from '~/i18n/bundles.server';
import { type Language, LANGUAGES } from '~/i18n/languages';
import { addCase, PASSPORT_LINES } from '../cases';
import { FULL } from '../domain/application/full';
import { firstLine } from '../domain/application/specimen';
import { startSite } from '../production-server';
import { JOURNEY_LANGUAGES, someOf } from '../rounds';
import { plain } from './html';
import { mailsTo } from './inbox';
import {
  agent,
  anyEmail,
  auditOf,
  boss,
  browser,
  desk,
  KEYS,
  other,
  rowOf,
  sendForm,
  setApplication,
  site,
  withSite,
} from './known-site';
import type { Reader } from './reader';
import { addPerson } from './signed-in';
import { endsWithTest } from './site';
import { expectDone, expectRefused } from './told';

withSite();

const { fields, buttons, guards, problems, outcomes, lines } = bundles.en['desk-work'];
const path = (id: string) => `/crm/processing/${id}`;
const tasksOf = (id: string) =>
  site.query('select * from application_tasks where application_id = ? order by kind', id);
const done = (id: string): Record<string, string> =>
  Object.fromEntries(tasksOf(id).map(({ kind, state }) => [String(kind), String(state)]));

type Options = Parameters<typeof addCase>[0];
const inReview = ({ set, ...options }: Partial<Options> = {}) =>
  addCase({ ...options, set: { state: 'in_review', assigned_to: agent.id, ...set } });
const checked = (options: Partial<Options> = {}) =>
  inReview({ ...options, set: { state: 'checked', checked_by: agent.id } });

/** Types the lines on their page. */
async function typeLines(reader: Reader, id: string, typed: object = {}): Promise<void> {
  const { line1, line2 } = { ...PASSPORT_LINES, ...typed };
  await reader.go(`${path(id)}/lines`);
  reader.fill(fields.line1, line1);
  reader.fill(fields.line2, line2);
  await reader.press(buttons.compare);
}

/** Ticks off tasks on the page of their case. */
async function tick(reader: Reader, id: string, kinds: string[], note?: string): Promise<void> {
  await reader.go(path(id));
  for (const one of kinds) {
    const task = `task-${String(tasksOf(id).find(({ kind }) => kind === one)?.['id'])}`;
    reader.within = task;
    if (note !== undefined) reader.fill(fields.noteHow, note);
    const place = reader.page.all('li').find((item) => item.get('id') === task);
    await reader.press(place?.all('button')[0]?.text ?? '');
    reader.within = undefined;
  }
}

it('a case is entered by another agent than who checked it, filed and decided, each by a whole form', async () => {
  const said = bundles.en['desk-case'].done;
  const { mails } = bundles.en.mail;
  const email = anyEmail();
  const { id, reference } = await checked({ order: { email } });
  const reader = await desk(other, path(id));
  await sendForm(reader, id, { intent: 'enter', official_number: 'x' });
  expectRefused(reader, guards.officialNumberGiven);
  expect(reader.valueOf(fields.official_number)).toBe('x');
  reader.fill(fields.official_number, '8vr3 n1xk 20aa');
  await reader.press(buttons.enter);
  // Nothing counts before the number was read once more; whoever sees a mistake keeps the text.
  expect(reader.text).toContain('8VR3 N1XK 20AA');
  await reader.press(buttons.change);
  expect(reader.valueOf(fields.official_number)).toBe('8vr3 n1xk 20aa');
  expect(rowOf(id)).toMatchObject({ state: 'checked', official_number_sealed: null });
  reader.fill(fields.official_number, '8vr3 n1xk 20ab');
  await reader.press(buttons.enter);
  await reader.press(buttons.confirmEntry);
  expectDone(reader, said.enter);
  const entered = rowOf(id);
  const by = { assigned_to: other.id, filed_by: other.id, checked_by: agent.id };
  const pay_by = addDays(new Date(String(entered['entered_at'])), 7).toISOString();
  expect(entered).toMatchObject({ state: 'fee_due', ...by, pay_by });
  expect(reader.text).toContain('8VR3N1XK20AB');
  const [due] = await mailsTo(site, email);
  expect(due?.text).toContain(reference);
  expect(due?.text).not.toContain('8VR3');
  expect(due?.links).toContain('https://esta.cbp.dhs.gov/');

  await reader.press(buttons.file);
  expectRefused(reader, guards.officialPaymentSeen);
  reader.tick(fields.official_paid);
  await reader.press(buttons.file);
  expectDone(reader, said.file);

  reader.choose(fields.outcome, outcomes.approved);
  await reader.press(buttons.outcome);
  expectRefused(reader, guards.validUntilGiven);
  reader.fill(fields.valid_until, addDays(new Date(), 700).toISOString().slice(0, 10));
  await reader.press(buttons.outcome);
  // Nothing has happened before it is confirmed.
  expect([reader.status, rowOf(id)['state']]).toEqual([200, 'filed']);
  await reader.press(buttons.confirm.replace('{{what}}', outcomes.approved));
  expectDone(reader, said.outcome);
  // Without detail: the same words for either outcome.
  expect(mails.approved).toEqual(mails.notAuthorized);
});

describe('the printed lines', () => {
  it('are compared to the letter as they are typed, and again when the case is checked', async () => {
    const { id } = await inReview();
    const reader = await desk(agent, path(id));
    const wrong = PASSPORT_LINES.line2.replace('12AB34567', '12AB34561');
    await typeLines(reader, id, { line2: wrong });
    // A check digit is wrong: they are not kept.
    expect([reader.status, reader.valueOf(fields.line2)]).toEqual([422, wrong]);
    expect(tasksOf(id).every(({ typed_sealed }) => typed_sealed === null)).toBe(true);
    await typeLines(reader, id, { line1: firstLine('FRA', 'DUPOND', 'MARIE') });
    expectDone(reader, lines.differs);
    expect(reader.text).toContain('The first difference is at character 6');
    await tick(reader, id, ['nationalities', 'photo']);
    expectDone(reader, bundles.en['desk-case'].done.task);
    await reader.press(buttons.check);
    expectRefused(reader, guards.tasksDone);

    await typeLines(reader, id);
    expectDone(reader, lines.same);
    // Behind the back of whoever should have opened the tasks again.
    setApplication(id, { state: 'draft' });
    const answers = { ...FULL[1], last_name: 'Dupond' };
    const step = { application: { id }, step: 1, answers, isComplete: true, version: 2 } as const;
    await writeDatabase((db) => saveStep(db, step, new Date()));
    setApplication(id, { state: 'in_review' });
    expect(done(id)['lines']).toBe('done');
    await reader.go(path(id));
    await reader.press(buttons.check);
    expect([reader.status, rowOf(id)['state']]).toEqual([422, 'in_review']);
    // Another photo: they are typed from it anew.
    await writeDatabase((db) => reopenTasksFor(db, id, 'passport_photo', new Date()));
    expect(tasksOf(id)[0]).toMatchObject({ kind: 'lines', state: 'open', typed_sealed: null });
  });

  it('cannot be typed without a photo, and the traveller is asked', async () => {
    const { id } = await inReview({ hasPhoto: false });
    const reader = await desk(agent, `${path(id)}/lines`);
    expect(reader.text).toContain(plain(lines.noPhoto));
    expect(reader.links(buttons.ask)).toEqual([`${path(id)}#requests`]);
    await sendForm(reader, id, { ...PASSPORT_LINES, task_version: '1' });
    expect(reader.status).toBe(422);
    expect(done(id)['lines']).not.toBe('done');
  });

  it.each([
    ['paid', 'notBegun'],
    ['action_required', 'waits'],
    ['checked', 'over'],
  ] as const)(
    'of a case that is %s are not typed, and its agent reads why: %s',
    async (state, why) => {
      const { id } = await inReview({ set: { state } });
      for (const language of someOf(LANGUAGES, 1)) {
        const { closed } = bundles[language]['desk-work'].lines;
        const holder = await desk(agent, `${path(id)}/lines`, language);
        expect(holder.text).toContain(plain(closed[why]));
        expect(holder.text).not.toContain(plain(closed.others));
      }
    },
  );
});

it('a warning is done with a note alone, and opened again with its answer', async () => {
  const { id } = await inReview({ changes: { 7: { q_overstay: 'yes' } } });
  const reader = await desk(agent, path(id));
  await tick(reader, id, ['warning']);
  expect([reader.status, done(id)['warning']]).toEqual([422, 'open']);
  await tick(reader, id, ['warning'], 'Asked by telephone: a mistake.');
  expect(done(id)['warning']).toBe('done');
  expect(reader.text).toContain('Asked by telephone');
  expect(auditOf(id).find(({ action }) => action === 'task.done')?.details).toEqual({
    kind: 'warning',
    subject: 'q_overstay:ineligible',
  });
  await writeDatabase((db) => reopenTasksFor(db, id, 'q_overstay', new Date()));
  expect(done(id)['warning']).toBe('open');
});

describe('moves', () => {
  it('who typed its lines does not enter it, whoever says that it is checked', async () => {
    const { id } = await inReview();
    const first = await desk(agent, path(id));
    await typeLines(first, id);
    await tick(first, id, ['nationalities', 'photo']);
    setApplication(id, { assigned_to: other.id });
    const second = await desk(other, path(id));
    await second.press(buttons.check);
    expect(rowOf(id)).toMatchObject({ state: 'checked', checked_by: other.id });
    await first.go(path(id));
    expect(first.text).toContain(plain(guards.notChecker));
    const number = { official_number: '8VR3N1XK20AB', confirm: 'yes' };
    await sendForm(first, id, { intent: 'enter', ...number });
    expect([first.status, rowOf(id)['state']]).toEqual([422, 'checked']);
  });

  it('a checked case is sent back with a reason, to who checked it', async () => {
    const { id } = await checked();
    const reader = await desk(other, path(id));
    await sendForm(reader, id, { intent: 'send_back' });
    expectRefused(reader, guards.reasonGiven);
    expect(rowOf(id)['state']).toBe('checked');
    reader.fill(fields.reason, 'The photo is of somebody else.');
    await reader.press(buttons.send_back);
    const sentBack = { state: 'in_review', assigned_to: agent.id, checked_by: null };
    expect(rowOf(id)).toMatchObject(sentBack);
    expect(site.query('select id from notes where application_id = ?', id)).toHaveLength(1);
  });

  it('what was not authorized says what it means, and a supervisor corrects it with a reason', async () => {
    const [email, token] = [anyEmail(), randomUUID()];
    const set = { state: 'filed', filed_at: new Date().toISOString() } as const;
    const { id } = await inReview({ order: { email, token }, set });
    const reader = await desk(agent, path(id));
    reader.choose(fields.outcome, outcomes.not_authorized);
    await reader.press(buttons.outcome);
    await reader.press(buttons.confirm.replace('{{what}}', outcomes.not_authorized));
    expect(rowOf(id)).toMatchObject({ state: 'not_authorized', valid_until: null });
    const traveller = await browser(`/application/${id}/overview`, [{ id, token }]);
    const { link } = bundles.en['application-progress'].notAuthorized;
    expect(traveller.links(link, 'main')[0]).toContain('travel.state.gov');

    const supervisor = await desk(boss, `${path(id)}?reason=complaint`);
    supervisor.choose(fields.goal, outcomes.filed);
    await sendForm(supervisor, id, { intent: 'correct', goal: 'filed' });
    expectRefused(supervisor, guards.reasonGiven);
    supervisor.fill(fields.reason, 'Another application was meant.');
    await supervisor.press(buttons.correct);
    expect(rowOf(id)).toMatchObject({ state: 'filed', decided_at: null });
    const mails = await mailsTo(site, email, 2);
    expect(mails[0]?.subject).toBe(plain(bundles.en.mail.mails.corrected.subject));
  });

  it('without a second person and with the fee paid by us, one agent checks, enters and files', async () => {
    const settings = join(dirname(site.databaseFile), 'alone.json');
    writeFileSync(settings, JSON.stringify({ fourEyes: false, officialFee: 'operator' }));
    const own = { DATABASE_URL: `file:${site.databaseFile}`, SITE_CONFIG: settings };
    const alone = endsWithTest(await startSite({ ...KEYS, ...own }));
    const { id } = await checked();
    const reader = await desk(agent, path(id), 'en', { ...site, origin: alone.origin });
    reader.fill(fields.official_number, '8VR3N1XK20AB');
    await reader.press(buttons.enter);
    expect([reader.status, rowOf(id)['state']]).toEqual([422, 'checked']);
    reader.tick(fields.official_paid);
    await reader.press(buttons.enter);
    await reader.press(buttons.confirmEntry);
    expect(rowOf(id)).toMatchObject({ state: 'filed', pay_by: null, filed_by: agent.id });
    const moved = auditOf(id).find(({ action }) => action === 'application.moved');
    expect(moved?.details).toMatchObject({ event: 'enter', fourEyes: false });
  });
});

const [WRONG, RIGHT, REASON] = ['8VR3N1XK20AA', '8VR3N1XK20AB', 'An A for a B.'];
const numberOf = (id: string) =>
  officialNumberOf(rowOf(id) as unknown as Parameters<typeof officialNumberOf>[0]);
const mailed = (id: string) => site.query('select id from outbox where application_id = ?', id);

/** Entered with a wrong number by `other`, some minutes ago. */
async function entered(minutes = 1, state = 'fee_due', language: Language = 'en') {
  const email = anyEmail();
  const { id } = await checked({ order: { email, language } });
  setApplication(id, {
    state,
    assigned_to: other.id,
    filed_by: other.id,
    entered_at: subMinutes(new Date(), minutes).toISOString(),
    pay_by: addDays(new Date(), 7).toISOString(),
    official_number_sealed: sealOfficialNumber(id, WRONG),
  });
  return { id, email };
}

describe('a wrong official number', () => {
  it.each(JOURNEY_LANGUAGES)(
    'is corrected by a supervisor, and the traveller gets the right one, in %s',
    async (language) => {
      const { fields, buttons } = bundles[language]['desk-work'];
      for (const state of ['fee_due', 'filed']) {
        const { id, email } = await entered(60, state, language);
        const supervisor = await desk(boss, `${path(id)}?reason=complaint`, language);
        supervisor.within = 'move-correct_number';
        supervisor.fill(fields.right_number, '8vr3 n1xk 20ab');
        supervisor.fill(fields.reason, REASON);
        await supervisor.press(buttons.correct_number);
        supervisor.within = undefined;
        expect(supervisor.text).toContain('8VR3 N1XK 20AB');
        expect(numberOf(id)).toBe(WRONG);
        await supervisor.press(buttons.change);
        expect(supervisor.valueOf(fields.reason)).toBe(REASON);
        await supervisor.press(buttons.correct_number);
        const { version } = rowOf(id);
        await supervisor.press(buttons.confirmNumber);
        expectDone(supervisor, bundles[language]['desk-case'].done.correct_number);
        expect(rowOf(id)).toMatchObject({ state, version: Number(version) + 1 });
        expect(numberOf(id)).toBe(RIGHT);
        const mails = await mailsTo(site, email);
        const subject = plain(bundles[language].mail.mails.numberCorrected.subject);
        const text = expect.stringContaining(RIGHT) as string;
        expect(mails).toMatchObject([{ subject, text }]);
        const corrected = auditOf(id).filter(({ action }) => action === 'case.corrected');
        expect(corrected).toMatchObject([{ by: boss.id, details: { field: 'official_number' } }]);
        expect(site.query('select id from notes where application_id = ?', id)).toHaveLength(1);
      }
      const kept = JSON.stringify(site.query('select details from audit_events'));
      for (const clear of [WRONG, RIGHT, REASON]) expect(kept + site.log()).not.toContain(clear);
    },
  );

  it.each([
    [9, 200, RIGHT, 1],
    [11, 403, WRONG, 0],
  ])(
    'is corrected by who entered it %d minutes ago: %d',
    async (minutes, status, number, mails) => {
      const { id } = await entered(minutes);
      const reader = await desk(other, path(id));
      expect(reader.html.includes('value="correct_number"')).toBe(status === 200);
      const typed = { official_number: RIGHT, reason: REASON, confirm: 'yes' };
      await sendForm(reader, id, { intent: 'correct_number', ...typed });
      expect([reader.status, numberOf(id), mailed(id).length]).toEqual([status, number, mails]);
    },
  );

  it('stays as it is where the number is the same, none, or without a reason', async () => {
    const { id } = await entered();
    const before = rowOf(id);
    for (const [official_number, reason, problem] of [
      [WRONG.toLowerCase(), REASON, problems.sameNumber],
      ['8VR3', REASON, guards.officialNumberGiven],
      [RIGHT, '', guards.reasonGiven],
    ] as const) {
      const reader = await desk(other, path(id));
      const typed = { official_number, reason, confirm: 'yes' };
      await sendForm(reader, id, { intent: 'correct_number', ...typed });
      expect([reader.status, reader.text]).toEqual([422, expect.stringContaining(plain(problem))]);
      expect(reader.valueOf(fields.right_number)).toBe(official_number);
    }
    expect([rowOf(id), mailed(id)]).toEqual([before, []]);
  });
});

it.each(['enter', 'correct_number'] as const)(
  'of two who %s at the same moment one does, and the other keeps what was typed',
  async (intent) => {
    const isNew = intent === 'enter';
    const { id } = isNew ? await checked() : await entered();
    const second = isNew ? addPerson(site, { role: 'agent' }) : boss;
    const both = [await desk(other, path(id)), await desk(second, `${path(id)}?reason=quality`)];
    for (const [n, one] of both.entries()) {
      one.within = `move-${intent}`;
      one.fill(isNew ? fields.official_number : fields.right_number, `NUMBER000${n}`);
      if (!isNew) one.fill(fields.reason, REASON);
      await one.press(buttons[intent]);
      one.within = undefined;
    }
    const confirm = isNew ? buttons.confirmEntry : buttons.confirmNumber;
    await Promise.all(both.map((one) => one.press(confirm)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [winner, loser] = both[0]?.status === 200 ? [0, 1] : [1, 0];
    expect([rowOf(id)['state'], numberOf(id)]).toEqual(['fee_due', `NUMBER000${winner}`]);
    expect(both[loser]?.announced('alert')).toContain(plain(problems.changed));
    expect(both[loser]?.text).toContain(`NUMBER000${loser}`);
    expect(mailed(id)).toHaveLength(1);
  },
);
