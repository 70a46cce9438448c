import { describe, expect, it } from 'vitest';

import { copyForFamily, SHARED } from '~/domain/application/family';
import {
  type ApplicationState,
  DESK_LISTS,
  routeDone,
  stateRow,
  type Station,
  stationsOf,
  travellerState,
} from '~/domain/application/states';
import { endsAt, keepsLook, noticeLimits } from '~/domain/retention';
import { STEPS } from '~/domain/application/steps';
import { decisionTables } from '../decision-tables';
import { FULL } from './application/full';

/** What belongs to one person alone, by the issue. */
const OWN =
  /first_name|last_name|gender|birth|passport|parent|citizenship|national_id|employer|job|^q_|consent|sign|declaration|waiver|certif|trusted|other_documents|other_names|review|guardian|comment|restricted/;

describe('the answers of the next traveller', () => {
  it('are the contact, the address, the social media and the trip of the first', () => {
    expect(Object.keys(copyForFamily(FULL))).toEqual(['1', '3', '4', '6']);
    const contact = { email: 'a@example.eu', phone: '1' };
    expect(copyForFamily({ 1: { ...contact, first_name: 'Ada' } })).toEqual({ 1: contact });
    const trip = {
      6: { 'arrival_date.day': '3', 'arrival_date.month': 'mai', us_address_city: 'Boston' },
      4: { 'social_accounts[0].platform': 'x' },
    };
    expect(copyForFamily(trip)).toEqual(trip);
    expect(copyForFamily({ 1: { first_name: 'Ada' }, 7: { q_overstay: 'no' } })).toEqual({});
  });

  it('hold nothing that is one person’s own', () => {
    const copied = Object.values(copyForFamily(FULL)).flatMap(Object.keys);
    expect(copied.filter((name) => OWN.test(name) && !name.startsWith('emergency_'))).toEqual([]);
    expect(copied.length).toBeGreaterThan(20);
  });

  it('are fields that the steps have', () => {
    for (const [step, names] of Object.entries(SHARED)) {
      const known = STEPS.find(({ number }) => number === Number(step))?.fields ?? [];
      expect(known.map(({ name }) => name)).toEqual(expect.arrayContaining([...names]));
    }
    // Whole steps: a new field of theirs is shared, or this says that it is not.
    const all = (step: number) => STEPS[step - 1]?.fields.map(({ name }) => name);
    expect([SHARED[4], SHARED[6]]).toEqual([all(4), all(6)]);
  });
});

it('an application that nobody pays for ends after the days of the setting, and a week after its owner was told at least', () => {
  const { told, ends } = noticeLimits(new Date('2026-11-22T12:00:00.000Z'), 8);
  expect(ends.toISOString()).toBe('2026-11-14T12:00:00.000Z');
  expect(told.toISOString()).toBe('2026-11-21T12:00:00.000Z');
  const end = (toldAt?: string) => endsAt('2026-11-01T12:00:00.000Z', 30, toldAt).toISOString();
  for (const toldAt of [undefined, '2026-11-24T12:00:00.000Z'])
    expect(end(toldAt)).toBe('2026-12-01T12:00:00.000Z');
  expect(end('2026-12-05T12:00:00.000Z')).toBe('2026-12-12T12:00:00.000Z');
});

const T = (day: number) => `2026-11-${String(day).padStart(2, '0')}T10:00:00.000Z`;
const short = (stations: Station[]) => stations.map(({ state }) => state[0]).join('');

decisionTables(import.meta.url, {
  'what its owner reads of a state': (state) => travellerState(state as ApplicationState),
  'its stamp, and how far it is on the way across the sea': (state) =>
    `${stateRow(state as ApplicationState).look} ${routeDone(state as ApplicationState)}`,
  'whether what a look before departure takes stays on 10 March': (state, look_on?: string) =>
    keepsLook({ state: state as ApplicationState, look_on: look_on ?? null }, '2027-03-10'),
  'what stands in a list of the desk': (list) =>
    DESK_LISTS[list as keyof typeof DESK_LISTS].join(' '),
  'stations of an application: done, now, ahead, skipped': (state) =>
    short(stationsOf(state as ApplicationState, [])),
});

it('the way of an application says when a station was passed; the last time, where it was passed twice', () => {
  const moves = [
    { at: T(1), to: 'awaiting_payment' },
    { at: T(2), to: 'draft' },
    { at: T(3), to: 'awaiting_payment' },
    { at: T(4), to: 'paid' },
  ] as const;
  const passed = stationsOf('paid', moves).map(({ at }) => at);
  expect(passed.filter(Boolean)).toEqual([T(3), T(4)]);
  expect(stationsOf('draft', moves.slice(0, 2))[0]).toEqual({ name: 'answers', state: 'now' });
  const stations = stationsOf('cancelled', [moves[0], { at: T(2), to: 'cancelled' }]);
  expect(short(stations)).toBe('dssssn');
  expect(stations.at(-1)).toEqual({ name: 'ended', state: 'now', at: T(2) });
});
