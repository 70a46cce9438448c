/** The database commands, and the entry point that runs one from the command line. */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { now } from '~/clock.server';
import { ConfigurationError, env } from '~/env.server';
import { closeDatabase, reportMigration } from '~/database.server';
import { BackupError, backUp, restore } from '~db/backup.server';
import { connect } from '~db/client.server';
import { openSqlite, COMMAND_BUSY_TIMEOUT_MS } from '~db/connection.server';
import { FixtureError, readFixtures, shippedFixtures } from '~db/fixtures.server';
import { migrate } from '~db/migrate.server';
import { seed } from '~db/seed.server';
import { purge } from './purge';

/** Each takes at most one argument: a folder of fixtures or a file. */
const COMMANDS: Record<string, (word: string | undefined) => Promise<string>> = {
  async migrate() {
    const sqlite = openSqlite(env().databaseFile, COMMAND_BUSY_TIMEOUT_MS);
    const names = await migrate(sqlite, reportMigration);
    sqlite.close();
    return names.length > 0 ? `Migrated: ${names.join(', ')}.` : 'The schema is up to date.';
  },

  async seed(from) {
    // Validated before the database is opened.
    const fixtures = from === undefined ? shippedFixtures() : readFixtures(from);
    const sqlite = openSqlite(env().databaseFile, COMMAND_BUSY_TIMEOUT_MS);
    await migrate(sqlite, reportMigration);
    const report = await seed(sqlite, fixtures, {
      existing: from === undefined ? 'keep' : 'update',
    });
    sqlite.close();
    return `Seeded: ${report.added} rows added, ${report.updated} updated, ${report.kept} kept as they were.`;
  },

  async reset() {
    const { databaseFile, secure } = env();
    if (secure) {
      throw new ConfigurationError(
        'db:reset deletes everything and is refused while PUBLIC_ORIGIN is https.',
      );
    }
    for (const suffix of ['', '-wal', '-shm']) rmSync(databaseFile + suffix, { force: true });
    await (await connect(databaseFile, { waitMs: COMMAND_BUSY_TIMEOUT_MS })).db.destroy();
    return 'The database is new: migrated and seeded.';
  },

  async backup(target) {
    if (!target) throw new ConfigurationError('Say where to: npm run db:backup FILE.');
    await backUp(env().databaseFile, target);
    return `Backed up and checked: ${target}.`;
  },

  async restore(backup) {
    if (!backup) throw new ConfigurationError('Say what from: npm run db:restore FILE.');
    const aside = await restore(env().databaseFile, backup, now(), reportMigration);
    // The backup may contain assessments past their retention time.
    await purge(now());
    await closeDatabase();
    const note = aside ? ` The unusable database is now ${aside}.` : '';
    return `Restored and checked: ${backup}.${note}`;
  },

  async purge() {
    const count = await purge(now());
    await closeDatabase();
    return `Purged: ${count} saved assessments.`;
  },
};

async function run(): Promise<string> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { from: { type: 'string' } },
  });
  const [name = '', file] = positionals;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    throw new ConfigurationError(
      `Unknown command ${JSON.stringify(name)}; there is ${Object.keys(COMMANDS).join(', ')}.`,
    );
  }
  return command(values.from ?? file);
}

try {
  console.log(await run());
} catch (error) {
  // Expected errors are printed as one sentence; all others with their stack.
  const expected =
    error instanceof ConfigurationError ||
    error instanceof FixtureError ||
    error instanceof BackupError;
  console.error(expected ? error.message : error);
  process.exitCode = 1;
}
