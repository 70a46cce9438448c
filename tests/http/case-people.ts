import { randomBytes } from 'node:crypto';

import { vi } from 'vitest';

import { closeDatabase, waitForLocks } from '~/database.server';
import { COMMAND_BUSY_TIMEOUT_MS } from '~db/sqlite/open.server';
import { type Stripe, startStripe } from '../payments';
import { type Site, startSite } from '../production-server';
import { addPerson, type Person, signedIn } from './signed-in';
import { Visitor } from './visitor';

/**
 * Everybody who may ask. `invented`: with a session that there never was; `owner`: of what is asked for,
 * with a second factor, `before factor`: the same, by the password alone; `agent`: has nothing to do with
 * it, and `excused` says why, as only a supervisor may; `holder`: the case is theirs; `boss`: a supervisor
 * who does not say why, `reasoned`: who does, `unproven`: by the password alone; `other`: a second
 * supervisor; `factorless`: an admin who has no second factor yet; `gone`: was deactivated while the
 * session was open, and the case is still theirs; `ended`: an admin whose session is over.
 */
export const PEOPLE = [
  'nobody',
  'invented',
  'traveller',
  'owner',
  'before factor',
  'agent',
  'excused',
  'holder',
  'boss',
  'reasoned',
  'other',
  'auditor',
  'admin',
  'factorless',
  'unproven',
  'gone',
  'ended',
] as const;
export type Who = (typeof PEOPLE)[number];

const KEYS = {
  OFFLINE_MODE: 'false',
  SESSION_SECRET: randomBytes(32).toString('base64url'),
  DATA_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
};

/** A site whose database this process knows, a stand-in of Stripe, and everybody who may ask. */
export class CaseSite {
  readonly people;
  readonly #sessions = new Map<Who, string>();

  private constructor(
    readonly site: Site,
    readonly stripe: Stripe,
  ) {
    this.people = {
      owner: addPerson(site, { hasFactor: true }),
      traveller: addPerson(site),
      agent: addPerson(site, { role: 'agent' }),
      holder: addPerson(site, { role: 'agent' }),
      boss: addPerson(site, { role: 'supervisor' }),
      other: addPerson(site, { role: 'supervisor' }),
      auditor: addPerson(site, { role: 'auditor' }),
      admin: addPerson(site, { role: 'admin' }),
      factorless: addPerson(site, { role: 'admin', hasFactor: false }),
      gone: addPerson(site, { role: 'agent', isDeactivated: true }),
    };
  }

  /** Starts it, and gives this process its environment. */
  static async begin(): Promise<CaseSite> {
    const stripe = await startStripe();
    const variables = { ...KEYS, ...stripe.variables };
    const site = await startSite(variables);
    await fetch(`${site.origin}/readyz`);
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    vi.stubEnv('NODE_ENV', 'production');
    vi.stubEnv('DATABASE_URL', `file:${site.databaseFile}`);
    // The site is at work on the same file.
    waitForLocks(COMMAND_BUSY_TIMEOUT_MS);
    return new CaseSite(site, stripe);
  }

  async end(): Promise<void> {
    await closeDatabase();
    vi.unstubAllEnvs();
    await this.site.stop();
    await this.stripe.stop();
  }

  /** A browser of somebody; all of theirs are in one session. */
  come(who: Who): Visitor {
    const session = this.#sessions.get(who) ?? this.arrive(who).cookie('session');
    const visitor = new Visitor(this.site.origin, { 'Accept-Language': 'en' });
    if (session === undefined) return visitor;
    this.#sessions.set(who, session);
    visitor.setCookie('session', session);
    return visitor;
  }

  /** The same, in a session of its own: some forms end it. */
  arrive(who: Who): Visitor {
    const person = this.personOf(who);
    if (person) {
      const isHalf = who === 'before factor' || who === 'factorless' || who === 'unproven';
      const at = new Date(Date.now() - (who === 'ended' ? 61 * 60 * 1000 : 0));
      return signedIn(this.site, person, { aal: isHalf ? 1 : 2, at });
    }
    const visitor = new Visitor(this.site.origin, { 'Accept-Language': 'en' });
    if (who === 'invented') visitor.setCookie('session', 'A'.repeat(43));
    return visitor;
  }

  /** Whose account somebody comes with. */
  personOf(who: Who): Person | undefined {
    if (who === 'nobody' || who === 'invented') return undefined;
    const { people } = this;
    const { owner, agent, boss, admin } = people;
    const again = { excused: agent, reasoned: boss, unproven: boss, ended: admin };
    return { ...people, ...again, 'before factor': owner }[who];
  }

  /** Runs a query on the site's database. */
  query(sql: string, ...parameters: unknown[]): Record<string, unknown>[] {
    return this.site.query(sql, ...parameters);
  }
}

/** What a supervisor says who looks at another's case. */
export const withReason = (who: Who, address: string) =>
  who === 'excused' || who === 'reasoned'
    ? `${address}${address.includes('?') ? '&' : '?'}reason=quality`
    : address;
