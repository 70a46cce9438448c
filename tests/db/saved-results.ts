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

/** What `integrity_check` says of a database file. */
export const integrity = (path: string) =>
  inFile(path, (db) => db.pragma('integrity_check', { simple: true }));

/** The ids of the results that are saved in a database file. */
export const savedIds = (path: string) =>
  inFile(path, (db) =>
    db.prepare('select session_id from eligibility_assessments').pluck().all(),
  ) as string[];
