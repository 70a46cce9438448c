import { z } from 'zod/v4';

import { PACKAGES } from '~/domain/offer';
import { type Language, LANGUAGES, toLanguage } from '~/i18n/languages';
import type { Path } from '~/validation/json-source.server';
import { contradiction, type DataRule, valueAt } from '~/validation/problems.server';
import { secureUrl, text, wholeNumber } from '~/validation/schemas.server';

const phone = z
  .string()
  .regex(/^\+[\d ]{7,20}$/, 'expected an international number, such as +33 1 99 00 11 11');
const PERCENT = 'expected a number from 0 to 100';
const percent = z.number(PERCENT).min(0, PERCENT).max(100, PERCENT);
const count = wholeNumber(1);
const cents = z.strictObject({ EUR: count, USD: count });
const vatRate = percent.refine(
  (rate) => Math.abs(rate * 100 - Math.round(rate * 100)) < 1e-9,
  'expected two decimals at most',
);
const country = z.string().regex(/^[A-Z]{2}$/, 'expected a country code, such as DE');
const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'expected a month, such as 2026-11');
const PREFIX = 'expected at most ten capital letters, digits and hyphens';
/** A text per language; which ones there must be, the languages of the site say (`RULES`). */
const words = z
  .strictObject(Object.fromEntries(LANGUAGES.map((code) => [code, text.optional()])))
  .refine((texts) => Object.keys(texts).length > 0, 'expected a text for each language');
const day = z.iso.date('expected a day, such as 2026-12-24');
/** A day on which nothing more is sold, and how many orders a day takes. */
const sale = z.strictObject({ soldOutOn: day.nullable(), perDay: count.nullable() });
const currency = z.enum(['EUR', 'USD']).default('EUR');
const example = z.boolean().default(false);

/** What each setting may be; `descriptions.json` says what it means (`npm run settings:schema`). */
export const schema = z.strictObject({
  siteName: text,
  logo: z
    .string()
    .regex(/^[^/\\]+$/, 'expected the name of a file beside SITE_CONFIG, such as logo.svg')
    .nullable(),
  languages: z
    .array(z.enum(LANGUAGES))
    .min(1, 'expected one language at least')
    .refine((codes) => new Set(codes).size === codes.length, 'expected each language once'),
  timeZone: z.string().refine(isTimeZone, 'expected a time zone, such as Europe/Paris'),
  assessmentDays: wholeNumber(1, 365),
  auditYears: wholeNumber(1, 10),
  mailDays: wholeNumber(1, 365),
  logDays: wholeNumber(1, 365),
  draftDays: wholeNumber(8, 365),
  applicationMinutes: wholeNumber(1, 120),
  unpaidPhotoMegabytes: wholeNumber(16, 1_000_000),
  company: z.strictObject({
    example,
    name: text,
    legalForm: text,
    capital: text,
    address: text,
    registration: text,
    vatNumber: text,
    director: text,
    email: z.email(),
    phone,
    dataProtectionContact: z.email(),
    host: z.strictObject({ name: text, address: text, phone }),
    mediator: z.strictObject({ name: text, address: text, url: secureUrl }),
  }),
  prices: z.strictObject({
    standard: z.strictObject({ cents, days: count }),
    express: z.strictObject({ cents, hours: count }),
    premium: z.strictObject({ cents, hours: count }),
  }),
  sales: z.strictObject({ standard: sale, express: sale, premium: sale }),
  currencies: z.strictObject(
    Object.fromEntries(LANGUAGES.map((code) => [code, currency])) as Record<
      Language,
      typeof currency
    >,
  ),
  vat: z.strictObject({
    rate: vatRate,
    byCountry: z.record(country, vatRate),
    exempt: words.nullable(),
    eurPerUsd: z.record(
      month,
      z.string().regex(/^\d\.\d{2,6}$/, 'expected a rate, such as "0.87"'),
    ),
  }),
  invoices: z.strictObject({
    prefix: z.string().regex(/^[A-Z0-9-]{0,10}$/, PREFIX),
    creditNotePrefix: z.string().regex(/^[A-Z0-9-]{0,10}$/, PREFIX),
    note: words.nullable(),
  }),
  guarantee: z.strictObject({
    offered: z.boolean(),
    requestDays: wholeNumber(14, 365),
    paidFromDays: count,
    paidToDays: count,
  }),
  fourEyes: z.boolean(),
  officialFee: z.enum(['traveller', 'operator']),
  filingEmail: z.email().nullable(),
  providers: z.strictObject({ mail: text.nullable(), sms: text.nullable() }),
  answerDays: wholeNumber(11, 365),
  caseDays: wholeNumber(8, 365),
  orderYears: wholeNumber(1, 30),
  claims: z.strictObject({
    approvalRate: z.strictObject({ shown: z.boolean(), percent }),
    applications: z.strictObject({ shown: z.boolean(), count }),
    processing: z.strictObject({
      shown: z.boolean(),
      fromHours: count,
      toHours: count,
    }),
    mostPopular: z.strictObject({ shown: z.boolean(), package: z.enum(PACKAGES) }),
    outcomes: z.strictObject({
      shown: z.boolean(),
      approved: percent,
      pending: percent,
      refused: percent,
    }),
  }),
  support: z.strictObject({
    urgentHours: count,
    generalHours: count,
    complexHours: count,
    chatHoursPerDay: wholeNumber(1, 24),
    phoneHours: words.nullable(),
  }),
  /** First and last day. `who`: of the staff, by their address; null: everybody. */
  closures: z.array(z.strictObject({ from: day, until: day, who: z.email().nullable() })),
  notice: z.strictObject({ from: day, until: day, text: words }).nullable(),
  offices: z.array(z.strictObject({ example, city: words, address: text, phone, hours: words })),
  team: z.array(z.strictObject({ example, name: text, role: words })),
  testimonials: z.array(z.strictObject({ example, name: text, text: words })),
  reviewCheck: words.nullable(),
  certifications: z.array(z.strictObject({ example, name: text, text: words })),
  $schema: z.string().optional(),
});

export type Settings = z.output<typeof schema>;

const ENDS_BEFORE = 'the last day must not be before the first';

export const RULES: DataRule<Settings>[] = [
  {
    parts: ['languages'],
    problems: (settings) =>
      textsIn(settings, []).flatMap(({ path, texts }) =>
        settings.languages
          .filter((code) => !(code in texts))
          .map((code) => ({
            paths: [[...path, code]],
            text: `${[...path, code].join('.')} is missing; expected text in double quotes`,
          })),
      ),
  },
  rising('claims.processing.fromHours', 'claims.processing.toHours'),
  rising('support.urgentHours', 'support.generalHours', 'support.complexHours'),
  rising('prices.premium.hours', 'prices.express.hours'),
  contradiction(['closures'], ({ closures }) =>
    closures.every(({ from, until }) => from <= until) ? undefined : ENDS_BEFORE,
  ),
  contradiction(['notice'], ({ notice }) =>
    !notice || notice.from <= notice.until ? undefined : ENDS_BEFORE,
  ),
  rising('guarantee.paidFromDays', 'guarantee.paidToDays'),
  contradiction(
    ['claims.outcomes.approved', 'claims.outcomes.pending', 'claims.outcomes.refused'],
    ({ claims: { outcomes } }) => {
      const sum = outcomes.approved + outcomes.pending + outcomes.refused;
      const isWhole = !outcomes.shown || Math.abs(sum - 100) <= 0.001;
      return isWhole ? undefined : `together they must be 100, not ${Number(sum.toFixed(3))}`;
    },
  ),
  contradiction(
    ['claims.outcomes.approved', 'claims.approvalRate.percent'],
    ({ claims: { outcomes, approvalRate } }) => {
      // Of the applications that were checked, which are some of all: only all or none bind them.
      const isExtreme = outcomes.approved === 0 || outcomes.approved === 100;
      const isBound = outcomes.shown && approvalRate.shown && isExtreme;
      if (!isBound || approvalRate.percent === outcomes.approved) return undefined;
      return `where ${outcomes.approved === 0 ? 'none' : 'all'} of the applications are approved, so are those that were checked`;
    },
  ),
  contradiction(
    ['prices.express.hours', 'prices.standard.days'],
    ({ prices: { express, standard } }) =>
      express.hours > standard.days * 24 ? 'express must not take longer than standard' : undefined,
  ),

  contradiction(['invoices.prefix', 'invoices.creditNotePrefix'], ({ invoices }) =>
    invoices.prefix === invoices.creditNotePrefix
      ? 'two series of numbers need two prefixes'
      : undefined,
  ),
];

function rising(...parts: string[]): DataRule<Settings> {
  return contradiction(parts, (settings) => {
    const figures = parts.map((part) => Number(valueAt(settings, part.split('.'))));
    const isRising = figures.every((figure, n) => figure <= (figures[n + 1] ?? figure));
    return isRising ? undefined : 'none may be more than the next';
  });
}

/** The texts by language that stand in a value: the objects that have nothing but texts of languages. */
function textsIn(value: unknown, path: Path): { path: Path; texts: object }[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => textsIn(one, [...path, index]));
  if (typeof value !== 'object' || value === null || path[0] === 'currencies') return [];
  const entries = Object.entries(value);
  const isTexts = entries.length > 0 && entries.every(([key]) => toLanguage(key) !== undefined);
  if (isTexts) return [{ path, texts: value }];
  return entries.flatMap(([key, inner]) => textsIn(inner, [...path, key]));
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
