import { sql } from 'kysely';

import { anyTables } from './content-rows.server';
import type { Database, Schema } from './schema';
import type { Store } from './store.server';

export class CopyError extends Error {
  override name = 'CopyError';
}

/** All tables of the site with their columns that a number is drawn for; those others refer to come first. */
export const COPIED_TABLES: Record<keyof Schema, 'id' | undefined> = {
  vwp_countries: undefined,
  vwp_country_translations: undefined,
  eligibility_questions: 'id',
  eligibility_question_translations: undefined,
  facts: 'id',
  fact_translations: undefined,
  guidance_content: 'id',
  saved_replies: 'id',
  eligibility_assessments: 'id',
  deleted_assessments: undefined,
  shipped_content: undefined,
  users: undefined,
  sessions: undefined,
  one_time_tokens: undefined,
  auth_factors: undefined,
  factor_challenges: undefined,
  recovery_codes: undefined,
  factor_removals: undefined,
  throttles: undefined,
  signing_keys: undefined,
  applications: undefined,
  application_answers: undefined,
  application_documents: undefined,
  application_requests: undefined,
  application_tasks: undefined,
  application_amendments: undefined,
  notes: undefined,
  contact_messages: undefined,
  contact_replies: undefined,
  leads: undefined,
  day_counts: undefined,
  contract_texts: undefined,
  orders: undefined,
  payment_events: undefined,
  withdrawals: undefined,
  refunds: undefined,
  counters: undefined,
  stand_in_objects: undefined,
  outbox: undefined,
  audit_events: undefined,
  deletions: undefined,
};

const CHUNK = 500;

/**
 * In one transaction, and counts them again there.
 *
 * @param from whose `db` nobody writes to meanwhile: what is written then may be missing
 * @throws {CopyError} if `to` holds rows already, or another number afterwards; nothing is copied then
 */
export async function copyDatabase(
  from: Pick<Store, 'exclusively'>,
  to: Pick<Store, 'exclusively' | 'place'>,
): Promise<Record<string, number>> {
  // In a transaction on both sides: who saves something meanwhile waits.
  return from.exclusively((source) =>
    to.exclusively(async (target) => {
      const copied: Record<string, number> = {};
      for (const [table, numbered] of Object.entries(COPIED_TABLES)) {
        if ((await countRows(target, table)) > 0) {
          throw new CopyError(`${to.place} already has rows of ${table}; nothing was copied`);
        }
        await copyRows(source, target, table);
        if (numbered) await goOnNumbering(target, table, numbered);
        copied[table] = await countRows(source, table);
        const there = await countRows(target, table);
        if (there !== copied[table]) {
          throw new CopyError(
            `${to.place} has ${there} rows of ${table} instead of ${copied[table]}; nothing was copied`,
          );
        }
      }
      return copied;
    }),
  );
}

async function copyRows(source: Database, target: Database, table: string): Promise<void> {
  const rows = await anyTables(source).selectFrom(table).selectAll().execute();
  for (let at = 0; at < rows.length; at += CHUNK) {
    await anyTables(target)
      .insertInto(table)
      .values(rows.slice(at, at + CHUNK))
      .execute();
  }
}

async function goOnNumbering(db: Database, table: string, column: string): Promise<void> {
  await sql`
    select setval(pg_get_serial_sequence(${table}, ${column}), max(${sql.ref(column)}))
    from ${sql.table(table)} having max(${sql.ref(column)}) is not null`.execute(db);
}

async function countRows(db: Database, table: string): Promise<number> {
  const { count } = await anyTables(db)
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
