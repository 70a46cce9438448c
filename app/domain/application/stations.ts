import { type ApplicationState, DECIDED, isOneOf, NEVER_PAID, STATES, WORKING } from './states';

export type TravellerState = Exclude<ApplicationState, (typeof WORKING)[number]> | 'checking';

export function travellerState(state: ApplicationState): TravellerState {
  return isOneOf(WORKING, state) ? 'checking' : state;
}
export const TRAVELLER_STATES = [...new Set(STATES.map(travellerState))];

export const STATIONS = ['answers', 'payment', 'review', 'filing', 'decision'] as const;
type StationName = (typeof STATIONS)[number];

export interface Station {
  name: StationName | 'ended';
  state: 'done' | 'now' | 'ahead' | 'skipped';
  at?: string;
}

/** The station at which an application of a state is; `length` of the way: all were passed. */
const HERE: Record<Exclude<ApplicationState, 'cancelled' | 'expired'>, number> = {
  draft: 0,
  awaiting_payment: 1,
  paid: 2,
  in_review: 2,
  action_required: 2,
  checked: 3,
  fee_due: 3,
  filed: 4,
  approved: STATIONS.length,
  not_authorized: STATIONS.length,
};

const ENDS: Record<StationName, readonly ApplicationState[]> = {
  answers: ['awaiting_payment'],
  payment: ['paid'],
  review: ['checked'],
  filing: ['filed'],
  decision: DECIDED,
};

const station = (name: Station['name'], state: Station['state'], at?: string): Station =>
  at === undefined ? { name, state } : { name, state, at };

export type PastMove = { at: string; to: ApplicationState };

/** @param moves in their order; the latest of a kind counts, as an application may go back */
export function stationsOf(state: ApplicationState, moves: readonly PastMove[]): Station[] {
  const endOf = (names: readonly ApplicationState[]) =>
    moves.findLast(({ to }) => names.includes(to))?.at;
  if (isOneOf(NEVER_PAID, state)) {
    const passed = STATIONS.map((name) => ({ name, at: endOf(ENDS[name]) }));
    return [
      ...passed.map(({ name, at }) => station(name, at === undefined ? 'skipped' : 'done', at)),
      station('ended', 'now', endOf([state])),
    ];
  }
  const here = HERE[state];
  return STATIONS.map((name, index): Station => {
    if (index >= here) return { name, state: index === here ? 'now' : 'ahead' };
    return station(name, 'done', endOf(ENDS[name]));
  });
}
