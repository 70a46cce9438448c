/** `npm run demo`: invented cases in every state, and accounts to look at them with. */
import { randomUUID } from 'node:crypto';

import { addHours } from 'date-fns';

import { enrollTotp } from '~/accounts/factors.server';
import { hashPassword } from '~/accounts/passwords.server';
import { totpOfSecret } from '~/accounts/totp.server';
import { now } from '~/clock.server';
import { writeDatabase } from '~/database.server';
import { askForOutcomes } from '~/desk/official-fee.server';
import { normalizeEmail } from '~/domain/accounts';
import { TOTP } from '~/domain/factors';
import { env, failWith, siteOrigin } from '~/env.server';
import type { Language } from '~/i18n/languages';
import { addMessageLead, contactLead } from '~/leads/leads.server';
import { sealMessage } from '~/messages/messages.server';
import { isOffline } from '~/mode.server';
import { unsealColumn } from '~/sealing/seal.server';
import { siteSettings } from '~/settings/settings.server';
import { listFactorRows, markFactorVerified } from '~db/queries/factors.server';
import { findUserByEmail, insertUser, updateUser } from '~db/queries/users.server';
import type { Database } from '~db/schema';
import { counterValue, setCounter } from '~db/queries/counters.server';
import { rowsIn } from '~db/queries/rows.server';
import { EVERYBODY } from './account-commands';
import { addDemoCase } from './demo/cases';
import messages from './demo/messages.json' with { type: 'json' };
import { DEMO_CASES, type DemoStaff } from './demo/people';

/** In `counters`: 1 while it is being made, 2 once it is whole. */
const MARK = 'demonstration';
const WHOLE = 2;

/** Of every account of the demonstration: it is in this repository, and no secret. */
const DEMO_PASSWORD = 'Walk-the-story-2026';

const ACCOUNTS = [
  { email: 'agent@demo.example', role: 'agent', first: 'Alice', language: 'en' },
  { email: 'agent2@demo.example', role: 'agent', first: 'Benoît', language: 'fr' },
  { email: 'supervisor@demo.example', role: 'supervisor', first: 'Clara', language: 'en' },
  { email: 'auditor@demo.example', role: 'auditor', first: 'Dieter', language: 'de' },
  { email: 'admin@demo.example', role: 'admin', first: 'Emma', language: 'en' },
  { email: 'owner@demo.example', role: 'owner', first: 'Camille', language: 'fr' },
  { email: 'traveller@demo.example', role: null, first: 'Jonas', language: 'de' },
] as const;

/** Unless it is there already; by the site's own ways. @param email whose code is asked for */
export async function demonstrate(db: Database, email?: string): Promise<string> {
  refuseRealSites();
  siteSettings();
  const mark = await counterValue(db, MARK);
  if (email !== undefined) return codeFor(db, email, mark);
  if (mark === undefined) await fill();
  else if (mark !== WHOLE) {
    failWith(
      'The demonstration was interrupted while it was made: npm run db:reset, then npm run demo once more.',
    );
  }
  return told(db, mark === undefined);
}

function refuseRealSites(): void {
  const { secure, mail, payment } = env();
  if (secure) failWith('demo is refused while PUBLIC_ORIGIN is https.');
  if (isOffline()) failWith('The demonstration needs OFFLINE_MODE=false.');
  if (mail || payment) {
    failWith(
      'demo is refused while MAIL_URL or STRIPE_SECRET_KEY is set: it writes to nobody, and no money moves.',
    );
  }
}

async function fill(): Promise<void> {
  const at = now();
  const staff = await writeDatabase(async (db): Promise<DemoStaff> => {
    if (await db.selectFrom('applications').select('id').limit(1).executeTakeFirst()) {
      failWith(
        'There are applications in this database that are not the demonstration’s: set DATABASE_URL to another one.',
      );
    }
    await setCounter(db, MARK, 1);
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
    await setCounter(db, MARK, WHOLE);
  });
}

async function codeFor(db: Database, email: string, mark: number | undefined): Promise<string> {
  if (mark === undefined) {
    failWith(
      'There is no demonstration in this database: give DATABASE_URL as npm run demo had it.',
    );
  }
  const staff = ACCOUNTS.filter(({ role }) => role !== null).map((account) => account.email);
  if (email === EVERYBODY) {
    const codes = staff.map(async (one) => {
      const { code = 'no code' } = (await codeOf(db, one)) ?? {};
      return `${one.split('@')[0]} ${code}`;
    });
    return (await Promise.all(codes)).join('   ');
  }
  if (!staff.some((one) => one === email)) {
    failWith(`${email} is nobody of the demonstration’s staff: ${staff.join(', ')}.`);
  }
  const found = await codeOf(db, email);
  if (!found) failWith(`${email} has no authenticator any more.`);
  return found.code;
}

export function codesEndInMs(): number {
  const period = TOTP.periodS * 1000;
  return period - (now().getTime() % period);
}

async function told(db: Database, isNew: boolean): Promise<string> {
  const origin = siteOrigin();
  const rows = [];
  const uris = [];
  for (const { email, role } of ACCOUNTS) {
    const found = role && (await codeOf(db, email));
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
  const line = (cells: readonly string[]) => cells.map((cell, n) => cell.padEnd(widths[n] ?? 0));
  return all.map((row) => line(row).join('  ').trimEnd()).join('\n');
}

async function addAccounts(db: Database, at: Date): Promise<ReadonlyMap<string, string>> {
  const password_hash = await hashPassword(DEMO_PASSWORD);
  const ids = new Map<string, string>();
  for (const { email, role, first, language } of ACCOUNTS) {
    const id = randomUUID();
    const user = {
      ...{ id, email, password_hash, role, first_name: first, last_name: 'Demo' },
      kind: role === null ? ('traveller' as const) : ('staff' as const),
      email_normalized: normalizeEmail(email),
      language_code: language,
    };
    if (!(await insertUser(db, user, at))) throw new Error(`${email} is there already`);
    await updateUser(db, id, { email_verified_at: at.toISOString() });
    ids.set(email, id);
    if (role === null) continue;
    const factor = await enrollTotp(db, { userId: id, email, friendlyName: 'Demo' }, at);
    if (factor === 'nameTaken') throw new Error('nameTaken');
    await markFactorVerified(db, id, factor.id, at);
  }
  return ids;
}

async function codeOf(db: Database, email: string) {
  const user = await findUserByEmail(db, 'staff', normalizeEmail(email));
  const [factor] = user ? await listFactorRows(db, user.id) : [];
  const secret = factor && unsealColumn('auth_factors', factor, 'secret_sealed');
  if (!secret) return undefined;
  const totp = await totpOfSecret(secret, email);
  return { code: totp.generate({ timestamp: now().getTime() }), uri: totp.toString() };
}

interface DemoMessage {
  name: string;
  email: string;
  language: Language;
  category: string;
  subject: string;
  message: string;
  hours: number;
  lead?: 'new' | 'contacted';
}

async function addMessages(db: Database, agent: string, now: Date): Promise<void> {
  for (const { hours, lead, email, language, ...text } of messages as DemoMessage[]) {
    const id = randomUUID();
    const at = addHours(now, -hours);
    await rowsIn(db).insert('contact_messages', {
      id,
      state: 'new',
      category: text.category,
      language_code: language,
      ...sealMessage(id, email, text),
      created_at: at.toISOString(),
    });
    if (lead) await addMessageLead(db, id, at);
    if (lead !== 'contacted') continue;
    await contactLead(db, { message_id: id }, agent, at);
    await rowsIn(db).update('leads', { message_id: id }, { assigned_to: agent }).execute();
  }
}

async function addChecks(db: Database, now: Date): Promise<void> {
  const rows = Array.from({ length: 60 }, (_, n) => ({
    session_id: randomUUID(),
    country_code: n % 3 ? 'FR' : 'DE',
    is_country_eligible: 1 as const,
    assessment_data: '{}',
    is_eligible: 1 as const,
    disqualifying_factors: '[]',
    factor_keys: '[]',
    outcome: 'eligible' as const,
    language_code: n % 3 ? 'fr' : 'de',
    completed_at: addHours(now, -11 * (n + 1)).toISOString(),
  }));
  await db.insertInto('eligibility_assessments').values(rows).execute();
}
