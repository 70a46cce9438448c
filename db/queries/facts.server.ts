import { FACT_KEYS, type Fact } from '~/domain/facts';
import type { Database } from '../connection.server';

/**
 * All known facts for all periods. The current number of programme countries is counted, not
 * stored.
 */
export async function listFacts(db: Database): Promise<Fact[]> {
  const rows = await db.selectFrom('facts').selectAll().execute();
  const { count } = await db
    .selectFrom('vwp_countries')
    .where('is_eligible', '=', 1)
    .select((build) => build.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return rows.flatMap((row) => {
    const key = FACT_KEYS.find((known) => known === row.fact_key);
    if (!key) return [];
    const counted = key === 'vwp_country_count' && row.valid_to === null;
    return {
      key,
      value: counted ? String(count) : row.value,
      unit: row.unit,
      validFrom: row.valid_from,
      validTo: row.valid_to,
      sourceTitle: row.source_title,
      sourceUrl: row.source_url,
      checkedOn: row.checked_on,
    };
  });
}
