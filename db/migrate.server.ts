import { Kysely, SqliteDialect } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';

import * as eligibility from '../migrations/2026-11-21-eligibility';
import * as facts from '../migrations/2026-11-21-facts';
import * as guidance from '../migrations/2026-11-21-guidance';
import * as factsChecked from '../migrations/2026-11-22-facts-checked';
import * as sourceTitles from '../migrations/2026-11-22-source-titles';
import * as tombstones from '../migrations/2026-11-22-tombstones';
import { inImmediateTransaction, type SqliteFile } from './connection.server';
import type { Report } from './report.server';

/** All migrations by file name; never change one that has been released. */
export const MIGRATIONS: Record<string, Migration> = {
  '2026-11-21-eligibility': eligibility,
  '2026-11-21-facts': facts,
  '2026-11-21-guidance': guidance,
  '2026-11-22-facts-checked': factsChecked,
  '2026-11-22-source-titles': sourceTitles,
  '2026-11-22-tombstones': tombstones,
};

/** A database that a newer version of this program has migrated. */
export class NewerVersionError extends Error {
  override name = 'NewerVersionError';
  constructor(file: string, migration: string) {
    super(`${file} is of a newer version of this program, which made ${migration}`);
  }
}

/** @throws {NewerVersionError} naming the first of a file's migrations that is not known here */
export function refuseNewer(file: string, migrations: readonly string[]): void {
  const unknown = migrations.find((name) => !Object.hasOwn(MIGRATIONS, name));
  if (unknown !== undefined) throw new NewerVersionError(file, unknown);
}

/**
 * Migrates the schema to the latest version and returns the names of the migrations that ran.
 * Kysely neither locks nor wraps SQLite migrations in a transaction, so all of them run in one
 * immediate transaction: with several processes, one migrates and the others wait, and a killed
 * process leaves the old schema.
 *
 * @throws {NewerVersionError} if a newer version of this program has migrated the file
 * @throws if a migration fails
 */
export async function migrate(sqlite: SqliteFile, report?: Report): Promise<string[]> {
  if (isUpToDate(sqlite)) return [];
  const migrator = new Migrator({
    db: new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) }),
    provider: { getMigrations: () => Promise.resolve(MIGRATIONS) },
  });
  const names = await inImmediateTransaction(sqlite, async () => {
    refuseNewer(sqlite.name, executedMigrations(sqlite));
    const { error, results = [] } = await migrator.migrateToLatest();
    if (error) throw error;
    return results.map(({ migrationName }) => migrationName);
  });
  if (names.includes('2026-11-22-facts-checked')) reportRejectedFacts(sqlite, report);
  return names;
}

function reportRejectedFacts(sqlite: SqliteFile, report: Report | undefined): void {
  const columns = 'fact_key, value, valid_from, rejected_for';
  const rows = sqlite.prepare(`select ${columns} from facts_rejected order by id`).all();
  for (const row of rows) {
    report?.('a fact was moved to facts_rejected', row as Record<string, unknown>);
  }
}

/** Whether exactly the known migrations have run; read without a lock. */
function isUpToDate(sqlite: SqliteFile): boolean {
  const names = executedMigrations(sqlite);
  return JSON.stringify(names) === JSON.stringify(Object.keys(MIGRATIONS).sort());
}

function executedMigrations(sqlite: SqliteFile): string[] {
  const migrated = sqlite
    .prepare("select count(*) from sqlite_master where name = 'kysely_migration'")
    .pluck()
    .get();
  if (migrated === 0) return [];
  const names = sqlite.prepare('select name from kysely_migration order by name').pluck().all();
  return names as string[];
}
