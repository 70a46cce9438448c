/* View models: plain, translated data that the modules of this folder create and `ui` renders. */
import type { Outcome, Severity } from '~/domain/eligibility';
import type { Package } from '~/domain/offer';
import type { StaffPage } from '~/access';
import type { StaffRole } from '~/domain/staff';
import type { PlaceholderSection } from '~/site-map';

export interface SiteView {
  name: string;
  /** The address of the operator's logo; null if there is none. */
  logo: string | null;
  /** In pixels; only with a logo. */
  logoSize?: { width: number; height: number } | undefined;
}

/** Who is signed in on the staff, for the frame of the desk's pages. */
export interface StaffView {
  name: string;
  role: StaffRole;
  pages: { name: StaffPage; href: string }[];
}

export interface MenuLink {
  href: string;
  label: string;
}

/** An official fact, formatted, with its source and the day it was checked. */
export interface FactView {
  /** The raw value from the table, for calculations. */
  value: string;
  text: string;
  checkedOn: string;
  /** The same, short: « 28 sept. 2026 ». */
  checkedShort: string;
  /** The title, and its language: the reader's, or English if it is not translated. */
  source: { title: string; language: string; url: string };
  /** Earlier values, and the last day of each. */
  earlier: { text: string; until: string }[];
}

/** The service's own figures as text; those that are switched off are missing. */
export interface ClaimsView {
  /** Whether they are examples, until the operator has own ones. */
  areExamples: boolean;
  approval?: string;
  applications?: string;
  processing?: string;
}

/** Both ways to apply, with formatted amounts. */
export interface ComparisonView {
  /** The official fee: all that is paid without us. */
  fee: string;
  /** Our lowest fee. */
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

/** A country to choose, named in the reader's language. */
export interface CountryOption {
  code: string;
  name: string;
}

/** A reason against an ESTA, as text. */
export interface FactorView {
  key: string;
  /** The question that was answered; null for the country, or if it is no longer there. */
  question: string | null;
  text: string;
  language: string;
  severity: Severity | null;
  rule: { reference: string; url: string | null } | null;
}

/** Where to turn without an ESTA, as text. */
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

/** What the visitor told us in the eligibility check. */
export interface Traveller {
  /** The name of the country, in the visitor's language. */
  country: string;
  /** Whether the country is in the Visa Waiver Program. */
  inProgramme: boolean;
}

/** A section of the live half in offline mode. */
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
export interface User {
  email: string;
  user_metadata: { first_name?: string; last_name?: string };
}
