import { randomUUID } from 'node:crypto';

import { expect } from 'vitest';

import { PASSPORT_LINES } from '../cases';
import PASSPORTS from '../passports/lines.json';
import { people, PEOPLE, type Who } from './case-people';
import { site } from './known-site';
import {
  addApplication,
  addApplicationLead,
  addBought,
  addDeskCase,
  addMember,
  addMessage,
  addMessageLead,
  addRefund,
  addWithdrawal,
  APPLICATION_KINDS,
  type CaseOptions,
  type Matter,
  nobodyYet,
} from './matters';
import { addOrder, addRefund as addSentRefund, BUYER } from './orders';
import type { MatterOutcome as Outcome } from './outcomes';
import type { Person } from './signed-in';

/*
 * Who sees what, and may do what, with all that there is: applications, which are their owner's alone,
 * cases at the desk in each state that matters, messages, leads, refunds, withdrawals, the staff and the
 * books (live-mode.md, table of roles).
 */

export type Outcomes = Partial<Record<Who, Outcome>>;

const OUTSIDERS = { nobody: 'sign in', traveller: 'sign in', owner: 'sign in', gone: 'sign in' };
/** Of cases: an agent of another case, the holder, the supervisor without and with a reason. */
const ofCase = (agent: Outcome, holder: Outcome, boss: Outcome, reasoned: Outcome): Outcomes => ({
  ...OUTSIDERS,
  agent,
  // Saying why opens nothing to an agent.
  excused: agent,
  holder,
  boss,
  reasoned,
  auditor: 403,
  admin: 403,
});
/** Of what else the desk works on: an agent, the one who has it, a supervisor and a second one. */
const desk = (agent: Outcome, holder: Outcome, boss: Outcome, other: Outcome): Outcomes => ({
  ...OUTSIDERS,
  unproven: 'sign in',
  agent,
  holder,
  boss,
  other,
  auditor: 403,
  admin: 403,
});
const allOfDesk = (outcome: Outcome) => desk(outcome, outcome, outcome, outcome);
const bosses = (outcome: Outcome) => desk(403, 403, outcome, outcome);
const admins = (outcome: Outcome): Outcomes => ({ ...bosses(403), admin: outcome });
const BOOKS: Outcomes = { ...bosses(200), auditor: 200 };
const ALL_STAFF: Outcomes = { ...allOfDesk(200), auditor: 200, admin: 200 };
/** Of an application: for all others there is none. */
const owners = (owner: Outcome): Outcomes => ({
  ...ofCase(404, 404, 404, 404),
  ...{ nobody: 404, traveller: 404, gone: 404, auditor: 404, admin: 404, 'before factor': 404 },
  owner,
});

type Make = (holder: Person) => Matter | Promise<Matter>;
const NOW = new Date().toISOString();
const aRefund =
  (set: (agent: string, boss: string) => Parameters<typeof addRefund>[0]): Make =>
  ({ id }) =>
    addRefund(set(id, people.boss.id));
const proposedBy = (id: string) =>
  ({ state: 'proposed', proposed_by: id, proposed_at: NOW }) as const;
const approvedBy = (id: string, boss: string) => ({
  ...proposedBy(id),
  ...{ state: 'approved' as const, approved_by: boss, approved_at: NOW },
});
type State = Parameters<typeof addDeskCase>[0];
const aCase =
  (state: State, more: object = {}): Make =>
  (holder) =>
    addDeskCase(state, { holder, ...more });

/** All that there is but cases, by what it is called here; `holder`: who has it. */
export const MATTERS = {
  'a message': ({ id }) => addMessage({ assigned_to: id }),
  'a message that nobody has': () => addMessage(),
  'an answered message': ({ id }) =>
    addMessage({ state: 'answered', assigned_to: id, closed_at: NOW }),
  'a closed message': ({ id }) => addMessage({ state: 'closed', assigned_to: id, closed_at: NOW }),
  'a lead by a message': ({ id }) => addMessageLead({ assigned_to: id }),
  'a lead by an application': ({ id }) => addApplicationLead({ assigned_to: id }),
  'a lead that nobody has': () => addApplicationLead(),
  'a lost lead': ({ id }) => addMessageLead({ state: 'lost', assigned_to: id }),
  'a lead that wants to hear nothing': ({ id }) =>
    addApplicationLead({ state: 'do_not_contact', assigned_to: id }),
  'a requested refund': aRefund(() => ({})),
  'a refund that the agent proposes': aRefund(proposedBy),
  'a refund that the supervisor proposes': aRefund((_, boss) => proposedBy(boss)),
  'a refund that a bank disputes': aRefund((id) => ({ ...proposedBy(id), order: 'disputed' })),
  'an approved refund': aRefund(approvedBy),
  'a failed refund': aRefund((id, boss) => ({
    ...approvedBy(id, boss),
    state: 'failed',
    failure_code: 'expired_or_canceled_card',
  })),
  'a refused refund': aRefund(() => ({ state: 'refused' })),
  'an unmatched withdrawal': () => addWithdrawal('unmatched'),
  'a late withdrawal': () => addWithdrawal('late'),
  'a matched withdrawal': () => addWithdrawal('matched'),
  'a held withdrawal': () => addWithdrawal('held'),
  'a colleague': () => addMember(),
  'an admin': () => addMember({ role: 'admin' }),
  'somebody invited': () => addMember({ is: 'invited' }),
  'somebody who has left': () => addMember({ is: 'left' }),
  'nobody yet': () => nobodyYet(),
  'a paid order': () => bookedOrder(),
} satisfies Record<string, Make>;
type MatterName = keyof typeof MATTERS;

async function bookedOrder(): Promise<Matter> {
  const at = '2026-05-21T10:00:00.000Z';
  const { order } = await addOrder({ paid_at: at, invoice_number: `R-${randomUUID()}` });
  const note = `A-${randomUUID()}`;
  const refund = await addSentRefund(order, { sent_at: at, credit_note_number: note });
  const { name: buyer, email, address } = BUYER;
  const words = { reference: order.reference, refund: refund.id, buyer, email };
  const own = { id: order.id, street: address[0] ?? '' };
  return { id: order.id, page: '/crm/export', sent: {}, words: { ...words, ...own }, queries: [] };
}

export interface Look {
  matter: string;
  make: Make;
  /** Where: an address, or what stands behind that of its own page. */
  at: string;
  outcomes: Outcomes;
  /** Who reads there what of its words; all other words stand there for nobody. */
  readers: readonly Who[];
  shows: readonly string[] | 'whatever';
  /** As what each look of theirs is recorded, and as what one of whoever else the page opens to. */
  event?: string;
  glance?: string;
}

const look = (
  matter: MatterName,
  at: string,
  outcomes: Outcomes,
  shows: Look['shows'],
  event?: string,
  readers: Look['readers'] = PEOPLE.filter((who) => outcomes[who] === 200),
): Look => ({
  ...{ matter, make: MATTERS[matter], at, outcomes, shows, readers },
  ...(event !== undefined && { event }),
});

const FULL: readonly Who[] = ['holder', 'reasoned'];
const ALL_AGENTS: readonly Who[] = ['agent', 'excused', ...FULL];
const SHEET = ['passport', 'name'];
const ANSWERS = [...SHEET, 'signed'];

/** Answers, or the photo, which are seen whole or not at all. */
const lookAtCase = (
  state: State,
  at: string,
  outcomes: Outcomes,
  shows: readonly string[],
  readers = FULL,
): Look => ({
  ...{ matter: `a case ${state}`, make: aCase(state), at, outcomes, shows },
  readers: shows.length > 0 ? readers : [],
  event: 'case.viewed full',
  ...(at === '' && { glance: 'case.viewed (reason|summary)' }),
});

const MESSAGE = ['name', 'phone', 'subject', 'message', 'email'];
const NAMED = ['id', 'reference'];
const ASKED_BACK = ['reference', 'reason'];
const DECLARED = ['id', 'name', 'reference', 'email'];
const ofMonth = '?month=2026-05';
const csv = (table: string) => `/crm/export.csv${ofMonth}&table=${table}&form=comma`;
const NOT_DUE = { set: { due_at: null, starts_at: null } };
const UNPAID = ['draft', 'awaiting_payment', 'cancelled', 'expired'] as const;

const CASE_LOOKS: readonly Look[] = [
  //                                            agent  holder  boss  reasoned
  ...(['paid', 'in_review', 'action_required', 'fee_due', 'filed', 'approved'] as const).map(
    (state) => lookAtCase(state, '', ofCase(200, 200, 200, 200), ANSWERS),
  ),
  lookAtCase('checked', '', ofCase(200, 200, 200, 200), ANSWERS, ALL_AGENTS),
  lookAtCase('in_review', '/photo', ofCase(403, 200, 403, 200), ['photo']),
  lookAtCase('checked', '/photo', ofCase(200, 200, 403, 200), ['photo'], ALL_AGENTS),
  lookAtCase('in_review', '/copy-sheet', ofCase(403, 404, 403, 404), []),
  lookAtCase('checked', '/copy-sheet', ofCase(200, 200, 403, 200), SHEET, ALL_AGENTS),
  lookAtCase('filed', '/copy-sheet', ofCase(403, 200, 403, 200), SHEET),
  lookAtCase('approved', '/copy-sheet', ofCase(403, 404, 403, 404), []),
  // Nothing of the answers before the lines are typed.
  lookAtCase('in_review', '/lines', ofCase('done', 200, 'done', 200), []),
  lookAtCase('checked', '/lines', ofCase(200, 200, 'done', 200), []),
  // What nobody has paid for is not there for the desk.
  ...UNPAID.flatMap((state) =>
    ['', '/photo', '/lines', '/copy-sheet'].map((page): Look => {
      const outcomes = { agent: 404, boss: 404, reasoned: 404 };
      return { ...lookAtCase(state, page, outcomes, []), make: aCase(state, NOT_DUE) };
    }),
  ),
];

const MATTER_LOOKS: readonly Look[] = [
  look('a message', '', allOfDesk(200), MESSAGE, 'message.viewed'),
  look('an answered message', '', allOfDesk(200), MESSAGE, 'message.viewed'),
  // A list names it, and nothing that was typed.
  look('a message', '/crm/messages', allOfDesk(200), ['id']),
  look('an answered message', '/crm/messages?state=answered', allOfDesk(200), ['id']),
  look('a lead by a message', '', allOfDesk(200), [], 'lead.viewed'),
  // Of what nobody has paid for, the answers are the owner's alone.
  look('a lead by an application', '', allOfDesk(200), ['reference'], 'lead.viewed'),
  look('a lead by an application', '/crm/leads', allOfDesk(200), NAMED),
  look('a lead by an application', '/crm/leads/assigned', allOfDesk(200), NAMED, undefined, [
    'holder',
  ]),
  look('a requested refund', '/crm/refunds', allOfDesk(200), NAMED),
  look('a requested refund', '', allOfDesk(200), ASKED_BACK, 'refund.viewed'),
  look('a failed refund', '', allOfDesk(200), ASKED_BACK, 'refund.viewed'),
  look('an unmatched withdrawal', '', allOfDesk(200), DECLARED),
  look('a late withdrawal', '', allOfDesk(200), DECLARED),
  // What follows from it follows by itself.
  look('a matched withdrawal', '', allOfDesk(200), []),
  look('a held withdrawal', '', allOfDesk(200), DECLARED),
  look('a colleague', '', admins(200), ['email']),
  look('somebody invited', '', admins(200), ['email']),
  look('somebody who has left', '', admins(200), ['email']),
  look('a paid order', ofMonth, BOOKS, []),
  look('a paid order', csv('orders'), BOOKS, ['id', 'reference'], 'orders.exported'),
  look('a paid order', csv('refunds'), BOOKS, ['id', 'reference', 'refund'], 'orders.exported'),
  look('a paid order', csv('invoices'), BOOKS, ['reference', 'buyer'], 'orders.exported'),
  look('a message', '/crm/dashboard', ALL_STAFF, []),
  look('a requested refund', '/crm/dashboard', ALL_STAFF, []),
  look('a paid order', '/crm/dashboard', ALL_STAFF, []),
];

type Fields = Record<string, string>;
type MakeFields = (matter: Matter) => Fields | Promise<Fields>;

export interface Form {
  matter: string;
  make: Make;
  intent: string;
  at: string;
  outcomes: Outcomes;
  fields: Fields | MakeFields;
  /** What it is afterwards, where it is taken; `self`: who has sent it. Without, nothing changes. */
  becomes?: Record<string, unknown>;
  readers: readonly Who[];
}

const form = (
  matter: MatterName,
  intent: string,
  outcomes: Outcomes,
  becomes?: Form['becomes'],
  fields: Fields | MakeFields = {},
): Form => ({
  ...{ matter, make: MATTERS[matter], intent, at: '', outcomes, readers: [] },
  ...{ fields, ...(becomes && { becomes }) },
});

const formOfCase = (
  state: State,
  intent: string,
  outcomes: Outcomes,
  fields: Fields | MakeFields = {},
  more: CaseOptions | (() => CaseOptions) = {},
): Form => ({
  matter: `a case ${state}`,
  make: (holder) => addDeskCase(state, { holder, ...(typeof more === 'function' ? more() : more) }),
  ...{ intent, at: intent === 'lines' ? '/lines' : '', outcomes, fields },
  ...{ becomes: {}, readers: FULL },
});

function taskOf(id: string, kind: string) {
  const tasks = site.query('select * from application_tasks where application_id = ?', id);
  const task = tasks.find((one) => one['kind'] === kind);
  return { task: String(task?.['id']), task_version: String(task?.['version']) };
}
const taskFields: MakeFields = ({ id }) => ({ ...taskOf(id, 'photo'), note: 'seen' });
const linesFields: MakeFields = ({ id }) => ({ ...PASSPORT_LINES, ...taskOf(id, 'lines') });
const NOBODYS = { set: { assigned_to: null } };
const COMPLAINT = { hold_reason: 'complaint' };
const HELD = { set: COMPLAINT };
const DONE = { isDone: true };
const EMPTIED = { set: { purged_at: '2026-01-01T10:00:00.000Z' } };
/** An agent whose own slip it is has ten minutes. */
const OWN_SLIP = () => ({ set: { filed_by: people.holder.id, entered_at: NOW } });
const REASON = { reason: 'It was another one.' };
const CORRECTED = { goal: 'not_authorized', ...REASON };
const NUMBER = { official_number: '9V1234567890ABCE', confirm: 'yes', ...REASON };
const BIRTH = { field: 'city_of_birth', city_of_birth: 'Bonn am Rhein', why: 'By the photo.' };
const CONFIRMED = { confirm: 'yes' };
const REFUSED = { outcome: 'not_authorized', confirm: 'yes' };
const ASKED = { ...REASON, 'ask.passport_number': 'yes' };
const NOTE = () => ({ note_id: randomUUID(), note: 'She calls.' });
const to =
  (who: 'boss' | 'auditor' | 'gone'): MakeFields =>
  () => ({ person: people[who].id });

const ANSWER = { answer: 'Apfelkompott.' };
const WHY = { reason: 'It was filed.' };
const AMOUNT = { amount: '10.00', ...WHY };
const EVERYTHING = { ...ANSWER, ...AMOUNT, role: 'auditor' };

const CASE_FORMS: readonly Form[] = [
  //                                     agent  holder  boss  reasoned
  formOfCase('paid', 'promote', { agent: 400, holder: 400, reasoned: 400 }, EVERYTHING),
  formOfCase('paid', 'take', ofCase('done', 'done', 'done', 'done'), {}, NOBODYS),
  formOfCase('checked', 'take', ofCase('done', 'done', 'done', 'done'), {}, NOBODYS),
  formOfCase('in_review', 'take', ofCase(409, 409, 409, 409)),
  formOfCase('in_review', 'release', ofCase(403, 'done', 'done', 'done')),
  formOfCase('checked', 'release', ofCase(403, 'done', 'done', 'done')),
  formOfCase('approved', 'release', ofCase(403, 409, 409, 409)),
  formOfCase('in_review', 'assign', ofCase(403, 403, 'done', 'done'), to('boss')),
  formOfCase('in_review', 'assign', ofCase(403, 403, 422, 422), to('auditor')),
  formOfCase('in_review', 'assign', ofCase(403, 403, 422, 422), to('gone')),
  formOfCase('in_review', 'hold', ofCase(403, 403, 'done', 'done'), COMPLAINT),
  formOfCase('in_review', 'unhold', ofCase(403, 403, 'done', 'done'), {}, HELD),
  formOfCase('in_review', 'cancel', ofCase(403, 403, 'done', 'done'), CONFIRMED),
  formOfCase('filed', 'cancel', ofCase(403, 403, 409, 409), CONFIRMED),
  formOfCase('in_review', 'task', ofCase(403, 'done', 403, 409), taskFields),
  formOfCase('in_review', 'reopen-task', ofCase(403, 'done', 403, 409), taskFields, DONE),
  formOfCase('in_review', 'check', ofCase(403, 'done', 403, 403), {}, DONE),
  formOfCase('in_review', 'check', ofCase(403, 422, 403, 403)),
  formOfCase('checked', 'send_back', ofCase('done', 'done', 403, 'done'), REASON),
  formOfCase('checked', 'enter', ofCase('done', 422, 403, 403), NUMBER),
  formOfCase('fee_due', 'file', ofCase(403, 'done', 403, 403), { official_paid: 'yes' }),
  formOfCase('filed', 'outcome', ofCase(403, 'done', 403, 403), REFUSED),
  formOfCase('approved', 'correct', ofCase(403, 403, 403, 'done'), CORRECTED),
  // What was emptied is not corrected, and nothing is written down about it.
  formOfCase('approved', 'correct', { reasoned: 409 }, CORRECTED, EMPTIED),
  formOfCase('approved', 'correct', { reasoned: 409 }, { goal: 'filed', ...REASON }, EMPTIED),
  formOfCase('fee_due', 'correct_number', ofCase(403, 403, 403, 'done'), NUMBER),
  formOfCase('filed', 'correct_number', ofCase(403, 403, 403, 'done'), NUMBER),
  formOfCase('fee_due', 'correct_number', ofCase(403, 'done', 403, 'done'), NUMBER, OWN_SLIP),
  formOfCase('checked', 'correct_number', ofCase(409, 409, 403, 409), NUMBER),
  formOfCase('approved', 'correct_number', ofCase(403, 409, 403, 409), NUMBER),
  formOfCase('in_review', 'request', ofCase(403, 'done', 403, 403), ASKED),
  formOfCase('in_review', 'amend', ofCase(403, 'done', 403, 'done'), BIRTH),
  formOfCase('checked', 'amend', ofCase(409, 409, 403, 409), BIRTH),
  formOfCase('in_review', 'note', ofCase(403, 'done', 403, 'done'), NOTE),
  formOfCase('in_review', 'lines', ofCase(403, 'done', 403, 409), linesFields),
  ...UNPAID.map((state) => formOfCase(state, 'note', { reasoned: 404 }, NOTE, NOT_DUE)),
];

const FOUND = async () => ({ reference: (await addBought()).reference });
const UNKNOWN = { reference: 'TRV-0000-0000' };
const HANDLED = { handled_at: expect.any(String) as unknown };
const LEFT = { deactivated_at: expect.any(String) as unknown };
const PROPOSED = { state: 'proposed', proposed_by: 'self', amount_cents: 1000 };
const APPROVED = { state: 'settled', approved_by: 'self' };

const ofNoButton = (matter: MatterName, outcomes: Outcomes): Form[] =>
  ['promote', ''].map((intent) => form(matter, intent, outcomes, undefined, EVERYTHING));

const MATTER_FORMS: readonly Form[] = [
  ...ofNoButton('a message', allOfDesk(400)),
  ...ofNoButton('a lead by an application', allOfDesk(400)),
  ...ofNoButton('an unmatched withdrawal', allOfDesk(400)),
  ...ofNoButton('a requested refund', allOfDesk(400)),
  ...ofNoButton('a colleague', admins(400)),
  ...ofNoButton('nobody yet', admins(400)),
  // Whoever has it: a message is answered by who comes to it.
  form('a message', 'answer', allOfDesk('done'), { state: 'answered' }, ANSWER),
  form('a message', 'answer', allOfDesk(422)),
  form('a message', 'close', allOfDesk('done'), { state: 'closed' }),
  form('a message that nobody has', 'take', allOfDesk('done'), { assigned_to: 'self' }),
  form('an answered message', 'reopen', allOfDesk('done'), { state: 'new' }),
  form('an answered message', 'close', allOfDesk(409)),
  form('a closed message', 'reopen', allOfDesk('done'), { state: 'new' }),

  form('a lead that nobody has', 'take', allOfDesk('done'), { assigned_to: 'self' }),
  form('a lead by a message', 'convert', allOfDesk('done'), { state: 'converted' }),
  form('a lead by a message', 'lose', allOfDesk('done'), { state: 'lost' }),
  form('a lead by an application', 'contact', allOfDesk('done'), { state: 'contacted' }),
  form('a lead by an application', 'stop', allOfDesk('done'), { state: 'do_not_contact' }),
  form('a lead by an application', 'convert', allOfDesk(409)),
  form('a lost lead', 'reopen', allOfDesk('done'), { state: 'new' }),
  // Only its owner takes that back.
  form('a lead that wants to hear nothing', 'contact', allOfDesk(409)),

  form('a requested refund', 'propose', allOfDesk('done'), { state: 'proposed' }, AMOUNT),
  form('a requested refund', 'propose', allOfDesk(422), undefined, { amount: '39.96' }),
  form('a requested refund', 'approve', bosses(409)),
  form('a requested refund', 'refuse', bosses('done'), { state: 'refused' }, WHY),
  form('a requested refund', 'retry', bosses(409)),
  form('a refund that the agent proposes', 'propose', allOfDesk('done'), PROPOSED, AMOUNT),
  form('a refund that the agent proposes', 'approve', bosses('done'), APPROVED),
  form('a refund that the agent proposes', 'refuse', bosses('done'), { state: 'refused' }, WHY),
  form('a refund that the supervisor proposes', 'approve', desk(403, 403, 422, 'done'), APPROVED),
  form('a refund that a bank disputes', 'approve', bosses(422)),
  form('an approved refund', 'propose', allOfDesk(409), undefined, AMOUNT),
  form('an approved refund', 'approve', bosses(409)),
  form('an approved refund', 'refuse', bosses(409), undefined, WHY),
  form('a failed refund', 'retry', bosses('done'), { state: 'settled', attempt: 2 }),
  form('a failed refund', 'propose', allOfDesk(409), undefined, AMOUNT),
  form('a refused refund', 'propose', allOfDesk(409), undefined, AMOUNT),

  form('an unmatched withdrawal', 'assign', allOfDesk('done'), HANDLED, FOUND),
  form('an unmatched withdrawal', 'assign', allOfDesk(422), undefined, UNKNOWN),
  form('an unmatched withdrawal', 'close', allOfDesk('done'), HANDLED),
  form('a late withdrawal', 'close', allOfDesk('done'), HANDLED),
  // It is no page's: it is to take effect, of its own order.
  form('a matched withdrawal', 'close', allOfDesk(409)),
  form('a matched withdrawal', 'assign', allOfDesk(409), undefined, FOUND),
  form('a held withdrawal', 'close', allOfDesk(409)),
  form('a held withdrawal', 'assign', allOfDesk(409), undefined, FOUND),

  form('nobody yet', 'invite', admins(200), { role: 'agent', version: 1 }, { role: 'agent' }),
  form('nobody yet', 'invite', admins(422), undefined, { role: 'chef' }),
  form('a colleague', 'role', admins('done'), { role: 'admin' }, { role: 'admin' }),
  form('a colleague', 'deactivate', admins('done'), LEFT),
  form('a colleague', 'reset', admins('done'), { version: 2 }),
  form('an admin', 'deactivate', admins('done'), LEFT),
  form('somebody invited', 'deactivate', admins('done'), LEFT),
  // Who has left is invited again, and nothing else.
  form('somebody who has left', 'role', admins(409), undefined, { role: 'admin' }),
  form('somebody who has left', 'reset', admins(409)),
];

/** What becomes of a request of the owner's, by what the application is. */
type Own = readonly [draft: Outcome, certified: Outcome, paid: Outcome, asked: Outcome];
interface OwnPage {
  get: Own;
  post?: { sent: Fields; outcomes: Own; changes: readonly string[] };
}
const own = (
  get: Own,
  sent?: Fields,
  outcomes: Own = [405, 405, 405, 405],
  changes: readonly string[] = [],
): OwnPage => ({ get, ...(sent && { post: { sent, outcomes, changes } }) });
const LATER = { intent: 'later', version: '1', passport_number: 'X' };
const REOPEN = { intent: 'reopen' };
const READ = { line1: PASSPORTS.fra[0]!, line2: PASSPORTS.fra[1]! };
const REMOVE = { intent: 'remove' };
const PACKAGE = { package: 'standard' };
const ALWAYS: Own = [200, 200, 200, 200];
const RESPONSE = { intent: 'respond', request: 'another', address_city: 'Bonn' };
const SEE = 'overview';

export const OWN_PAGES: Record<string, OwnPage> = {
  overview: own(ALWAYS, { intent: 'delete' }, [SEE, SEE, SEE, SEE]),
  'step-2': own([200, SEE, SEE, SEE], LATER, [SEE, 409, 409, 409], ['draft']),
  'step-8': own([200, 200, SEE, SEE], REOPEN, [SEE, 'step-8', SEE, SEE], ['certified']),
  'read-passport': own([200, SEE, SEE, SEE], READ, ['step-1', SEE, SEE, SEE], ['draft']),
  'passport-photo': own(ALWAYS, REMOVE, ['passport-photo', 422, 422, 422], ['draft']),
  portrait: own(ALWAYS, REMOVE, ['portrait', 422, 422, 422], ['draft']),
  payment: own(['step-8', 200, 'success', SEE], PACKAGE, ['step-8', 422, 'success', SEE]),
  success: own([SEE, 'payment', 200, SEE]),
  invoice: own([404, 404, 200, 200]),
  border: own(ALWAYS),
  // Nothing is asked for, or it was another request.
  respond: own([SEE, SEE, SEE, 200], RESPONSE, [400, 400, 400, 400]),
  refund: own([SEE, SEE, 200, 200], WHY, [SEE, SEE, 'refund', 'refund'], ['paid', 'asked']),
};

const OWN_LINES = Object.entries(OWN_PAGES).flatMap(([page, { get, post }]) =>
  APPLICATION_KINDS.map((kind, n) => {
    const matter = `an application that is ${kind}`;
    const make: Make = () => addApplication(kind);
    const at = { matter, make, at: `/${page}`, readers: ['owner'] as const };
    const { intent = '', ...sent } = post?.sent ?? {};
    return {
      look: { ...at, outcomes: owners(get[n] ?? 0), shows: 'whatever' } satisfies Look,
      form: post && {
        ...{ ...at, intent, outcomes: owners(post.outcomes[n] ?? 0), fields: sent },
        ...(post.changes.includes(kind) && { becomes: {} }),
      },
    };
  }),
);

export const LOOKS: readonly Look[] = [
  ...OWN_LINES.map((line) => line.look),
  ...CASE_LOOKS,
  ...MATTER_LOOKS,
];
export const FORMS: readonly Form[] = [
  ...OWN_LINES.flatMap((line) => line.form ?? []),
  ...CASE_FORMS,
  ...MATTER_FORMS,
];
