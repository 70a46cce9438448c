import type { ApplicationState } from '~/domain/application/states';
import type { Package } from '~/domain/offer';
import type { Language } from '~/i18n/languages';

export interface Person {
  first: string;
  last: string;
  /** yyyy-MM-dd */
  birth: string;
  sex: 'F' | 'M';
  /** ISO 3166-1 alpha-2, and as passports print it. */
  country: string;
  printed: string;
  city: string;
  passport: string;
}

export interface DemoCase {
  person: Person;
  language: Language;
  state: ApplicationState;
  package: Package;
  hours: number;
  /** So many days from now the trip begins. */
  trip: number;
  photo?: false;
  agent?: 1 | 2;
  refund?: 'requested' | 'proposed' | 'refused' | 'failed' | 'settled';
  note?: string;
  isOwn?: true;
  /** Ticked: reminded while unpaid. */
  wantsReminder?: true;
  /** So many times slower than usual. */
  slow?: number;
}

const COUNTRIES = {
  FR: ['FRA', 'Lyon', 'fr'],
  DE: ['D', 'Köln', 'de'],
  GB: ['GBR', 'Leeds', 'en'],
  NL: ['NLD', 'Utrecht', 'en'],
  IT: ['ITA', 'Bologna', 'en'],
  ES: ['ESP', 'Valencia', 'en'],
  SE: ['SWE', 'Uppsala', 'en'],
  CH: ['CHE', 'Basel', 'de'],
  AT: ['AUT', 'Graz', 'de'],
  BE: ['BEL', 'Namur', 'fr'],
  IE: ['IRL', 'Cork', 'en'],
} as const;

type Line = readonly [
  first: string,
  last: string,
  sex: Person['sex'],
  country: keyof typeof COUNTRIES,
  state: ApplicationState,
  name: Package,
  hours: number,
  trip: number,
  more?: Partial<DemoCase>,
];

const LINES: readonly Line[] = [
  ['Léa', 'Moreau', 'F', 'FR', 'paid', 'express', 3, 9],
  ['Jonas', 'Brandt', 'M', 'DE', 'paid', 'standard', 20, 40, { isOwn: true }],
  ['Olivia', 'Hartley', 'F', 'GB', 'paid', 'standard', 80, 25],
  ['Sanne', 'de Wit', 'F', 'NL', 'paid', 'premium', 1, 5],
  ['Marco', 'Ferri', 'M', 'IT', 'paid', 'standard', 30, 60, { photo: false }],
  ['Camille', 'Dupuis', 'F', 'FR', 'in_review', 'standard', 40, 30, { agent: 1 }],
  [
    'Heike',
    'Sommer',
    'F',
    'DE',
    'in_review',
    'express',
    30,
    12,
    { agent: 1, note: 'Ruft morgen an.' },
  ],
  ['Erik', 'Lindqvist', 'M', 'SE', 'in_review', 'standard', 50, 21, { agent: 2 }],
  ['Inés', 'Navarro', 'F', 'ES', 'action_required', 'standard', 45, 33, { agent: 1 }],
  ['Paul', 'Garnier', 'M', 'FR', 'action_required', 'standard', 100, 18, { agent: 2 }],
  ['Urs', 'Keller', 'M', 'CH', 'checked', 'standard', 60, 28, { agent: 1 }],
  ['Aoife', 'Brennan', 'F', 'IE', 'checked', 'premium', 10, 6, { agent: 2 }],
  ['Lukas', 'Hofer', 'M', 'AT', 'fee_due', 'standard', 70, 35, { agent: 2 }],
  ['Élodie', 'Lambert', 'F', 'BE', 'fee_due', 'express', 26, 15, { agent: 1 }],
  ['Thomas', 'Weber', 'M', 'DE', 'filed', 'standard', 90, 22, { agent: 2 }],
  ['Grace', 'Whitfield', 'F', 'GB', 'filed', 'express', 400, 14, { agent: 1 }],
  ['Nina', 'Vogel', 'F', 'DE', 'approved', 'standard', 200, 45, { agent: 2, isOwn: true }],
  ['Hugo', 'Perrin', 'M', 'FR', 'approved', 'standard', 400, 20, { agent: 1, refund: 'refused' }],
  ['Daan', 'Visser', 'M', 'NL', 'approved', 'express', 640, 50, { agent: 2, slow: 6 }],
  [
    'Giulia',
    'Conti',
    'F',
    'IT',
    'not_authorized',
    'standard',
    260,
    30,
    { agent: 1, refund: 'proposed' },
  ],
  [
    'Rhys',
    'Bevan',
    'M',
    'GB',
    'not_authorized',
    'standard',
    500,
    26,
    { agent: 2, refund: 'settled' },
  ],
  ['Manon', 'Chevalier', 'F', 'FR', 'cancelled', 'standard', 150, 70, { refund: 'requested' }],
  ['Karl', 'Lehmann', 'M', 'DE', 'cancelled', 'standard', 320, 12, { refund: 'failed' }],
  ['Zoé', 'Marchand', 'F', 'FR', 'draft', 'standard', 12, 55, { wantsReminder: true }],
  ['Felix', 'Graf', 'M', 'AT', 'awaiting_payment', 'standard', 18, 48, { wantsReminder: true }],
  ['Astrid', 'Nyman', 'F', 'SE', 'awaiting_payment', 'express', 5, 16],
  ['Owen', 'Marsh', 'M', 'GB', 'expired', 'standard', 700, 1],
];

/** The invented cases: some in each state, of people from several countries. */
export const DEMO_CASES: readonly DemoCase[] = LINES.map(
  ([first, last, sex, country, state, name, hours, trip, more], n) => {
    const [printed, city, language] = COUNTRIES[country];
    const day = String(((n * 7) % 27) + 1).padStart(2, '0');
    const birth = `${1960 + ((n * 13) % 42)}-${String((n % 12) + 1).padStart(2, '0')}-${day}`;
    const passport = `${country === 'FR' ? '26FD' : 'C01X'}${String(10_000 + n * 137)}`;
    const person = { first, last, birth, sex, country, printed, city, passport };
    return { person, language, state, package: name, hours, trip, ...more };
  },
);

/** Whose passport docs/story.md shows, to be typed by who walks it. */
export const SPECIMEN: Person & { expiry: string } = {
  first: 'Chloé Hélène',
  last: 'Lefèvre',
  birth: '1990-11-03',
  sex: 'F',
  country: 'FR',
  printed: 'FRA',
  city: 'Lyon',
  passport: '19FV04512',
  expiry: '2031-05-22',
};

/** Of nobody: the domain is kept for examples. */
export const emailOf = ({ first, last }: Person): string =>
  `${first}.${last}@example.eu`
    .normalize('NFD')
    .replaceAll(/[^\w.@]/g, '')
    .toLowerCase();
