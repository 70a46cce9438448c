/** The world of a simulated year: a site on a held clock, its provider, its mail server, its staff. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { writeDatabase } from '~/database.server';
import { rowsIn } from '~db/queries/rows.server';
import { LIVE } from '../apps';
import { seeded } from '../domain/application/specimen';
import { addPerson, newSession, type Person } from '../http/signed-in';
import { startMailServer } from '../mail-server';
import { startStripe } from '../payments';
import { sharedPostgres } from '../postgres';
import { newDatabase, temporaryFolder } from '../production-server';
import { startInProcess } from '../site-in-process';
import type { Traveller } from './travellers';

const ENGINES = ['SQLite', 'PostgreSQL'] as const;
export type Engine = (typeof ENGINES)[number];
/** How many days are lived: a week in the long run. */
export const DAYS = Number(process.env['TEST_YEAR'] ?? 7);
const { TEST_YEAR_ENGINE: only } = process.env;
export const engines = ENGINES.filter((name) => only === undefined || name === only);
export const HOUR_MS = 3_600_000;

export type World = Awaited<ReturnType<typeof newWorld>>;

const dataKey = (name: string) => `${name}:${randomBytes(32).toString('base64')}`;

/** @param seed makes the same year each time */
export async function newWorld(engine: Engine, seed: number) {
  const folder = temporaryFolder();
  const DATABASE_URL =
    engine === 'SQLite'
      ? await newDatabase(folder)
      : await (await sharedPostgres()).createDatabase();
  let at = Date.now();
  const stripe = await startStripe(() => new Date(at));
  const mail = await startMailServer();
  const keys = [dataKey('k1')];
  let made = 1;
  const variables = () => ({
    ...LIVE,
    ...stripe.variables,
    ...{
      DATABASE_URL,
      DATA_KEYS: keys.join(','),
      MAIL_URL: mail.url,
      MAIL_FROM: 'post@example.eu',
    },
    // A mail names the site as its proxy does, whichever process writes it.
    PUBLIC_ORIGIN: 'http://localhost:3000',
  });
  const start = async () => {
    const started = await startInProcess(variables(), { clock: 'held', begin: new Date(at) });
    stripe.deliversTo(started);
    await fetch(`${started.origin}/readyz`);
    return started;
  };
  let site = await start();
  const staff = {
    checker: addPerson(site, { role: 'agent' }),
    filer: addPerson(site, { role: 'agent' }),
    boss: addPerson(site, { role: 'supervisor' }),
    owner: addPerson(site, { role: 'owner' }),
  };
  const sessions = new Map<Person, { token: string; at: number }>();
  const random = seeded(seed);
  return {
    ...{ engine, folder, stripe, mail, staff, keys, random, DATABASE_URL },
    backup: join(folder, 'backup.db'),
    travellers: new Map<string, Traveller>(),
    /** Those that are open. */
    disputes: [] as string[],
    /** What happened, by kind. */
    counts: new Map<string, number>(),
    /** To the applications of which the desk has asked for something, by address. */
    links: new Map<string, string>(),
    /** Message-IDs of what the mail server has taken. */
    mails: [] as string[],
    begun: new Date(at),
    site: () => site,
    now: () => new Date(at),
    isOneOf: (share: number) => random() < share,
    count(what: string, by = 1) {
      this.counts.set(what, (this.counts.get(what) ?? 0) + by);
    },
    /** With a second factor, as of now. */
    async sessionOf(person: Person): Promise<string> {
      const known = sessions.get(person);
      // An idle session of the staff ends after an hour.
      if (known?.at === at) return known.token;
      const { token, session } = newSession(person, { at: new Date(at) });
      await writeDatabase((db) => rowsIn(db).insert('sessions', session));
      sessions.set(person, { token, at });
      return token;
    },
    async pass(hours: number) {
      await site.clock.jump(hours * HOUR_MS);
      at = await site.clock.now();
    },
    async restart() {
      await site.stop();
      site = await start();
    },
    newKey: () => keys.unshift(dataKey(`k${(made += 1)}`)),
    variables,
    async end() {
      await site.stop();
      await stripe.stop();
      await mail.stop();
    },
  };
}
