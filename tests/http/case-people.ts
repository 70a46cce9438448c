import { randomBytes } from 'node:crypto';

import { vi } from 'vitest';

import { closeDatabase, waitForLocks } from '~/database.server';
import { COMMAND_BUSY_TIMEOUT_MS } from '~db/sqlite/open.server';
import { type Site, startSite } from '../production-server';
import { addPerson, type Person, signedIn } from './signed-in';
import { Visitor } from './visitor';

/**
 * Who asks about an application that there is. `agent`: of another case, and `excused` says why, as only
 * a supervisor may; `holder`: the case is assigned to them; `boss`: a supervisor who does not say why,
 * `reasoned`: who does; `gone`: was deactivated while the session was open, and the case is still theirs.
 */
export const CASE_PEOPLE = [
  'nobody',
  'traveller',
  'owner',
  'agent',
  'excused',
  'holder',
  'boss',
  'reasoned',
  'auditor',
  'admin',
  'gone',
] as const;
export type CasePerson = (typeof CASE_PEOPLE)[number];

/**
 * Who asks about what else there is at the desk, where nobody says why. `holder`: has taken it, or
 * proposed it; `other`: a second supervisor; `unproven`: a supervisor who has given the password and not
 * yet the second factor.
 */
export const DESK_PEOPLE = [
  'nobody',
  'traveller',
  'owner',
  'agent',
  'holder',
  'boss',
  'other',
  'auditor',
  'admin',
  'gone',
  'unproven',
] as const;
export type DeskPerson = (typeof DESK_PEOPLE)[number];
type Known = Exclude<CasePerson | DeskPerson, 'nobody' | 'excused' | 'reasoned' | 'unproven'>;

const KEYS = {
  OFFLINE_MODE: 'false',
  SESSION_SECRET: randomBytes(32).toString('base64url'),
  DATA_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
};

/** A site whose database this process knows, with everybody who may ask about a case. */
export class CaseSite {
  readonly people: Record<Known, Person>;
  readonly #sessions = new Map<CasePerson | DeskPerson, string>();

  private constructor(readonly site: Site) {
    this.people = {
      owner: addPerson(site, { hasFactor: true }),
      traveller: addPerson(site),
      agent: addPerson(site, { role: 'agent' }),
      holder: addPerson(site, { role: 'agent' }),
      boss: addPerson(site, { role: 'supervisor' }),
      other: addPerson(site, { role: 'supervisor' }),
      auditor: addPerson(site, { role: 'auditor' }),
      admin: addPerson(site, { role: 'admin' }),
      gone: addPerson(site, { role: 'agent', isDeactivated: true }),
    };
  }

  /** Starts it, with these variables too, and gives this process its environment. */
  static async begin(more: Record<string, string> = {}): Promise<CaseSite> {
    const variables = { ...KEYS, ...more };
    const site = await startSite(variables);
    await fetch(`${site.origin}/readyz`);
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    vi.stubEnv('NODE_ENV', 'production');
    vi.stubEnv('DATABASE_URL', `file:${site.databaseFile}`);
    // The site is at work on the same file.
    waitForLocks(COMMAND_BUSY_TIMEOUT_MS);
    return new CaseSite(site);
  }

  async end(): Promise<void> {
    await closeDatabase();
    vi.unstubAllEnvs();
    await this.site.stop();
  }

  /** A browser of somebody; all of theirs are in one session. */
  come(who: CasePerson | DeskPerson): Visitor {
    const person = this.personOf(who);
    const visitor = new Visitor(this.site.origin, { 'Accept-Language': 'en' });
    if (!person) return visitor;
    const aal = who === 'unproven' ? 1 : 2;
    const session =
      this.#sessions.get(who) ?? signedIn(this.site, person, { aal }).cookie('session') ?? '';
    this.#sessions.set(who, session);
    visitor.setCookie('session', session);
    return visitor;
  }

  /** Whose account somebody comes with; undefined for nobody. */
  personOf(who: CasePerson | DeskPerson): Person | undefined {
    if (who === 'nobody') return undefined;
    const { people } = this;
    const { agent, boss } = people;
    return { ...people, excused: agent, reasoned: boss, unproven: boss }[who];
  }

  /** Runs a query on the site's database. */
  query(sql: string, ...parameters: unknown[]): Record<string, unknown>[] {
    return this.site.query(sql, ...parameters);
  }

  /** All that a form could have changed of an application, but for the events of the audit. */
  contentsOf(id: string) {
    const of = (table: string) =>
      this.query(`select * from ${table} where application_id = ? order by 1, 2`, id);
    return {
      row: this.query('select * from applications where id = ?', id)[0] ?? {},
      tables: ['answers', 'documents', 'tasks', 'requests', 'amendments'].map((name) =>
        of(`application_${name}`),
      ),
      notes: of('notes'),
      orders: of('orders'),
      refunds: this.query(
        'select * from refunds where order_id in (select id from orders where application_id = ?)',
        id,
      ),
      mails: this.query('select count(*) as count from outbox'),
    };
  }
}

/** What a supervisor says who looks at another's case. */
export const withReason = (who: CasePerson, address: string) =>
  who === 'excused' || who === 'reasoned'
    ? `${address}${address.includes('?') ? '&' : '?'}reason=quality`
    : address;
