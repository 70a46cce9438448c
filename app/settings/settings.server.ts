import { readFileSync } from 'node:fs';

import { z } from 'zod/v4';

import { ConfigurationError, env } from '~/env.server';
import { LANGUAGE_ROWS, LANGUAGES } from '~/i18n/languages';
import defaults from './defaults.json' with { type: 'json' };

const text = z.string().trim().min(1);
const phone = z
  .string()
  .regex(/^\+[\d ]{7,20}$/, 'expected an international number, such as +33 …');
const percent = z.number().min(0).max(100);
/** A price in cents, per currency. */
const cents = z.strictObject({ EUR: z.int().positive(), USD: z.int().positive() });
/** A text per language; partial languages may be left out. */
const words = z.strictObject(
  Object.fromEntries(
    LANGUAGES.map((code) => [code, LANGUAGE_ROWS[code].partial ? text.optional() : text]),
  ),
);
/** Marked as a sample on the page until the operator replaces it. */
const example = z.boolean().default(false);

const schema = z.strictObject({
  siteName: text,
  /** The path of a logo on this site, such as `/logo.svg`. */
  logo: z.string().startsWith('/').nullable(),
  timeZone: z.string().refine(isTimeZone, 'expected a time zone, such as Europe/Paris'),
  /** How many days a saved assessment is kept. */
  assessmentDays: z.int().min(1).max(365),
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
    host: z.strictObject({ name: text, address: text }),
    mediator: z.strictObject({ name: text, address: text, url: z.url({ protocol: /^https$/ }) }),
  }),
  prices: z.strictObject({
    standard: z.strictObject({ cents, days: z.int().positive() }),
    express: z.strictObject({ cents, hours: z.int().positive() }),
    premium: z.strictObject({ cents }),
  }),
  /** The service's own figures; each can be hidden. */
  claims: z.strictObject({
    approvalRate: z.strictObject({ shown: z.boolean(), percent }),
    applications: z.strictObject({ shown: z.boolean(), count: z.int().positive() }),
    processing: z.strictObject({
      shown: z.boolean(),
      fromHours: z.int().positive(),
      toHours: z.int().positive(),
    }),
    outcomes: z.strictObject({
      shown: z.boolean(),
      approved: percent,
      pending: percent,
      refused: percent,
    }),
  }),
  support: z.strictObject({
    urgentHours: z.int().positive(),
    generalHours: z.int().positive(),
    complexHours: z.int().positive(),
    chatHoursPerDay: z.int().min(1).max(24),
  }),
  offices: z.array(z.strictObject({ example, city: words, address: text, phone, hours: words })),
  team: z.array(z.strictObject({ example, name: text, role: words })),
  testimonials: z.array(z.strictObject({ example, name: text, text: words })),
  certifications: z.array(z.strictObject({ example, name: text, text: words })),
});

/** The operator's settings. */
export type Settings = z.output<typeof schema>;

/**
 * Merges the operator's settings into the shipped ones: objects are merged, lists replaced.
 *
 * @throws {ConfigurationError} naming the setting, its value and what is expected
 */
export function mergeSettings(own: unknown): Settings {
  const merged = merge(defaults, own);
  const result = schema.safeParse(merged);
  if (result.success) return result.data;
  const { path, message } = result.error.issues[0] ?? { path: [], message: '' };
  const value = path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    merged,
  );
  const name = path.length > 0 ? path.join('.') : 'the file';
  throw new ConfigurationError(
    `SITE_CONFIG: ${name} is ${JSON.stringify(value) ?? 'missing'}; ${message}.`,
  );
}

let settings: Settings | undefined;

/**
 * The settings of this site, read from the file `SITE_CONFIG` on first use.
 *
 * @throws {ConfigurationError} naming the setting that is wrong
 */
export function siteSettings(): Settings {
  settings ??= refuseSamples(mergeSettings(readOwn(env().siteConfig)));
  return settings;
}

const OWN_TO_A_COMPANY = [
  'name',
  'address',
  'registration',
  'vatNumber',
  'director',
  'email',
  'phone',
  'dataProtectionContact',
] as const;

/** A public site must not be operated by the sample company. */
function refuseSamples(merged: Settings): Settings {
  if (!env().secure) return merged;
  const sample = OWN_TO_A_COMPANY.find((name) => merged.company[name] === defaults.company[name]);
  if (merged.company.example || sample) {
    throw new ConfigurationError(
      `SITE_CONFIG: company.${sample ?? 'example'} is the sample's; while PUBLIC_ORIGIN is https the company must be yours, with "example": false.`,
    );
  }
  return merged;
}

function readOwn(file: string | undefined): unknown {
  if (file === undefined) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ConfigurationError(
      `SITE_CONFIG is ${JSON.stringify(file)}; it must be a readable JSON file (${(error as NodeJS.ErrnoException).code ?? 'no JSON'}).`,
    );
  }
}

function merge(base: unknown, own: unknown): unknown {
  if (own === undefined) return base;
  if (!isObject(base) || !isObject(own)) return own;
  const keys = new Set([...Object.keys(base), ...Object.keys(own)]);
  return Object.fromEntries([...keys].map((key) => [key, merge(base[key], own[key])]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
