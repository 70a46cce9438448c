import { STAFF_ROLES, type StaffRole } from '~/domain/staff';
import { PEOPLE, type Who } from './case-people';
import type { Outcome } from './outcomes';
import type { Person } from './signed-in';

/** Who has to do with something in particular: the others ask at each address, for what nobody has. */
const INVOLVED = ['owner', 'excused', 'holder', 'reasoned', 'other'] as const;
export type AddressWho = Exclude<Who, (typeof INVOLVED)[number]>;
export const ADDRESS_PEOPLE = PEOPLE.filter(
  (who): who is AddressWho => !(INVOLVED as readonly Who[]).includes(who),
);
type Outcomes = Record<AddressWho, Outcome>;

export const all = (outcome: Outcome) =>
  Object.fromEntries(ADDRESS_PEOPLE.map((who) => [who, outcome])) as Outcomes;
const ofRoles = (outcome: Outcome, roles: readonly StaffRole[] = STAFF_ROLES): Partial<Outcomes> =>
  Object.fromEntries(roles.map((role) => [role === 'supervisor' ? 'boss' : role, outcome]));

const travellers = (outcome: Outcome, others: Outcome): Outcomes => ({
  ...all(others),
  traveller: outcome,
});

const STATUS = '303 /application-status';
const DASHBOARD = '303 /crm/dashboard';
const SECURITY = '303 /auth/security';
/** Of pages before the factor; travellers who have given it go to `own`, staff to `done`. */
const beforeFactor = (outcome: Outcome, own: Outcome, done: Outcome): Outcomes => ({
  ...all('303 /auth'),
  traveller: own,
  factorless: SECURITY,
  'before factor': outcome,
  unproven: outcome,
  ...ofRoles(done),
});

const challenge = (outcome: Outcome) => beforeFactor(outcome, STATUS, DASHBOARD);
const lostFactor = (outcome: Outcome) => beforeFactor(outcome, SECURITY, SECURITY);
const atDesk = (outcome: Outcome): Outcomes => ({ ...all(outcome), ...ofRoles(DASHBOARD) });

/** Of pages for staff: all others go to its sign-in, and who has not given a factor to that. */
const staff = (roles: readonly StaffRole[], outcome: Outcome): Outcomes => ({
  ...all('303 /crm/auth'),
  factorless: SECURITY,
  unproven: '303 /auth/challenge',
  ...ofRoles(403),
  ...ofRoles(outcome, roles),
});
const desk = (outcome: Outcome) => staff(['agent', 'supervisor'], outcome);
const books = (outcome: Outcome) => staff(['supervisor', 'auditor'], outcome);
const admins = (outcome: Outcome) => staff(['admin'], outcome);

/** Of the security page, which staff without a factor may open to add one. */
const ownPage = (outcome: Outcome, toAdd: Outcome): Outcomes => ({
  ...all('303 /auth'),
  traveller: outcome,
  'before factor': '303 /auth/challenge',
  unproven: '303 /auth/challenge',
  factorless: toAdd,
  ...ofRoles(outcome),
});

/** What is sent, with an id of another's; nothing that is typed, which who is sent away would get back. */
type Fields = Record<string, string> | ((another: Person) => Record<string, string>);

const withId =
  (fields: Record<string, string> = {}): Fields =>
  ({ id }) => ({ ...fields, id });
const WRONG: Fields = ({ email }) => ({ email, password: 'not the password' });

interface Line {
  get: Outcomes;
  form?: {
    fields: Fields;
    outcomes: Outcomes;
    /** Where it is the page after the form that leads on: a script is told what became of the form alone. */
    toScripts?: Outcomes;
  };
  /** An address with parameters, as somebody asks for one that is another's; the row’s own for an id. */
  at?: string;
}

const opens = (get: Outcomes, at?: string): Line => ({ get, ...(at && { at }) });
const takes = (get: Outcomes, fields: Fields, outcomes: Outcomes, toScripts?: Outcomes): Line => ({
  get,
  form: { fields, outcomes, ...(toScripts && { toScripts }) },
});
const none = (outcomes: Outcomes, fields: Fields) => takes(outcomes, fields, outcomes);
const each = (paths: string, line: Line): Record<string, Line> =>
  Object.fromEntries(paths.split(' ').map((path) => [path, line]));
const language = (returnTo: string) => takes(all(200), { returnTo }, all(405));
/** What programs call: cookies are nothing there, so everybody is anonymous, and forms are refused. */
const program = (form: Outcome) => takes(all(405), { code: '123456' }, all(form));
const ANOTHER = { token: 'another' };

/**
 * What becomes of every address of the live half, for everybody. A new row of the site map needs its
 * line here: who may open it, and what becomes of what is sent there.
 */
export const ADDRESSES: Record<string, Line> = {
  ...each(
    '/application-guide /services /about /how-it-works /documents /faq /privacy /terms /conditions /mentions-legales /accessibility /outbox /sitemap.xml /robots.txt /speculation-rules /healthz /readyz',
    opens(all(200)),
  ),
  '/': language('/'),
  '/eligibility-check': takes(all(200), { country: 'RO' }, all('303 /eligibility-check')),
  '/eligibility/:sessionId': takes(all(404), { intent: 'delete' }, all('303 /')),
  '/timeline': language('/timeline'),
  '/contact': takes(all(200), { name: '' }, all(422)),
  '/landing/:variant': opens(all(200), '/landing/eligibility'),

  // Who is signed in is led on; staff may be on the way to a traveller's page.
  '/auth': takes(travellers(STATUS, 200), WRONG, travellers(STATUS, 422), all(422)),
  '/auth/sign-up': takes(all(200), ({ email }) => ({ email, password: 'short' }), all(422)),
  '/auth/verify': takes(all(410), ANOTHER, all(422)),
  '/auth/forgot': takes(all(200), { email: 'nobody' }, all(422)),
  '/auth/reset': takes(all(410), { ...ANOTHER, password: 'correct horse battery' }, all(422)),
  '/sign-out': takes(all('302 /'), { returnTo: '/about' }, all('303 /about')),
  '/auth/challenge': takes(challenge(200), { code: '123456' }, challenge(422)),
  '/auth/lost-factor': takes(lostFactor(200), ANOTHER, lostFactor('303 /auth/lost-factor')),
  // The account is the session's own, whatever is sent; without the password nothing ends.
  '/auth/security': takes(ownPage(200, 200), withId({ intent: 'end-sessions' }), ownPage(422, 403)),
  '/auth/security/export': takes(all('302 /auth/security#data'), withId(), ownPage(200, SECURITY)),
  '/auth/email': takes(all(410), ANOTHER, all('303 /auth/email')),

  '/application/status': takes(
    all(200),
    ({ email }) => ({ reference: 'TRV-4T7K-X0QD', email }),
    all('303 /application/status'),
  ),
  '/application/resume': { ...none(all(410), ANOTHER), at: '/application/resume?token=another' },
  // Who has the link may stop the reminders; nobody has one.
  '/reminders/stop': {
    ...takes(all(410), ANOTHER, all('303 /reminders/stop')),
    at: '/reminders/stop?token=another',
  },
  '/application/close': takes(all('302 /'), {}, all('303 /')),
  // Somebody else's and an unknown one are the same: there is none.
  '/application/:id/step-8': none(all(404), { intent: 'continue', declaration_true: 'yes' }),
  ...each(
    '/application/:id/invoice /application/:id/success /application/:id/border',
    opens(all(404)),
  ),
  '/application/:id/payment': none(all(404), { package: 'standard', terms: 'yes' }),
  '/application/:id/respond': none(all(404), { intent: 'respond', address_city: 'Bonn' }),
  '/application/:id/read-passport': none(all(404), { line1: 'P<FRA', line2: '' }),
  // An id of another's, and a form of another kind than the address takes: of a photo.
  '/application/:id/passport-photo': takes(all(404), { intent: 'remove' }, all(415)),
  '/application/:id/portrait': takes(all(404), { intent: 'remove' }, all(415)),
  '/portrait/:code': takes(all(410), { intent: 'remove' }, all(415)),
  // What is not open here is not told apart; what was typed is on the page again.
  '/application/:id/:step': {
    ...none(all(404), { intent: 'continue', version: '0' }),
    at: '/application/another/step-2',
  },
  '/application/new/step-1': takes(
    all('303 /application/new/step-1'),
    { intent: 'continue', version: '0' },
    all(422),
  ),
  // Without an account it is about this browser; what is kept in an account needs one.
  '/application-status': takes(all(200), withId({ intent: 'keep' }), ownPage(404, SECURITY)),
  '/application/:id/overview': none(all(404), { intent: 'delete', confirm: 'yes' }),

  // Without an account, and whoever asks: only what is confirmed is recorded.
  '/withdrawal': takes(
    all(200),
    ({ email }) => ({ name: 'Ada', reference: 'TRV-4T7K-X0QD', email, intent: 'confirm' }),
    all('303 /withdrawal'),
  ),
  // By a link of a mail alone; there is none here.
  '/withdrawal/answer': takes(all(410), ANOTHER, all('303 /withdrawal/answer')),
  '/application/:id/refund': none(all(404), { reason: 'x' }),

  // Who works here already is led on, whatever was typed.
  '/crm/auth': takes(atDesk(200), WRONG, atDesk(422), all(422)),
  '/crm/dashboard': opens(staff(STAFF_ROLES, 200)),
  ...each('/crm/leads /crm/leads/assigned /crm/messages', opens(desk(200))),
  '/crm/processing': takes(desk(200), { intent: 'search', q: '1' }, desk('303 /crm/processing')),
  '/crm/leads/:id': none(desk(404), { intent: 'contact', version: '1' }),
  '/crm/messages/:id': none(desk(404), { intent: 'close', version: '1' }),
  '/crm/processing/:id': none(desk(404), { intent: 'take', version: '1' }),
  ...each('/crm/processing/:id/photo /crm/processing/:id/copy-sheet', opens(desk(404))),
  '/crm/processing/:id/lines': none(desk(404), { line1: '', version: '1' }),
  '/crm/refunds': takes(desk(200), withId({ intent: 'close' }), desk(409)),
  '/crm/refunds/:id': none(desk(404), { intent: 'approve', version: '1' }),
  // Another's account, which is no colleague's.
  '/crm/staff': takes(admins(200), withId({ intent: 'deactivate', version: '1' }), admins(404)),
  '/crm/export': opens(books(200)),
  '/crm/export.csv': opens(books(200), '/crm/export.csv?month=2026-11&table=orders&form=comma'),
  '/crm/audit': opens(staff(STAFF_ROLES, 200)),

  ...each('/token /logout /factors /factors/:id/challenge /factors/:id/verify', program(415)),
  '/user': opens(all(401)),
  '/factors/:id': program(405),
  '/authorize': opens(all(400)),
  '/.well-known/jwks.json': opens(all(200)),

  // Who knows a page of the stand-in may pay there; there is none.
  '/demo/checkout/:id': none(all(404), { intent: 'pay' }),
  // Whoever asks, it is the signature that counts, and nobody here has one.
  '/webhooks/stripe': takes(all(405), { type: 'checkout.session.completed' }, all(400)),

  '/outbox/:id': opens(all(404)),
  '/timeline/reminder.ics': opens(all(200), '/timeline/reminder.ics?date=2999-01-01'),
  '/language': takes(all('302 /'), { lng: 'de', returnTo: '/about' }, all('303 /about')),
  '/too-many-requests': opens(all(429)),
  '/crm/*': { ...none(all(404), {}), at: '/crm/invented' },
  '/*': { ...none(all(404), {}), at: '/invented' },
};
