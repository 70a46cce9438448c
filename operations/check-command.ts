/** Checks all that an operator can set or write, prints one report, and ends with 1 on an error. */
import { today } from '~/clock.server';
import { closeDatabase } from '~/database.server';
import { LANGUAGES } from '~/i18n/languages';
import { muteLog } from '~/log.server';
import { siteSettings } from '~/settings/settings.server';
import { configurationAreas } from './check/configuration';
import { contentAreas, CONTENT_AREAS } from './check/content';
import { databaseArea } from './check/database';
import { type Area, reportOf } from './check/report';
import { translationsArea, TRANSLATIONS_AREA } from './check/translations';

async function check(): Promise<Area[]> {
  const { areas, hasEnvironment, hasSettings } = configurationAreas();
  // Which database it is stands in the environment.
  if (!hasEnvironment) return [...areas, ...unchecked('the environment is wrong', 'Database')];
  const { area, rows } = await databaseArea();
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

const [surplus] = process.argv.slice(2);
if (surplus === undefined) {
  // What is found is said by the report.
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
