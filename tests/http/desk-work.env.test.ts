import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { addDays } from 'date-fns';
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
  boss,
  browser,
  desk,
  KEYS,
  other,
  rowOf,
  site,
  withSite,
} from './known-site';
import type { Reader } from './reader';
import { addPerson } from './signed-in';

withSite();

const path = (id: string) => `/crm/processing/${id}`;
const tasksOf = (id: string) =>
  site.query('select * from application_tasks where application_id = ? order by kind', id);
const done = (id: string): Record<string, string> =>
  Object.fromEntries(tasksOf(id).map(({ kind, state }) => [String(kind), String(state)]));

const inReview = (options: Parameters<typeof addCase>[0] = {}) =>
  addCase({ ...options, set: { state: 'in_review', assigned_to: agent.id, ...options.set } });
const checked = (options: Parameters<typeof addCase>[0] = {}) =>
  addCase({
    ...options,
    set: { state: 'checked', assigned_to: agent.id, checked_by: agent.id, ...options.set },
  });

/** Types the lines on their page. */
async function typeLines(reader: Reader, id: string, lines = PASSPORT_LINES): Promise<void> {
  const { fields, buttons } = bundles.en['desk-work'];
  await reader.go(`${path(id)}/lines`);
  reader.fill(fields.line1, lines.line1);
  reader.fill(fields.line2, lines.line2);
  await reader.press(buttons.compare);
}

/** Ticks off a task on the page of its case. */
async function tick(reader: Reader, id: string, kind: string, note?: string): Promise<void> {
  await reader.go(path(id));
  const task = tasksOf(id).find((one) => one['kind'] === kind);
  reader.within = `task-${String(task?.['id'])}`;
  if (note !== undefined) reader.fill(bundles.en['desk-work'].fields.noteHow, note);
  const [button] = reader.page
    .all('li')
    .filter((one) => one.get('id') === reader.within)
    .flatMap((one) => one.all('button'));
  await reader.press(button?.text ?? '');
  reader.within = undefined;
}

it.each(JOURNEY_LANGUAGES)(
  'in %s a case is checked, entered by another agent, filed and approved, without a script',
  async (language) => {
    const words = bundles[language]['desk-work'];
    const said = bundles[language]['desk-case'].done;
    const mails = bundles[language].mail.mails;
    const email = anyEmail();
    const { id, reference } = await inReview({ order: { email, language } });
    const reader = await desk(agent, path(id), language);
    expect(Object.keys(done(id))).toEqual(['lines', 'nationalities', 'photo']);
    await reader.press(words.buttons.check);
    expect(reader.status).toBe(422);
    expect(reader.announced('alert')).toContain(plain(words.guards.tasksDone));

    // The lines: nothing of the answers is on the page before they are typed.
    await reader.follow(words.buttons.lines);
    expect(reader.heading).toBe(plain(words.lines.title));
    for (const secret of ['Dupont', 'DUPONT', '12AB34567', '1990']) {
      expect(reader.text).not.toContain(secret);
    }
    reader.fill(words.fields.line1, PASSPORT_LINES.line1);
    reader.fill(words.fields.line2, PASSPORT_LINES.line2);
    await reader.press(words.buttons.compare);
    expect([reader.status, reader.announced('status')]).toEqual([200, plain(words.lines.same)]);
    expect(reader.text).toContain('Dupont');
    await reader.follow(words.buttons.back);
    for (const kind of ['nationalities', 'photo'] as const) {
      reader.within = `task-${String(tasksOf(id).find((one) => one['kind'] === kind)?.['id'])}`;
      await reader.press(`${words.buttons.task} ${words.tasks[kind].title}`);
      reader.within = undefined;
      expect(reader.announced('status')).toBe(plain(said.task));
    }
    expect(new Set(Object.values(done(id)))).toEqual(new Set(['done']));
    await reader.press(words.buttons.check);
    expect([reader.status, reader.announced('status')]).toEqual([200, plain(said.check)]);
    expect(rowOf(id)).toMatchObject({ state: 'checked', checked_by: agent.id });
    // Four eyes: who checked it does not enter it.
    expect(reader.text).toContain(plain(words.guards.notChecker));

    const second = await desk(other, path(id), language);
    const version = String(rowOf(id)['version']);
    await second.send(path(id), { intent: 'enter', version, official_number: 'x' });
    expect(second.status).toBe(422);
    expect(second.announced('alert')).toContain(plain(words.guards.officialNumberGiven));
    expect(second.valueOf(words.fields.official_number)).toBe('x');
    second.fill(words.fields.official_number, '8vr3 n1xk 20aa');
    await second.press(words.buttons.enter);
    // Nothing counts before the number was read once more; whoever sees a mistake keeps the text.
    expect([second.status, rowOf(id)['state']]).toEqual([200, 'checked']);
    expect(second.text).toContain('8VR3 N1XK 20AA');
    await second.press(words.buttons.change);
    expect(second.valueOf(words.fields.official_number)).toBe('8vr3 n1xk 20aa');
    expect(rowOf(id)).toMatchObject({ state: 'checked', official_number_sealed: null });
    second.fill(words.fields.official_number, '8vr3 n1xk 20ab');
    await second.press(words.buttons.enter);
    await second.press(words.buttons.confirmEntry);
    expect([second.status, second.announced('status')]).toEqual([200, plain(said.enter)]);
    const entered = rowOf(id);
    const by = { assigned_to: other.id, filed_by: other.id, checked_by: agent.id };
    expect(entered).toMatchObject({ state: 'fee_due', ...by });
    expect(String(entered['official_number_sealed'])).not.toContain('8VR3');
    expect(second.text).toContain('8VR3N1XK20AB');
    const days =
      new Date(String(entered['pay_by'])).getTime() - Date.parse(String(entered['entered_at']));
    expect(days).toBe(7 * 24 * 60 * 60 * 1000);
    const [due] = await mailsTo(site, email);
    expect(due?.subject).toBe(plain(mails.feeDue.subject));
    expect(due?.text).toContain(reference);
    expect(due?.text).not.toContain('8VR3');
    expect(due?.links).toContain('https://esta.cbp.dhs.gov/');

    await second.press(words.buttons.file);
    expect(second.status).toBe(422);
    expect(second.announced('alert')).toContain(plain(words.guards.officialPaymentSeen));
    second.tick(words.fields.official_paid);
    await second.press(words.buttons.file);
    expect(second.announced('status')).toBe(plain(said.file));
    expect(rowOf(id)).toMatchObject({ state: 'filed' });

    second.choose(words.fields.outcome, words.outcomes.approved);
    await second.press(words.buttons.outcome);
    expect(second.status).toBe(422);
    expect(second.announced('alert')).toContain(plain(words.guards.validUntilGiven));
    const until = addDays(new Date(), 700).toISOString().slice(0, 10);
    second.fill(words.fields.valid_until, until);
    await second.press(words.buttons.outcome);
    // Nothing has happened before it is confirmed.
    expect([second.status, rowOf(id)['state']]).toEqual([200, 'filed']);
    await second.press(words.buttons.confirm.replace('{{what}}', words.outcomes.approved));
    expect(second.announced('status')).toBe(plain(said.outcome));
    expect(rowOf(id)).toMatchObject({ state: 'approved', valid_until: until });
    // Without detail: the same words for either outcome.
    expect(mails.approved).toEqual(mails.notAuthorized);
  },
);

describe('a character that differs', () => {
  it('keeps the check back, on the page and in the table', async () => {
    const { id } = await inReview();
    const reader = await desk(agent, path(id));
    await typeLines(reader, id, { ...PASSPORT_LINES, line1: firstLine('FRA', 'DUPOND', 'MARIE') });
    const { lines, buttons, guards } = bundles.en['desk-work'];
    expect(reader.announced('status')).toBe(plain(lines.differs));
    expect(reader.text).toContain('The first difference is at character 6');
    expect(done(id)['lines']).toBe('open');
    const [kept] = tasksOf(id).filter(({ kind }) => kind === 'lines');
    expect(String(kept?.['typed_sealed'])).not.toContain('DUPOND');
    for (const kind of ['nationalities', 'photo']) await tick(reader, id, kind);
    await reader.press(buttons.check);
    expect([reader.status, rowOf(id)['state']]).toEqual([422, 'in_review']);
    expect(reader.announced('alert')).toContain(plain(guards.tasksDone));
  });

  it('keeps it back although the task was done, if the answer changes afterwards', async () => {
    const { id } = await inReview();
    const reader = await desk(agent, path(id));
    await typeLines(reader, id);
    for (const kind of ['nationalities', 'photo']) await tick(reader, id, kind);
    // Behind the back of whoever should have opened the tasks again.
    const isIn = (state: string) =>
      site.execute(`update applications set state = '${state}' where id = '${id}'`);
    isIn('draft');
    const answers = { ...FULL[1], last_name: 'Dupond' };
    const step = { application: { id }, step: 1, answers, isComplete: true, version: 2 } as const;
    await writeDatabase((db) => saveStep(db, step, new Date()));
    isIn('in_review');
    expect(done(id)['lines']).toBe('done');
    await reader.press(bundles.en['desk-work'].buttons.check);
    expect([reader.status, rowOf(id)['state']]).toEqual([422, 'in_review']);
  });

  it('lines with a wrong check digit are not kept', async () => {
    const { id } = await inReview();
    const reader = await desk(agent, path(id));
    const line2 = PASSPORT_LINES.line2.replace('12AB34567', '12AB34561');
    await typeLines(reader, id, { ...PASSPORT_LINES, line2 });
    expect(reader.status).toBe(422);
    expect(reader.valueOf(bundles.en['desk-work'].fields.line2)).toBe(line2);
    expect(tasksOf(id).every(({ typed_sealed }) => typed_sealed === null)).toBe(true);
  });

  it('without a photo nothing can be typed, and the traveller is asked', async () => {
    const { id } = await inReview({ hasPhoto: false });
    const reader = await desk(agent, `${path(id)}/lines`);
    const { lines, buttons } = bundles.en['desk-work'];
    expect(reader.text).toContain(plain(lines.noPhoto));
    expect(reader.links(buttons.ask)).toEqual([`${path(id)}#requests`]);
    const version = String(rowOf(id)['version']);
    await reader.send(`${path(id)}/lines`, { ...PASSPORT_LINES, version, task_version: '1' });
    expect(reader.status).toBe(422);
    expect(done(id)['lines']).not.toBe('done');
  });
});

it.each([
  ['paid', 'notBegun'],
  ['action_required', 'waits'],
  ['checked', 'over'],
] as const)('who has a case that is %s reads why no lines are typed: %s', async (state, why) => {
  const { id } = await inReview({ set: { state } });
  for (const language of someOf(LANGUAGES, 1)) {
    const { closed } = bundles[language]['desk-work'].lines;
    const holder = await desk(agent, `${path(id)}/lines`, language);
    expect(holder.text).toContain(plain(closed[why]));
    expect(holder.text).not.toContain(plain(closed.others));
  }
});

describe('tasks', () => {
  it('a warning is done with a note alone, and opened again with its answer', async () => {
    const { id } = await inReview({ changes: { 7: { q_overstay: 'yes' } } });
    const reader = await desk(agent, path(id));
    await tick(reader, id, 'warning');
    expect([reader.status, done(id)['warning']]).toEqual([422, 'open']);
    await tick(reader, id, 'warning', 'Asked by telephone: a mistake.');
    expect(done(id)['warning']).toBe('done');
    expect(reader.text).toContain('Asked by telephone');
    const [event] = site.query(
      "select details from audit_events where subject_id = ? and action = 'task.done'",
      id,
    );
    expect(JSON.parse(String(event?.['details']))).toEqual({
      kind: 'warning',
      subject: 'q_overstay:ineligible',
    });
    await writeDatabase((db) => reopenTasksFor(db, id, 'q_overstay', new Date()));
    expect(done(id)['warning']).toBe('open');
  });

  it('a replaced photo is typed from anew', async () => {
    const { id } = await inReview();
    const reader = await desk(agent, path(id));
    await typeLines(reader, id);
    await writeDatabase((db) => reopenTasksFor(db, id, 'passport_photo', new Date()));
    const [lines] = tasksOf(id).filter(({ kind }) => kind === 'lines');
    expect(lines).toMatchObject({ state: 'open', typed_sealed: null });
  });
});

describe('moves', () => {
  it('of two who enter at the same moment one does, and the other keeps what was typed', async () => {
    const { id } = await checked();
    const third = addPerson(site, { role: 'agent' });
    const both = [await desk(other, path(id)), await desk(third, path(id))];
    const { fields, buttons, problems } = bundles.en['desk-work'];
    for (const [n, one] of both.entries()) one.fill(fields.official_number, `NUMBER000${n}`);
    for (const one of both) await one.press(buttons.enter);
    await Promise.all(both.map((one) => one.press(buttons.confirmEntry)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const loser = both.findIndex(({ status }) => status === 409);
    expect(both[loser]?.announced('alert')).toContain(plain(problems.changed));
    expect(both[loser]?.text).toContain(`NUMBER000${loser}`);
    expect(rowOf(id)['state']).toBe('fee_due');
  });

  it('who typed its lines does not enter it, whoever says that it is checked', async () => {
    const { id } = await inReview();
    const { buttons, guards } = bundles.en['desk-work'];
    const first = await desk(agent, path(id));
    await typeLines(first, id);
    for (const kind of ['nationalities', 'photo']) await tick(first, id, kind);
    site.execute(`update applications set assigned_to = '${other.id}' where id = '${id}'`);
    const second = await desk(other, path(id));
    await second.press(buttons.check);
    expect(rowOf(id)).toMatchObject({ state: 'checked', checked_by: other.id });
    await first.go(path(id));
    expect(first.text).toContain(plain(guards.notChecker));
    const version = String(rowOf(id)['version']);
    const number = { official_number: '8VR3N1XK20AB', confirm: 'yes' };
    await first.send(path(id), { intent: 'enter', version, ...number });
    expect([first.status, rowOf(id)['state']]).toEqual([422, 'checked']);
  });

  it('a checked case is sent back with a reason, to who checked it', async () => {
    const { id } = await checked();
    const reader = await desk(other, path(id));
    const { fields, buttons, guards } = bundles.en['desk-work'];
    await reader.send(path(id), { intent: 'send_back', version: String(rowOf(id)['version']) });
    expect([reader.status, rowOf(id)['state']]).toEqual([422, 'checked']);
    expect(reader.announced('alert')).toContain(plain(guards.reasonGiven));
    reader.fill(fields.reason, 'The photo is of somebody else.');
    await reader.press(buttons.send_back);
    const sentBack = { state: 'in_review', assigned_to: agent.id, checked_by: null };
    expect(rowOf(id)).toMatchObject(sentBack);
    expect(site.query('select id from notes where application_id = ?', id)).toHaveLength(1);
  });

  it('what was not authorized says what it means, and a supervisor corrects it with a reason', async () => {
    const [email, token] = [anyEmail(), randomUUID()];
    const { id } = await addCase({
      order: { email, token },
      set: { state: 'filed', assigned_to: agent.id, filed_at: new Date().toISOString() },
    });
    const reader = await desk(agent, path(id));
    const { fields, buttons, outcomes, guards } = bundles.en['desk-work'];
    reader.choose(fields.outcome, outcomes.not_authorized);
    await reader.press(buttons.outcome);
    await reader.press(buttons.confirm.replace('{{what}}', outcomes.not_authorized));
    expect(rowOf(id)).toMatchObject({ state: 'not_authorized', valid_until: null });
    const traveller = await browser(`/application/${id}/overview`, [{ id, token }]);
    const { notAuthorized } = bundles.en['application-progress'];
    expect(traveller.links(notAuthorized.link, 'main')[0]).toContain('travel.state.gov');
    const [refund] = traveller.links(notAuthorized.refundLink, 'main');
    expect(refund).toBe(`/application/${id}/refund`);

    const supervisor = await desk(boss, `${path(id)}?reason=complaint`);
    supervisor.choose(fields.goal, outcomes.filed);
    const sent = { intent: 'correct', goal: 'filed', version: String(rowOf(id)['version']) };
    await supervisor.send(`${path(id)}?reason=complaint`, sent);
    expect(supervisor.status).toBe(422);
    expect(supervisor.announced('alert')).toContain(plain(guards.reasonGiven));
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
    const alone = await startSite({ ...KEYS, ...own });
    try {
      const { id } = await checked();
      const reader = await desk(agent, path(id), 'en', { ...site, origin: alone.origin });
      const { fields, buttons } = bundles.en['desk-work'];
      reader.fill(fields.official_number, '8VR3N1XK20AB');
      await reader.press(buttons.enter);
      expect([reader.status, rowOf(id)['state']]).toEqual([422, 'checked']);
      reader.tick(fields.official_paid);
      await reader.press(buttons.enter);
      await reader.press(buttons.confirmEntry);
      expect(rowOf(id)).toMatchObject({ state: 'filed', pay_by: null, filed_by: agent.id });
      const [{ details } = {}] = site.query(
        "select details from audit_events where subject_id = ? and action = 'application.moved'",
        id,
      );
      expect(JSON.parse(String(details))).toMatchObject({ event: 'enter', fourEyes: false });
    } finally {
      await alone.stop();
    }
  });
});

describe('a wrong official number', () => {
  const [WRONG, RIGHT, REASON] = ['8VR3N1XK20AA', '8VR3N1XK20AB', 'An A for a B.'];
  const { fields, buttons, problems, guards } = bundles.en['desk-work'];
  const numberOf = (id: string) =>
    officialNumberOf(rowOf(id) as unknown as Parameters<typeof officialNumberOf>[0]);

  /** Entered with a wrong number by `other`, some minutes ago. */
  async function entered({
    state = 'fee_due',
    minutes = 1,
    language = 'en',
  }: { state?: string; minutes?: number; language?: Language } = {}) {
    const email = anyEmail();
    const { id } = await checked({ order: { email, language } });
    const at = new Date(Date.now() - minutes * 60_000).toISOString();
    site.execute(`update applications set state = '${state}', assigned_to = '${other.id}',
      filed_by = '${other.id}', entered_at = '${at}', pay_by = '${addDays(new Date(), 7).toISOString()}',
      official_number_sealed = '${sealOfficialNumber(id, WRONG)}' where id = '${id}'`);
    return { id, email };
  }

  it.each(JOURNEY_LANGUAGES)(
    'is corrected by a supervisor, and the traveller gets the right one, in %s',
    async (language) => {
      for (const state of ['fee_due', 'filed']) {
        const { id, email } = await entered({ state, minutes: 60, language });
        const { fields, buttons } = bundles[language]['desk-work'];
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
        const done = bundles[language]['desk-case'].done.correct_number;
        expect([supervisor.status, supervisor.announced('status')]).toEqual([200, plain(done)]);
        expect(rowOf(id)).toMatchObject({ state, version: Number(version) + 1 });
        expect(numberOf(id)).toBe(RIGHT);
        const [mail, ...others] = await mailsTo(site, email);
        expect(others).toEqual([]);
        expect(mail?.subject).toBe(plain(bundles[language].mail.mails.numberCorrected.subject));
        expect(mail?.text).toContain(RIGHT);
        const events = site.query(
          "select actor_id, details from audit_events where subject_id = ? and action = 'case.corrected'",
          id,
        );
        expect(events).toEqual([{ actor_id: boss.id, details: '{"field":"official_number"}' }]);
        expect(site.query('select id from notes where application_id = ?', id)).toHaveLength(1);
      }
      const kept = JSON.stringify(site.query('select details from audit_events'));
      for (const clear of [WRONG, RIGHT, REASON]) expect(kept + site.log()).not.toContain(clear);
    },
  );

  it('is corrected by who entered it for ten minutes, and then no more', async () => {
    for (const [minutes, isTaken] of [
      [9, true],
      [11, false],
    ] as const) {
      const { id, email } = await entered({ minutes });
      const reader = await desk(other, path(id));
      const sent = { intent: 'correct_number', version: String(rowOf(id)['version']) };
      const number = { official_number: RIGHT, reason: REASON, confirm: 'yes' };
      expect(reader.html.includes('value="correct_number"')).toBe(isTaken);
      await reader.send(path(id), { ...sent, ...number });
      expect([minutes, reader.status, numberOf(id)]).toEqual(
        isTaken ? [minutes, 200, RIGHT] : [minutes, 403, WRONG],
      );
      const mails = site.query('select kind from outbox where application_id = ?', id);
      expect([email, mails.length]).toEqual([email, isTaken ? 1 : 0]);
    }
  });

  it('stays as it is where the number is the same, none, or without a reason', async () => {
    const { id } = await entered();
    const before = rowOf(id);
    for (const [official_number, reason, problem] of [
      [WRONG.toLowerCase(), REASON, problems.sameNumber],
      ['8VR3', REASON, guards.officialNumberGiven],
      [RIGHT, '', guards.reasonGiven],
    ] as const) {
      const reader = await desk(other, path(id));
      const version = String(before['version']);
      const sent = { intent: 'correct_number', version, official_number, reason, confirm: 'yes' };
      await reader.send(path(id), sent);
      expect([reader.status, reader.text]).toEqual([422, expect.stringContaining(plain(problem))]);
      expect(reader.valueOf(fields.right_number)).toBe(official_number);
    }
    expect(rowOf(id)).toEqual(before);
    expect(site.query('select id from outbox where application_id = ?', id)).toEqual([]);
  });

  it('of two who correct it at the same moment one does, and the other keeps what was typed', async () => {
    const { id } = await entered();
    const both = [await desk(other, path(id)), await desk(boss, `${path(id)}?reason=quality`)];
    for (const [n, one] of both.entries()) {
      one.within = 'move-correct_number';
      one.fill(fields.right_number, `NUMBER000${n}`);
      one.fill(fields.reason, REASON);
      await one.press(buttons.correct_number);
      one.within = undefined;
    }
    await Promise.all(both.map((one) => one.press(buttons.confirmNumber)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [winner, loser] = both[0]?.status === 200 ? [0, 1] : [1, 0];
    expect(numberOf(id)).toBe(`NUMBER000${winner}`);
    expect(both[loser]?.text).toContain(`NUMBER000${loser}`);
    expect(site.query('select id from outbox where application_id = ?', id)).toHaveLength(1);
  });
});
