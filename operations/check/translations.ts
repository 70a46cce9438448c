import { type Language, LANGUAGES } from '~/i18n/languages';
import { FIXTURE_TABLES, type StoredRows, wordsOf } from '~db/content-rows.server';
import type { Area } from './report';
import { factKey, place, type RowFinding, rowWarning, type TableName } from './rows';

export const TRANSLATIONS_AREA = 'Translations';

type Translated = { key: string; languages: readonly string[] };

const AND = new Intl.ListFormat('en-GB');

/** @param day what was over before is left out, since no page names its source */
export function translationsArea(
  rows: StoredRows,
  day: string | undefined,
  languages: readonly Language[],
): Area {
  // A row's own columns are English; its translations are for the others.
  const translated = languages.filter((language) => language !== 'en');
  const all = translatedRows(rows, day);
  const count = (table: TableName) => all[table].length;
  return {
    name: TRANSLATIONS_AREA,
    summary: `${AND.format(translated)}: ${count('vwp_countries')} countries, ${count('eligibility_questions')} questions, ${count('facts')} sources, ${count('guidance_content')} parts of the guide`,
    findings: [
      ...FIXTURE_TABLES.flatMap((table) => [
        ...missing(wordsOf(table), all[table], translated),
        ...inUnknownLanguages(wordsOf(table), all[table]),
      ]),
      ...missingHints(rows, translated),
      ...withoutEnglish(all.guidance_content),
    ],
  };
}

function translatedRows(rows: StoredRows, day = ''): Record<TableName, Translated[]> {
  const published = rows.guidance_content.filter(({ is_published }) => is_published);
  const keys = new Set(published.map(({ content_key }) => content_key));
  const named = (key: string, { translations }: { translations: object }) => ({
    key,
    languages: Object.keys(translations),
  });
  return {
    vwp_countries: rows.vwp_countries.map((row) => named(row.country_code, row)),
    eligibility_questions: rows.eligibility_questions
      .filter(({ is_active }) => is_active)
      .map((row) => named(row.question_key, row)),
    facts: rows.facts
      .filter(({ valid_to }) => valid_to === null || valid_to >= day)
      .map((row) => named(factKey(row.fact_key, row.valid_from), row)),
    guidance_content: [...keys].map((key) => ({
      key,
      languages: published
        .filter(({ content_key }) => content_key === key)
        .map(({ language_code }) => language_code),
    })),
    // What is not there in a language is not offered in it.
    saved_replies: [],
  };
}

function missing(table: string, rows: readonly Translated[], translated: readonly Language[]) {
  return translated.flatMap((language) => {
    const keys = rows.filter(({ languages }) => !languages.includes(language)).map(keyOf);
    if (keys.length === 0) return [];
    return rowWarning(
      place(table, language),
      `no row for ${AND.format(keys)}; readers get English until there is one`,
    );
  });
}

const missingHints = ({ eligibility_questions }: StoredRows, translated: readonly Language[]) =>
  eligibility_questions
    .filter(({ hint, is_active }) => hint !== null && is_active)
    .flatMap(({ question_key, translations }) =>
      translated
        .filter((language) => translations[language]?.hint === null)
        .map((language) =>
          rowWarning(
            place(wordsOf('eligibility_questions'), question_key, language),
            'hint is missing, which the question has in English; readers get none',
          ),
        ),
    );

const withoutEnglish = (rows: readonly Translated[]): RowFinding[] =>
  rows
    .filter(({ languages }) => !languages.includes('en'))
    .map(({ key, languages }) =>
      rowWarning(
        place('guidance_content', key, 'en'),
        `no row; it shows only to readers of ${AND.format(languages)}, and the steps of others are counted without it`,
      ),
    );

function inUnknownLanguages(table: string, rows: readonly Translated[]): RowFinding[] {
  const known: readonly string[] = LANGUAGES;
  return [...new Set(rows.flatMap(({ languages }) => languages))]
    .filter((language) => !known.includes(language))
    .map((language) => {
      const keys = rows.filter(({ languages }) => languages.includes(language)).map(keyOf);
      return rowWarning(
        place(table, language),
        `rows for ${AND.format(keys)}, which nobody sees; the site speaks ${AND.format(known)}`,
      );
    });
}

const keyOf = ({ key }: Translated): string => key;
