/** How thorough a run is: `npm test`, or `npm run test:long` (TEST_LONG=1). Nothing else reads the variable. */
import { LANGUAGES, type Language } from '../app/i18n/languages';

export const LONG = process.env['TEST_LONG'] === '1';

/** How often something is tried: so many times in `npm test`, so many in `npm run test:long`. */
export const rounds = (usual: number, long: number): number => (LONG ? long : usual);

/** Of many cases all in `npm run test:long`, and so many, spread over them, in `npm test`. */
export function someOf<T>(cases: readonly T[], usual: number): readonly T[] {
  if (LONG) return cases;
  return Array.from(
    { length: usual },
    (_, n) => cases[Math.floor((n * cases.length) / usual)] as T,
  );
}

/** The languages in which journeys are made. */
export const JOURNEY_LANGUAGES: readonly Language[] = LONG ? LANGUAGES : ['fr'];

/** The languages in which screens are looked at: German has the longest words. */
export const LOOK_LANGUAGES: readonly Language[] = LONG ? LANGUAGES : ['de'];
