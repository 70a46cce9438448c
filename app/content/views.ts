/* View models: plain, translated data that the modules of this folder create and `ui` renders. */
import type { Outcome, Severity } from '~/domain/eligibility';
import type { Package } from '~/domain/offer';

/** A menu item. */
export interface MenuLink {
  href: string;
  label: string;
}

/** An official fact, formatted, with its source and the day it was checked. */
export interface FactView {
  /** The raw value from the table, for calculations. */
  value: string;
  text: string;
  /** The day of the check, formatted. */
  checkedOn: string;
  source: { title: string; url: string };
  /** Earlier values, and the last day of each. */
  earlier: { text: string; until: string }[];
}

/** The service's own figures as text; those that are switched off are missing. */
export interface ClaimsView {
  approval?: string;
  applications?: string;
  processing?: string;
}

/** A package with formatted prices. */
export interface TierView {
  name: Package;
  /** Values for the text about processing time. */
  values: { days?: number; hours?: number };
  fee: string;
  officialFee: string;
  total: string;
}

/** A reason against an ESTA, as text. */
export interface FactorView {
  key: string;
  /** The question that was answered; null for the country, or if it is no longer there. */
  question: string | null;
  text: string;
  /** The language of the text. */
  language: string;
  severity: Severity | null;
  rule: { reference: string; url: string | null } | null;
}

/** An assessment, formatted for its reader. */
export interface AssessmentView {
  outcome: Outcome;
  /** The name of the country. */
  country: string;
  estaValidityMonths: number | null;
  remark: string | null;
  /** The country to choose instead, where the outcome is `other_citizenship`. */
  citizenship: { code: string; name: string } | null;
  factors: FactorView[];
}

/** What the visitor told us in the eligibility check. */
export interface Traveller {
  /** The name of the country, in the visitor's language. */
  country: string;
  /** Whether the country is in the Visa Waiver Program. */
  inProgramme: boolean;
}
