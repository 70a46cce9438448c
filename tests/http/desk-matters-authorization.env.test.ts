import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { addressesIn } from '~/site-map';
import { type Stripe, startStripe } from '../payments';
import { LONG } from '../rounds';
import { CaseSite, DESK_PEOPLE, type DeskPerson } from './case-people';
import {
  addApplicationLead,
  addBought,
  addMember,
  addMessage,
  addMessageLead,
  addRefund,
  addWithdrawal,
  type Matter,
  nobodyYet,
} from './desk-matters';
import { addOrder, addRefund as addSentRefund, BUYER } from './orders';
import { asData, type DeskOutcome, deskOutcomeOf, SAID_TO_REFUSED } from './outcomes';
import type { Person } from './signed-in';

/*
 * Who sees what, and may do what, with all that there is at the desk besides cases: messages, leads,
 * refunds, withdrawals, the staff, the books and the audit log (live-mode.md, table of roles). Cases are
 * in desk-authorization.env.test.ts, what nobody has in authorization.test.ts.
 */

let cases: CaseSite;
let stripe: Stripe;
let people: CaseSite['people'];
beforeAll(async () => {
  stripe = await startStripe();
  cases = await CaseSite.begin(stripe.variables);
  ({ people } = cases);
  // What it does by itself when it begins is done.
  const purge = () => cases.query("select * from counters where name = 'last purge'")[0];
  await vi.waitUntil(purge, { timeout: 20_000 });
});
afterAll(async () => {
  await cases.end();
  await stripe.stop();
});

type Outcomes = Record<DeskPerson, DeskOutcome>;

const outsiders: Record<Exclude<DeskPerson, StaffPerson>, DeskOutcome> = {
  nobody: 'sign in',
  traveller: 'sign in',
  owner: 'sign in',
  gone: 'sign in',
  unproven: 'sign in',
};
type StaffPerson = 'agent' | 'holder' | 'boss' | 'other' | 'auditor' | 'admin';

/** Of what the desk works on: an agent, the one who has it, a supervisor and a second one. */
const desk = (
  agent: DeskOutcome,
  holder: DeskOutcome,
  boss: DeskOutcome,
  other: DeskOutcome,
): Outcomes => ({ ...outsiders, agent, holder, boss, other, auditor: 403, admin: 403 });
const allOfDesk = (outcome: DeskOutcome) => desk(outcome, outcome, outcome, outcome);
const bosses = (outcome: DeskOutcome) => desk(403, 403, outcome, outcome);
/** Of what admins do. */
const admins = (outcome: DeskOutcome): Outcomes => ({ ...bosses(403), admin: outcome });
/** Of the books. */
const BOOKS: Outcomes = { ...bosses(200), auditor: 200 };
/** Of what is there for everybody who works here. */
const ALL_STAFF: Outcomes = { ...allOfDesk(200), auditor: 200, admin: 200 };

/** All that there is, by what it is called here; `holder`: who has it. */
const MATTERS = {
  'a message': (holder: Person) => addMessage(cases, { assigned_to: holder.id }),
  'a message that nobody has': () => addMessage(cases),
  'an answered message': ({ id }: Person) =>
    addMessage(cases, { state: 'answered', assigned_to: id, closed_at: NOW }),
  'a closed message': ({ id }: Person) =>
    addMessage(cases, { state: 'closed', assigned_to: id, closed_at: NOW }),
  'a lead by a message': ({ id }: Person) => addMessageLead(cases, { assigned_to: id }),
  'a lead by an application': ({ id }: Person) => addApplicationLead(cases, { assigned_to: id }),
  'a lead that nobody has': () => addApplicationLead(cases),
  'a lost lead': ({ id }: Person) => addMessageLead(cases, { state: 'lost', assigned_to: id }),
  'a lead that wants to hear nothing': ({ id }: Person) =>
    addApplicationLead(cases, { state: 'do_not_contact', assigned_to: id }),
  'a requested refund': () => addRefund(cases, stripe),
  'a refund that the agent proposes': ({ id }: Person) =>
    addRefund(cases, stripe, { state: 'proposed', proposed_by: id, proposed_at: NOW }),
  'a refund that the supervisor proposes': () =>
    addRefund(cases, stripe, { state: 'proposed', proposed_by: people.boss.id, proposed_at: NOW }),
  'a refund that a bank disputes': ({ id }: Person) =>
    addRefund(cases, stripe, { order: 'disputed', state: 'proposed', proposed_by: id }),
  'an approved refund': ({ id }: Person) =>
    addRefund(cases, stripe, {
      state: 'approved',
      proposed_by: id,
      approved_by: people.boss.id,
      approved_at: NOW,
    }),
  'a failed refund': ({ id }: Person) =>
    addRefund(cases, stripe, {
      state: 'failed',
      proposed_by: id,
      approved_by: people.boss.id,
      approved_at: NOW,
      failure_code: 'expired_or_canceled_card',
    }),
  'a refused refund': () => addRefund(cases, stripe, { state: 'refused' }),
  'an unmatched withdrawal': () => addWithdrawal(cases, 'unmatched'),
  'a late withdrawal': () => addWithdrawal(cases, 'late'),
  'a matched withdrawal': () => addWithdrawal(cases, 'matched'),
  'a held withdrawal': () => addWithdrawal(cases, 'held'),
  'a colleague': () => addMember(cases),
  'an admin': () => addMember(cases, { role: 'admin' }),
  'somebody invited': () => addMember(cases, { is: 'invited' }),
  'somebody who has left': () => addMember(cases, { is: 'left' }),
  'nobody yet': () => nobodyYet(),
  'a paid order': () => bookedOrder(),
} satisfies Record<string, (holder: Person) => Matter | Promise<Matter>>;
type MatterName = keyof typeof MATTERS;
const NOW = new Date().toISOString();

/** An order of which the money went back in the same month. */
async function bookedOrder(): Promise<Matter> {
  const at = '2026-05-21T10:00:00.000Z';
  const { order } = await addOrder({ paid_at: at, invoice_number: `R-${randomUUID()}` });
  const note = `A-${randomUUID()}`;
  const refund = await addSentRefund(order, { sent_at: at, credit_note_number: note });
  const { name, email, address } = BUYER;
  const { id, reference } = order;
  const [street = ''] = address;
  const words = { id, reference, refund: refund.id, buyer: name, email, street };
  return { id, page: '/crm/export', sent: {}, words, queries: [] };
}

const rowsOf = ({ queries }: Matter) =>
  queries.map(([sql, ...parameters]) => cases.query(sql, ...parameters));
const eventsAbout = (id: string) =>
  cases.query(
    'select id, action, actor_id from audit_events where subject_id = ? order by at, id',
    id,
  );
/** What was done about it, looks aside. */
const deedsAbout = (id: string) =>
  eventsAbout(id).filter(({ action }) => !String(action).endsWith('.viewed'));
const eventsOf = (who: DeskPerson) =>
  cases.query(
    'select action from audit_events where actor_id = ? order by at',
    cases.personOf(who)?.id ?? 'nobody',
  );

interface Look {
  matter: MatterName;
  /** Where: an address, or what stands behind that of its own page. */
  at: string;
  outcomes: Outcomes;
  /** Who reads there what of its words; all other words stand there for nobody. */
  shows: readonly string[];
  readers?: readonly DeskPerson[];
  /** As what each look is recorded. */
  event?: string;
}

const look = (
  matter: MatterName,
  at: string,
  outcomes: Outcomes,
  shows: readonly string[],
  more: Partial<Look> = {},
): Look => ({
  matter,
  at,
  outcomes,
  shows,
  // Who is not sent away.
  readers: DESK_PEOPLE.filter((who) => outcomes[who] === 200),
  ...more,
});
const MESSAGE = ['name', 'phone', 'subject', 'message', 'email'];
const ofMonth = '?month=2026-05';
const csv = (table: string) => `/crm/export.csv${ofMonth}&table=${table}&form=comma`;
const viewed = (event: string) => ({ event });

const LOOKS: readonly Look[] = [
  look('a message', '', allOfDesk(200), MESSAGE, viewed('message.viewed')),
  look('an answered message', '', allOfDesk(200), MESSAGE, viewed('message.viewed')),
  look('a closed message', '', allOfDesk(200), MESSAGE, viewed('message.viewed')),
  // A list names it, and nothing that was typed.
  look('a message', '/crm/messages', allOfDesk(200), ['id']),
  look('an answered message', '/crm/messages?state=answered', allOfDesk(200), ['id']),
  look('a lead by a message', '', allOfDesk(200), [], viewed('lead.viewed')),
  // Of what nobody has paid for, the answers are the owner's alone.
  look('a lead by an application', '', allOfDesk(200), ['reference'], viewed('lead.viewed')),
  look('a lead by an application', '/crm/leads', allOfDesk(200), ['id', 'reference']),
  look('a lead by an application', '/crm/leads/assigned', allOfDesk(200), ['id', 'reference'], {
    readers: ['holder'],
  }),
  look('a requested refund', '/crm/refunds', allOfDesk(200), ['id', 'reference']),
  ...(
    [
      'a requested refund',
      'a refund that the agent proposes',
      'a failed refund',
    ] satisfies MatterName[]
  ).map((matter) =>
    look(matter, '', allOfDesk(200), ['reference', 'reason'], viewed('refund.viewed')),
  ),
  look('an unmatched withdrawal', '', allOfDesk(200), ['id', 'name', 'reference', 'email']),
  look('a late withdrawal', '', allOfDesk(200), ['id', 'name', 'reference', 'email']),
  // What follows from it follows by itself.
  look('a matched withdrawal', '', allOfDesk(200), []),
  look('a held withdrawal', '', allOfDesk(200), ['id', 'name', 'reference', 'email']),
  look('a colleague', '', admins(200), ['email']),
  look('somebody invited', '', admins(200), ['email']),
  look('somebody who has left', '', admins(200), ['email']),
  look('a paid order', ofMonth, BOOKS, []),
  look('a paid order', csv('orders'), BOOKS, ['id', 'reference'], viewed('orders.exported')),
  look(
    'a paid order',
    csv('refunds'),
    BOOKS,
    ['id', 'reference', 'refund'],
    viewed('orders.exported'),
  ),
  look('a paid order', csv('invoices'), BOOKS, ['reference', 'buyer'], viewed('orders.exported')),
  // Numbers, and nobody's matters.
  ...(
    [
      'a message',
      'a lead by an application',
      'a requested refund',
      'a paid order',
    ] satisfies MatterName[]
  ).map((matter) => look(matter, '/crm/dashboard', ALL_STAFF, [])),
];

/** Where a matter is looked at, and its row of the site map. */
function placeOf(
  { page }: Pick<Matter, 'page'>,
  at = '',
): [string, ReturnType<typeof addressesIn>[number]] {
  const address = at.startsWith('/') ? at : page + at;
  const [path = ''] = address.split('?');
  const row = addressesIn('live').find(
    (one) => one.path === path.replace(/\/[0-9a-f-]{36}$/, '/:id'),
  );
  if (!row) throw new Error(`${path} is no address.`);
  return [address, row];
}

describe.each(LOOKS)('a look at $matter: “$at”', ({ matter: name, at, outcomes, ...rest }) => {
  const { shows, readers = [], event } = rest;
  it('opens to whom it should, shows what it should, and is recorded', async () => {
    const matter = await MATTERS[name](people.holder);
    const [address, row] = placeOf(matter, at);
    const before = rowsOf(matter);
    const words = Object.entries(matter.words)
      // The pages of errors have links to themselves in other languages.
      .filter(([what]) => !(what === 'id' && address.includes(matter.id)));
    for (const [method, asked] of [
      ['GET', address],
      ['GET', asData(address, row)],
      ...(LONG ? [['HEAD', address] as const] : []),
    ] as const) {
      const found: [DeskPerson, DeskOutcome][] = [];
      for (const who of DESK_PEOPLE) {
        const [about, own] = [eventsAbout(matter.id), eventsOf(who)];
        const response = await cases.come(who).send(asked, { method });
        const outcome = deskOutcomeOf(response);
        found.push([who, outcome]);
        const body = await response.text();
        const told = words.filter(([, word]) => body.includes(word)).map(([what]) => what);
        const isReader = readers.includes(who) && method === 'GET';
        const meant = words.map(([what]) => what).filter((what) => shows.includes(what));
        expect([who, asked, told]).toEqual([who, asked, isReader ? meant : []]);
        if (outcome !== 200) {
          if (asked !== address) expect(SAID_TO_REFUSED).toContain(body);
          expect([who, eventsAbout(matter.id), eventsOf(who)]).toEqual([who, about, own]);
          continue;
        }
        expect(response.headers.get('Cache-Control')).toContain('no-store');
        const recorded = eventsOf(who).slice(own.length);
        expect([who, recorded]).toEqual([who, event ? [{ action: event }] : []]);
      }
      expect(Object.fromEntries(found)).toEqual(outcomes);
    }
    expect(rowsOf(matter)).toEqual(before);
  });
});

interface Form {
  matter: MatterName;
  intent: string;
  outcomes: Outcomes;
  /** What is sent besides what each form about it says. */
  fields: () => Record<string, string> | Promise<Record<string, string>>;
  /** What it is afterwards, where it is taken; `self`: who has sent it. */
  becomes: Record<string, unknown> | undefined;
}

const form = (
  matter: MatterName,
  intent: string,
  outcomes: Outcomes,
  becomes?: Form['becomes'],
  fields: Form['fields'] = () => ({}),
): Form => ({ matter, intent, outcomes, becomes, fields });
const ANSWER = () => ({ answer: 'Apfelkompott.' });
const AMOUNT = () => ({ amount: '10.00', reason: 'It was filed.' });
const WHY = () => ({ reason: 'It was filed.' });
/** Of another order, as somebody at the desk finds it. */
const FOUND = async () => ({ reference: (await addBought(cases)).reference });
const HANDLED = { handled_at: expect.any(String) as unknown };

const FORMS: readonly Form[] = [
  // Whoever has it: a message is answered by who comes to it.
  form('a message', 'answer', allOfDesk('done'), { state: 'answered' }, ANSWER),
  form('a message', 'answer', allOfDesk(422)),
  form('a message', 'close', allOfDesk('done'), { state: 'closed' }),
  form('a message', 'reopen', allOfDesk(409)),
  form('a message that nobody has', 'take', allOfDesk('done'), { assigned_to: 'self' }),
  form('an answered message', 'answer', allOfDesk('done'), { state: 'answered' }, ANSWER),
  form('an answered message', 'reopen', allOfDesk('done'), { state: 'new' }),
  form('an answered message', 'close', allOfDesk(409)),
  form('an answered message', 'take', allOfDesk(409)),
  form('a closed message', 'reopen', allOfDesk('done'), { state: 'new' }),
  form('a closed message', 'answer', allOfDesk(409), undefined, ANSWER),

  form('a lead that nobody has', 'take', allOfDesk('done'), { assigned_to: 'self' }),
  form('a lead by a message', 'contact', allOfDesk('done'), { state: 'contacted' }),
  form('a lead by a message', 'convert', allOfDesk('done'), { state: 'converted' }),
  form('a lead by a message', 'lose', allOfDesk('done'), { state: 'lost' }),
  form('a lead by an application', 'contact', allOfDesk('done'), { state: 'contacted' }),
  form('a lead by an application', 'stop', allOfDesk('done'), { state: 'do_not_contact' }),
  // Only its payment does.
  form('a lead by an application', 'convert', allOfDesk(409)),
  form('a lead by an application', 'reopen', allOfDesk(409)),
  form('a lost lead', 'reopen', allOfDesk('done'), { state: 'new' }),
  // Only its owner takes that back.
  form('a lead that wants to hear nothing', 'contact', allOfDesk(409)),
  form('a lead that wants to hear nothing', 'reopen', allOfDesk(409)),
  form('a lead that wants to hear nothing', 'wish', allOfDesk(400)),

  //                                                    agent  holder  boss  other
  form('a requested refund', 'propose', allOfDesk('done'), { state: 'proposed' }, AMOUNT),
  form('a requested refund', 'propose', allOfDesk(422), undefined, () => ({ amount: '39.96' })),
  form('a requested refund', 'approve', bosses(409)),
  form('a requested refund', 'refuse', bosses('done'), { state: 'refused' }, WHY),
  form('a requested refund', 'retry', bosses(409)),
  form('a requested refund', 'send', allOfDesk(400)),
  form(
    'a refund that the agent proposes',
    'propose',
    allOfDesk('done'),
    { state: 'proposed', proposed_by: 'self', amount_cents: 1000 },
    AMOUNT,
  ),
  form('a refund that the agent proposes', 'approve', bosses('done'), {
    state: 'settled',
    approved_by: 'self',
  }),
  form('a refund that the agent proposes', 'refuse', bosses('done'), { state: 'refused' }, WHY),
  // Nobody approves what they have proposed.
  form('a refund that the supervisor proposes', 'approve', desk(403, 403, 422, 'done'), {
    state: 'settled',
  }),
  form('a refund that a bank disputes', 'approve', bosses(422)),
  form('an approved refund', 'propose', allOfDesk(409), undefined, AMOUNT),
  form('an approved refund', 'approve', bosses(409)),
  form('an approved refund', 'refuse', bosses(409), undefined, WHY),
  form('a failed refund', 'retry', bosses('done'), { state: 'settled', attempt: 2 }),
  form('a failed refund', 'propose', allOfDesk(409), undefined, AMOUNT),
  form('a refused refund', 'propose', allOfDesk(409), undefined, AMOUNT),

  form('an unmatched withdrawal', 'assign', allOfDesk('done'), HANDLED, FOUND),
  form('an unmatched withdrawal', 'assign', allOfDesk(422), undefined, () => ({
    reference: 'TRV-0000-0000',
  })),
  form('an unmatched withdrawal', 'close', allOfDesk('done'), HANDLED),
  form('a late withdrawal', 'close', allOfDesk('done'), HANDLED),
  // It is no page's: it is to take effect, of its own order.
  form('a matched withdrawal', 'close', allOfDesk(409)),
  form('a matched withdrawal', 'assign', allOfDesk(409), undefined, FOUND),
  form('a held withdrawal', 'close', allOfDesk(409)),
  form('a held withdrawal', 'assign', allOfDesk(409), undefined, FOUND),

  form('nobody yet', 'invite', admins(200), { role: 'agent', version: 1 }, () => ({
    role: 'agent',
  })),
  form('nobody yet', 'invite', admins(422), undefined, () => ({ role: 'chef' })),
  form('a colleague', 'role', admins('done'), { role: 'admin' }, () => ({ role: 'admin' })),
  form('a colleague', 'deactivate', admins('done'), { deactivated_at: expect.any(String) }),
  form('a colleague', 'reset', admins('done'), { version: 2 }),
  form('an admin', 'deactivate', admins('done'), { deactivated_at: expect.any(String) }),
  form('somebody invited', 'deactivate', admins('done'), { deactivated_at: expect.any(String) }),
  // Who has left is invited again, and nothing else.
  form('somebody who has left', 'role', admins(409), undefined, () => ({ role: 'admin' })),
  form('somebody who has left', 'deactivate', admins(409)),
  form('somebody who has left', 'reset', admins(409)),
];

/** Who asks again in another way what all have asked in one. */
const SOME: readonly DeskPerson[] = ['owner', 'boss', 'auditor', 'admin'];

const isRefused = (outcome: DeskOutcome) => outcome === 403 || outcome === 'sign in';

/** Has everybody send a form about a matter of their own, and compares what became of it. */
async function sendByAll(
  { matter: name, outcomes, fields, becomes }: Omit<Form, 'intent'>,
  sent: Record<string, string>,
  address: (matter: Matter) => string,
  everybody: readonly DeskPerson[] = DESK_PEOPLE,
): Promise<void> {
  const found: [DeskPerson, DeskOutcome][] = [];
  for (const who of everybody) {
    const matter = await MATTERS[name](who === 'gone' ? people.gone : people.holder);
    const own = { ...matter.sent, ...(await fields()), ...sent };
    const [rows, events, deeds] = [rowsOf(matter), eventsAbout(matter.id), deedsAbout(matter.id)];
    const response = await cases.come(who).post(address(matter), own);
    const body = await response.text();
    const outcome = deskOutcomeOf(response);
    found.push([who, outcome]);
    const isTaken = becomes !== undefined && (outcome === 'done' || outcome === 200);
    if (isTaken) {
      const self = cases.personOf(who)?.id;
      const then = Object.entries(becomes).map(([column, value]) => [
        column,
        value === 'self' ? self : value,
      ]);
      expect([who, rowsOf(matter)[0]?.[0]]).toMatchObject([who, Object.fromEntries(then)]);
      continue;
    }
    expect([who, rowsOf(matter), deedsAbout(matter.id)]).toEqual([who, rows, deeds]);
    if (!isRefused(outcome)) continue;
    // Who is refused has not looked at it, either.
    expect(eventsAbout(matter.id)).toEqual(events);
    const { id, ...words } = matter.words;
    // But for what they have typed themselves, which comes back to them.
    const unsaid = Object.values(words).filter((word) => !Object.values(own).includes(word));
    expect([id, unsaid.filter((word) => body.includes(word))]).toEqual([id, []]);
  }
  expect(found).toEqual(everybody.map((who) => [who, outcomes[who]]));
}

/** Of withdrawals there is one thing to do, once; who is invited is not there yet. */
const isVersioned = (name: MatterName) => !name.endsWith('withdrawal') && name !== 'nobody yet';

describe.each(FORMS)('the form $intent of $matter', (line) => {
  const { matter: name, intent, fields, becomes, outcomes } = line;

  it('is taken from whom it should, and changes nothing for anybody else', async () => {
    await sendByAll(line, { intent }, ({ page }) => page);
  });

  it.runIf(LONG)('is taken from the same when a script sends it', async () => {
    await sendByAll(line, { intent }, (matter) => asData(...placeOf(matter)));
  });

  it.runIf(becomes && isVersioned(name))('is refused when it has changed since', async () => {
    const who = DESK_PEOPLE.findLast((one) => !isRefused(outcomes[one])) ?? 'nobody';
    const matter = await MATTERS[name](people.holder);
    const sent = { ...matter.sent, ...(await fields()), intent, version: '0' };
    const before = [rowsOf(matter), deedsAbout(matter.id)];
    const { status } = await cases.come(who).post(matter.page, sent);
    expect([who, status]).toEqual([who, 409]);
    expect([rowsOf(matter), deedsAbout(matter.id)]).toEqual(before);
  });
});

/** All that a form of the page could want, so that nothing is missing but what it is for. */
const ALL_FIELDS = async () => ({
  ...ANSWER(),
  ...AMOUNT(),
  ...(await FOUND()),
  role: 'auditor',
  q: people.owner.email,
});

describe.each([
  ['a message', allOfDesk(400)],
  ['a lead by an application', allOfDesk(400)],
  ['a requested refund', allOfDesk(400)],
  ['a refund that the agent proposes', allOfDesk(400)],
  ['an unmatched withdrawal', allOfDesk(400)],
  ['a colleague', admins(400)],
  ['nobody yet', admins(400)],
] as const)('a form about %s', (matter, outcomes) => {
  const line = { matter, outcomes, fields: ALL_FIELDS, becomes: undefined };

  it('that does not say what it is for is refused, and nothing changes', async () => {
    await sendByAll(line, {}, ({ page }) => page);
  });

  it.each(['promote', ''])('that says “%s” is refused, and nothing changes', async (intent) => {
    await sendByAll(line, { intent }, ({ page }) => page, LONG ? DESK_PEOPLE : SOME);
  });
});

it.each([{}, { intent: 'promote' }])(
  'a form of the worklist with %j searches nothing, and gives out nothing',
  async (sent) => {
    const fields = { ...(await ALL_FIELDS()), ...sent };
    const before = cases.query('select * from applications');
    for (const who of DESK_PEOPLE) {
      const events = eventsOf(who);
      const response = await cases.come(who).post('/crm/processing', fields);
      expect([who, deskOutcomeOf(response)]).toEqual([who, allOfDesk(400)[who]]);
      expect([who, eventsOf(who)]).toEqual([who, events]);
    }
    expect(cases.query('select * from applications')).toEqual(before);
  },
);

describe('the dashboard', () => {
  it('has numbers for who works on cases or reads the books, and none for admins', async () => {
    const [, row] = placeOf({ page: '/crm/dashboard' });
    for (const who of ['agent', 'boss', 'auditor', 'admin'] as const) {
      const response = await cases.come(who).get(asData('/crm/dashboard', row));
      const { work, figures } = (await response.json()) as Record<string, unknown>;
      const seesCases = who !== 'admin';
      expect([who, work !== null, figures !== null]).toEqual([who, seesCases, seesCases]);
    }
  });
});

describe('the audit log', () => {
  interface Page {
    events: { id: string }[];
    older?: string;
    groups: string[];
  }
  const [, row] = placeOf({ page: '/crm/audit' });

  /** The events that somebody reads, page by page. */
  async function readBy(who: DeskPerson, address = '/crm/audit') {
    const visitor = cases.come(who);
    const ids: string[] = [];
    let next: string | undefined = address;
    while (next !== undefined) {
      const page = (await (await visitor.get(asData(next, row))).json()) as Page;
      ids.push(...page.events.map(({ id }) => id));
      next = page.older;
    }
    return ids;
  }

  const OF_STAFF = [
    'staff.invited',
    'staff.joined',
    'staff.role_changed',
    'account.deactivated',
    'factor.reset',
  ];
  const quoted = OF_STAFF.map((action) => `'${action}'`).join(', ');
  /** What each of them may read (live-mode.md, table of roles); of all others it opens to nobody. */
  const READ: Partial<Record<DeskPerson, () => string>> = {
    // Their own deeds, and what was done to them.
    agent: () => `actor_id = '${people.agent.id}' or subject_id = '${people.agent.id}'`,
    holder: () => `actor_id = '${people.holder.id}' or subject_id = '${people.holder.id}'`,
    boss: () => 'true',
    other: () => 'true',
    auditor: () => 'true',
    admin: () => `action in (${quoted})`,
  };

  // So that there is something of each even if this is all that is run.
  beforeAll(async () => {
    const [message, member] = [await addMessage(cases), addMember(cases)];
    for (const who of ['agent', 'holder', 'boss'] as const) {
      await cases.come(who).get(message.page);
    }
    await cases
      .come('holder')
      .post(message.page, { ...message.sent, ...ANSWER(), intent: 'answer' });
    const { agent } = people;
    await cases.come('admin').post('/crm/staff', { ...member.sent, intent: 'deactivate' });
    await cases.come('auditor').get(csv('orders'));
    // An admin does something to the agent, who reads that.
    const [{ version } = {}] = cases.query('select version from users where id = ?', agent.id);
    const sent = { id: agent.id, version: String(version), role: 'agent', intent: 'role' };
    await cases.come('admin').post('/crm/staff', sent);
  });

  it.each(DESK_PEOPLE)('is read as far as it should be: %s', async (who) => {
    const mine = READ[who];
    if (!mine) {
      const response = await cases.come(who).get(asData('/crm/audit', row));
      expect([deskOutcomeOf(response), await response.text()]).toEqual(['sign in', '']);
      return;
    }
    const ids = (filter: string) =>
      cases.query(`select id from audit_events where ${filter}`).map(({ id }) => String(id));
    const [all, own] = [ids('true'), ids(mine())];
    expect(own.length).toBeGreaterThan(0);
    expect(own.length < all.length).toBe(mine() !== 'true');
    const read = await readBy(who);
    expect(read.sort()).toEqual(own.sort());
    // Nor is more to be had by what it is narrowed to, or by where a page begins.
    for (const group of ['message', 'refund', 'staff', 'account', 'session']) {
      const found = await readBy(who, `/crm/audit?group=${group}`);
      expect([who, group, found.filter((id) => !own.includes(id))]).toEqual([who, group, []]);
    }
    const after = `/crm/audit?before=2999-01-01T00:00:00.000Z_${all[0]}`;
    expect((await readBy(who, after)).sort()).toEqual(own);
  });

  it('has nothing that is personal for anybody', async () => {
    const words = [await addMessage(cases), await MATTERS['a requested refund']()].flatMap(
      ({ words: { id: _, ...rest } }) => Object.values(rest),
    );
    for (const who of ['agent', 'holder', 'boss', 'auditor', 'admin'] as const) {
      for (const address of ['/crm/audit', asData('/crm/audit', row)]) {
        const body = await (await cases.come(who).get(address)).text();
        expect([who, words.filter((word) => body.includes(word))]).toEqual([who, []]);
      }
    }
    const log = JSON.stringify(cases.query('select * from audit_events'));
    expect(words.filter((word) => log.includes(word))).toEqual([]);
    expect(words.filter((word) => cases.site.log().includes(word))).toEqual([]);
  });
});
