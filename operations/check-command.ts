/** Checks all that an operator can set or write, prints one report, and ends with 1 on an error. */
import { today } from '~/clock.server';
import {
  closeDatabase,
  databaseSentence,
  openDatabaseReadOnly,
  queryDatabase,
} from '~/database.server';
import {
  ConfigurationError,
  env,
  misspeltVariables,
  settingsVariables,
  siteOrigin,
} from '~/env.server';
import { LANGUAGES } from '~/i18n/languages';
import { muteLog } from '~/log.server';
import { isOffline } from '~/mode.server';
import { missingKeys, refusalWithout } from '~/sealing/needed-keys.server';
import { hasScript } from '~/settings/logo.server';
import {
  configurationProblems,
  siteLogo,
  siteSettings,
  unfinishedSettings,
} from '~/settings/settings.server';
import { OlderVersionError } from '~db/open-read-only.server';
import { listStoredRows, type StoredRows } from '~db/content-rows.server';
import { listStaff } from '~db/queries/staff.server';
import { locationOf } from '~db/open-store.server';
import { contentAreas, CONTENT_AREAS } from './check/content';
import { type Area, type Finding, holding, reportOf } from './check/report';
import { translationsArea, TRANSLATIONS_AREA } from './check/translations';
import { moneyWarnings, oddFigures, staffWarnings, variableWarnings } from './check/warnings';

async function check(): Promise<Area[]> {
  const { areas, hasEnvironment, hasSettings } = configurationAreas();
  // Which database it is stands in the environment.
  if (!hasEnvironment) return [...areas, ...unchecked('the environment is wrong', 'Database')];
  const { area, rows } = await databaseArea(hasSettings ? siteSettings().fourEyes : undefined);
  areas.push(area);
  if (!rows) return [...areas, ...unchecked('the database cannot be read')];
  // What day it is depends on the time zone of the settings.
  const day = hasSettings ? today() : undefined;
  const languages = hasSettings ? siteSettings().languages : LANGUAGES;
  areas.push(...(await contentAreas(rows, day)), translationsArea(rows, day, languages));
  return areas;
}

function unchecked(why: string, ...more: string[]): Area[] {
  const names = [...more, ...Object.values(CONTENT_AREAS), TRANSLATIONS_AREA];
  return names.map((name) => ({ name, unchecked: why }));
}

const error = (text: string): Finding => ({ level: 'error', text });
const warning = (text: string): Finding => ({ level: 'warning', text });

function configurationAreas() {
  const problems = configurationProblems();
  const hasEnvironment = problems.environment.length === 0;
  const hasSettings = problems.settings.length === 0;
  const mode = () => (isOffline() ? 'offline mode' : 'a live site');
  const { siteConfig = 'the shipped ones, SITE_CONFIG names none' } = settingsVariables();
  const odd = () => [
    ...unfinishedSettings(),
    ...holding([
      [hasScript(siteLogo()), 'logo has a script, which no browser runs there; leave it out.'],
    ]),
    ...oddFigures(siteSettings()),
    // Nothing is sold offline, and without an environment nobody knows which mode it is.
    ...(hasEnvironment && !isOffline() ? moneyWarnings(siteSettings(), today()) : []),
  ];
  const areas: Area[] = [
    {
      name: 'Environment',
      summary: hasEnvironment ? `${siteOrigin()}, ${mode()}` : 'the site does not start',
      findings: [
        ...problems.environment.map(error),
        ...[...misspeltVariables(), ...(hasEnvironment ? variableWarnings() : [])].map(warning),
      ],
    },
    {
      name: 'Settings',
      summary: hasSettings ? siteConfig : 'the site does not start',
      findings: hasSettings ? odd().map(warning) : problems.settings.map(error),
    },
  ];
  return { areas, hasEnvironment, hasSettings };
}

/** None is made, migrated or seeded: what is wrong must not be mended on the way. */
async function databaseArea(
  fourEyes: boolean | undefined,
): Promise<{ area: Area; rows: StoredRows | undefined }> {
  const { database } = env();
  const place = locationOf(database);
  const findings: Finding[] = [];
  const area: Area = { name: 'Database', summary: place, findings };
  try {
    await openDatabaseReadOnly((event, fields) => {
      findings.push(warning(`${event}: ${Object.values(fields).join(', ')}.`));
    });
    const missing = isOffline() ? [] : await queryDatabase((db) => missingKeys(db, 'all'));
    if (missing.length > 0) findings.push(error(refusalWithout(place, missing)));
    if (!isOffline() && env().secure && fourEyes !== undefined)
      findings.push(...staffWarnings(await queryDatabase(listStaff), fourEyes).map(warning));
    return { area, rows: await queryDatabase(listStoredRows) };
  } catch (reason) {
    findings.push(error(sentenceOf(reason, place)));
    return { area, rows: undefined };
  }
}

function sentenceOf(error: unknown, place: string): string {
  if (error instanceof OlderVersionError) {
    return `${error.message}; npm run db:migrate brings it up to date, and so does the next start.`;
  }
  // Such as a file of data keys that is none.
  if (error instanceof ConfigurationError) return error.message;
  const said = databaseSentence(error, place);
  if (said === undefined) throw error;
  return said;
}

const [surplus] = process.argv.slice(2);
if (surplus === undefined) {
  muteLog();
  try {
    const { text, errors } = reportOf(await check());
    console.log(text);
    process.exitCode = errors > 0 ? 1 : 0;
  } finally {
    await closeDatabase();
  }
} else {
  console.error(`check takes no word, but ${JSON.stringify(surplus)} was given.`);
  process.exitCode = 1;
}
