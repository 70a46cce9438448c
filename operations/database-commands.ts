import { existsSync, unlinkSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { z } from 'zod/v4';

import { now } from '~/clock.server';
import { closeDatabase, databaseSentence, reportDatabase, waitForLocks } from '~/database.server';
import { ConfigurationError, env, parseDatabase, failWith } from '~/env.server';
import { readPublished } from '~/settings/published.server';
import { siteSettings } from '~/settings/settings.server';
import { copyDatabase } from '~db/copy.server';
import { listStoredRows } from '~db/content-rows.server';
import { FixtureError, readFixtures, writeFixtures } from '~db/fixtures.server';
import { openMigrated, openStore, locationOf } from '~db/open-store.server';
import type { Database } from '~db/schema';
import { seedAgain, seedOwn } from '~db/seed.server';
import { BackupError, backUp, readBackup, restore } from '~db/sqlite/backup.server';
import { DATABASE_SUFFIXES } from '~db/sqlite/database-file.server';
import { COMMAND_BUSY_TIMEOUT_MS } from '~db/sqlite/open.server';
import type { DatabaseAddress, SeedReport, Store } from '~db/store.server';
import {
  endSessions,
  EVERYBODY,
  invite,
  parseAddress,
  parseInvitation,
  reset,
} from './account-commands';
import { backUpAt, keepDoing, parseInterval, parseKept } from './backup-schedule';
import { type CommandLine, parseCommandLine, type Usage } from './command-line';
import { codesEndInMs, demonstrate } from './demo';
import { forget, parseForgotten } from './forget';
import { allJobs, inTurns } from './jobs';
import { sendTestMail } from './mail-test';
import { purge } from './retention';
import { keysNote, refuseWithoutKeys, reseal } from './reseal';
import { eraseTraveller, exportInto, listAddresses, parseNamed } from './traveller-commands';

interface Command extends Usage {
  run(given: Omit<CommandLine, 'name'>): Promise<string | undefined>;
}

const COMMANDS: Record<string, Command> = {
  migrate: {
    script: 'db:migrate',
    async run() {
      const names = await withStore((store) => Promise.resolve(store.migrations));
      return names.length > 0 ? `Migrated: ${names.join(', ')}.` : 'The schema is up to date.';
    },
  },

  seed: {
    script: 'db:seed',
    options: { from: 'a folder: npm run db:seed -- --from DIR' },
    async run({ options: { from } }) {
      const fixtures = from === undefined ? undefined : readFixtures(from);
      return told(
        await withStore((store) => (fixtures ? seedOwn(store, fixtures) : seedAgain(store))),
      );
    },
  },

  'content:export': {
    words: 1,
    async run({ word: folder }) {
      if (!folder) failWith('Say where to: npm run content:export -- FOLDER.');
      const rows = await withExisting((store) => store.exclusively(listStoredRows));
      try {
        writeFixtures(folder, rows);
      } catch (error) {
        throw new FixtureError(`${folder}: ${(error as NodeJS.ErrnoException).code}.`);
      }
      return `Written, as npm run db:seed -- --from ${folder} reads it.`;
    },
  },

  reset: {
    script: 'db:reset',
    async run() {
      const file = sqliteFile('make it anew with dropdb and createdb, then npm run db:seed');
      if (env().secure) {
        failWith('db:reset deletes everything and is refused while PUBLIC_ORIGIN is https.');
      }
      for (const name of DATABASE_SUFFIXES.map((suffix) => file + suffix)) {
        // Not rmSync: its error for a read-only disk has no code.
        if (existsSync(name)) unlinkSync(name);
      }
      await (await openStore(env().database, OPEN)).close();
      return 'The database is new: migrated and seeded.';
    },
  },

  backup: {
    script: 'db:backup',
    words: 1,
    options: {
      every: 'a time: npm run db:backup -- --every 6h DIR',
      keep: 'a number: npm run db:backup -- --every 6h --keep 28 DIR',
    },
    async run({ word: target, options: { every, keep } }) {
      if (!target) failWith('Say where to: npm run db:backup FILE.');
      const file = sqliteFile('back it up with pg_dump');
      const make = async (path: string) => {
        await backUp(file, path, reportDatabase);
        return `Backed up and checked: ${path}.${await readBackup(path, keysNote)}`;
      };
      if (every !== undefined) {
        const everyMs = parseInterval(every);
        const rotation = { folder: target, keep: keep === undefined ? keep : parseKept(keep) };
        if (!existsSync(target)) throw new BackupError(`${target} is not there`);
        return keepDoing(everyMs, () => backUpAt(now(), rotation, make), {
          done: (line) => console.log(line),
          failed: (error) => console.error(sentenceOf(error) ?? error),
        });
      }
      if (keep !== undefined) failWith('Option --keep goes with --every, which is missing.');
      return make(target);
    },
  },

  restore: {
    script: 'db:restore',
    words: 1,
    async run({ word: backup }) {
      if (!backup) failWith('Say what from: npm run db:restore FILE.');
      const file = sqliteFile('restore it with pg_restore');
      // The purge needs them: settings that are wrong had better be known before anything is done.
      siteSettings();
      const accept = (db: Database) => refuseWithoutKeys(db, backup);
      const aside = await restore(file, backup, now(), { report: reportDatabase, accept });
      await purgeDatabase();
      const note = aside ? ` The unusable database is now ${aside}.` : '';
      return `Restored and checked: ${backup}.${note}`;
    },
  },

  purge: {
    script: 'db:purge',
    async run() {
      siteSettings();
      refuseMissing();
      const { assessments, messages = 0 } = await purgeDatabase();
      const more = messages > 0 ? `, ${messages} messages` : '';
      return `Purged: ${assessments} saved assessments${more}.`;
    },
  },

  copy: {
    script: 'db:copy',
    options: { to: 'an address: npm run db:copy -- --to postgres://…' },
    async run({ options: { to = '' } }) {
      const address = parseDatabase(to);
      if (address?.engine !== 'postgres') {
        failWith('Say where to: npm run db:copy -- --to postgres://….');
      }
      sqliteFile('copy it with pg_dump and pg_restore');
      refuseMissing();
      return withStore(async (from) => {
        const copied = await withStore((store) => copyDatabase(from, store), address).catch(
          (error: unknown) => {
            throw error instanceof BackupError ? error : new TargetError(address, error);
          },
        );
        const rows = Object.entries(copied).map(([table, count]) => `${count} of ${table}`);
        const told = `Copied to ${locationOf(address)}, and counted there: ${rows.join(', ')}.`;
        return told + (await keysNote(from.db));
      });
    },
  },

  reseal: {
    script: 'data:reseal',
    options: { forget: 'the name of a key: npm run data:reseal -- --forget KEYID' },
    async run({ options: { forget: lost } }) {
      const keyId = lost === undefined ? undefined : parseForgotten(lost);
      return withExisting((store) => (keyId === undefined ? reseal(store) : forget(store, keyId)));
    },
  },

  jobs: {
    options: {
      'delete-and-mail-until':
        'an instant: npm run jobs -- --delete-and-mail-until 2027-01-31T06:00:00Z',
    },
    async run({ options: { 'delete-and-mail-until': until } }) {
      refuseInDrill();
      siteSettings();
      refuseMissing();
      if (until !== undefined && env().secure) {
        failWith('Option --delete-and-mail-until is refused while PUBLIC_ORIGIN is https.');
      }
      const instant = until === undefined ? now() : parseInstant('--delete-and-mail-until', until);
      // Jobs that speak with others between their transactions open the site's own.
      await withStore((store) => runJobs(store, instant)).finally(closeDatabase);
      return undefined;
    },
  },

  'staff:invite': {
    words: 2,
    async run({ words }) {
      const invited = parseInvitation(words);
      return withStore((store) => invite(store, invited));
    },
  },

  'staff:reset': {
    words: 1,
    async run({ word }) {
      const email = parseAddress(word, 'staff:reset -- EMAIL');
      return withExisting((store) => reset(store, email));
    },
  },

  demo: {
    options: { code: 'an address or all: npm run demo -- --code agent@demo.example' },
    async run({ options: { code } }) {
      const demo = () => withStore(({ db }) => demonstrate(db, code));
      // Until it is stopped: who changes from role to role in the browser reads them here.
      while (code === EVERYBODY) {
        console.log(await demo());
        await pause(codesEndInMs());
      }
      // What it makes goes the site's own ways, by which the site's own database is opened.
      return demo().finally(closeDatabase);
    },
  },

  'sessions:end': {
    words: 1,
    async run({ word }) {
      const usage = 'sessions:end -- EMAIL, or all for everybody';
      const whose = word === EVERYBODY ? EVERYBODY : parseAddress(word, usage);
      return withExisting((store) => endSessions(store, whose));
    },
  },

  'travellers:concerned': {
    words: 2,
    async run({ words: [from, until] }) {
      if (from === undefined || until === undefined) {
        failWith('Say of which time: npm run travellers:concerned -- FROM UNTIL.');
      }
      const window = [parseInstant('FROM', from), parseInstant('UNTIL', until)] as const;
      siteSettings();
      return withExisting((store) => listAddresses(store, ...window));
    },
  },

  'traveller:export': {
    words: 2,
    async run({ words: [who, file] }) {
      const named = parseNamed(who, 'traveller:export --');
      if (file === undefined) failWith(`Say where to: npm run traveller:export -- ${who} FILE.`);
      return withExisting((store) => exportInto(store, named, file));
    },
  },

  'traveller:erase': {
    words: 1,
    async run({ word }) {
      const named = parseNamed(word, 'traveller:erase --');
      return withExisting((store) => eraseTraveller(store, named)).finally(closeDatabase);
    },
  },

  mailtest: {
    script: 'mail:test',
    words: 1,
    async run({ word: address }) {
      refuseInDrill();
      siteSettings();
      return sendTestMail(address);
    },
  },
};

function refuseInDrill(): void {
  if (env().drill) failWith('DRILL is true: no job is run, and no mail sent.');
}

const OPEN = { waitMs: COMMAND_BUSY_TIMEOUT_MS, report: reportDatabase };

async function withStore<T>(
  work: (store: Store) => Promise<T>,
  address: DatabaseAddress = env().database,
): Promise<T> {
  const store = await openMigrated(address, OPEN);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function withExisting<T>(work: (store: Store) => Promise<T>): Promise<T> {
  refuseMissing();
  return withStore(work);
}

function purgeDatabase() {
  return withStore((store) => inTurns(store, (write) => purge('site', write, now())));
}

/** A job that takes longer says every so often how far it is. */
const TELL_MS = 5000;

async function runJobs(store: Store, instant: Date): Promise<void> {
  await readPublished();
  const jobs = allJobs();
  for (const [index, job] of jobs.entries()) {
    let toldAt = performance.now();
    const tell = (done: number) => {
      if (performance.now() - toldAt < TELL_MS) return;
      toldAt = performance.now();
      console.log(`${job.name}, job ${index + 1} of ${jobs.length}: ${done} so far`);
    };
    const counted = await inTurns(store, (write) => job.run(write, instant), tell);
    const counts = Object.entries(counted).map(([what, count]) => `${count} ${what}`);
    console.log(`${job.name}: ${counts.join(', ')}`);
  }
}

/** @param instead what to do where the database is PostgreSQL's @throws {ConfigurationError} saying so */
function sqliteFile(instead: string): string {
  const { database } = env();
  if (database.engine === 'sqlite') return database.file;
  failWith(`This database is PostgreSQL's: ${instead}.`);
}

function refuseMissing(): void {
  const { database } = env();
  if (database.engine === 'sqlite' && !existsSync(database.file)) {
    throw new BackupError(`${database.file} is not there`);
  }
}

function parseInstant(what: string, text: string): Date {
  if (z.iso.datetime().safeParse(text).success) return new Date(text);
  failWith(`${what} is ${JSON.stringify(text)}; expected an instant such as 2027-01-31T06:00:00Z.`);
}

function told({ added, updated, kept, own }: SeedReport): string {
  const note = own.length > 0 ? ` Yours, and left alone: ${own.join('; ')}.` : '';
  return `Seeded: ${added} rows added, ${updated} updated, ${kept} kept as they were.${note}`;
}

class TargetError extends Error {
  constructor(
    readonly address: DatabaseAddress,
    override readonly cause: unknown,
  ) {
    super('The other database');
  }
}

function sentenceOf(error: unknown, database = env().database): string | undefined {
  if (error instanceof TargetError) return sentenceOf(error.cause, error.address);
  if (error instanceof ConfigurationError || error instanceof FixtureError) return error.message;
  if (error instanceof BackupError) return `${error.message}.`;
  return databaseSentence(error, locationOf(database));
}

// Also what opens the site's own, in the middle of a command.
waitForLocks(COMMAND_BUSY_TIMEOUT_MS);
try {
  const { name, ...given } = parseCommandLine(COMMANDS, process.argv.slice(2));
  const said = await COMMANDS[name]?.run(given);
  if (said !== undefined) console.log(said);
} catch (error) {
  // A mistake of the program is the one thing that comes with its stack.
  console.error(sentenceOf(error) ?? error);
  process.exitCode = 1;
}
