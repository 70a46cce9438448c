/** `npm run demo`: invented cases in every state, and accounts to look at them with. */
import { now } from '~/clock.server';
import { writeDatabase } from '~/database.server';
import { ConfigurationError, env, siteOrigin } from '~/env.server';
import { isOffline } from '~/mode.server';
import { siteSettings } from '~/settings/settings.server';
import type { Database } from '~db/schema';
import { askForOutcomes } from '~/desk/outcome-jobs.server';
import { TOTP } from '~/domain/factors';
import { ACCOUNTS, addAccounts, codeOf, DEMO_PASSWORD } from './demo/accounts';
import { addDemoCase, type DemoStaff } from './demo/cases';
import { addChecks, addMessages } from './demo/messages';
import { DEMO_CASES } from './demo/people';

/** In `counters`: 1 while it is being made, 2 once it is whole. */
const MARK = 'demonstration';
const WHOLE = 2;
/** In place of an address: the codes of the whole staff. */
export const EVERYBODY = 'all';

/**
 * Fills the database with the demonstration, unless it is there already, and says how to look at it.
 *
 * @param db where it is looked up; what is made goes the site's own ways
 * @param email whose code is asked for, or `EVERYBODY`; undefined: how to look at it
 * @throws {ConfigurationError} where real people could be on the site
 */
export async function demonstrate(db: Database, email?: string): Promise<string> {
  refuseRealSites();
  siteSettings();
  const mark = await findMark(db);
  if (email !== undefined) return codeFor(db, email, mark);
  if (mark === undefined) await fill();
  else if (mark !== WHOLE) {
    throw new ConfigurationError(
      'The demonstration was interrupted while it was made: npm run db:reset, then npm run demo once more.',
    );
  }
  return told(db, mark === undefined);
}

function refuseRealSites(): void {
  const { secure, mail, payment } = env();
  if (secure) throw new ConfigurationError('demo is refused while PUBLIC_ORIGIN is https.');
  if (isOffline()) throw new ConfigurationError('The demonstration needs OFFLINE_MODE=false.');
  if (mail || payment) {
    throw new ConfigurationError(
      'demo is refused while MAIL_URL or STRIPE_SECRET_KEY is set: it writes to nobody, and no money moves.',
    );
  }
}

async function findMark(db: Database): Promise<number | undefined> {
  const row = await db
    .selectFrom('counters')
    .select('value')
    .where('name', '=', MARK)
    .executeTakeFirst();
  return row?.value;
}

async function fill(): Promise<void> {
  const at = now();
  const staff = await writeDatabase(async (db): Promise<DemoStaff> => {
    const other = await db.selectFrom('applications').select('id').limit(1).executeTakeFirst();
    if (other) {
      throw new ConfigurationError(
        'There are applications in this database that are not the demonstration’s: set DATABASE_URL to another one.',
      );
    }
    await db.insertInto('counters').values({ name: MARK, value: 1 }).execute();
    const ids = await addAccounts(db, at);
    const of = (email: (typeof ACCOUNTS)[number]['email']) => ids.get(email) ?? '';
    return {
      agents: [of('agent@demo.example'), of('agent2@demo.example')],
      supervisor: of('supervisor@demo.example'),
      traveller: of('traveller@demo.example'),
    };
  });
  for (const demo of DEMO_CASES) await addDemoCase(demo, staff, at);
  await askForOutcomes(writeDatabase, at);
  await writeDatabase(async (db) => {
    await addMessages(db, staff.agents[0], at);
    await addChecks(db, at);
    // A site that runs has counted the days before, in which there was nothing then.
    await db.deleteFrom('day_counts').execute();
    await db.updateTable('counters').set({ value: WHOLE }).where('name', '=', MARK).execute();
  });
}

async function codeFor(db: Database, email: string, mark: number | undefined): Promise<string> {
  if (mark === undefined) {
    throw new ConfigurationError(
      'There is no demonstration in this database: give DATABASE_URL as npm run demo had it.',
    );
  }
  const staff = ACCOUNTS.filter(({ role }) => role !== null).map((account) => account.email);
  if (email === EVERYBODY) {
    const codes = staff.map(async (one) => {
      const { code = 'no code' } = (await codeOf(db, one, now())) ?? {};
      return `${one.split('@')[0]} ${code}`;
    });
    return (await Promise.all(codes)).join('   ');
  }
  if (!staff.some((one) => one === email)) {
    throw new ConfigurationError(
      `${email} is nobody of the demonstration’s staff: ${staff.join(', ')}.`,
    );
  }
  const found = await codeOf(db, email, now());
  if (!found) throw new ConfigurationError(`${email} has no authenticator any more.`);
  return found.code;
}

/** How long the codes of now are still shown, as by an app. */
export function codesEndInMs(): number {
  const period = TOTP.periodS * 1000;
  return period - (now().getTime() % period);
}

/** Where to begin, as tables of text. */
async function told(db: Database, isNew: boolean): Promise<string> {
  const origin = siteOrigin();
  const rows = [];
  const uris = [];
  for (const { email, role } of ACCOUNTS) {
    const found = role && (await codeOf(db, email, now()));
    const path = role ? '/crm/auth' : '/auth';
    rows.push([role ?? 'traveller', email, DEMO_PASSWORD, found?.code ?? '', `${origin}${path}`]);
    if (found) uris.push(found.uri);
  }
  return [
    isNew
      ? `The demonstration is made: ${DEMO_CASES.length} invented cases, messages, orders and refunds.`
      : 'The demonstration is there already. Everything in it is invented.',
    '',
    table(['role', 'address', 'password', 'code now', 'sign in at'], rows),
    '',
    'A code is good for half a minute, once. Everybody’s, anew each time: npm run demo -- --code all',
    'Or add these to an authenticator app:',
    ...uris,
    '',
    table(
      ['look at', ''],
      [
        ['the site', origin],
        ['the mails', `${origin}/outbox`],
        ['the desk', `${origin}/crm/dashboard`],
        ['the cases', `${origin}/crm/processing?tab=open`],
        ['the refunds', `${origin}/crm/refunds`],
      ],
    ),
  ].join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, n) => Math.max(...all.map((row) => row[n]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, n) => cell.padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
