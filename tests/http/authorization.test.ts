import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { STAFF_ROLES, type StaffRole } from '~/domain/staff';
import { addressesIn } from '~/site-map';
import { type Site, startSite } from '../production-server';
import { LONG } from '../rounds';
import {
  allRows,
  asData,
  isRefusal,
  OTHER_METHODS,
  type Outcome,
  outcomeOf,
  SAID_TO_REFUSED,
} from './outcomes';
import { addAccount, signIn } from './programs';
import { addPerson, type Person, signedIn } from './signed-in';
import { Visitor } from './visitor';

let site: Site;
beforeAll(async () => {
  site = await startSite({ OFFLINE_MODE: 'false' });
});
afterAll(() => site.stop());

/** Everybody who may ask: each with a session of its own kind. */
const EVERYBODY = [
  'anonymous',
  'invented',
  'traveller',
  'travellerWithoutFactor',
  'staffWithoutFactor',
  'staffBeforeFactor',
  ...STAFF_ROLES,
  'deactivated',
  'ended',
] as const;
type Who = (typeof EVERYBODY)[number];

type Outcomes = Record<Who, Outcome>;

const DESK = ['agent', 'supervisor'] as const;
const BOOKS = ['supervisor', 'auditor'] as const;

const all = (outcome: Outcome): Outcomes =>
  Object.fromEntries(EVERYBODY.map((who) => [who, outcome])) as Outcomes;

/** The same for each role. */
const ofRoles = (outcome: Outcome) =>
  Object.fromEntries(STAFF_ROLES.map((role) => [role, outcome])) as Record<StaffRole, Outcome>;

/** Of pages for whoever is a traveller and has given all that is asked. */
const travellers = (outcome: Outcome, others: Outcome): Outcomes => ({
  ...all(others),
  traveller: outcome,
});

/** Of pages for who has given the password and not yet the factor; `done`: where staff go who have. */
const beforeFactor = (outcome: Outcome, done: Outcome): Outcomes => ({
  ...all('303 /auth'),
  traveller: '303 /auth/security',
  staffWithoutFactor: '303 /auth/security',
  travellerWithoutFactor: outcome,
  staffBeforeFactor: outcome,
  ...ofRoles(done),
});

/** Of pages for staff: all others go to its sign-in, and who has not given a factor to that. */
const staff = (roles: readonly StaffRole[], outcome: Outcome): Outcomes => ({
  ...all('303 /crm/auth'),
  staffWithoutFactor: '303 /auth/security',
  staffBeforeFactor: '303 /auth/challenge',
  ...ofRoles(403),
  ...Object.fromEntries(roles.map((role) => [role, outcome])),
});

interface Expected {
  /** An address with parameters, as somebody asks for one that is another's. */
  at?: string;
  get: Outcomes;
  /** Where a form is taken: what is sent, with an id of another's, and what becomes of it. */
  post?: {
    fields: (another: Person) => Record<string, string>;
    outcomes: Outcomes;
    /** Where it is the page after the form that leads on: a script is told what became of the form alone. */
    toScripts?: Outcomes;
  };
}

/** Of the security page, which staff without a factor may open to add one. */
const ownPage = (outcome: Outcome, toAdd: Outcome): Outcomes => ({
  ...all('303 /auth'),
  traveller: outcome,
  travellerWithoutFactor: '303 /auth/challenge',
  staffBeforeFactor: '303 /auth/challenge',
  staffWithoutFactor: toAdd,
  ...ofRoles(outcome),
});

/** What programs call: cookies are nothing there, so everybody is anonymous, and forms are refused. */
const program = (get: Outcome, form: Outcome, at?: string): Expected => ({
  ...(at && { at }),
  get: all(get),
  post: { fields: () => ({ code: '123456' }), outcomes: all(form) },
});

const page = (at?: string): Expected => ({ ...(at && { at }), get: all(200) });
const language = (path: string): Expected => ({
  get: all(200),
  post: { fields: () => ({ returnTo: path }), outcomes: all(405) },
});

/**
 * What becomes of every address of the live half, for everybody. A new row of the site map needs its
 * line here: who may open it, and what becomes of what is sent there.
 */
const TABLE: Record<string, Expected> = {
  '/': language('/'),
  '/eligibility-check': {
    get: all(200),
    post: { fields: () => ({ country: 'RO' }), outcomes: all('303 /eligibility-check') },
  },
  '/eligibility/:sessionId': {
    at: '/eligibility/another',
    get: all(404),
    post: { fields: () => ({ intent: 'delete' }), outcomes: all('303 /') },
  },
  '/application-guide': page(),
  '/timeline': language('/timeline'),
  '/services': page(),
  '/about': page(),
  '/contact': { get: all(200), post: { fields: () => ({ name: '' }), outcomes: all(422) } },
  '/how-it-works': page(),
  '/documents': page(),
  '/faq': page(),
  '/privacy': page(),
  '/terms': page(),
  '/conditions': page(),
  '/mentions-legales': page(),
  '/accessibility': page(),
  '/landing/:variant': page('/landing/eligibility'),

  // Who is signed in is led on; staff may be on the way to a traveller's page.
  '/auth': {
    get: travellers('303 /auth/security', 200),
    post: {
      fields: ({ email }) => ({ email, password: 'not the password' }),
      outcomes: travellers('303 /auth/security', 422),
      toScripts: all(422),
    },
  },
  '/auth/sign-up': {
    get: all(200),
    post: { fields: ({ email }) => ({ email, password: 'short' }), outcomes: all(422) },
  },
  // Without a link there is nothing to open.
  '/auth/verify': {
    get: all(410),
    post: { fields: () => ({ token: 'another' }), outcomes: all(422) },
  },
  '/auth/forgot': {
    get: all(200),
    post: { fields: () => ({ email: 'nobody' }), outcomes: all(422) },
  },
  '/auth/reset': {
    get: all(410),
    post: {
      fields: () => ({ token: 'another', password: 'correct horse battery staple' }),
      outcomes: all(422),
    },
  },
  '/sign-out': {
    get: all('302 /'),
    post: { fields: () => ({ returnTo: '/about' }), outcomes: all('303 /about') },
  },
  '/auth/challenge': {
    get: beforeFactor(200, '303 /crm/dashboard'),
    post: {
      fields: () => ({ code: '123456' }),
      outcomes: beforeFactor(422, '303 /crm/dashboard'),
    },
  },
  '/auth/lost-factor': {
    get: beforeFactor(200, '303 /auth/security'),
    post: {
      fields: () => ({ token: 'another' }),
      outcomes: beforeFactor('303 /auth/lost-factor', '303 /auth/security'),
    },
  },

  '/auth/security': {
    get: ownPage(200, 200),
    // The account is the session's own, whatever is sent.
    post: {
      fields: ({ id }) => ({ intent: 'end-session', session: id, user: id }),
      // Without the password nothing ends.
      outcomes: ownPage(422, 403),
    },
  },
  '/auth/security/export': {
    get: all('302 /auth/security#data'),
    post: {
      fields: ({ id }) => ({ user: id }),
      outcomes: ownPage(200, '303 /auth/security'),
    },
  },
  '/auth/email': {
    get: all(410),
    post: { fields: () => ({ token: 'another' }), outcomes: all('303 /auth/email') },
  },

  '/application/status': {
    get: all(200),
    post: {
      fields: ({ email }) => ({ reference: 'TRV-4T7K-X0QD', email }),
      outcomes: all('303 /application/status'),
    },
  },
  '/application/resume': {
    at: '/application/resume?token=another',
    get: all(410),
    post: { fields: () => ({ token: 'another' }), outcomes: all(410) },
  },
  // Who has the link may stop the reminders; nobody has one.
  '/reminders/stop': {
    at: '/reminders/stop?token=another',
    get: all(410),
    post: { fields: () => ({ token: 'another' }), outcomes: all('303 /reminders/stop') },
  },
  '/application/close': {
    get: all('302 /'),
    post: { fields: () => ({}), outcomes: all('303 /') },
  },
  // Somebody else's and an unknown one are the same: there is none.
  '/application/:id/step-8': {
    at: '/application/another/step-8',
    get: all(404),
    post: {
      fields: () => ({ intent: 'continue', declaration_true: 'yes' }),
      outcomes: all(404),
    },
  },
  '/application/:id/invoice': { at: '/application/another/invoice', get: all(404) },
  '/application/:id/payment': {
    at: '/application/another/payment',
    get: all(404),
    post: { fields: () => ({ package: 'standard', terms: 'yes' }), outcomes: all(404) },
  },
  '/application/:id/success': { at: '/application/another/success', get: all(404) },
  '/application/:id/border': { at: '/application/another/border', get: all(404) },
  '/application/:id/respond': {
    at: '/application/8a9d3f0e-5c1b-4f6a-9d2e-7b8c9d0e1f2a/respond',
    get: all(404),
    post: { fields: () => ({ intent: 'respond', address_city: 'Bonn' }), outcomes: all(404) },
  },
  // An id of another's, and a form of another kind than the address takes: of a photo.
  '/application/:id/passport-photo': {
    at: '/application/another/passport-photo',
    get: all(404),
    post: { fields: () => ({ intent: 'remove' }), outcomes: all(415) },
  },
  // What is not open here is not told apart; what was typed is on the page again.
  '/application/:id/:step': {
    at: '/application/another/step-2',
    get: all(404),
    post: { fields: () => ({ intent: 'continue', version: '0' }), outcomes: all(404) },
  },
  '/application/new/step-1': {
    get: all(200),
    post: { fields: () => ({ intent: 'continue', version: '0' }), outcomes: all(422) },
  },
  // Without an account it is about this browser; what is kept in an account needs one.
  '/application-status': {
    get: all(200),
    post: {
      fields: ({ id }) => ({ intent: 'keep', id }),
      outcomes: ownPage(404, '303 /auth/security'),
    },
  },
  '/application/:id/overview': {
    at: '/application/8a9d3f0e-5c1b-4f6a-9d2e-7b8c9d0e1f2a/overview',
    get: all(404),
    post: { fields: () => ({ intent: 'delete', confirm: 'yes' }), outcomes: all(404) },
  },

  // Without an account, and whoever asks: only what is confirmed is recorded.
  '/withdrawal': {
    get: all(200),
    post: {
      fields: ({ email }) => ({
        name: 'Ada',
        reference: 'TRV-4T7K-X0QD',
        email,
        intent: 'confirm',
      }),
      outcomes: all('303 /withdrawal'),
    },
  },
  // By a link of a mail alone; there is none here.
  '/withdrawal/answer': {
    get: all(410),
    post: {
      fields: () => ({ token: 'none', answer: 'no' }),
      outcomes: all('303 /withdrawal/answer'),
    },
  },
  '/application/:id/refund': {
    at: '/application/8a9d3f0e-5c1b-4f6a-9d2e-7b8c9d0e1f2a/refund',
    get: all(404),
    post: { fields: () => ({ reason: 'x' }), outcomes: all(404) },
  },

  // Who works here already is led on, whatever was typed.
  '/crm/auth': {
    get: { ...all(200), ...ofRoles('303 /crm/dashboard') },
    post: {
      fields: ({ email }) => ({ email, password: 'not the password' }),
      outcomes: { ...all(422), ...ofRoles('303 /crm/dashboard') },
      toScripts: all(422),
    },
  },
  '/crm/dashboard': { get: staff(STAFF_ROLES, 200) },
  '/crm/leads': { get: staff(DESK, 200) },
  '/crm/leads/assigned': { get: staff(DESK, 200) },
  '/crm/processing': {
    get: staff(DESK, 200),
    // There is none to take.
    post: { fields: () => ({ intent: 'take-next' }), outcomes: staff(DESK, '303 /crm/processing') },
  },
  '/crm/leads/:id': {
    at: '/crm/leads/8a9d3f0e-5c1b-4f6a-9d2e-7b8c9d0e1f2a',
    get: staff(DESK, 404),
    post: { fields: () => ({ intent: 'contact', version: '1' }), outcomes: staff(DESK, 404) },
  },
  '/crm/messages': { get: staff(DESK, 200) },
  '/crm/messages/:id': {
    at: '/crm/messages/8a9d3f0e-5c1b-4f6a-9d2e-7b8c9d0e1f2a',
    get: staff(DESK, 404),
    post: { fields: () => ({ intent: 'close', version: '1' }), outcomes: staff(DESK, 404) },
  },
  '/crm/processing/:id': {
    at: '/crm/processing/8a9d3f0e-5c1b-4f6a-9d2e-7b8c9d0e1f2a',
    get: staff(DESK, 404),
    post: { fields: () => ({ intent: 'take', version: '1' }), outcomes: staff(DESK, 404) },
  },
  '/crm/processing/:id/photo': {
    at: '/crm/processing/8a9d3f0e-5c1b-4f6a-9d2e-7b8c9d0e1f2a/photo?reason=quality',
    get: staff(DESK, 404),
  },
  '/crm/processing/:id/copy-sheet': {
    at: '/crm/processing/8a9d3f0e-5c1b-4f6a-9d2e-7b8c9d0e1f2a/copy-sheet?reason=quality',
    get: staff(DESK, 404),
  },
  '/crm/processing/:id/lines': {
    at: '/crm/processing/8a9d3f0e-5c1b-4f6a-9d2e-7b8c9d0e1f2a/lines',
    get: staff(DESK, 404),
    post: { fields: () => ({ line1: 'P<', version: '1' }), outcomes: staff(DESK, 404) },
  },
  '/crm/refunds': {
    get: staff(DESK, 200),
    // A withdrawal that is not there.
    post: {
      fields: ({ id }) => ({ intent: 'close', id }),
      outcomes: staff(DESK, 409),
    },
  },
  '/crm/refunds/:id': {
    at: '/crm/refunds/8a9d3f0e-5c1b-4f6a-9d2e-7b8c9d0e1f2a',
    get: staff(DESK, 404),
    post: {
      fields: () => ({ intent: 'approve', version: '1' }),
      outcomes: staff(DESK, 404),
    },
  },
  '/crm/staff': {
    get: staff(['admin'], 200),
    // Another's account, which is no colleague's.
    post: {
      fields: ({ id }) => ({ intent: 'deactivate', id, version: '1' }),
      outcomes: staff(['admin'], 404),
    },
  },
  '/crm/export': { get: staff(BOOKS, 200) },
  '/crm/export.csv': {
    at: '/crm/export.csv?month=2026-11&table=orders&form=comma',
    get: staff(BOOKS, 200),
  },
  '/crm/audit': { get: staff(STAFF_ROLES, 200) },

  '/token': program(405, 415),
  '/logout': program(405, 415),
  '/user': { get: all(401) },
  '/factors': program(405, 415),
  '/factors/:id': program(405, 405, '/factors/another'),
  '/factors/:id/challenge': program(405, 415, '/factors/another/challenge'),
  '/factors/:id/verify': program(405, 415, '/factors/another/verify'),
  '/authorize': { get: all(400) },
  '/.well-known/jwks.json': page(),

  // Who knows a page of the stand-in may pay there; there is none.
  '/demo/checkout/:id': {
    at: '/demo/checkout/another',
    get: all(404),
    post: { fields: () => ({ intent: 'pay' }), outcomes: all(404) },
  },
  // Whoever asks, it is the signature that counts, and nobody here has one.
  '/webhooks/stripe': {
    get: all(405),
    post: { fields: () => ({ type: 'checkout.session.completed' }), outcomes: all(400) },
  },

  '/outbox': page(),
  '/outbox/:id': { at: '/outbox/another', get: all(404) },
  '/timeline/reminder.ics': { at: '/timeline/reminder.ics?date=2999-01-01', get: all(200) },
  '/language': {
    get: all('302 /'),
    post: { fields: () => ({ lng: 'de', returnTo: '/about' }), outcomes: all('303 /about') },
  },
  '/sitemap.xml': page(),
  '/robots.txt': page(),
  '/speculation-rules': page(),
  '/healthz': page(),
  '/readyz': page(),
  '/too-many-requests': { get: all(429) },
  '/*': {
    at: '/crm/invented',
    get: all(404),
    post: { fields: () => ({}), outcomes: all(404) },
  },
};

/** Somebody with a session of this kind, or with none; a new account and session each time. */
function come(who: Who): Visitor {
  const staffMember = (role: StaffRole, aal: 1 | 2 = 2, more = {}) =>
    signedIn(site, addPerson(site, { role, ...more }), { aal });
  switch (who) {
    case 'anonymous':
      return new Visitor(site.origin, { 'Accept-Language': 'en' });
    case 'invented': {
      const visitor = come('anonymous');
      visitor.setCookie('session', 'A'.repeat(43));
      return visitor;
    }
    case 'traveller':
      return signedIn(site, addPerson(site));
    case 'travellerWithoutFactor':
      return signedIn(site, addPerson(site, { hasFactor: true }), { aal: 1 });
    case 'staffWithoutFactor':
      return staffMember('admin', 1, { hasFactor: false });
    case 'staffBeforeFactor':
      return staffMember('admin', 1);
    case 'deactivated':
      return staffMember('admin', 2, { isDeactivated: true });
    case 'ended': {
      const at = new Date(Date.now() - 61 * 60 * 1000);
      return signedIn(site, addPerson(site, { role: 'admin' }), { at });
    }
    default:
      return staffMember(who);
  }
}

/** The same for who only looks, or is refused whoever it is: with one session for all of that. */
function look(who: Who): Visitor {
  const visitor = come('anonymous');
  if (who === 'anonymous') return visitor;
  const session = sessions.get(who) ?? come(who).cookie('session') ?? '';
  sessions.set(who, session);
  visitor.setCookie('session', session);
  return visitor;
}
const sessions = new Map<Who, string>();
/** A traveller's, as a program has it. */
let token: string | undefined;

async function outcomesOf(
  ask: (who: Who) => Promise<Response>,
  people: readonly Who[] = EVERYBODY,
): Promise<Partial<Outcomes>> {
  const found: [Who, Outcome][] = [];
  for (const who of people) {
    const response = await ask(who);
    await response.body?.cancel();
    found.push([who, outcomeOf(response)]);
  }
  return Object.fromEntries(found);
}

/** Who asks again in another way what all have asked in one. */
const SOME: readonly Who[] = LONG ? EVERYBODY : ['anonymous', 'traveller', 'agent', 'auditor'];

/** Sends somebody's form, with an id of another's, of whom nothing may change whoever asks. */
async function sendForm(
  who: Who,
  address: string,
  fields: NonNullable<Expected['post']>['fields'],
) {
  const another = addPerson(site);
  const response = await come(who).post(address, fields(another));
  expect(
    site.query('select version, deactivated_at, role from users where id = ?', another.id),
  ).toEqual([{ version: 1, deactivated_at: null, role: null }]);
  return response;
}

/** Whether a route takes forms: its module says so. */
function hasAction(module: string): boolean {
  const source = readFileSync(`app/routes/${module}`, 'utf8');
  return /export (async function|function|const) action\b|export \{[^}]*\baction\b/.test(source);
}

// First of all: what a form has begun goes on after its answer, and changes rows, too.
it('no address takes another method, from anybody, and nothing changes', async () => {
  const purges = () => site.query("select * from counters where name = 'last purge'");
  await expect.poll(purges, { timeout: 20_000 }).toHaveLength(1);
  for (const who of SOME) look(who);
  const before = allRows(site);
  const taken: unknown[] = [];
  for (const { path } of addressesIn('live')) {
    for (const method of OTHER_METHODS) {
      // A program's, which brings no token.
      const refused = path === '/factors/:id' && method === 'DELETE' ? 401 : 405;
      for (const who of SOME) {
        const { status } = await look(who).send(TABLE[path]?.at ?? path, { method });
        if (status !== refused) taken.push([path, method, who, status]);
      }
    }
  }
  expect(taken).toEqual([]);
  expect(allRows(site)).toEqual(before);
}, 120_000);

describe.each(addressesIn('live'))('$path', (row) => {
  const { path, module } = row;
  const expected = TABLE[path];
  const address = expected?.at ?? path;
  const { fields, outcomes } = expected?.post ?? { fields: () => ({}), outcomes: all(405) };

  it('has its line in the table', () => {
    expect(Object.keys(TABLE)).toContain(path);
    expect([path, 'takes a form', hasAction(module)]).toEqual([
      path,
      'takes a form',
      expected?.post !== undefined,
    ]);
  });

  it('opens for whom it should, and for nobody else', async () => {
    expect(await outcomesOf((who) => look(who).get(address))).toEqual(expected?.get);
  });

  it('tells its data to whom it opens, and nothing to anybody else', async () => {
    const found = await outcomesOf(async (who) => {
      const response = await look(who).get(asData(address, row));
      if (!isRefusal(outcomeOf(response))) return response;
      expect([who, SAID_TO_REFUSED]).toEqual([
        who,
        expect.arrayContaining([await response.text()]),
      ]);
      return new Response(null, response);
    });
    expect(found).toEqual(expected?.get);
    // Nor is its data to be had at another's address.
    const elsewhere = path === '/about' ? '/faq' : '/about';
    const { status } = await look('supervisor').get(asData(elsewhere, row));
    expect([403, 404]).toContain(status);
  });

  it('takes a form from whom it should, and from nobody else', async () => {
    expect(await outcomesOf((who) => sendForm(who, address, fields))).toEqual(outcomes);
  });

  it('takes a form that a script sends from the same, and tells nobody else anything', async () => {
    const found = await outcomesOf((who) => sendForm(who, asData(address, row), fields), SOME);
    expect(expected?.post?.toScripts ?? outcomes).toMatchObject(found);
  });

  it('opens to nobody by a token', async () => {
    // What programs call is in token-authorization.test.ts.
    if (module.startsWith('programs/')) return;
    token ??= (await signIn(site, (await addAccount(site)).email)).access;
    const program = look('anonymous');
    program.headers['Authorization'] = `Bearer ${token}`;
    const found = [await program.get(address), await program.get(asData(address, row))];
    found.push(await program.post(address, fields(addPerson(site))));
    expect(found.map(outcomeOf)).toEqual([
      expected?.get.anonymous,
      expected?.get.anonymous,
      outcomes.anonymous,
    ]);
  });
});

it('no line of the table is about an address that is gone', () => {
  const paths = addressesIn('live').map(({ path }) => path);
  expect(Object.keys(TABLE).filter((path) => !paths.includes(path))).toEqual([]);
});
