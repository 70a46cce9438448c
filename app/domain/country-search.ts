export type SearchableCountry = { code: string; name: string; aliases: readonly string[] };

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

export function searchCountries<C extends SearchableCountry>(
  countries: readonly C[],
  query: string,
): C[] {
  const folded = foldText(query);
  if (folded === '') return [...countries];
  const ranked = countries.map((country) => {
    const names = [country.name, ...country.aliases].map(foldText);
    return { country, rank: Math.min(...names.map((name, index) => rank(name, folded, index))) };
  });
  return ranked
    .filter((entry) => entry.rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank)
    .map(({ country }) => country);
}

export function onlyCountry<C extends SearchableCountry>(countries: readonly C[], text: string) {
  const folded = foldText(text);
  if (folded === '') return undefined;
  const exact = countries.filter(({ name, aliases }) =>
    [name, ...aliases].some((candidate) => foldText(candidate) === folded),
  );
  const candidates = exact.length > 0 ? exact : searchCountries(countries, text);
  return candidates.length === 1 ? candidates[0] : undefined;
}

/** Names of several countries. One that stands in all their names is offered on purpose: « Corée ». */
export function sharedNames(countries: readonly SearchableCountry[]) {
  const found = new Map<string, { name: string; owners: Set<SearchableCountry> }>();
  for (const country of countries) {
    for (const name of [country.name, ...country.aliases]) {
      const folded = foldText(name);
      const first = found.get(folded) ?? { name, owners: new Set() };
      first.owners.add(country);
      found.set(folded, first);
    }
  }
  return [...found].flatMap(([folded, { name, owners }]) => {
    const names = [...owners].map((owner) => foldText(owner.name));
    const isOffered = names.every((one) => one.includes(folded) && one !== folded);
    if (owners.size === 1 || isOffered) return [];
    return { name, codes: [...owners].map(({ code }) => code) };
  });
}

const NO_MATCH = 9;

function rank(name: string, query: string, index: number): number {
  if (name === query) return 0;
  if (name.startsWith(query)) return index === 0 ? 1 : 2;
  if (` ${name}`.includes(` ${query}`)) return 3;
  return NO_MATCH;
}
