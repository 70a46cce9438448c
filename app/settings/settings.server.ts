import { readFileSync } from 'node:fs';

import { z } from 'zod/v4';

import { ConfigurationError, env } from '~/env.server';
import { LANGUAGE_ROWS, LANGUAGES } from '~/i18n/languages';
import { type LogoFile, readLogo } from './logo.server';
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
/** A sample: shown in a trial only. */
const example = z.boolean().default(false);

const schema = z.strictObject({
  siteName: text,
  /** The name of an SVG or PNG file beside `SITE_CONFIG`. */
  logo: z
    .string()
    .regex(/^[^/\\]+$/, 'expected the name of a file beside SITE_CONFIG, such as logo.svg')
    .nullable(),
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
  /** The service's own figures; each can be hidden. What cannot be true together is refused. */
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
  if (result.success) {
    refuseImpossible(result.data.claims);
    return result.data;
  }
  const { path, message } = result.error.issues[0] ?? { path: [], message: '' };
  const value = valueAt(merged, path);
  const name = path.length > 0 ? path.join('.') : 'the file';
  throw new ConfigurationError(
    `SITE_CONFIG: ${name} is ${JSON.stringify(value) ?? 'missing'}; ${message}.`,
  );
}

/** A detail of the company by its path, such as `host.name`. */
export type CompanyDetail = (typeof DETAILS)[number] | (typeof OFTEN_THE_SAME)[number];

/** Samples that no company has. */
const DETAILS = [
  'name',
  'address',
  'registration',
  'vatNumber',
  'director',
  'email',
  'phone',
  'dataProtectionContact',
  'host.name',
  'host.address',
  'mediator.name',
  'mediator.address',
  'mediator.url',
] as const;
/** A real company may have the same: these only have to be in the operator's file. */
const OFTEN_THE_SAME = ['legalForm', 'capital'] as const;

/**
 * The details of the company that are still those of the sample.
 *
 * @param own what the operator has set
 */
export function sampleDetails(own: unknown): ReadonlySet<CompanyDetail> {
  const ownCompany = valueAt(own, ['company']);
  const isSame = (detail: CompanyDetail) => {
    const path = detail.split('.');
    return (
      (valueAt(ownCompany, path) ?? valueAt(defaults.company, path)) ===
      valueAt(defaults.company, path)
    );
  };
  const isMissing = (detail: CompanyDetail) => valueAt(ownCompany, [detail]) === undefined;
  return new Set([...OFTEN_THE_SAME.filter(isMissing), ...DETAILS.filter(isSame)]);
}

let read:
  | {
      settings: Settings;
      samples: ReadonlySet<CompanyDetail>;
      logo: LogoFile | undefined;
    }
  | undefined;

function readSettings() {
  if (!read) {
    const { siteConfig, secure } = env();
    const own = readOwn(siteConfig);
    const settings = mergeSettings(own);
    const samples = sampleDetails(own);
    if (secure) refuseSamples(settings, samples);
    const logo = settings.logo && siteConfig ? readLogo(settings.logo, siteConfig) : undefined;
    read = { settings, samples, logo };
  }
  return read;
}

/**
 * The settings of this site, read from the file `SITE_CONFIG` on first use.
 *
 * @throws {ConfigurationError} naming the setting that is wrong
 */
export function siteSettings(): Settings {
  return readSettings().settings;
}

/** The operator's logo; undefined if there is none. */
export function siteLogo(): LogoFile | undefined {
  return readSettings().logo;
}

/** The details of this site's company that are samples; none while `PUBLIC_ORIGIN` is https. */
export function companySamples(): ReadonlySet<CompanyDetail> {
  return readSettings().samples;
}

/** A public site must not be operated by the sample company. */
function refuseSamples({ company }: Settings, samples: ReadonlySet<CompanyDetail>): void {
  const names = [...samples, ...(company.example ? ['example'] : [])];
  if (names.length === 0) return;
  const list = names.map((name) => `company.${name}`).join(', ');
  throw new ConfigurationError(
    `SITE_CONFIG: these are still the sample's: ${list}; while PUBLIC_ORIGIN is https the company must be yours, with "example": false.`,
  );
}

/**
 * Claims that cannot be true together, whatever the service does.
 *
 * @throws {ConfigurationError} naming them and their values
 */
function refuseImpossible({ approvalRate, processing, outcomes }: Settings['claims']): void {
  const refuse = (what: string) => {
    throw new ConfigurationError(`SITE_CONFIG: ${what}.`);
  };
  const { approved, pending, refused } = outcomes;
  if (processing.fromHours > processing.toHours) {
    refuse(
      `claims.processing.fromHours is ${processing.fromHours} and claims.processing.toHours is ${processing.toHours}; the first must not be more than the second`,
    );
  }
  if (!outcomes.shown) return;
  if (Math.abs(approved + pending + refused - 100) > 0.001) {
    refuse(
      `claims.outcomes.approved, pending and refused are ${approved}, ${pending} and ${refused}; together they must be 100`,
    );
  }
  // Of the applications that were checked, which are some of all: only all or none bind them.
  const extreme = approved === 0 || approved === 100;
  if (approvalRate.shown && extreme && approvalRate.percent !== approved) {
    refuse(
      `claims.outcomes.approved is ${approved} and claims.approvalRate.percent is ${approvalRate.percent}; where ${approved === 0 ? 'none' : 'all'} of the applications are approved, so are those that were checked`,
    );
  }
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

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key],
    value,
  );
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
