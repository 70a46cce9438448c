import { type Country, COUNTRY_REMARKS } from '~/domain/country';
import type { Database } from '../schema';

export interface CountryRow extends Country {
  name: string;
  aliases: string[];
  /** False if the aliases were unreadable, which leaves none. */
  aliasesAreList: boolean;
  estaValidityMonths: number | null;
  /** ISO 3166-1 code of the citizenship that residents of a territory usually hold. */
  citizenshipCode: string | null;
}

/** All countries, with names in `language`, or in English if a translation is missing. */
export async function listCountries(db: Database, language: string): Promise<CountryRow[]> {
  const rows = await countryRows(db, language).orderBy('country.country_name').execute();
  return rows.map(toCountry);
}

export async function listEligibleCodes(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('vwp_countries')
    .select('country_code')
    .where('is_eligible', '=', 1)
    .execute();
  return rows.map(({ country_code }) => country_code);
}

function countryRows(db: Database, language: string) {
  return db
    .selectFrom('vwp_countries as country')
    .leftJoin('vwp_country_translations as translation', (join) =>
      join
        .onRef('translation.country_code', '=', 'country.country_code')
        .on('translation.language_code', '=', language),
    )
    .select([
      'country.country_code',
      'country.is_eligible',
      'country.esta_validity_months',
      'country.remark',
      'country.citizenship_code',
      'country.country_name as english_name',
      'translation.country_name',
      'translation.aliases',
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof countryRows>['execute']>>[number];

function toCountry(row: Row): CountryRow {
  const aliases = parseAliases(row.aliases);
  return {
    code: row.country_code,
    name: row.country_name ?? row.english_name,
    aliases: aliases ?? [],
    aliasesAreList: aliases !== undefined,
    isEligible: row.is_eligible === 1,
    estaValidityMonths: row.esta_validity_months,
    // Unknown remarks have no translation, so they are ignored.
    remark: COUNTRY_REMARKS.find((remark) => remark === row.remark) ?? null,
    citizenshipCode: row.citizenship_code,
  };
}

/** Parses a JSON array of strings; undefined for anything else. */
function parseAliases(json: string | null): string[] | undefined {
  try {
    const aliases: unknown = JSON.parse(json ?? '[]');
    const isList = Array.isArray(aliases) && aliases.every((alias) => typeof alias === 'string');
    return isList ? aliases : undefined;
  } catch {
    return undefined;
  }
}
