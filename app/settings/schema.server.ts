import { z } from 'zod/v4';

import { PACKAGES } from '~/domain/offer';
import { type Language, LANGUAGES, toLanguage } from '~/i18n/languages';
import type { Path } from '~/validation/json-source.server';
import { contradiction, type DataRule } from '~/validation/problems.server';
import { secureUrl, text, wholeNumber } from '~/validation/schemas.server';

const phone = z
  .string()
  .regex(/^\+[\d ]{7,20}$/, 'expected an international number, such as +33 1 99 00 11 11');
const PERCENT = 'expected a number from 0 to 100';
const percent = z.number(PERCENT).min(0, PERCENT).max(100, PERCENT);
const count = wholeNumber(1);
const cents = z.strictObject({ EUR: count, USD: count });
const vatRate = z
  .number('expected a rate in percent, such as 20')
  .min(0, PERCENT)
  .max(100, PERCENT)
  .refine(
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
const currency = z.enum(['EUR', 'USD']).default('EUR');
/** A sample: shown in a trial only. */
const example = z.boolean().default(false);

/** What each setting may be. Editors show the descriptions; `npm run settings:schema` publishes them. */
export const schema = z.strictObject({
  siteName: text.describe('What the site is called'),
  logo: z
    .string()
    .regex(/^[^/\\]+$/, 'expected the name of a file beside SITE_CONFIG, such as logo.svg')
    .nullable()
    .describe('The name of an SVG or PNG file beside this one; null: the name alone'),
  languages: z
    .array(z.enum(LANGUAGES))
    .min(1, 'expected one language at least')
    .refine((codes) => new Set(codes).size === codes.length, 'expected each language once')
    .describe(
      'The languages of the site, in the order in which they are offered; who speaks none of them reads French if it is one, else the first',
    ),
  timeZone: z
    .string()
    .refine(isTimeZone, 'expected a time zone, such as Europe/Paris')
    .describe('Where a day of the site begins, such as Europe/Paris'),
  assessmentDays: wholeNumber(1, 365).describe('How many days a saved assessment is kept'),
  auditYears: wholeNumber(1, 10).describe(
    'How many years it is remembered who did what to accounts; the live half only',
  ),
  mailDays: wholeNumber(1, 365).describe('How many days the list of sent messages is kept'),
  logDays: wholeNumber(1, 365).describe(
    'How many days your server keeps the log, as the privacy page says; you delete it, the site does not',
  ),
  draftDays: wholeNumber(8, 365).describe(
    'How many days an application that was not paid for may be left alone before it ends; the live half only',
  ),
  applicationMinutes: wholeNumber(1, 120).describe(
    'About how many minutes the eight steps take, as the page before them says; the live half only',
  ),
  unpaidPhotoMegabytes: wholeNumber(16, 1_000_000).describe(
    'How many megabytes the photos of all applications together may take that nobody has paid for; above it the oldest of them are deleted first; the live half only',
  ),
  company: z
    .strictObject({
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
    })
    .describe('The company, as the legal pages name it; yours has "example": false'),
  prices: z
    .strictObject({
      standard: z.strictObject({ cents, days: count }),
      express: z.strictObject({ cents, hours: count }),
      premium: z.strictObject({ cents, hours: count }),
    })
    .describe(
      'Our prices in cents with VAT, without the official fee, and within how long we have checked an application; Premium’s hours are promised in the live half only',
    ),
  currencies: z
    .strictObject(
      Object.fromEntries(LANGUAGES.map((code) => [code, currency])) as Record<
        Language,
        typeof currency
      >,
    )
    .describe('The currency of our prices in each language'),
  vat: z
    .strictObject({
      rate: vatRate.describe('In percent, such as 20 or 8.1'),
      byCountry: z
        .record(country, vatRate)
        .describe('Rates by the buyer’s country of residence, such as {"DE": 19}'),
      exempt: words
        .nullable()
        .describe('Why no VAT is charged, as invoices say it; null: VAT is charged'),
      eurPerUsd: z
        .record(month, z.string().regex(/^\d\.\d{2,6}$/, 'expected a rate, such as "0.87"'))
        .describe(
          'Euros for one dollar by month, such as {"2026-11": "0.87"}: an invoice in dollars shows its VAT in euros, too; without the month of payment the latest before it',
        ),
    })
    .describe('VAT, frozen into each order; the live half only'),
  invoices: z
    .strictObject({
      prefix: z.string().regex(/^[A-Z0-9-]{0,10}$/, PREFIX),
      creditNotePrefix: z.string().regex(/^[A-Z0-9-]{0,10}$/, PREFIX),
      note: words.nullable().describe('A sentence below each invoice; null: none'),
    })
    .describe('What invoices and credit notes are called and say besides; the live half only'),
  guarantee: z
    .strictObject({
      offered: z.boolean(),
      requestDays: wholeNumber(14, 365),
      paidFromDays: count,
      paidToDays: count,
    })
    .describe(
      'The money-back guarantee: within how many days of payment the price can be asked back, and in how many business days it is paid',
    ),
  fourEyes: z
    .boolean()
    .describe(
      'Whether a refund is approved by another person than who proposed it, and an application filed by another than who checked it; false for a one-person firm, and the audit says so',
    ),
  officialFee: z
    .enum(['traveller', 'operator'])
    .describe(
      'Who pays the official fee: the traveller, once the application is entered, as the terms say; or the operator while entering it',
    ),
  filingEmail: z
    .email()
    .nullable()
    .describe(
      'Your address that is typed at the official site, where its messages arrive; null: the traveller’s own',
    ),
  providers: z
    .strictObject({ mail: text.nullable(), sms: text.nullable() })
    .describe(
      'Who delivers mail and SMS: name and country, as the privacy page says them; null: told on request',
    ),
  answerDays: wholeNumber(11, 365).describe(
    'How many days a traveller has for an answer before the application is cancelled and paid back',
  ),
  caseDays: wholeNumber(8, 365).describe(
    'How many days answers, documents and notes are kept after an application has come to its end',
  ),
  orderYears: wholeNumber(1, 30).describe('How many years orders and invoices are kept'),
  claims: z
    .strictObject({
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
    })
    .describe(
      'The service’s own figures; those that are not in your file are examples, which a trial alone shows. Each can be hidden. What cannot be true together is refused',
    ),
  support: z
    .strictObject({
      urgentHours: count,
      generalHours: count,
      complexHours: count,
      chatHoursPerDay: wholeNumber(1, 24),
      phoneHours: words.nullable().describe('When the phone is answered; null: day and night'),
    })
    .describe('Within how many hours questions are answered, and how long the chat is open a day'),
  offices: z
    .array(z.strictObject({ example, city: words, address: text, phone, hours: words }))
    .describe('Offices; the list takes the place of the shipped one, as all lists do'),
  team: z
    .array(z.strictObject({ example, name: text, role: words }))
    .describe('Who works here, as the page about us shows them'),
  testimonials: z
    .array(z.strictObject({ example, name: text, text: words }))
    .describe('What travellers have said'),
  reviewCheck: words
    .nullable()
    .describe(
      'How you check that reviews come from customers, a sentence below them; null: it says that you do not',
    ),
  certifications: z
    .array(z.strictObject({ example, name: text, text: words }))
    .describe('Certificates, and what each attests'),
  $schema: z
    .string()
    .optional()
    .describe('Where an editor finds the description of this file; the site does not look'),
});

export type Settings = z.output<typeof schema>;

/** What cannot be true together, whatever the service does. */
export const RULES: DataRule<Settings>[] = [
  {
    parts: ['languages'],
    problems: (settings) => {
      return textsIn(settings, []).flatMap(({ path, texts }) =>
        settings.languages
          .filter((code) => !(code in texts))
          .map((code) => [...path, code])
          .map((inner) => ({
            paths: [inner],
            text: `${inner.join('.')} is missing; expected text in double quotes`,
          })),
      );
    },
  },
  contradiction(
    ['claims.processing.fromHours', 'claims.processing.toHours'],
    ({ claims: { processing } }) =>
      processing.fromHours > processing.toHours
        ? 'the first must not be more than the second'
        : undefined,
  ),
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
  contradiction(
    ['support.urgentHours', 'support.generalHours', 'support.complexHours'],
    ({ support: { urgentHours, generalHours, complexHours } }) =>
      urgentHours > generalHours || generalHours > complexHours
        ? 'none may be more than the next'
        : undefined,
  ),
  contradiction(
    ['prices.premium.hours', 'prices.express.hours'],
    ({ prices: { premium, express } }) =>
      premium.hours > express.hours ? 'premium must not take longer than express' : undefined,
  ),
  contradiction(
    ['guarantee.paidFromDays', 'guarantee.paidToDays'],
    ({ guarantee: { paidFromDays, paidToDays } }) =>
      paidFromDays > paidToDays ? 'the first must not be more than the second' : undefined,
  ),
  contradiction(['invoices.prefix', 'invoices.creditNotePrefix'], ({ invoices }) =>
    invoices.prefix === invoices.creditNotePrefix
      ? 'two series of numbers need two prefixes'
      : undefined,
  ),
];

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
