import { randomUUID } from 'node:crypto';

import { subDays } from 'date-fns';

import { saveStep } from '~/applications/answers.server';
import { beginDraft } from '~/applications/drafts.server';
import { openRequest } from '~/applications/requests.server';
import { writeDatabase } from '~/database.server';
import { doTask, saveLines, openTasks } from '~/applications/tasks.server';
import type { StaffRole } from '~/access';
import { wishReminders } from '~/leads/leads.server';
import { saveMessage } from '~/messages/messages.server';
import { openRefund } from '~/orders/refunds.server';
import { receiveWithdrawal } from '~/orders/withdrawals.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { listTasks } from '~db/queries/application-tasks.server';
import type { ContactMessageRow } from '~db/queries/contact-messages.server';
import type { LeadRow } from '~db/queries/leads.server';
import type { OrderRow } from '~db/queries/orders.server';
import type { RefundRow } from '~db/queries/refunds.server';
import { addCase, PASSPORT_LINES } from '../cases';
import { awaitingPayment, filledDraft } from './awaiting-payment';
import { people, stripe } from './case-people';
import { type Bought, buy, rowOf, site } from './known-site';
import { takenPayment } from './orders';
import { addPerson, type Person } from './signed-in';

/** Something of one person's that others see to, or that is nobody else's business. */
export interface Matter {
  id: string;
  /** Where it is looked at, and its forms are sent: the page's address, or what those of its pages begin with. */
  page: string;
  sent: Record<string, string>;
  /** What is personal of it, and what it is named by, by what it is. */
  words: Record<string, string>;
  /** Queries of all that a form about it could change; the first is the matter itself. */
  queries: readonly (readonly [sql: string, ...parameters: string[]])[];
}

/** What somebody has written, and nobody else reads but who answers it. */
const TYPED = {
  name: 'Ada Zwiebelturm',
  phone: '+49 30 5550123',
  subject: 'Quittengasse 7',
  message: 'Pflaumenmus?',
};
const REASON = 'Wegen der Hagebutten.';
const BUYER = { buyer: 'Anna Müller', street: 'Domkloster 4', town: '50667 Köln' };

const MAILS = ['select count(*) as count from outbox'] as const;
const OUTSIDE = { client: 'a test', language: 'en' } as const;

async function change(table: 'contact_messages' | 'leads' | 'refunds', id: string, set: object) {
  if (Object.keys(set).length === 0) return;
  await writeDatabase((db) =>
    db
      .updateTable(table as 'leads')
      .set(set)
      .where('id', '=', id)
      .execute(),
  );
}

const contentsOf = (id: string): Matter['queries'] => [
  ['select * from applications where id = ?', id],
  ...[
    'application_answers',
    'application_documents',
    'application_tasks',
    'application_requests',
    'application_amendments',
    'notes',
    'orders',
  ].map((table) => [`select * from ${table} where application_id = ? order by 1, 2`, id] as const),
  ['select * from refunds where order_id in (select id from orders where application_id = ?)', id],
  MAILS,
];

/** What is in the answers of every case. */
export const SECRETS = { passport: '12AB34567', name: 'DUPONT', signed: 'Dupont' };

export interface CaseOptions {
  holder?: Person;
  isDone?: boolean;
  set?: Partial<ApplicationRow>;
}

/** A case of the owner's as the desk has it; one that is being entered was checked by a supervisor. */
export async function addDeskCase(
  state: ApplicationRow['state'],
  { holder = people.holder, isDone = false, set = {} }: CaseOptions = {},
): Promise<Matter> {
  const { owner, boss } = people;
  const isChecked = ['checked', 'fee_due', 'filed', 'approved'].includes(state);
  const checked = isChecked && { checked_by: boss.id };
  const { id } = await addCase({
    order: { userId: owner.id, email: owner.email },
    set: { state, assigned_to: holder.id, ...checked, ...set },
  });
  await writeDatabase(async (db) => {
    // A page that is shown again makes those that are missing.
    if (state === 'in_review') await openTasks(db, { id }, new Date());
    for (const task of isDone ? await listTasks(db, id) : []) {
      const typed = { first: PASSPORT_LINES.line1, second: PASSPORT_LINES.line2 };
      const by = people.holder.id;
      if (task.kind === 'lines') await saveLines(db, task, { by, typed, isSame: true }, new Date());
      else await doTask(db, task, { by, note: 'seen' }, new Date());
    }
  });
  const sent = { version: String(rowOf(id)['version']) };
  return { id, page: `/crm/processing/${id}`, sent, words: SECRETS, queries: contentsOf(id) };
}

/** The owner's, as the owner has them; the two that are paid are with an agent, who asks for something in one. */
export const APPLICATION_KINDS = ['draft', 'certified', 'paid', 'asked'] as const;
type ApplicationKind = (typeof APPLICATION_KINDS)[number];

export async function addApplication(kind: ApplicationKind): Promise<Matter> {
  const id = await applicationOf(kind);
  const [{ email }, reference] = [people.owner, String(rowOf(id)['reference'])];
  const words = { ...SECRETS, contact: 'C01X00T47', birth: 'Lüdenscheidt', email, reference };
  return { id, page: `/application/${id}`, sent: {}, words, queries: contentsOf(id) };
}

async function applicationOf(kind: ApplicationKind): Promise<string> {
  const { owner, holder } = people;
  if (kind === 'draft') return (await filledDraft(owner)).id;
  if (kind === 'certified') return awaitingPayment(owner);
  if (kind === 'paid') return (await addDeskCase('in_review')).id;
  const { id } = await addDeskCase('action_required');
  const asked = { fields: ['address_city'], actor: { kind: 'staff', id: holder.id } } as const;
  await writeDatabase((db) => openRequest(db, id, asked, new Date()));
  return id;
}

export async function addMessage(set: Partial<ContactMessageRow> = {}): Promise<Matter> {
  const words = { ...TYPED, email: people.owner.email };
  const text = { ...words, category: 'payment' };
  const id = await writeDatabase((db) => saveMessage(db, text, OUTSIDE, new Date()));
  await change('contact_messages', id, set);
  return {
    ...{ id, page: `/crm/messages/${id}`, sent: { version: '1' }, words: { ...words, id } },
    queries: [
      ['select * from contact_messages where id = ?', id],
      ['select * from contact_replies where message_id = ?', id],
      ['select * from leads where message_id = ?', id],
      MAILS,
    ],
  };
}

export async function addMessageLead(set: Partial<LeadRow> = {}): Promise<Matter> {
  const { id, words } = await addMessage();
  return leadOf('message_id', id, words, set);
}

export async function addApplicationLead(set: Partial<LeadRow> = {}): Promise<Matter> {
  const { owner } = people;
  const [applicationId, at] = [randomUUID(), new Date()];
  const application = await writeDatabase(async (db) => {
    const draft = { id: applicationId, userId: owner.id, language: 'en' } as const;
    const row = (await beginDraft(db, draft, at))!;
    const answers = { email: owner.email, last_name: 'Holunderbusch' };
    const step = { step: 1, answers, isComplete: false, version: 0 } as const;
    await saveStep(db, { application: row, ...step }, at);
    await wishReminders(db, applicationId, { kind: 'anybody' }, at);
    return row;
  });
  const words = { reference: application.reference, name: 'Holunderbusch', email: owner.email };
  return leadOf('application_id', applicationId, words, set);
}

async function leadOf(
  column: 'message_id' | 'application_id',
  of: string,
  words: Matter['words'],
  set: Partial<LeadRow>,
): Promise<Matter> {
  const id = String(site.query(`select id from leads where ${column} = ?`, of)[0]?.['id']);
  await change('leads', id, set);
  return {
    ...{ id, page: `/crm/leads/${id}`, sent: { version: '1' }, words: { ...words, id } },
    queries: [
      ['select * from leads where id = ?', id],
      ['select * from contact_messages where id = ?', of],
      ['select * from applications where id = ?', of],
      MAILS,
    ],
  };
}

export const addBought = (options: Bought = {}) =>
  buy({ userId: people.owner.id, email: people.owner.email, ...options });

const queriesOf = (order: OrderRow) =>
  [
    ['select * from refunds where order_id = ?', order.id],
    ['select * from orders where id = ?', order.id],
    ['select * from applications where id = ?', order.application_id],
    MAILS,
  ] as const;

export async function addRefund({
  order: state = 'paid',
  ...set
}: Partial<RefundRow> & { order?: OrderRow['state'] } = {}): Promise<Matter> {
  const order = await addBought({ payment: await takenPayment(stripe), state });
  const asked = { kind: 'guarantee', reason: REASON } as const;
  const { id = '' } = (await writeDatabase((db) => openRefund(db, order, asked, new Date()))) ?? {};
  await change('refunds', id, set);
  const { reference } = order;
  const words = { id, reference, reason: REASON, email: people.owner.email, ...BUYER };
  const sent = { version: '1' };
  return { id, page: `/crm/refunds/${id}`, sent, words, queries: queriesOf(order) };
}

/**
 * A withdrawal that the owner has declared, before anything followed from it. `unmatched`: the reference
 * is none; `late`: after all days; `matched`: of an order, within them; `held`: the same, by reference and
 * address alone.
 */
export async function addWithdrawal(
  outcome: 'unmatched' | 'late' | 'matched' | 'held',
): Promise<Matter> {
  const mark = randomUUID().slice(0, 13);
  const email = `${mark}@example.eu`;
  const at = subDays(new Date(), outcome === 'late' ? 40 : 1);
  const order = await addBought({ at, buyerEmail: email });
  const declared = {
    name: `Quitte ${mark}`,
    reference: outcome === 'unmatched' ? `vergessen ${mark}` : order.reference,
    email,
  };
  const by = { ...OUTSIDE, own: outcome === 'held' ? [] : [order.application_id] };
  const id = await writeDatabase((db) => receiveWithdrawal(db, declared, by, new Date()));
  const queries = [['select * from withdrawals where id = ?', id] as const, ...queriesOf(order)];
  return { id, page: '/crm/refunds', sent: { id }, words: { id, ...declared }, queries };
}

export function addMember({
  is = 'active',
  role = 'agent',
}: { is?: 'active' | 'invited' | 'left'; role?: StaffRole } = {}): Matter {
  const how = is === 'invited' ? { passwordHash: null, hasFactor: false } : {};
  const member = addPerson(site, { role, isDeactivated: is === 'left', ...how });
  return memberOf(member, ['select * from users where id = ?', member.id]);
}

export function nobodyYet(): Matter {
  const email = `${randomUUID().slice(0, 13)}@example.eu`;
  return memberOf({ id: '', email }, ['select * from users where email = ?', email]);
}

const memberOf = ({ id, email }: Person, query: readonly [string, string]): Matter => ({
  ...{ id, page: '/crm/staff', sent: id ? { id, version: '1' } : { email }, words: { email } },
  queries: [
    query,
    ['select * from auth_factors where user_id = ?', id],
    ['select * from sessions where user_id = ?', id],
    ['select count(*) as count from one_time_tokens'],
    ["select count(*) as count from users where kind = 'staff'"],
    MAILS,
  ],
});
