import { PICTURES } from '~/domain/application/requests';
import { describe, expect, it } from 'vitest';

import { isReminderDue, latestValidUntil, payByOf } from '~/domain/application/official-fee';
import {
  checkingTasks,
  compareTyped,
  dependsOn,
  openChecks,
  type TaskKind,
  type TaskState,
  type TaskName,
} from '~/domain/application/tasks';
import { readOfficialNumber, validUntilProblem } from '~/domain/desk-work';
import { decisionTables } from '../../decision-tables';
import { type Changes, contextOf, stepOf, typed } from './full';
import { firstLine, MARIE } from './specimen';

const names = (tasks: readonly TaskName[]) =>
  tasks.map(({ kind, subject }) => (subject ? `${kind} ${subject}` : kind));

const PLAIN = { has_other_citizenship: 'no', had_other_citizenship: 'no' };

const SHORT = {
  1: { citizenship: 'VN' },
  2: { passport_issuing_country: 'VN', ...typed('passport_expiry_date', '2027-04-01') },
};
const UNUSUAL = { 2: { passport_number: '123456789', passport_number_confirm: '123456789' } };
const ABROAD = { 2: { passport_issuing_country: 'DE', passport_number: 'C01X00T47' } };

/** Of what everybody is checked for, these are done besides. */
it.each<[string, Changes, ...string[]]>([
  ['nothing special', {}],
  ['another nationality', { 3: { ...PLAIN, has_other_citizenship: 'yes' } }, 'nationalities'],
  ['one of before', { 3: { ...PLAIN, had_other_citizenship: 'yes' } }, 'nationalities'],
  ['a passport that expires soon after the trip', SHORT, 'expiry'],
  ['an unusual number', UNUSUAL, 'warning passport_number:passportShape'],
  ['another country of issue', ABROAD, 'warning passport_issuing_country:issuingDiffers'],
  ['other printed lines', { 2: { passport_line_1: firstLine('FRA', 'DUPOND', 'MARIE') } }],
  ['a yes that may rule it out', { 7: { q_overstay: 'yes' } }, 'warning q_overstay:ineligible'],
])('an application with %s has its tasks', (_, changes, ...more) => {
  // A missing photo is no warning of its own.
  for (const hasPhoto of [true, false]) {
    const context = contextOf({ 3: PLAIN, ...changes }, { hasPhoto });
    expect(names(checkingTasks(context))).toEqual(['lines', 'photo', 'portrait', ...more]);
  }
});

decisionTables(import.meta.url, {
  'whether a changed field opens a task again': (kind, subject, field) =>
    dependsOn({ kind: kind as TaskKind, subject: subject ?? '' }, field),
  'answers that differ from the lines that staff typed, where one is another': (name, value) => {
    const own = value.includes('-') ? typed(name, value) : { [name]: value };
    const changes = { [stepOf(name)]: own } as Changes;
    const { compared, isSame } = compareTyped(MARIE, contextOf(changes).all);
    const differing = compared.filter(({ is }) => is === 'differs').map(({ answer }) => answer);
    expect(isSame).toBe(differing.length === 0);
    return differing.join(', ');
  },
  'when the official fee is to be paid': (value, unit) =>
    payByOf(new Date('2026-11-22T12:00:00Z'), { value, unit })?.toISOString(),
  'whether a reminder is due: entered, reminded, now': (entered, reminded, now) => {
    const iso = (hour: string) => `${hour}:00:00.000Z`;
    const reminded_at = reminded ? iso(reminded) : null;
    const waiting = { entered_at: iso(entered), pay_by: iso('2026-11-29T12'), reminded_at };
    return isReminderDue(waiting, new Date(iso(now)));
  },
  'a number of the authorities': readOfficialNumber,
  'a last day': (day) => {
    const latest = latestValidUntil('2026-11-22', 24);
    expect(latest).toBe('2028-11-22');
    return validUntilProblem(day, { today: '2026-11-22', latest, passportExpiry: '2028-06-01' });
  },
});

describe('the lines that staff typed', () => {
  const all = contextOf().all;
  it('that agree in each character', () =>
    expect(compareTyped(MARIE, all)).toMatchObject({ problems: [], isSame: true }));

  it.each([
    ['nothing', { first: '', second: '' }],
    ['the first line alone', { first: MARIE.first, second: '' }],
    ['a wrong check digit', { ...MARIE, second: MARIE.second.replace('12AB34567', '12AB34561') }],
  ])('%s is never the same', (_, lines) => {
    const found = compareTyped(lines, all);
    expect(found.isSame).toBe(false);
    expect(found.problems.length).toBeGreaterThan(0);
  });
});

describe('what prevents the check', () => {
  const needed = [
    { kind: 'lines', subject: '' },
    { kind: 'photo', subject: '' },
    { kind: 'portrait', subject: '' },
    { kind: 'warning', subject: 'a:b' },
  ] as const;
  const done = needed.map((task) => ({ ...task, state: 'done' as const }));
  const open = { kind: 'warning', subject: 'a:b', state: 'open' } as const;
  type Checked = Parameters<typeof openChecks>[2];
  it.each<[string, readonly TaskState[], Partial<Checked>, string[]]>([
    ['nothing', done, {}, []],
    ['all that was never made', [], {}, ['lines', 'photo', 'portrait', 'warning a:b']],
    ['one that is open', [...done.slice(0, 3), open], {}, ['warning a:b']],
    ['lines that differ from the answers by now', done, { areLinesSame: false }, ['lines']],
    ['a photo that is gone', done, { pictures: ['portrait'] }, ['lines', 'photo']],
    ['a portrait that is gone', done, { pictures: ['passport_photo'] }, ['portrait']],
  ])('%s', (_, tasks, facts, expected) => {
    const sound = { areLinesSame: true, pictures: PICTURES };
    expect(names(openChecks(needed, tasks, { ...sound, ...facts }))).toEqual(expected);
  });
});
