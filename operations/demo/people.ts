import type { ApplicationState } from '~/domain/application/states';
import type { Package } from '~/domain/offer';
import type { Language } from '~/i18n/languages';
import people from './people.json' with { type: 'json' };

export interface Person {
  first: string;
  last: string;
  birth: string;
  sex: 'F' | 'M';
  /** ISO 3166-1 alpha-2, and as passports print it. */
  country: string;
  printed: string;
  city: string;
  passport: string;
}

export interface DemoStaff {
  agents: readonly [string, string];
  supervisor: string;
  traveller: string;
}

export interface DemoCase {
  person: Person;
  language: Language;
  state: ApplicationState;
  package: Package;
  hours: number;
  trip: number;
  photo?: false;
  agent?: 1 | 2;
  refund?: 'requested' | 'proposed' | 'refused' | 'failed' | 'settled';
  note?: string;
  isOwn?: true;
  wantsReminder?: true;
  slow?: number;
}

export const DEMO_CASES = (
  people.cases as (Omit<DemoCase, 'person' | 'language'> &
    Pick<Person, 'first' | 'last' | 'sex'> & { country: keyof typeof people.countries })[]
).map(({ first, last, sex, country, ...rest }, n): DemoCase => {
  const { printed, city, language } = people.countries[country];
  const day = String(((n * 7) % 27) + 1).padStart(2, '0');
  const birth = `${1960 + ((n * 13) % 42)}-${String((n % 12) + 1).padStart(2, '0')}-${day}`;
  const passport = `${country === 'FR' ? '26FD' : 'C01X'}${String(10_000 + n * 137)}`;
  const person = { first, last, birth, sex, country, printed, city, passport };
  return { person, language: language as Language, ...rest };
});

/** Whose passport docs/story.md shows, to be typed by who walks it. */
export const SPECIMEN = people.specimen as Person & { expiry: string };

/** Of nobody: the domain is kept for examples. */
export const emailOf = ({ first, last }: Person): string =>
  `${first}.${last}@example.eu`
    .normalize('NFD')
    .replaceAll(/[^\w.@]/g, '')
    .toLowerCase();
