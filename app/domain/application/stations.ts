import {
  type ApplicationState,
  DECIDED,
  isOneOf,
  stateRow,
  STATES,
  type StationName,
  STATIONS,
  WORKING,
} from './states';

export type TravellerState = Exclude<ApplicationState, (typeof WORKING)[number]> | 'checking';

export function travellerState(state: ApplicationState): TravellerState {
  return isOneOf(WORKING, state) ? 'checking' : state;
}
export const TRAVELLER_STATES = [...new Set(STATES.map(travellerState))];

export interface Station {
  name: StationName | 'ended';
  state: 'done' | 'now' | 'ahead' | 'skipped';
  at?: string;
}

const ENDS: Record<StationName, readonly ApplicationState[]> = {
  answers: ['awaiting_payment'],
  payment: ['paid'],
  review: ['checked'],
  filing: ['filed'],
  decision: DECIDED,
};

/** How far on the route across the sea, from 0 to 1; null: it does not arrive. */
export function routeDone(state: ApplicationState): number | null {
  const { at } = stateRow(state);
  if (at === 'ended' || state === 'not_authorized') return null;
  return at === 'passed' ? 1 : STATIONS.indexOf(at) / STATIONS.length;
}

const station = (name: Station['name'], state: Station['state'], at?: string): Station =>
  at === undefined ? { name, state } : { name, state, at };

export type PastMove = { at: string; to: ApplicationState };

/** @param moves in their order; the latest of a kind counts, as an application may go back */
export function stationsOf(state: ApplicationState, moves: readonly PastMove[]): Station[] {
  const endOf = (names: readonly ApplicationState[]) =>
    moves.findLast(({ to }) => names.includes(to))?.at;
  const { at: place } = stateRow(state);
  if (place === 'ended') {
    const passed = STATIONS.map((name) => ({ name, at: endOf(ENDS[name]) }));
    return [
      ...passed.map(({ name, at }) => station(name, at === undefined ? 'skipped' : 'done', at)),
      station('ended', 'now', endOf([state])),
    ];
  }
  const here = place === 'passed' ? STATIONS.length : STATIONS.indexOf(place);
  return STATIONS.map((name, index): Station => {
    if (index >= here) return { name, state: index === here ? 'now' : 'ahead' };
    return station(name, 'done', endOf(ENDS[name]));
  });
}
