import type { Database } from '../schema';
import { type Row, rowsIn } from './rows.server';

export type GuidanceRow = Row<'guidance_content'>;

/** In order, each in `language` or, if that is missing, in English. */
export async function listGuidance(db: Database, language: string) {
  const rows = await rowsIn(db)
    .of('guidance_content', { is_published: 1 })
    .where('language_code', 'in', [language, 'en'])
    .orderBy('display_order')
    .orderBy('id')
    .execute();
  const translated = new Set(
    rows.filter((row) => row.language_code === language).map((row) => row.content_key),
  );
  return rows.filter((row) => row.language_code === language || !translated.has(row.content_key));
}
