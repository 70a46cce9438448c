import { readFileSync } from 'node:fs';

import { currentRequest, perApp } from '~/current-app.server';
import { closedTimes } from '~/domain/closures';
import type { Period } from '~/domain/day-period';
import type { Currency } from '~/domain/offer';
import { ConfigurationError, env, settingsVariables } from '~/env.server';
import { defaultOf, type Language } from '~/i18n/languages';
import { type JsonSource, JsonSyntaxError, readJson } from '~/validation/json-source.server';
import {
  check,
  contradiction,
  type DataProblem,
  repetition,
  type DataRule,
  sentence,
  valueAt,
} from '~/validation/problems.server';
import { readLogo } from './logo.server';
import { RULES, schema, type Settings } from './schema.server';
import defaults from './defaults.json' with { type: 'json' };

/** Objects are merged, lists replaced. @throws {ConfigurationError} naming each setting that is wrong */
export function mergeSettings(own: unknown): Settings {
  const { settings, said } = validated({ ...NOTHING, value: own }, RULES, () => 'SITE_CONFIG');
  if (!settings) throw new ConfigurationError(said.join('\n'));
  return settings;
}

function validated(
  { value, lineOf, repeatedKeys }: JsonSource,
  rules: readonly DataRule<Settings>[],
  place: (line: number) => string,
) {
  const { data, problems } = check(schema, merge(defaults, value), rules, 'the file');
  // What the shipped settings have is no mistake of the operator's.
  const shipped = problems.length === 0 ? [] : check(schema, defaults, RULES, 'the file').problems;
  const whose = ({ text }: DataProblem, line: number) =>
    shipped.some((one) => one.text === text) ? 'app/settings/defaults.json' : place(line);
  const said = [...problems, ...repeatedKeys.map(repetition)]
    .map((problem) => ({ problem, line: lineOf(problem.paths) }))
    .sort((a, b) => a.line - b.line)
    .map(({ problem, line }) => sentence(whose(problem, line), problem));
  return { settings: data, said };
}

/** A real company may have the same: these only have to be in the operator's file. */
const OFTEN_THE_SAME = ['legalForm', 'capital'];

export function sampleDetails(own: unknown): ReadonlySet<string> {
  const { example: _, ...details } = defaults.company;
  const all = Object.entries(details).flatMap(([name, detail]) =>
    typeof detail === 'string' ? name : Object.keys(detail).map((key) => `${name}.${key}`),
  );
  const isSample = (detail: string) => {
    const path = detail.split('.');
    const given = valueAt(own, ['company', ...path]);
    const isSame = given === valueAt(defaults.company, path) && !OFTEN_THE_SAME.includes(detail);
    return given === undefined || isSame;
  };
  return new Set(all.filter(isSample));
}

type ClaimName = keyof Settings['claims'];

function exampleClaims(own: unknown): ClaimName[] {
  const names = Object.keys(defaults.claims) as ClaimName[];
  return names.filter((name) => {
    const figures = Object.keys(defaults.claims[name]).filter((key) => key !== 'shown');
    return figures.every((key) => valueAt(own, ['claims', name, key]) === undefined);
  });
}

/** Examples step aside for the operator's own figures, and stand on no site over https. */
function withoutExamples(settings: Settings, examples: readonly ClaimName[]): Settings {
  const hidden = examples.map((name) => [name, { ...settings.claims[name], shown: false }]);
  const shown = Object.fromEntries(hidden) as Partial<Settings['claims']>;
  return { ...settings, claims: { ...settings.claims, ...shown } };
}

const readSettings = perApp(() => readSite(settingsVariables()));

function readSite({ siteConfig: file, secure, offline }: ReturnType<typeof settingsVariables>) {
  const source = file === undefined ? NOTHING : readFile(file);
  const rules = file === undefined ? RULES : [...RULES, logoRule(file)];
  const { settings, said } = validated(
    source,
    rules,
    (line) => `SITE_CONFIG, ${file}, line ${line}`,
  );
  const samples = sampleDetails(source.value);
  const refused = [
    ...samplesRefused(source.value, samples),
    ...(offline ? [] : filingEmailRefused(settings)),
  ];
  if (secure) said.push(...refused);
  if (said.length > 0 || !settings) throw new ConfigurationError(said.join('\n'));
  const logo = settings.logo && file ? readLogo(settings.logo, file) : undefined;
  const examples = exampleClaims(source.value);
  const areClaimsExamples = !secure && examples.length === Object.keys(settings.claims).length;
  return {
    settings: areClaimsExamples ? settings : withoutExamples(settings, examples),
    samples,
    areClaimsExamples,
    /** What is refused once `PUBLIC_ORIGIN` is https, and what pages leave out then. */
    unfinished: [...refused, ...examplesLeftOut(settings, examples)],
    logo,
  };
}

const NOTHING: JsonSource = { value: {}, lineOf: () => 1, repeatedKeys: [] };

function logoRule(file: string): DataRule<Settings> {
  return contradiction(['logo'], ({ logo }) => {
    try {
      if (logo !== null) readLogo(logo, file);
    } catch (error) {
      return (error as Error).message;
    }
  });
}

/** Without what owners have changed at the desk: what holds whatever day it is, such as the time zone. */
export const baseSettings = (): Settings => readSettings().settings;

/** A setting that an owner has changed: its dotted path, and the first day of its value. */
export type SettingEdit = { subject: string; fromDay: string; value: unknown };

const published = perApp(() => ({ settings: undefined as Settings | undefined }));

/** What a request shows is the same from its beginning to its end. */
export const siteSettings = (): Settings =>
  currentRequest()?.settings ?? published().settings ?? baseSettings();

export function publish(settings: Settings): void {
  published().settings = settings;
}

/**
 * The settings of a day: over those of SITE_CONFIG the edits that have begun, the one that began last
 * before the others. One that does not fit, since SITE_CONFIG has changed meanwhile, is told to `refuse`.
 */
export function settingsWith(
  edits: readonly SettingEdit[],
  day: string,
  refuse: (edit: SettingEdit, problems: DataProblem[]) => void,
): Settings {
  return edits
    .filter(({ fromDay }) => fromDay <= day)
    .reduce((settings, edit) => {
      const path = edit.subject.split('.');
      const { data, problems } = check(schema, withValue(settings, path, edit.value), RULES, '');
      if (!data) refuse(edit, problems);
      return data ?? settings;
    }, baseSettings());
}

function withValue(whole: unknown, [key, ...path]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const inner = isObject(whole) ? whole : {};
  return { ...inner, [key]: withValue(inner[key], path, value) };
}

export function checkConfiguration(): void {
  const { environment, settings } = configurationProblems();
  const said = [...environment, ...settings];
  if (said.length > 0) throw new ConfigurationError(said.join('\n'));
}

export const configurationProblems = (): { environment: string[]; settings: string[] } => ({
  environment: refusals(env),
  settings: refusals(siteSettings),
});

function refusals(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message.split('\n');
    throw error;
  }
}

export const areClaimsExamples = () => readSettings().areClaimsExamples;

export const unfinishedSettings = (): readonly string[] => readSettings().unfinished;

export const defaultLanguage = (): Language => defaultOf(siteSettings().languages);
/** While everybody is away: then no hours of a promise count. */
export function closedPeriods(): readonly Period[] {
  const { closures, timeZone } = siteSettings();
  return closedTimes(closures, timeZone);
}

export const currencyIn = (language: Language): Currency => siteSettings().currencies[language];
export const siteLogo = () => readSettings().logo;

export const companySamples = () => readSettings().samples;

function samplesRefused(own: unknown, samples: ReadonlySet<string>): string[] {
  const isExample = valueAt(own, ['company', 'example']) !== false;
  const names = [...samples, ...(isExample ? ['example'] : [])];
  if (names.length === 0) return [];
  const list = names.map((name) => `company.${name}`).join(', ');
  return [
    `SITE_CONFIG: these are still the sample's: ${list}; while PUBLIC_ORIGIN is https the company must be yours, with "example": false.`,
  ];
}

/** The sample's address is read by nobody: what the official site sends there would be lost. */
function filingEmailRefused(settings: Settings | undefined): string[] {
  if (settings?.filingEmail !== defaults.filingEmail) return [];
  return [
    `SITE_CONFIG: filingEmail is still the sample's, ${JSON.stringify(defaults.filingEmail)}; while PUBLIC_ORIGIN is https it must be an address that your team reads, or null: then the traveller's own is typed at the official site.`,
  ];
}

function examplesLeftOut({ claims }: Settings, examples: readonly ClaimName[]): string[] {
  const names = examples.filter((name) => claims[name].shown).map((name) => `claims.${name}`);
  if (names.length === 0) return [];
  return [
    `SITE_CONFIG: these figures are examples: ${names.join(', ')}; pages leave them out while PUBLIC_ORIGIN is https or others are yours. Put your own there, or "shown": false.`,
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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
