/** What the staff of a simulated year do, and what banks do meanwhile. */
import { addDays } from 'date-fns';

import { openTasks, taskOf } from '~/applications/tasks.server';
import { now } from '~/clock.server';
import { openCase } from '~/desk/case.server';
import { act } from '~/desk/case-page.server';
import { queryDatabase, writeDatabase } from '~/database.server';
import { SYSTEM } from '~/accounts/audit.server';
import { takeDecision } from '~/orders/refund-desk.server';
import { askForRefund } from '~/orders/refunds.server';
import { typedAmount } from '~/domain/order/refund-rules';
import { listTasks } from '~db/queries/application-tasks.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { findFulfilledOrder } from '~db/queries/orders.server';
import { bundles } from '~/i18n/bundles.server';
import { HtmlBrowser } from '../http/html-browser';
import type { Person } from '../http/signed-in';
import * as story from '../http/story-people';
import { lastDay, responds, type Traveller, withdraws } from './travellers';
import type { World } from './world';

const { buttons, fields, outcomes } = bundles.en['desk-work'];
const { take } = bundles.en['desk-assignment'];
const officialNumber = ({ id }: Pick<Traveller, 'id'>) =>
  id.replaceAll('-', '').slice(0, 16).toUpperCase();

/** A share of the cases in a state are seen to in another part of the day. */
const LATER = 0.1;

/** All that waits for somebody: a part of a day's work. */
export async function works(world: World): Promise<void> {
  const rows = await queryDatabase((db) =>
    db
      .selectFrom('applications')
      .select(['id', 'state', 'created_at', 'assigned_to'])
      .where('state', 'in', ['paid', 'in_review', 'action_required', 'checked', 'fee_due', 'filed'])
      .execute(),
  );
  for (const row of rows) {
    const one = world.travellers.get(row.id);
    if (!one || world.isOneOf(LATER)) continue;
    if (world.isOneOf(0.01) && row.state !== 'filed') await withdraws(world, one);
    else if (row.state === 'action_required') {
      if (one.forgets !== 'a request') await responds(world, one);
    } else await WORK[one.way](world, one, row);
  }
  await seesToRefunds(world);
}

type Row = Pick<ApplicationRow, 'id' | 'state' | 'created_at' | 'assigned_to'>;

const WORK = { pages: worksByPages, commands: worksByCommands };

async function at(world: World, person: Person, { id }: Row): Promise<HtmlBrowser> {
  const session = await world.sessionOf(person);
  return HtmlBrowser.open(world.site().origin, `/crm/processing/${id}`, 'en', { session });
}

async function worksByPages(world: World, one: Traveller, row: Row): Promise<void> {
  const { checker, filer } = world.staff;
  if (row.state === 'paid' || row.state === 'in_review') {
    const reader = await at(world, checker, row);
    if (row.state === 'paid') await reader.press(take);
    if (row.state === 'paid' && world.isOneOf(0.1)) {
      await story.typesTheLines(reader, one.lines);
      await story.asksForTheNumber(reader);
      return world.count('requests');
    }
    await story.typesTheLines(reader, one.lines);
    await story.doesTheTasks(reader);
    await reader.press(buttons.check);
    return world.count('checked');
  }
  const reader = await at(world, filer, row);
  if (row.state === 'checked') {
    await story.enters(reader, officialNumber(one));
    return world.count('entered');
  }
  if (row.state === 'fee_due') {
    if (isForgotten(world, one, row)) return;
    await story.files(reader);
    return world.count('filed');
  }
  const outcome = outcomeOf(world);
  if (outcome === 'approved') await story.approves(reader, lastDay(world));
  else {
    reader.choose(fields.outcome, outcomes[outcome]);
    await reader.press(buttons.outcome);
    await reader.press(buttons.confirm.replace('{{what}}', outcomes[outcome]));
  }
  await decided(world, one, outcome);
}

/** Who forgets the official fee pays it a month later. */
const isForgotten = (world: World, { forgets }: Traveller, { created_at }: Row) =>
  forgets === 'the official fee' && created_at > addDays(world.now(), -30).toISOString();

const outcomeOf = ({ isOneOf }: World) => (isOneOf(0.05) ? 'not_authorized' : 'approved');

/** Who was refused asks for their money back. */
async function decided(world: World, { id }: Traveller, outcome: string): Promise<void> {
  world.count(outcome);
  if (outcome === 'approved' || world.isOneOf(0.3)) return;
  await writeDatabase(async (db) => {
    const order = await findFulfilledOrder(db, id);
    if (order) await askForRefund(db, order, { kind: 'guarantee', actor: SYSTEM }, now());
  });
}

async function worksByCommands(world: World, one: Traveller, row: Row): Promise<void> {
  const { checker, filer } = world.staff;
  const does = async (
    person: Person,
    intent: Parameters<typeof act>[0],
    fieldsOf: (open: Awaited<ReturnType<typeof openCase>>) => Promise<object> | object = () => ({}),
  ) => {
    const address = `${world.site().origin}/crm/processing/${one.id}`;
    const headers = { Cookie: `session=${await world.sessionOf(person)}` };
    const open = await openCase(new Request(address, { headers }), one.id);
    const sent = new FormData();
    const values = { version: open.row.version, confirm: 'yes', ...(await fieldsOf(open)) };
    for (const [name, value] of Object.entries(values)) sent.set(name, String(value));
    const answer = await act(intent, open, sent, 'en');
    if (!(answer instanceof Response) || answer.status !== 303)
      throw new Error(`${intent} is refused: ${JSON.stringify(answer)}`);
  };
  if (row.state === 'paid' || row.state === 'in_review') {
    if (row.state === 'paid') await does(checker, 'take');
    await does(checker, 'lines', () => ({ ...one.lines, task_version: 0 }));
    const tasks = await writeDatabase(async (db) => {
      await openTasks(db, one, now());
      return listTasks(db, one.id);
    });
    await does(checker, 'photos', () => ({
      ...{ photo: 'yes', portrait: 'yes' },
      photo_version: taskOf(tasks, 'photo')?.version,
      portrait_version: taskOf(tasks, 'portrait')?.version,
    }));
    for (const task of tasks) {
      if (task.state !== 'open' || ['lines', 'photo', 'portrait'].includes(task.kind)) continue;
      const { id, version } = task;
      await does(checker, 'task', () => ({ task: id, task_version: version, note: 'Seen.' }));
    }
    await does(checker, 'check');
    return world.count('checked');
  }
  if (row.state === 'checked') {
    if (row.assigned_to === null) await does(filer, 'take');
    await does(filer, 'enter', () => ({ official_number: officialNumber(one) }));
    return world.count('entered');
  }
  if (row.state === 'fee_due') {
    if (isForgotten(world, one, row)) return;
    await does(filer, 'file', () => ({ official_paid: 'yes' }));
    return world.count('filed');
  }
  const outcome = outcomeOf(world);
  const valid_until = outcome === 'approved' ? lastDay(world) : '';
  await does(filer, 'outcome', () => ({ outcome, valid_until }));
  await decided(world, one, outcome);
}

/** An agent proposes, the supervisor approves; what a bank has refused is tried once more. */
async function seesToRefunds(world: World): Promise<void> {
  const { checker, boss } = world.staff;
  const rows = await queryDatabase((db) =>
    db
      .selectFrom('refunds')
      .select(['id', 'state', 'version', 'amount_cents'])
      .where('state', 'in', ['requested', 'proposed', 'failed'])
      .execute(),
  );
  for (const { id, state, version, amount_cents } of rows) {
    const [event, person, role] =
      state === 'requested'
        ? (['propose', checker, 'agent'] as const)
        : ([state === 'failed' ? 'retry' : 'approve', boss, 'supervisor'] as const);
    const sent = new FormData();
    const values = {
      version,
      confirm: 'yes',
      amount: typedAmount(amount_cents, '.'),
      reason: 'Year',
    };
    for (const [name, value] of Object.entries(values)) sent.set(name, String(value));
    world.stripe.newRefunds(world.isOneOf(0.2) ? 'pending' : 'succeeded');
    const answer = await takeDecision(event, { id, sent, staff: { id: person.id, role } });
    if (!(answer instanceof Response)) throw new Error(`${event}: ${JSON.stringify(answer)}`);
    if (event !== 'propose')
      world.count(event === 'retry' ? 'refunds retried' : 'refunds approved');
  }
}

/** Banks end the refunds that they let wait, take payments back, and say who is right in the end. */
export async function banksWork(world: World): Promise<void> {
  const { stripe, isOneOf } = world;
  const pending = await queryDatabase((db) =>
    db
      .selectFrom('refunds')
      .select('provider_refund_id as id')
      .where('state', '=', 'sent')
      .where('provider_refund_id', 'is not', null)
      .execute(),
  );
  for (const { id } of pending) {
    if (isOneOf(0.5))
      await (isOneOf(0.3) ? stripe.failRefund(id ?? '') : stripe.settleRefund(id ?? ''));
  }
  if (isOneOf(0.2)) {
    const order = await queryDatabase((db) =>
      db
        .selectFrom('orders')
        .select('provider_session_id as id')
        .where('state', '=', 'paid')
        .orderBy('paid_at', 'desc')
        .limit(1)
        .executeTakeFirst(),
    );
    if (order?.id) {
      world.disputes.push(await stripe.dispute(order.id));
      world.count('disputes');
    }
  }
  if (isOneOf(0.2)) {
    const dispute = world.disputes.shift();
    if (dispute) await stripe.closeDispute(dispute, isOneOf(0.5) ? 'won' : 'lost');
  }
  // Late, twice and in any order, as a provider says that they may come.
  await stripe.deliver((all) =>
    all
      .map((one) => [world.random(), one] as const)
      .sort(([a], [b]) => a - b)
      .map(([, one]) => one),
  );
}
