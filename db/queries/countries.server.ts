import { type Country, COUNTRY_REMARKS } from '~/domain/country';
import type { Database } from '../schema';
import { rowsIn } from './rows.server';

export interface CountryRow extends Country {
  name: string;
  aliases: string[];
  /** False if the aliases were unreadable, which leaves none. */
  aliasesAreList: boolean;
  estaValidityMonths: number | null;
  citizenshipCode: string | null;
}

export async function listCountries(db: Database, language: string): Promise<CountryRow[]> {
  const rows = await db
    .selectFrom('vwp_countries as country')
    .leftJoin('vwp_country_translations as translation', (join) =>
      join
        .onRef('translation.country_code', '=', 'country.country_code')
        .on('translation.language_code', '=', language),
    )
    .selectAll('country')
    .select(['translation.country_name as translated_name', 'translation.aliases'])
    .orderBy('country.country_name')
    .execute();
  return rows.map((row) => {
    const aliases = parseAliases(row.aliases);
    return {
      code: row.country_code,
      name: row.translated_name ?? row.country_name,
      aliases: aliases ?? [],
      aliasesAreList: aliases !== undefined,
      isEligible: row.is_eligible === 1,
      estaValidityMonths: row.esta_validity_months,
      // Unknown remarks have no translation, so they are ignored.
      remark: COUNTRY_REMARKS.find((remark) => remark === row.remark) ?? null,
      citizenshipCode: row.citizenship_code,
    };
  });
}

export async function listEligibleCodes(db: Database): Promise<string[]> {
  const rows = await rowsIn(db).of('vwp_countries', { is_eligible: 1 }).execute();
  return rows.map(({ country_code }) => country_code);
}

function parseAliases(json: string | null): string[] | undefined {
  try {
    const aliases: unknown = JSON.parse(json ?? '[]');
    const isList = Array.isArray(aliases) && aliases.every((alias) => typeof alias === 'string');
    return isList ? aliases : undefined;
  } catch {
    return undefined;
  }
}
