import { readFileSync } from 'node:fs';

import type { Currency } from '~/domain/offer';
import { ConfigurationError, env, settingsVariables } from '~/env.server';
import type { Language } from '~/i18n/languages';
import { type JsonSource, JsonSyntaxError, readJson } from '~/validation/json-source.server';
import {
  check,
  contradiction,
  repetition,
  type Rule,
  sentence,
  valueAt,
} from '~/validation/problems.server';
import { type LogoFile, readLogo } from './logo.server';
import { RULES, schema, type Settings } from './schema.server';
import defaults from './defaults.json' with { type: 'json' };

/**
 * Merges the operator's settings into the shipped ones: objects are merged, lists replaced.
 *
 * @throws {ConfigurationError} naming each setting that is wrong, its value and what is expected
 */
export function mergeSettings(own: unknown): Settings {
  const { data, problems } = checkSettings(own, RULES);
  if (data) return data;
  throw new ConfigurationError(problems.map((one) => sentence('SITE_CONFIG', one)).join('\n'));
}

function checkSettings(own: unknown, rules: readonly Rule<Settings>[]) {
  return check(schema, merge(defaults, own), rules, 'the file');
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

interface SiteFiles {
  settings: Settings;
  samples: ReadonlySet<CompanyDetail>;
  /** What is refused once `PUBLIC_ORIGIN` is https. */
  unfinished: string[];
  logo: LogoFile | undefined;
}

let read: SiteFiles | undefined;

function readSettings(): SiteFiles {
  if (!read) {
    const { siteConfig, secure } = settingsVariables();
    read = readSite(siteConfig, secure);
  }
  return read;
}

/** @throws {ConfigurationError} saying all that is wrong, a line each */
function readSite(file: string | undefined, secure: boolean): SiteFiles {
  const source = file === undefined ? NOTHING : readFile(file);
  const rules = file === undefined ? RULES : [...RULES, logoRule(file)];
  const { data: settings, problems } = checkSettings(source.value, rules);
  const said = [...problems, ...source.repeatedKeys.map(repetition)]
    .map((problem) => ({ problem, line: source.lineOf(problem.paths) }))
    .sort((a, b) => a.line - b.line)
    .map(({ problem, line }) => sentence(`SITE_CONFIG, ${file}, line ${line}`, problem));
  const samples = sampleDetails(source.value);
  const unfinished = samplesRefused(source.value, samples);
  if (secure) said.push(...unfinished);
  if (said.length > 0 || !settings) throw new ConfigurationError(said.join('\n'));
  const logo = settings.logo && file ? readLogo(settings.logo, file) : undefined;
  return { settings, samples, unfinished, logo };
}

/** Without a file nothing is set. */
const NOTHING: JsonSource = { value: {}, lineOf: () => 1, repeatedKeys: [] };

function logoRule(file: string): Rule<Settings> {
  return contradiction(['logo'], ({ logo }) => {
    try {
      if (logo !== null) readLogo(logo, file);
    } catch (error) {
      return (error as Error).message;
    }
  });
}

/**
 * The settings of this site, read from the file `SITE_CONFIG` on first use.
 *
 * @throws {ConfigurationError} saying all that is wrong, a line each
 */
export function siteSettings(): Settings {
  return readSettings().settings;
}

/**
 * Reads environment and settings, so that what is wrong with either is known at once.
 *
 * @throws {ConfigurationError} saying all that is wrong with both, a line each
 */
export function checkConfiguration(): void {
  const { environment, settings } = configurationProblems();
  const said = [...environment, ...settings];
  if (said.length > 0) throw new ConfigurationError(said.join('\n'));
}

/** All that is wrong with the environment and with the settings, a sentence each. */
export function configurationProblems(): { environment: string[]; settings: string[] } {
  return { environment: refusals(env), settings: refusals(siteSettings) };
}

function refusals(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message.split('\n');
    throw error;
  }
}

/**
 * What of the settings will do for a trial alone, a sentence each: it is refused once
 * `PUBLIC_ORIGIN` is https.
 *
 * @throws {ConfigurationError} as `siteSettings`
 */
export function unfinishedSettings(): readonly string[] {
  return readSettings().unfinished;
}

/** The currency of our prices for readers of a language. */
export function currencyIn(language: Language): Currency {
  return siteSettings().currencies[language];
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
function samplesRefused(own: unknown, samples: ReadonlySet<CompanyDetail>): string[] {
  const isExample = valueAt(own, ['company', 'example']) !== false;
  const names = [...samples, ...(isExample ? ['example'] : [])];
  if (names.length === 0) return [];
  const list = names.map((name) => `company.${name}`).join(', ');
  return [
    `SITE_CONFIG: these are still the sample's: ${list}; while PUBLIC_ORIGIN is https the company must be yours, with "example": false.`,
  ];
}

function readFile(file: string): JsonSource {
  try {
    return readJson(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ConfigurationError(
      error instanceof JsonSyntaxError
        ? `SITE_CONFIG, ${file}, line ${error.line}: no JSON; expected ${error.expected}.`
        : `SITE_CONFIG is ${JSON.stringify(file)}; expected the path of a JSON file that can be read (${(error as NodeJS.ErrnoException).code}).`,
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
