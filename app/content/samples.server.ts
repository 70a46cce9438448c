import { env } from '~/env.server';

/** The entries of a section, and whether they are the samples that ship with the program. */
interface Entries<T> {
  entries: T[];
  areSamples: boolean;
}

/**
 * The operator's own entries of a list; where there are none the samples, but never on a site that
 * travellers reach over https: docs/decisions/0025-samples.md
 */
export function ownOrSamples<T extends { example: boolean }>(list: readonly T[]): Entries<T> {
  const own = list.filter(({ example }) => !example);
  if (own.length > 0 || env().secure) return { entries: own, areSamples: false };
  return { entries: [...list], areSamples: list.length > 0 };
}
