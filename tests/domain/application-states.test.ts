import { describe, expect, it } from 'vitest';

import {
  ACTORS,
  type Actor,
  type ApplicationEvent,
  type ApplicationState,
  ENDED_STATES,
  eventsFrom,
  type MoveConditions,
  GUARDS,
  type Guard,
  isEnded,
  move,
  MOVES,
  OPEN_STATES,
  settingFacts,
  staffActors,
  STATES,
  UNPAID,
} from '~/domain/application/states';
import type { StaffRole } from '~/access';
import { nextStep, queuesInTab, TABS } from '~/domain/worklist';
import { decisionTables, readTables } from '../decision-tables';

const [ROWS = []] = readTables(import.meta.url, 'application-moves.txt');
const EVENTS = [...new Set(MOVES.map(({ event }) => event))];
const EXPECTED = ROWS.map((row) => ({
  from: row['from'] as ApplicationState,
  event: row['event'] as ApplicationEvent,
  to: row['to'] as ApplicationState,
  who: row['who']?.split(',') as Actor[],
  guards: (row['guards']?.split(',') ?? []) as Guard[],
  isChosen: row['chosen'] !== undefined,
}));

const holding = (guards: readonly Guard[]): MoveConditions =>
  Object.fromEntries(guards.map((guard) => [guard, true]));
/** Everything that can hold at once, with the official fee paid by the traveller. */
const ALL = { ...holding(GUARDS), feeByOperator: false };

describe('an application', () => {
  it('has these states and events', () => {
    expect(new Set(STATES)).toEqual(new Set(EXPECTED.flatMap(({ from, to }) => [from, to])));
    expect(new Set(EVENTS)).toEqual(new Set(EXPECTED.map(({ event }) => event)));
    expect(new Set(GUARDS)).toEqual(new Set(EXPECTED.flatMap(({ guards }) => guards)));
  });

  it.each(['traveller', 'operator'] as const)(
    'moves from each state by each event of everybody to each goal as the table says; the %s pays the fee',
    (officialFee) => {
      const facts = { ...ALL, ...settingFacts({ fourEyes: true, officialFee }, false) };
      let moves = 0;
      for (const state of STATES) {
        for (const event of EVENTS) {
          for (const goal of [undefined, ...STATES]) {
            const rows = EXPECTED.filter(
              (row) =>
                row.from === state &&
                row.event === event &&
                (goal ? row.to === goal : !row.isChosen),
            );
            for (const actor of ACTORS) {
              const mine = rows.filter(({ who }) => who.includes(actor));
              const open = mine.find(({ guards }) => guards.every((guard) => facts[guard]));
              const expected = !rows.length
                ? { refused: 'state' }
                : !mine.length
                  ? { refused: 'actor' }
                  : open
                    ? { to: open.to }
                    : { refused: 'guard', guard: mine[0]?.guards[0] };
              const moved = move(state, event, { actor, facts, to: goal });
              if (moved.to) moves += 1;
              const by = { state, event, goal, actor };
              expect({ ...by, moved }).toEqual({ ...by, moved: expected });
            }
          }
        }
      }
      expect(moves).toBeGreaterThan(2 * 30);
    },
  );

  it.each(EXPECTED)('$from: $event to $to needs $guards', ({ guards, ...row }) => {
    const to = row.isChosen ? row.to : undefined;
    for (const actor of row.who) {
      const result = (facts: MoveConditions) => move(row.from, row.event, { actor, facts, to });
      expect(result(holding(guards))).toEqual({ to: row.to });
      for (const guard of guards) {
        const others = holding(guards.filter((name) => name !== guard));
        // Where two settings choose, the other row is asked for first.
        const missing = guard === 'feeByOperator' && !to ? 'feeByTraveller' : guard;
        const refused = { refused: 'guard', guard: missing };
        expect([guard, result(others)]).toEqual([guard, refused]);
        expect([guard, result({ ...others, [guard]: false })]).toEqual([guard, refused]);
      }
    }
  });

  it('offers everybody the events that are theirs, whatever holds', () => {
    for (const state of STATES) {
      for (const actor of ACTORS) {
        const rows = EXPECTED.filter((row) => row.from === state && row.who.includes(actor));
        const events = [...new Set(rows.map(({ event }) => event))].sort();
        expect([state, actor, eventsFrom(state, actor).sort()]).toEqual([state, actor, events]);
      }
    }
    const goesOn = EXPECTED.filter(({ event }) => event !== 'correct').map(({ from }) => from);
    expect(STATES.filter((state) => !isEnded(state)).sort()).toEqual([...new Set(goesOn)].sort());
    const both = eventsFrom('in_review', ['supervisor', 'assignee']);
    expect(both).toEqual(expect.arrayContaining(['request', 'check', 'cancel']));
  });

  it('stands in a list of the desk as soon as it is paid for, while it is open in one of its own', () => {
    const listed = [...UNPAID, 'expired', ...OPEN_STATES, ...ENDED_STATES];
    expect([...listed].sort()).toEqual([...STATES].sort());
    const own = TABS.filter((tab) => tab !== 'mine' && tab !== 'open');
    const looking = { id: 'somebody', fourEyes: true, now: new Date() };
    const states = own.flatMap((tab) => queuesInTab(tab, looking).map(({ state }) => state));
    expect([...new Set(states)].sort()).toEqual([...OPEN_STATES, ...ENDED_STATES].sort());
  });

  it('cannot be moved by words that are none of the table', () => {
    const by = (actor: Actor | Actor[]) => ({ actor, facts: ALL });
    expect([
      move('gone' as ApplicationState, 'cancel', by('owner')),
      move('draft', 'toString' as ApplicationEvent, by('owner')),
      move('draft', 'cancel', by('admin' as Actor)),
      move('draft', 'cancel', by([])),
    ]).toEqual(['state', 'state', 'actor', 'actor'].map((refused) => ({ refused })));
  });
});

decisionTables(import.meta.url, {
  'as whom staff act, of a role, assigned or not': (role, assigned) =>
    staffActors(role as StaffRole, assigned === 'assigned').join(' ') || undefined,
  'who enters the number: who pays, four eyes, checked by the same, paid': (
    officialFee,
    eyes,
    checker,
    paid,
  ) => {
    const settings = { fourEyes: eyes === 'four eyes', officialFee } as Parameters<
      typeof settingFacts
    >[0];
    const facts = {
      ...holding(['notWithdrawn', 'officialNumberGiven', 'payByKnown']),
      ...settingFacts(settings, checker === 'same'),
      officialPaymentSeen: paid === 'paid',
    };
    return Object.values(move('checked', 'enter', { actor: 'assignee', facts })).join(' ');
  },
  'what is next, of state, whose, checked by, minutes without work, four eyes': (
    state,
    whose,
    checker,
    minutes,
    eyes,
  ) => {
    const now = new Date();
    const ago = (text: string) => new Date(now.getTime() - Number(text) * 60_000).toISOString();
    const row = {
      state: state as ApplicationState,
      assigned_to: whose === 'nobody' ? null : whose,
      checked_by: checker || null,
      worked_at: Number(minutes) ? ago(minutes) : null,
      starts_at: checker === 'later' ? ago('-9') : null,
      ...{ code_at: checker === 'appointed' ? ago('-9') : null, due_at: null },
    };
    const next = nextStep(row, { id: 'me', fourEyes: eyes === 'four eyes', now });
    return next && [next.step, next.obstacle].join(' ').trim();
  },
});
