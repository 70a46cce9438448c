/** How many may send a photo at once: what they send is in memory until it is kept. */
const MOST_PLACES = 12;

interface Place {
  applicationId: string;
  client: string;
}
const taken = new Set<Place>();

/**
 * Takes a place among those who send a photo: one an application, and one a client, so that who sends
 * slowly holds no place for all.
 *
 * @returns what gives it back; undefined if there is none
 */
export function takePlace(place: Place): (() => void) | undefined {
  const isTwice = [...taken].some(
    (one) => one.applicationId === place.applicationId || one.client === place.client,
  );
  if (isTwice || taken.size >= MOST_PLACES) return undefined;
  taken.add(place);
  return () => void taken.delete(place);
}
