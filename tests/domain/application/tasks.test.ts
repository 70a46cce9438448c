import { describe, expect, it } from 'vitest';

import { isReminderDue, latestValidUntil, payByOf } from '~/domain/application/official-fee';
import {
  checkingTasks,
  compareTyped,
  dependsOn,
  openChecks,
  type TaskName,
} from '~/domain/application/tasks';
import { readOfficialNumber, validUntilProblem } from '~/domain/desk-work';
import { contextOf, typed } from './full';
import { firstLine, MARIE } from './specimen';

const names = (tasks: readonly TaskName[]) =>
  tasks.map(({ kind, subject }) => (subject ? `${kind} ${subject}` : kind));

/** No other nationality. */
const PLAIN = { has_other_citizenship: 'no', had_other_citizenship: 'no' };

describe('the checking tasks of an application', () => {
  it.each([
    ['nothing special', {}, ['lines', 'photo']],
    [
      'another nationality',
      { 3: { ...PLAIN, has_other_citizenship: 'yes' } },
      ['lines', 'photo', 'nationalities'],
    ],
    [
      'a nationality of before',
      { 3: { ...PLAIN, had_other_citizenship: 'yes' } },
      ['lines', 'photo', 'nationalities'],
    ],
    [
      'a passport that expires soon after the trip',
      {
        1: { citizenship: 'VN' },
        2: { passport_issuing_country: 'VN', ...typed('passport_expiry_date', '2027-04-01') },
      },
      ['lines', 'photo', 'expiry'],
    ],
    [
      'an unusual number',
      { 2: { passport_number: '123456789', passport_number_confirm: '123456789' } },
      ['lines', 'photo', 'warning passport_number:passportShape'],
    ],
    [
      'another country of issue',
      { 2: { passport_issuing_country: 'DE', passport_number: 'C01X00T47' } },
      ['lines', 'photo', 'warning passport_issuing_country:issuingDiffers'],
    ],
    [
      'printed lines of the traveller that do not agree',
      { 2: { passport_line_1: firstLine('FRA', 'DUPOND', 'MARIE') } },
      ['lines', 'photo'],
    ],
    [
      'an answer that may rule it out',
      { 7: { q_overstay: 'yes' } },
      ['lines', 'photo', 'warning q_overstay:ineligible'],
    ],
  ])('%s', (_, changes, expected) => {
    const context = contextOf({ 3: PLAIN, ...changes }, { hasPhoto: true });
    expect(names(checkingTasks(context))).toEqual(expected);
  });

  it('a missing photo is no warning of its own', () => {
    expect(names(checkingTasks(contextOf({ 3: PLAIN })))).toEqual(['lines', 'photo']);
  });
});

describe('an answer that changes', () => {
  it.each([
    ['last_name', { kind: 'lines', subject: '' }, true],
    ['date_of_birth.day', { kind: 'lines', subject: '' }, true],
    ['city_of_birth', { kind: 'lines', subject: '' }, false],
    ['passport_photo', { kind: 'lines', subject: '' }, true],
    ['passport_photo', { kind: 'photo', subject: '' }, true],
    ['passport_number', { kind: 'photo', subject: '' }, false],
    ['departure_date', { kind: 'expiry', subject: '' }, true],
    ['other_citizenships[0].country', { kind: 'nationalities', subject: '' }, true],
    ['passport_number', { kind: 'warning', subject: 'passport_number:passportShape' }, true],
    [
      'passport_issuing_country',
      { kind: 'warning', subject: 'passport_number:passportShape' },
      true,
    ],
    ['email', { kind: 'warning', subject: 'passport_number:passportShape' }, false],
    [
      'other_citizenships[1].country',
      { kind: 'warning', subject: 'other_citizenships[0].country:flaggedCitizenship' },
      true,
    ],
    ['last_name', { kind: 'outcome', subject: '' }, false],
  ] as const)('%s and the task %o: %s', (field, task, expected) => {
    expect(dependsOn(task, field)).toBe(expected);
  });
});

describe('the lines that staff typed', () => {
  const all = contextOf().all;
  const against = (changes: Parameters<typeof contextOf>[0], lines = MARIE) =>
    compareTyped(lines, contextOf(changes).all);
  const differing = (found: ReturnType<typeof against>) =>
    found.compared.filter(({ is }) => is === 'differs').map(({ answer }) => answer);

  it('that agree in each character', () => {
    const found = compareTyped(MARIE, all);
    expect(found).toMatchObject({ problems: [], isSame: true });
    expect(found.compared.map(({ answer }) => answer)).toEqual([
      'last_name',
      'first_name',
      'passport_number',
      'passport_issuing_country',
      'citizenship',
      'date_of_birth',
      'gender',
      'passport_expiry_date',
    ]);
  });

  it.each([
    ['last_name', { 1: { last_name: 'Dupond' } }],
    ['first_name', { 1: { first_name: 'Maria' } }],
    ['passport_number', { 2: { passport_number: '12AB34568' } }],
    ['passport_issuing_country', { 2: { passport_issuing_country: 'DE' } }],
    ['citizenship', { 1: { citizenship: 'DE' } }],
    ['date_of_birth', { 1: typed('date_of_birth', '1990-05-05') }],
    ['gender', { 1: { gender: 'male' } }],
    ['passport_expiry_date', { 2: typed('passport_expiry_date', '2032-03-01') }],
    // What is not declared agrees with nothing.
    ['passport_number', { 2: { passport_number: '' } }],
    ['last_name', { 1: { last_name: '' } }],
  ] as const)('one other character in %s', (answer, changes) => {
    const found = against(changes);
    expect([differing(found), found.isSame]).toEqual([[answer], false]);
  });

  it.each([
    ['nothing', { first: '', second: '' }],
    ['the first line alone', { first: MARIE.first, second: '' }],
    ['a wrong check digit', { ...MARIE, second: MARIE.second.replace('12AB34567', '12AB34561') }],
    ['a line too short', { ...MARIE, second: MARIE.second.slice(0, 40) }],
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
    { kind: 'warning', subject: 'a:b' },
  ] as const;
  const done = needed.map((task) => ({ ...task, state: 'done' as const }));
  const sound = { areLinesSame: true, hasPhoto: true };
  it.each([
    ['nothing', done, sound, []],
    ['all that was never made', [], sound, ['lines', 'photo', 'warning a:b']],
    [
      'one that is open',
      [...done.slice(0, 2), ...done.slice(2).map((one) => ({ ...one, state: 'open' as const }))],
      sound,
      ['warning a:b'],
    ],
    [
      'lines that differ from the answers by now',
      done,
      { ...sound, areLinesSame: false },
      ['lines'],
    ],
    ['a photo that is gone', done, { ...sound, hasPhoto: false }, ['lines', 'photo']],
  ])('%s', (_, tasks, facts, expected) => {
    expect(names(openChecks(needed, tasks, facts))).toEqual(expected);
  });
});

describe('the official fee', () => {
  const at = (text: string) => new Date(`${text}Z`);
  it.each([
    ['7', 'days', '2026-11-29T12:00:00.000Z'],
    ['48', 'hours', '2026-11-24T12:00:00.000Z'],
    ['yes', 'list', undefined],
  ])('%s %s', (value, unit, expected) => {
    expect(payByOf(at('2026-11-22T12:00:00'), { value, unit })?.toISOString()).toBe(expected);
  });

  const row = {
    entered_at: '2026-11-22T12:00:00.000Z',
    pay_by: '2026-11-29T12:00:00.000Z',
    reminded_at: null as string | null,
  };
  it.each([
    ['just entered', row, '2026-11-22T13:00:00', false],
    ['three days before', row, '2026-11-26T12:00:00', true],
    [
      'reminded then',
      { ...row, reminded_at: '2026-11-26T12:30:00.000Z' },
      '2026-11-27T12:00:00',
      false,
    ],
    [
      'one day before',
      { ...row, reminded_at: '2026-11-26T12:30:00.000Z' },
      '2026-11-28T12:00:00',
      true,
    ],
    [
      'both missed: once',
      { ...row, reminded_at: '2026-11-28T13:00:00.000Z' },
      '2026-11-28T14:00:00',
      false,
    ],
    [
      'entered after the time',
      { ...row, entered_at: '2026-11-27T12:00:00.000Z' },
      '2026-11-27T13:00:00',
      false,
    ],
    ['over', row, '2026-11-29T12:00:00', false],
  ])('a reminder, %s', (_, waiting, now, expected) => {
    expect(isReminderDue(waiting, at(now))).toBe(expected);
  });
});

describe('what is typed of the authorities', () => {
  it.each([
    ['ab12 cd34 ef56', 'AB12CD34EF56'],
    ['8VR3-N1XK-20', '8VR3N1XK20'],
    ['1234567', undefined],
    ['ABC!12345', undefined],
    ['', undefined],
  ])('the number %o', (typedNumber, expected) => {
    expect(readOfficialNumber(typedNumber)).toBe(expected);
  });

  const days = { today: '2026-11-22', latest: '2028-11-22', passportExpiry: '2028-06-01' };
  it.each([
    ['2028-06-01', undefined],
    ['2028-06-02', 'afterPassport'],
    ['2028-11-23', 'tooLate'],
    ['2026-11-21', 'past'],
    ['2026-02-30', 'day'],
    ['tomorrow', 'day'],
  ])('a last day %s', (day, expected) => {
    expect(validUntilProblem(day, days)).toBe(expected);
  });

  it('an authorization lasts two years', () => {
    expect(latestValidUntil('2026-11-22', 24)).toBe('2028-11-22');
  });
});
