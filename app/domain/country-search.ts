/** A country as a traveller may look for it. */
export interface SearchableCountry {
  code: string;
  name: string;
  /** Other names: Hollande, UK. */
  aliases: readonly string[];
}

/** Text as it is compared: lower case, without accents, apostrophes and hyphens as spaces. */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/**
 * The countries that match what was typed, best first: names that begin with it, then names and
 * aliases of which a word begins with it. Without a query all of them, in the order given.
 */
export function searchCountries<C extends SearchableCountry>(
  countries: readonly C[],
  query: string,
): C[] {
  const wanted = foldText(query);
  if (wanted === '') return [...countries];
  const ranked = countries.map((country) => {
    const names = [country.name, ...country.aliases].map(foldText);
    return { country, rank: Math.min(...names.map((name, index) => rank(name, wanted, index))) };
  });
  return ranked
    .filter((entry) => entry.rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank)
    .map(({ country }) => country);
}

/**
 * The country that a text can only mean: the one whose name or alias it is, or the only match. None
 * if it may mean several.
 */
export function onlyCountry<C extends SearchableCountry>(
  countries: readonly C[],
  text: string,
): C | undefined {
  const wanted = foldText(text);
  if (wanted === '') return undefined;
  const exact = countries.filter(({ name, aliases }) =>
    [name, ...aliases].some((candidate) => foldText(candidate) === wanted),
  );
  const candidates = exact.length > 0 ? exact : searchCountries(countries, text);
  return candidates.length === 1 ? candidates[0] : undefined;
}

const NO_MATCH = 9;

/** How well a name matches: 0 the best. The name itself (index 0) goes before its aliases. */
function rank(name: string, wanted: string, index: number): number {
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return index === 0 ? 1 : 2;
  if (` ${name}`.includes(` ${wanted}`)) return 3;
  return NO_MATCH;
}
