import { PICTURES } from '~/domain/application/requests';
import { describe, expect, it } from 'vitest';

import { isReminderDue, latestValidUntil, payByOf } from '~/domain/application/official-fee';
import {
  checkingTasks,
  compareTyped,
  dependsOn,
  openChecks,
  type TaskKind,
  type TaskName,
} from '~/domain/application/tasks';
import { readOfficialNumber, validUntilProblem } from '~/domain/desk-work';
import { decisionTables } from '../../decision-tables';
import { changesIn, contextOf } from './full';
import { MARIE } from './specimen';

const names = (tasks: readonly TaskName[]) =>
  tasks.map(({ kind, subject }) => (subject ? `${kind} ${subject}` : kind));

const PLAIN = { has_other_citizenship: 'no', had_other_citizenship: 'no' };
const NEEDED = ['lines', 'photo', 'portrait', 'warning a:b'].map((name) => {
  const [kind, subject = ''] = name.split(' ');
  return { kind: kind as TaskKind, subject };
});
decisionTables(import.meta.url, {
  // A missing photo is no warning of its own.
  'what is done besides lines, photo and portrait, of an application with these answers': (
    answers,
  ) => {
    const changes = changesIn(answers);
    const [there, missing] = [true, false].map((hasPhoto) =>
      names(checkingTasks(contextOf({ ...changes, 3: { ...PLAIN, ...changes[3] } }, { hasPhoto }))),
    ) as [string[], string[]];
    expect([missing, there.slice(0, 3)]).toEqual([there, ['lines', 'photo', 'portrait']]);
    return there.slice(3).join(', ') || undefined;
  },
  'what prevents the check: the first tasks are done, one is open, the lines, the pictures': (
    done,
    open,
    lines,
    pictures,
  ) => {
    const tasks = NEEDED.slice(0, Number(done)).map((one) => ({ ...one, state: 'done' as const }));
    const others = NEEDED.filter(({ kind }) => kind === open);
    const facts = {
      areLinesSame: lines === 'same',
      pictures: PICTURES.filter((one) => pictures?.split(' ').includes(one)),
    };
    const all = [...tasks, ...others.map((one) => ({ ...one, state: 'open' as const }))];
    return names(openChecks(NEEDED, all, facts)).join(', ') || undefined;
  },
  'whether a changed field opens a task again': (kind, subject, field) =>
    dependsOn({ kind: kind as TaskKind, subject: subject ?? '' }, field),
  'answers that differ from the lines that staff typed, where one is another': (name, value) => {
    const { all } = contextOf(changesIn(`${name}=${value}`));
    const { compared, isSame } = compareTyped(MARIE, all);
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
