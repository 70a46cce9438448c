import { randomBytes } from 'node:crypto';

import { vi } from 'vitest';

import { closeDatabase } from '~/database.server';
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

const KEYS = {
  OFFLINE_MODE: 'false',
  SESSION_SECRET: randomBytes(32).toString('base64url'),
  DATA_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
};

/** A site whose database this process knows, with everybody who may ask about a case. */
export class CaseSite {
  readonly people: Record<Exclude<CasePerson, 'nobody' | 'excused' | 'reasoned'>, Person>;

  private constructor(readonly site: Site) {
    this.people = {
      owner: addPerson(site, { hasFactor: true }),
      traveller: addPerson(site),
      agent: addPerson(site, { role: 'agent' }),
      holder: addPerson(site, { role: 'agent' }),
      boss: addPerson(site, { role: 'supervisor' }),
      auditor: addPerson(site, { role: 'auditor' }),
      admin: addPerson(site, { role: 'admin' }),
      gone: addPerson(site, { role: 'agent', isDeactivated: true }),
    };
  }

  /** Starts it, and gives this process its environment. */
  static async begin(): Promise<CaseSite> {
    const site = await startSite(KEYS);
    await fetch(`${site.origin}/readyz`);
    for (const [name, value] of Object.entries(KEYS)) vi.stubEnv(name, value);
    vi.stubEnv('NODE_ENV', 'production');
    vi.stubEnv('DATABASE_URL', `file:${site.databaseFile}`);
    return new CaseSite(site);
  }

  async end(): Promise<void> {
    await closeDatabase();
    vi.unstubAllEnvs();
    await this.site.stop();
  }

  /** A browser of somebody. */
  come(who: CasePerson): Visitor {
    if (who === 'nobody') return new Visitor(this.site.origin, { 'Accept-Language': 'en' });
    const { people } = this;
    const person = { ...people, excused: people.agent, reasoned: people.boss }[who];
    return signedIn(this.site, person);
  }

  /** All that a form could have changed of an application, but for the events of the audit. */
  contentsOf(id: string) {
    const { site } = this;
    const of = (table: string) =>
      site.query(`select * from ${table} where application_id = ? order by 1, 2`, id);
    return {
      row: site.query('select * from applications where id = ?', id)[0] ?? {},
      tables: ['answers', 'documents', 'tasks', 'requests', 'amendments'].map((name) =>
        of(`application_${name}`),
      ),
      notes: of('notes'),
      orders: of('orders'),
      refunds: site.query(
        'select * from refunds where order_id in (select id from orders where application_id = ?)',
        id,
      ),
      mails: site.query('select count(*) as count from outbox'),
    };
  }
}

/** What a supervisor says who looks at another's case. */
export const withReason = (who: CasePerson, address: string) =>
  who === 'excused' || who === 'reasoned'
    ? `${address}${address.includes('?') ? '&' : '?'}reason=quality`
    : address;
