import SQLite from 'better-sqlite3';

import { GOOD_ANSWERS, Visitor } from '../http/visitor';

/** The address of the wizard's last step. */
export const RESULT = '/eligibility-check?step=result';

export async function atResult(origin: string): Promise<Visitor> {
  const visitor = new Visitor(origin, { 'Accept-Language': 'en' });
  await visitor.post('/eligibility-check?step=country', { country: 'FR' });
  await visitor.post('/eligibility-check?step=questions', GOOD_ANSWERS);
  return visitor;
}

/** Works on a database file in a connection of its own. */
export function inFile<T>(path: string, work: (db: SQLite.Database) => T): T {
  const db = new SQLite(path, { timeout: 5000 });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** The statement that adds a result as the site saves one, with these columns. */
export function insertResult(changes: Record<string, string | number> = {}): string {
  const columns = {
    ...{ session_id: 'old', country_code: 'FR', is_country_eligible: 1, assessment_data: '{}' },
    ...{ is_eligible: 1, disqualifying_factors: '[]', factor_keys: '[]', outcome: 'eligible' },
    ...{ language_code: 'fr', completed_at: '2026-11-22T12:00:00.000Z', ...changes },
  };
  const values = Object.values(columns).map((value) => `'${value}'`);
  return `insert into eligibility_assessments (${Object.keys(columns).join()})
    values (${values.join()})`;
}

/** What `integrity_check` says of a database file. */
export const integrity = (path: string) =>
  inFile(path, (db) => db.pragma('integrity_check', { simple: true }));

/** The ids of the results that are saved in a database file. */
export const savedIds = (path: string) =>
  inFile(path, (db) =>
    db.prepare('select session_id from eligibility_assessments').pluck().all(),
  ) as string[];
