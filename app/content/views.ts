import type { Outcome, Severity } from '~/domain/eligibility';
import type { Package } from '~/domain/offer';
import type { StaffPage } from '~/access';
import type { StaffRole } from '~/domain/staff';
import type { PlaceholderSection } from '~/site-map';

export interface SiteView {
  name: string;
  /** The address of the operator's logo; null if there is none. */
  logo: string | null;
  logoSize?: { width: number; height: number } | undefined;
}

/** Who is signed in on the staff, for the frame of the desk's pages. */
export interface StaffView {
  name: string;
  role: StaffRole;
  pages: { name: StaffPage; href: string }[];
}

export type MenuLink = { href: string; label: string };

export interface FactView {
  /** The raw value from the table, for calculations. */
  value: string;
  text: string;
  checkedOn: string;
  /** The same, short: « 28 sept. 2026 ». */
  checkedShort: string;
  /** The title, and its language: the reader's, or English if it is not translated. */
  source: { title: string; language: string; url: string };
  earlier: { text: string; until: string }[];
}

export interface ClaimsView {
  areExamples: boolean;
  approval?: string;
  applications?: string;
  processing?: string;
}

export interface ComparisonView {
  /** The official fee: all that is paid without us. */
  fee: string;
  price: string;
  /** All that is paid with us: one sum, or one in each currency. */
  withUs: string;
  isTotal?: true;
  /** About what both currencies come to, where the operator has told the dollar's rate. */
  about?: string;
}

export interface TierView {
  name: Package;
  /** How many days or hours our part takes, for the text about it; missing: it promises none. */
  values: { count?: number };
  fee: string;
  officialFee: string;
  isMostPopular: boolean;
}

export type CountryOption = { code: string; name: string };

export interface FactorView {
  key: string;
  /** The question that was answered; null for the country, or if it is no longer there. */
  question: string | null;
  text: string;
  language: string;
  severity: Severity | null;
  rule: { reference: string; url: string | null } | null;
}

export interface AlternativeView {
  name: 'visa' | 'embassy' | 'attorney';
  title: string;
  text: string;
  link: string;
  url: string;
}

export interface AssessmentView {
  outcome: Outcome;
  country: string;
  estaValidityMonths: number | null;
  remark: string | null;
  /** The country to choose instead, where the outcome is `other_citizenship`. */
  citizenship: { code: string; name: string } | null;
  factors: FactorView[];
  alternatives: AlternativeView[];
}

export type Traveller = { country: string; inProgramme: boolean };

export interface ClosedView {
  section: PlaceholderSection;
  ways: WayView[];
  /** The guide's list of them; undefined of other sections, and if it cannot be read. */
  documents: { title: string; list: string[]; language: string } | undefined;
  questions: { key: string; question: string; answer: string }[];
  steps:
    | { title: string; items: { key: string; number: string; title: string; text: string }[] }
    | undefined;
}

/** A place where a closed section leads on to; its texts are in `placeholders.json`, under `ways`. */
export interface WayView {
  name:
    | 'check'
    | 'guide'
    | 'timeline'
    | 'services'
    | 'contact'
    | 'official'
    | 'officialStatus'
    | 'phone';
  href: string;
  phone: string;
}

/** A signed-in user, with the specification's names (section 3). */
export type User = { email: string; user_metadata: { first_name?: string; last_name?: string } };
