import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';

import * as eligibility from '../migrations/2026-11-21-eligibility';
import * as facts from '../migrations/2026-11-21-facts';
import * as guidance from '../migrations/2026-11-21-guidance';
import * as factsChecked from '../migrations/2026-11-22-facts-checked';
import * as sourceTitles from '../migrations/2026-11-22-source-titles';
import * as tombstones from '../migrations/2026-11-22-tombstones';
import * as shippedContent from '../migrations/2026-11-23-shipped-content';
import * as accounts from '../migrations/2026-11-24-accounts';
import * as applications from '../migrations/2026-11-25-applications';
import * as orders from '../migrations/2026-11-26-orders';
import * as desk from '../migrations/2026-11-27-desk';
import * as boundCodes from '../migrations/2026-11-28-bound-codes';
import * as keptSearches from '../migrations/2026-11-29-kept-searches';
import * as withdrawals from '../migrations/2026-11-29-withdrawals';
import * as answersToRequests from '../migrations/2026-11-30-answers-to-requests';
import { isMissingTable } from './errors.server';
import type { Report } from './report.server';
import type { Database } from './schema';
import type { Store } from './store.server';

/** All migrations by file name; never change one that has been released. */
export const MIGRATIONS: Record<string, Migration> = {
  '2026-11-21-eligibility': eligibility,
  '2026-11-21-facts': facts,
  '2026-11-21-guidance': guidance,
  '2026-11-22-facts-checked': factsChecked,
  '2026-11-22-source-titles': sourceTitles,
  '2026-11-22-tombstones': tombstones,
  '2026-11-23-shipped-content': shippedContent,
  '2026-11-24-accounts': accounts,
  '2026-11-25-applications': applications,
  '2026-11-26-orders': orders,
  '2026-11-27-desk': desk,
  '2026-11-28-bound-codes': boundCodes,
  '2026-11-29-kept-searches': keptSearches,
  '2026-11-29-withdrawals': withdrawals,
  '2026-11-30-answers-to-requests': answersToRequests,
};

export class NewerVersionError extends Error {
  override name = 'NewerVersionError';
  constructor(place: string, migration: string) {
    super(`${place} is of a newer version of this program, which made ${migration}`);
  }
}

/** @throws {NewerVersionError} naming the first of a database's migrations that is not known here */
export function refuseNewer(place: string, migrations: readonly string[]): void {
  const unknown = migrations.find((name) => !Object.hasOwn(MIGRATIONS, name));
  if (unknown !== undefined) throw new NewerVersionError(place, unknown);
}

type Migratable = Pick<Store, 'db' | 'place' | 'exclusively' | 'completeSchema'>;

/**
 * Migrates the schema to the latest version and returns the names of the migrations that ran. All of
 * them run in one transaction: with several processes, one migrates and the others wait, and a
 * killed process leaves the old schema.
 *
 * @throws {NewerVersionError} if a newer version of this program has migrated the database
 * @throws if a migration fails
 */
export async function migrate(store: Migratable, report?: Report): Promise<string[]> {
  if (isUpToDate(await executedMigrations(store.db))) return [];
  return store.exclusively(async (db) => {
    // Another process may have migrated meanwhile.
    refuseNewer(store.place, (await isMigrated(db)) ? await executedMigrations(db) : []);
    const names = await migrateToLatest(db);
    await store.completeSchema(db);
    if (names.includes('2026-11-22-facts-checked')) await reportRejectedFacts(db, report);
    return names;
  });
}

/** @returns the names of the migrations that ran, in the transaction of `db` */
async function migrateToLatest(db: Database): Promise<string[]> {
  const migrator = new Migrator({
    db: db,
    provider: { getMigrations: () => Promise.resolve(MIGRATIONS) },
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) throw error;
  return results.map(({ migrationName }) => migrationName);
}

interface MigrationTables {
  kysely_migration: { name: string };
  facts_rejected: {
    id: number;
    fact_key: string;
    value: string;
    valid_from: string;
    rejected_for: string;
  };
}
const withMigrationTables = (db: Database) => db as unknown as Kysely<MigrationTables>;

async function reportRejectedFacts(db: Database, report: Report | undefined): Promise<void> {
  const rows = await withMigrationTables(db)
    .selectFrom('facts_rejected')
    .select(['fact_key', 'value', 'valid_from', 'rejected_for'])
    .orderBy('id')
    .execute();
  for (const row of rows) report?.('a fact was moved to facts_rejected', row);
}

/** Whether exactly the known migrations have run. */
function isUpToDate(names: readonly string[]): boolean {
  return JSON.stringify(names) === JSON.stringify(Object.keys(MIGRATIONS).sort());
}

/** Whether any version of this program has migrated a database. */
async function isMigrated(db: Database): Promise<boolean> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  return tables.some(({ name }) => name === 'kysely_migration');
}

/** The names of the migrations that have run. Not in a transaction: where none has, it fails. */
export async function executedMigrations(db: Database): Promise<string[]> {
  try {
    const rows = await withMigrationTables(db)
      .selectFrom('kysely_migration')
      .select('name')
      .execute();
    // Not in the order of the database, which may follow a language.
    return rows.map(({ name }) => name).sort();
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  }
}
