import { afterAll, beforeAll } from 'vitest';

import { type Stripe, startStripe } from '../payments';
import type { Site, StartOptions } from '../production-server';
import { site, setSite, withSite } from './known-site';
import { addPerson, type Person, signedIn, withSession } from './signed-in';
import type { Visitor } from './visitor';

/**
 * Everybody who may ask. `invented`: with a session that there never was; `owner`: of what is asked for,
 * with a second factor, `before factor`: the same, by the password alone; `agent`: has nothing to do with
 * it, and `excused` says why, as only a supervisor may; `holder`: the case is theirs; `boss`: a supervisor
 * who does not say why, `reasoned`: who does, `unproven`: by the password alone; `other`: a second
 * supervisor; `proprietor`: of the business; `factorless`: an admin who has no second factor yet; `gone`:
 * was deactivated while the session was open, and the case is still theirs; `ended`: an admin whose session
 * is over.
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
  'proprietor',
  'factorless',
  'unproven',
  'gone',
  'ended',
] as const;
export type Who = (typeof PEOPLE)[number];

export let stripe: Stripe;
const addPeople = () => ({
  owner: addPerson(site, { hasFactor: true }),
  traveller: addPerson(site),
  agent: addPerson(site, { role: 'agent' }),
  holder: addPerson(site, { role: 'agent' }),
  boss: addPerson(site, { role: 'supervisor' }),
  other: addPerson(site, { role: 'supervisor' }),
  auditor: addPerson(site, { role: 'auditor' }),
  admin: addPerson(site, { role: 'admin' }),
  proprietor: addPerson(site, { role: 'owner' }),
  factorless: addPerson(site, { role: 'admin', hasFactor: false }),
  gone: addPerson(site, { role: 'agent', isDeactivated: true }),
});
export let people: ReturnType<typeof addPeople>;

/** Starts a site whose database this process knows, with a stand-in of Stripe and everybody who may ask. */
export function withPeople(options: StartOptions = {}): void {
  withSite(async () => (stripe = await startStripe()).variables, options);
  beforeAll(() => {
    people = addPeople();
    sessions.clear();
  });
  afterAll(() => stripe.stop());
}

/** The same of a site that runs already, without Vitest. */
export function addPeopleTo(another: Site, itsStripe: Stripe): void {
  setSite(another);
  stripe = itsStripe;
  people = addPeople();
}

const sessions = new Map<Who, string>();
export function come(who: Who): Visitor {
  const session = sessions.get(who) ?? arrive(who).cookie('session');
  if (session !== undefined) sessions.set(who, session);
  return withSession(site, session);
}

export function arrive(who: Who): Visitor {
  const person = personOf(who);
  if (person) {
    const isHalf = who === 'before factor' || who === 'factorless' || who === 'unproven';
    const at = new Date(Date.now() - (who === 'ended' ? 61 * 60 * 1000 : 0));
    return signedIn(site, person, { aal: isHalf ? 1 : 2, at });
  }
  return withSession(site, who === 'invented' ? 'A'.repeat(43) : undefined);
}

export function personOf(who: Who): Person | undefined {
  if (who === 'nobody' || who === 'invented') return undefined;
  const { owner, agent, boss, admin } = people;
  const again = { excused: agent, reasoned: boss, unproven: boss, ended: admin };
  return { ...people, ...again, 'before factor': owner }[who];
}

export const withReason = (who: Who, address: string) =>
  who === 'excused' || who === 'reasoned'
    ? `${address}${address.includes('?') ? '&' : '?'}reason=quality`
    : address;
