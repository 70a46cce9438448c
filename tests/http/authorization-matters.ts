import { randomUUID } from 'node:crypto';

import { expect } from 'vitest';

import { PASSPORT_LINES } from '../cases';
import { readTables, type Row } from '../decision-tables';
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
import type { Visitor } from './visitor';

/*
 * Who sees what, and may do what, with all that there is: applications, which are their owner's alone,
 * cases at the desk in each state that matters, messages, leads, refunds, withdrawals, the staff and the
 * books (live-mode.md, table of roles).
 */

export type Outcomes = Partial<Record<Who, Outcome>>;

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

type Fields = Record<string, string>;

export interface Form {
  matter: string;
  make: Make;
  intent: string;
  at: string;
  outcomes: Outcomes;
  fields: (matter: Matter) => Promise<Fields>;
  /** What it is afterwards, where it is taken; `self`: who has sent it. Without, nothing changes. */
  becomes?: Record<string, unknown>;
  readers: readonly Who[];
}

const [CASE_LOOKS = [], MATTER_LOOKS = [], CASE_FORMS = [], MATTER_FORMS = [], OWN = []] =
  readTables(import.meta.url, 'authorization-matters.txt');

const outcomeIn = (cell = ''): Outcome => (/^\d+$/.test(cell) ? Number(cell) : cell);

/** Who is not named does not ask; where everybody of the table does, so do all others. */
function outcomesIn(row: Row, columns: readonly Who[], others: Outcomes): Outcomes {
  const asking = columns.filter((who) => row[who] !== undefined);
  const own = Object.fromEntries(asking.map((who) => [who, outcomeIn(row[who])]));
  return asking.length < columns.length ? own : { ...others, ...own };
}

const OUTSIDERS = { nobody: 'sign in', traveller: 'sign in', owner: 'sign in', gone: 'sign in' };
function ofCase(row: Row): Outcomes {
  // Saying why opens nothing to an agent.
  const others = { ...OUTSIDERS, auditor: 403, admin: 403, excused: outcomeIn(row['agent']) };
  return outcomesIn(row, ['agent', 'holder', 'boss', 'reasoned'], others);
}
const ofMatter = (row: Row): Outcomes =>
  outcomesIn(row, ['agent', 'holder', 'boss', 'other', 'auditor', 'admin'], {
    ...OUTSIDERS,
    unproven: 'sign in',
  });
/** Of an application: for all others there is none. */
const owners = (owner: Outcome): Outcomes => ({
  ...Object.fromEntries(
    PEOPLE.filter((who) => !NOT_OF_APPLICATIONS.includes(who)).map((who) => [who, 404]),
  ),
  owner,
});
const NOT_OF_APPLICATIONS: readonly Who[] = [
  'invented',
  'other',
  'factorless',
  'unproven',
  'ended',
];

/** An agent whose own slip it is has ten minutes. */
const OPTIONS: Record<string, () => CaseOptions> = {
  nobodys: () => ({ set: { assigned_to: null } }),
  held: () => ({ set: { hold_reason: 'complaint' } }),
  done: () => ({ isDone: true }),
  emptied: () => ({ set: { purged_at: '2026-01-01T10:00:00.000Z' } }),
  slip: () => ({ set: { filed_by: people.holder.id, entered_at: NOW } }),
  'not due': () => ({ set: { due_at: null, starts_at: null } }),
};
const makeCase =
  (row: Row): Make =>
  (holder) =>
    addDeskCase(row['state'] as State, { holder, ...OPTIONS[row['with'] ?? '']?.() });

function taskOf(id: string, kind: string): Fields {
  const tasks = site.query('select * from application_tasks where application_id = ?', id);
  const task = tasks.find((one) => one['kind'] === kind);
  return { task: String(task?.['id']), task_version: String(task?.['version']) };
}
const MADE: Record<string, (id: string, what: string) => Fields | Promise<Fields>> = {
  task: (id, kind) => taskOf(id, kind.toLowerCase()),
  line1: () => PASSPORT_LINES,
  note_id: () => ({ note_id: randomUUID() }),
  person: (_, who) => ({ person: people[who.toLowerCase() as 'boss' | 'auditor' | 'gone'].id }),
  reference: async () => ({ reference: (await addBought()).reference }),
};
const fieldsIn =
  (row: Row) =>
  async ({ id }: Matter): Promise<Fields> => {
    const fields: Fields = {};
    for (const [name, value] of new URLSearchParams(row['sent'])) {
      const make = /^[A-Z]+$/.test(value) ? MADE[name] : undefined;
      Object.assign(fields, make ? await make(id, value) : { [name]: value });
    }
    return fields;
  };

/** What a matter becomes: `*` is anything that is there. */
function becomesIn(row: Row): Pick<Form, 'becomes'> {
  if (row['becomes'] === undefined) return {};
  const columns = [...new URLSearchParams(row['becomes'])].map(([name, value]) => [
    name,
    value === '*' ? (expect.any(String) as unknown) : /^\d+$/.test(value) ? Number(value) : value,
  ]);
  return { becomes: Object.fromEntries(columns) as Record<string, unknown> };
}

const FULL: readonly Who[] = ['holder', 'reasoned'];
const wordsIn = (row: Row) => row['shows']?.split(' ') ?? [];

const caseLook = (row: Row): Look => ({
  ...{ matter: `a case ${row['state']}`, make: makeCase(row), at: row['at'] ?? '' },
  ...{ outcomes: ofCase(row), shows: wordsIn(row), event: 'case.viewed full' },
  readers: row['shows'] === undefined ? [] : row['readers'] === 'holder' ? ['holder'] : FULL,
  ...(row['at'] === undefined && { glance: 'case.viewed (reason|summary)' }),
});

const WHO: Partial<Record<string, readonly Who[]>> = {
  ...{ holder: ['holder'], desk: ['agent', 'holder', 'boss', 'other'] },
};
const matterLook = (row: Row): Look => {
  const outcomes = ofMatter(row);
  const readers = PEOPLE.filter((who) => outcomes[who] === 200);
  return {
    ...{ matter: row['matter']!, make: MATTERS[row['matter'] as MatterName], at: row['at'] ?? '' },
    ...{ outcomes, shows: wordsIn(row), readers: WHO[row['readers'] ?? ''] ?? readers },
    ...(row['event'] !== undefined && { event: row['event'] }),
  };
};

/** Forms that pages of their own take. */
const PAGES: Record<string, string> = { answer: '/conversation' };

const caseForm = (row: Row): Form => ({
  ...{ matter: `a case ${row['state']}`, make: makeCase(row), intent: row['intent']! },
  ...{ at: PAGES[row['intent'] ?? ''] ?? '', outcomes: ofCase(row) },
  ...{ fields: fieldsIn(row), becomes: {}, readers: FULL },
});

const matterForm = (row: Row): Form => ({
  ...{ matter: row['matter']!, make: MATTERS[row['matter'] as MatterName] },
  ...{ intent: row['intent'] ?? '', at: '', outcomes: ofMatter(row), fields: fieldsIn(row) },
  ...{ ...becomesIn(row), readers: [] },
});

/** The pages of an application, behind its address. */
export const OWN_PAGES = OWN.map((row) => row['page']!);

const OWN_LINES = OWN.flatMap((row) =>
  APPLICATION_KINDS.map((kind) => {
    const make: Make = () => addApplication(kind);
    const matter = `an application that is ${kind}`;
    const at = { matter, make, at: `/${row['page']}`, readers: ['owner'] as const };
    const [shown, taken] = [row[kind], row[`${kind} sent`]];
    return {
      look: { ...at, outcomes: owners(outcomeIn(shown)), shows: 'whatever' } satisfies Look,
      form: row['draft sent'] !== undefined && {
        ...{ ...at, intent: row['intent'] ?? '', outcomes: owners(outcomeIn(taken)) },
        fields: fieldsIn(row),
        ...(row['changes']?.includes(kind) && { becomes: {} }),
      },
    };
  }),
);

export const LOOKS: readonly Look[] = [
  ...OWN_LINES.map(({ look }) => look),
  ...CASE_LOOKS.map(caseLook),
  ...MATTER_LOOKS.map(matterLook),
];
export const FORMS: readonly Form[] = [
  ...OWN_LINES.flatMap(({ form }) => form || []),
  ...CASE_FORMS.map(caseForm),
  ...MATTER_FORMS.map(matterForm),
];

export const rowsOf = ({ queries }: Matter) =>
  queries.map(([sql, ...parameters]) => site.query(sql, ...parameters));

export const isRefused = (outcome: Outcome) => [403, 404, 'sign in'].includes(outcome);

/** Photos are sent as files are, everything else as a form. */
export async function send(visitor: Visitor, address: string, fields: Record<string, string>) {
  if (!/\/(passport-photo|portrait)/.test(address)) return visitor.post(address, fields);
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return visitor.send(address, { method: 'POST', body });
}
