/** The database commands, and the entry point that runs one from the command line. */
import { existsSync, unlinkSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { now } from '~/clock.server';
import { ConfigurationError, env } from '~/env.server';
import { reportDatabase } from '~/database.server';
import { siteSettings } from '~/settings/settings.server';
import { suggestion } from '~/validation/suggestion';
import { BackupError, backUp, restore } from '~db/backup.server';
import { connect } from '~db/client.server';
import {
  COMMAND_BUSY_TIMEOUT_MS,
  type Failure,
  failureOf,
  isSqliteError,
  openSqlite,
  queryBuilder,
  type SqliteFile,
} from '~db/connection.server';
import { FixtureError, readFixtures, shippedFixtures } from '~db/fixtures.server';
import { migrate, NewerVersionError } from '~db/migrate.server';
import { seed } from '~db/seed.server';
import { purge } from './purge';

/** By name. */
const COMMANDS: Record<string, (word: string | undefined) => Promise<string>> = {
  async migrate() {
    const names = await withDatabase((_sqlite, migrated) => migrated);
    return names.length > 0 ? `Migrated: ${names.join(', ')}.` : 'The schema is up to date.';
  },

  async seed(from) {
    // Validated before the database is opened.
    const fixtures = from === undefined ? shippedFixtures() : readFixtures(from);
    const report = await withDatabase((sqlite) =>
      seed(sqlite, fixtures, { existing: from === undefined ? 'keep' : 'update' }),
    );
    return `Seeded: ${report.added} rows added, ${report.updated} updated, ${report.kept} kept as they were.`;
  },

  async reset() {
    const { databaseFile, secure } = env();
    if (secure) {
      throw new ConfigurationError(
        'db:reset deletes everything and is refused while PUBLIC_ORIGIN is https.',
      );
    }
    for (const suffix of ['', '-wal', '-shm']) {
      const file = databaseFile + suffix;
      // Not rmSync: its error for a read-only disk has no code.
      if (existsSync(file)) unlinkSync(file);
    }
    (await connect(databaseFile, { waitMs: COMMAND_BUSY_TIMEOUT_MS })).close();
    return 'The database is new: migrated and seeded.';
  },

  async backup(target) {
    if (!target) throw new ConfigurationError('Say where to: npm run db:backup FILE.');
    await backUp(env().databaseFile, target, reportDatabase);
    return `Backed up and checked: ${target}.`;
  },

  async restore(backup) {
    if (!backup) throw new ConfigurationError('Say what from: npm run db:restore FILE.');
    // The purge needs them: settings that are wrong had better be known before anything is done.
    siteSettings();
    const aside = await restore(env().databaseFile, backup, now(), reportDatabase);
    // The backup may contain assessments past their retention time.
    await purgeDatabase();
    const note = aside ? ` The unusable database is now ${aside}.` : '';
    return `Restored and checked: ${backup}.${note}`;
  },

  async purge() {
    const { databaseFile } = env();
    siteSettings();
    // Nothing to purge is no reason to make a database where none is.
    if (!existsSync(databaseFile)) throw new BackupError(`${databaseFile} is not there`);
    return `Purged: ${await purgeDatabase()} saved assessments.`;
  },
};
const COMMAND_NAMES = Object.keys(COMMANDS);
/** These take a folder of fixtures or a file, the others nothing. */
const WITH_A_WORD = ['seed', 'backup', 'restore'];

/** Opens the database, brings its schema up to date, and closes it after the work. */
async function withDatabase<T>(
  work: (sqlite: SqliteFile, migrated: string[]) => T | Promise<T>,
): Promise<T> {
  const sqlite = openSqlite(env().databaseFile, COMMAND_BUSY_TIMEOUT_MS, reportDatabase);
  try {
    return await work(sqlite, await migrate(sqlite, reportDatabase));
  } finally {
    sqlite.close();
  }
}

function purgeDatabase(): Promise<number> {
  return withDatabase((sqlite) => purge(queryBuilder(sqlite), now()));
}

/** The command of the command line and its word. */
function parseWords(): { name: string; word: string | undefined } {
  // Node's own errors for wrong options are paragraphs.
  const { tokens, positionals } = parseArgs({
    allowPositionals: true,
    options: { from: { type: 'string' } },
    strict: false,
    tokens: true,
  });
  const [name, ...words] = positionals;
  const options = tokens.filter((token) => token.kind === 'option');
  const unknown = options.find((option) => option.name !== 'from');
  if (unknown) refuse(`Unknown option ${unknown.rawName}`, unknown.rawName, ['--from']);
  if (name === undefined) {
    throw new ConfigurationError(`No command; there is ${COMMAND_NAMES.join(', ')}.`);
  }
  if (!COMMAND_NAMES.includes(name)) {
    refuse(`Unknown command ${JSON.stringify(name)}`, name, COMMAND_NAMES);
  }
  for (const { value } of options) {
    if (name !== 'seed') {
      throw new ConfigurationError(`Option --from belongs to db:seed, not to db:${name}.`);
    }
    if (!value) {
      throw new ConfigurationError('Option --from needs a folder: npm run db:seed -- --from DIR.');
    }
    words.unshift(value);
  }
  const surplus = words[WITH_A_WORD.includes(name) ? 1 : 0];
  if (surplus !== undefined) {
    throw new ConfigurationError(
      `db:${name} takes no further word, but ${JSON.stringify(surplus)} was given.`,
    );
  }
  return { name, word: words[0] };
}

function refuse(what: string, word: string, known: readonly string[]): never {
  throw new ConfigurationError(`${what}; ${suggestion(word, known)}`);
}

/** What an operator can do something about. */
const FAILURES: Record<Failure, (file: string, reason: string) => string> = {
  damaged: (file, reason) =>
    `${file} is damaged or no database: npm run db:restore FILE puts a backup in its place (${reason}).`,
  gone: (file) =>
    `${file} is not there or empty; npm run db:restore FILE puts a backup in its place.`,
  full: (file) => `${file} cannot be written: the disk is full.`,
  held: (file) => `${file} is held by another process; nothing was changed.`,
  unwritable: (file, reason) =>
    `${file} cannot be written: check the path, the owner and the disk (${reason}).`,
};

/** What went wrong, as one sentence; undefined for a mistake of the program. */
function sentenceOf(error: unknown): string | undefined {
  if (error instanceof ConfigurationError || error instanceof FixtureError) return error.message;
  if (error instanceof BackupError || error instanceof NewerVersionError) {
    return `${error.message}.`;
  }
  const isExternal = error instanceof Error && ('errno' in error || isSqliteError(error));
  if (!isExternal) return undefined;
  const failure = failureOf(error);
  const { databaseFile } = env();
  if (failure) return FAILURES[failure](databaseFile, error.message);
  return `${databaseFile} cannot be used: ${error.message}.`;
}

try {
  const { name, word } = parseWords();
  console.log(await COMMANDS[name]?.(word));
} catch (error) {
  // A mistake of the program is the one thing that comes with its stack.
  console.error(sentenceOf(error) ?? error);
  process.exitCode = 1;
}
