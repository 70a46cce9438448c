import { later } from '~/clock.server';
import { perApp } from '~/current-app.server';

/** How many may send a photo at once: what they send is in memory until it is kept. */
const MOST_PLACES = 12;
const MOST_WAITING = 50;
const MOST_WAIT_MS = 30_000;

type Place = { applicationId: string; client: string };
const places = perApp(() => ({
  taken: new Set<Place>(),
  waiting: new Map<Place, () => void>(),
}));

/** One an application and a client: who sends slowly holds no place for all. @returns what gives it back */
export async function takePlace(place: Place): Promise<(() => void) | undefined> {
  const { taken, waiting } = places();
  const isTwice = [...taken, ...waiting.keys()].some(
    (one) => one.applicationId === place.applicationId || one.client === place.client,
  );
  if (isTwice || (taken.size >= MOST_PLACES && !(await turnOf(place)))) return undefined;
  taken.add(place);
  return () => {
    taken.delete(place);
    const [next] = waiting.values();
    next?.();
  };
}

export const isPlaceWanted = (): boolean => places().waiting.size > 0;

function turnOf(place: Place): Promise<boolean> {
  const { taken, waiting } = places();
  if (waiting.size >= MOST_WAITING) return Promise.resolve(false);
  return new Promise((resolve) => {
    const end = (isFree: boolean) => {
      cancel();
      waiting.delete(place);
      resolve(isFree);
    };
    const cancel = later(MOST_WAIT_MS, () => end(false));
    waiting.set(place, () => {
      taken.add(place);
      end(true);
    });
  });
}
