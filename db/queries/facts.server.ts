import { type Fact, FACT_KEYS, type FactKey } from '~/domain/facts';
import type { Database } from '../schema';
import { countIn, type Row, rowsIn } from './rows.server';

/** The number of programme countries is counted, not stored. */
export async function listFacts(db: Database): Promise<Fact[]> {
  const rows = await rowsIn(db).of('facts').execute();
  const translations = await rowsIn(db).of('fact_translations').execute();
  const count = await countIn(rowsIn(db).of('vwp_countries', { is_eligible: 1 }));
  return rows.flatMap((row) => {
    const key = FACT_KEYS.find((known) => known === row.fact_key);
    if (!key) return [];
    const counted = key === 'vwp_country_count' && row.valid_to === null;
    const titles = translations
      .filter((one) => one.fact_key === key && one.valid_from === row.valid_from)
      .map(({ language_code, source_title }) => [language_code, { source_title }] as const);
    return toFact({
      ...row,
      fact_key: key,
      value: counted ? String(count) : row.value,
      translations: Object.fromEntries(titles),
    });
  });
}

type FactRow = Omit<Row<'facts'>, 'id' | 'fact_key' | 'confidence'> & {
  fact_key: FactKey;
  translations: Record<string, { source_title: string }>;
};

export const toFact = (row: FactRow): Fact => ({
  key: row.fact_key,
  value: row.value,
  unit: row.unit,
  validFrom: row.valid_from,
  validTo: row.valid_to,
  sourceTitles: {
    ...Object.fromEntries(
      Object.entries(row.translations).map(([code, { source_title }]) => [code, source_title]),
    ),
    en: row.source_title,
  },
  sourceUrl: row.source_url,
  checkedOn: row.checked_on,
});
