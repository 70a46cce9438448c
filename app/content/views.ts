/*
 * What pages show, as plain data with its words: made by the files of this folder, shown by `ui`.
 */
import type { Outcome, Severity } from '~/domain/eligibility';
import type { Package } from '~/domain/offer';

/** A link of a menu. */
export interface MenuLink {
  href: string;
  label: string;
}

/** An official fact, formatted, with where and when it was checked. */
export interface FactView {
  /** As it stands in the table, to reckon with. */
  value: string;
  text: string;
  /** The day of the check, in words. */
  checkedOn: string;
  source: { title: string; url: string };
  /** What held before, and until when. */
  earlier: { text: string; until: string }[];
}

/** The service's own figures as text; one that the operator has switched off is not there. */
export interface ClaimsView {
  approval?: string;
  applications?: string;
  processing?: string;
}

/** A package with its prices as text. */
export interface TierView {
  name: Package;
  /** What the words on its speed are filled with. */
  values: { days?: number; hours?: number };
  fee: string;
  officialFee: string;
  total: string;
}

/** What speaks against an ESTA, in words. */
export interface FactorView {
  key: string;
  text: string;
  /** The language of the text. */
  language: string;
  severity: Severity | null;
  rule: { reference: string; url: string | null } | null;
}

/** An assessment as its reader sees it. */
export interface AssessmentView {
  outcome: Outcome;
  /** The country's name. */
  country: string;
  estaValidityMonths: number | null;
  remark: string | null;
  factors: FactorView[];
}

/** What a visitor has said of themselves in the eligibility check. */
export interface Traveller {
  /** The country's name in the visitor's language. */
  country: string;
  /** It is in the Visa Waiver Program. */
  inProgramme: boolean;
}
