import { contentProblems } from '~/content-problems.server';
import type { ContentProblem } from '~/content-version.server';
import { storedFacts } from '~/facts.server';
import { queryDatabase } from '~/database.server';
import { sharedNames } from '~/domain/country-search';
import { checkDays, FACT_KEYS, factOn, olderFacts } from '~/domain/facts';
import { LANGUAGES } from '~/i18n/languages';
import { isOffline } from '~/mode.server';
import { listCountries } from '~db/queries/countries.server';
import { FIXTURE_TABLES, type StoredRows } from '~db/content-rows.server';
import type { Area } from './report';
import { factKey, place, rowError, type RowFinding, rowFindings, type TableName } from './rows';

export const CONTENT_AREAS: Record<TableName, string> = {
  vwp_countries: 'Countries and aliases',
  eligibility_questions: 'Questions',
  facts: 'Facts',
  guidance_content: 'Guide',
  saved_replies: 'Saved replies',
};

/** @param day undefined while the settings are wrong, with which no page can be made */
export async function contentAreas(rows: StoredRows, day: string | undefined): Promise<Area[]> {
  const ofRows = FIXTURE_TABLES.map((table) => [table, rowFindings(table, rows[table])]);
  const found = Object.fromEntries(ofRows) as Record<TableName, RowFinding[]>;
  found.vwp_countries.push(...lostCitizenships(rows), ...(await sharedNameFindings()));
  if (day !== undefined) {
    for (const problem of await contentProblems('all')) addUnlessTold(found, problem);
    if (rows.facts.length > 0) found.facts.push(...(await factsNotKnown(day, found.facts)));
    if (!isOffline()) found.facts.unshift(...(await oldChecks(day)));
  }
  return FIXTURE_TABLES.map((table) => ({
    name: CONTENT_AREAS[table],
    summary: summaries(rows)[table],
    findings: found[table],
  }));
}

function summaries(rows: StoredRows) {
  const { vwp_countries, eligibility_questions, facts, guidance_content, saved_replies } = rows;
  const members = vwp_countries.filter(({ is_eligible }) => is_eligible).length;
  const asked = eligibility_questions.filter(({ is_active }) => is_active).length;
  const keys = new Set(facts.map(({ fact_key }) => fact_key)).size;
  const steps = guidance_content.filter(
    ({ kind, language_code }) => kind === 'step' && language_code === 'en',
  );
  return {
    vwp_countries: `${vwp_countries.length} countries, ${members} in the programme`,
    eligibility_questions: `${eligibility_questions.length} questions, ${asked} asked`,
    facts: `${keys} facts in ${facts.length} rows`,
    guidance_content: `${steps.length} steps, ${guidance_content.length} rows`,
    saved_replies: `${saved_replies.length} rows`,
  } satisfies Record<TableName, string>;
}

function lostCitizenships({ vwp_countries }: StoredRows): RowFinding[] {
  const codes = new Set(vwp_countries.map(({ country_code }) => country_code));
  return vwp_countries
    .filter(({ citizenship_code }) => citizenship_code !== null && !codes.has(citizenship_code))
    .map(({ country_code, citizenship_code }) =>
      rowError(
        place('vwp_countries', country_code),
        `citizenship_code is "${citizenship_code}"; expected the code of a country that is there`,
      ),
    );
}

/** Names by which no country can be chosen, in the languages in which travellers type them. */
async function sharedNameFindings(): Promise<RowFinding[]> {
  const found = await Promise.all(
    LANGUAGES.map(async (language) => {
      const countries = await queryDatabase((db) => listCountries(db, language));
      return sharedNames(countries).map(({ name, codes }) =>
        rowError(
          place('vwp_country_translations', codes.join(' and '), language),
          `"${name}" names each of them, so that who types it gets none; leave it to one`,
        ),
      );
    }),
  );
  return found.flat();
}

/** Facts without a value today; a fact of which a row is wrong has been told already. */
async function factsNotKnown(day: string, told: readonly RowFinding[]): Promise<RowFinding[]> {
  const facts = await storedFacts('all');
  return FACT_KEYS.filter((key) => !factOn(facts, key, day))
    .filter((key) => !told.some(({ place: where }) => where.startsWith(place('facts', `${key} `))))
    .map((key) =>
      rowError(
        place('facts', key),
        `no value holds on ${day}, and pages say that it is not known; add a row, or give the last one a later valid_to`,
      ),
    );
}

/** By what nobody has compared with the official form for too long, travellers are asked wrongly. */
async function oldChecks(day: string): Promise<RowFinding[]> {
  return olderFacts(await storedFacts('all'), day).map(({ key, validFrom, checkedOn }) => {
    const isAsked = key === 'social_media_required';
    const said = `checked_on is "${checkedOn}"; where orders are taken the last check is at most ${checkDays(key)} days old: compare it with the official ${isAsked ? 'form' : 'page'}`;
    const level = isAsked ? 'error' : 'warning';
    return { ...rowError(place('facts', factKey(key, validFrom)), said), level };
  });
}

/** What pages have met; where the rules of a row have told it already, that was with more detail. */
function addUnlessTold(found: Record<TableName, RowFinding[]>, problem: ContentProblem): void {
  const table = problem.table === 'vwp_country_translations' ? 'vwp_countries' : problem.table;
  const area = FIXTURE_TABLES.find((name) => name === table);
  if (area === undefined) throw new Error(`There is no area for the table ${problem.table}`);
  const told = new Set(found[area].map((finding) => finding.place));
  const { event, problem: period, most } = problem;
  const details = [
    ...(typeof period === 'string' ? [period] : []),
    ...(typeof most === 'number' ? [`at most ${most}`] : []),
  ];
  for (const where of placesOf(problem).filter((one) => !told.has(one))) {
    found[area].push(rowError(where, [event, ...details].join('; ')));
  }
}

function placesOf({ table, keys, fact_key, valid_from, ...fields }: ContentProblem): string[] {
  if (Array.isArray(keys)) return keys.map((key) => place(table, String(key)));
  if (typeof fact_key === 'string' && typeof valid_from === 'string') {
    return [place(table, factKey(fact_key, valid_from))];
  }
  const names = ['code', 'content_key', 'language', 'language_code'];
  return [place(table, ...names.flatMap((name) => (name in fields ? String(fields[name]) : [])))];
}
