import { randomUUID } from 'node:crypto';
import { addDays, addHours, min } from 'date-fns';

import { ANYBODY, type AuditActor, SYSTEM } from '~/accounts/audit.server';
import { saveStep } from '~/applications/answers.server';
import { savePhoto } from '~/applications/documents.server';
import { beginDraft } from '~/applications/drafts.server';
import { moveApplication } from '~/applications/moves.server';
import { openRequest } from '~/applications/requests.server';
import { randomToken } from '~/accounts/tokens.server';
import { dayOf } from '~/clock.server';
import { writeDatabase } from '~/database.server';
import { officialNumberColumns } from '~/desk/official-fee.server';
import { addNote, newTask } from '~/applications/tasks.server';
import {
  type ApplicationEvent,
  type ApplicationState,
  BEING_CHECKED,
  type MoveConditions,
  GUARDS,
  type Move,
  MOVES,
  UNPAID,
} from '~/domain/application/states';
import type { StepNumber } from '~/domain/application/steps';
import type { TypedLines } from '~/domain/application/tasks';
import { textInLanguage } from '~/i18n/languages';
import { wishReminders } from '~/leads/leads.server';
import { sealColumn } from '~/sealing/seal.server';
import { siteSettings } from '~/settings/settings.server';
import { insertTasks } from '~db/queries/application-tasks.server';
import { findApplication } from '~db/queries/applications.server';
import type { Database } from '~db/schema';
import { demoAnswers } from './answers';
import { passportPicture, portraitPicture, printedLines } from './pictures';
import { type DemoCase, type DemoStaff, emailOf } from './people';
import type { RefundEvent } from '~/domain/order/states';
import { capturePayment, findOrInsertOrder } from '~/orders/checkout.server';
import { takeDocumentNumber } from '~/orders/invoices.server';
import { offerOf } from '~/public/offer.server';
import { moveAfterRefund, moveRefund, openRefund, sealText } from '~/orders/refunds.server';
import type { StoredPayment } from '../../packages/stripe-stand-in/objects';
import { findFulfilledOrder, findOrder } from '~db/queries/orders.server';
import { rowsIn } from '~db/queries/rows.server';

/** How long after the payment a move is made; another one three hours after the one before it. */
const HOURS: Partial<Record<ApplicationEvent, number>> = {
  ...{ take: 1, request: 3, cancel: 2, check: 4, enter: 6, file: 9, outcome: 40 },
};

function wayTo(state: ApplicationState): Move[] {
  const ways = new Map<ApplicationState, Move[]>([['paid', []]]);
  for (const [from, way] of ways) {
    for (const row of MOVES) {
      // Where the site pays the fee, what is entered is filed.
      if (!row.from.includes(from) || row.setting === 'feeByOperator' || ways.has(row.to)) continue;
      ways.set(row.to, [...way, row]);
    }
  }
  return ways.get(state) ?? [];
}

export async function addDemoCase(demo: DemoCase, staff: DemoStaff, now: Date): Promise<void> {
  const { person, language, state } = demo;
  const at = (hours: number) => min([addHours(now, hours - demo.hours), now]);
  const id = randomUUID();
  const day = (days: number) => dayOf(addDays(now, days));
  const expiry = day(1500 + demo.trip);
  const lines = printedLines(person, expiry);
  const [first, second] = lines;
  const days = {
    issue: day(-700),
    expiry,
    arrival: day(demo.trip),
    departure: day(demo.trip + 10),
  };
  const answers = demoAnswers(demo, days, lines);
  const owner = demo.isOwn ? { userId: staff.traveller } : { token: randomToken() };
  const actor: AuditActor = demo.isOwn ? { kind: 'traveller', id: staff.traveller } : ANYBODY;
  const save = async (db: Database, step: StepNumber) => {
    const given = { answers: answers[step], isComplete: true, version: 0 };
    await saveStep(db, { application: { id }, step, ...given }, at(-1));
  };
  await writeDatabase(async (db) => {
    if (!(await beginDraft(db, { id, ...owner, language }, at(-2)))) throw new Error('no draft');
    const last = state === 'draft' ? 3 : 7;
    for (let step = 1; step <= last; step += 1) await save(db, step as StepNumber);
    if (demo.wantsReminder) await wishReminders(db, id, actor, at(-1));
  });
  if (state === 'draft') return;
  if (demo.photo !== false) {
    const image = { mediaType: 'image/png', bytes: await passportPicture(person, lines) } as const;
    await savePhoto({ image }, { applicationId: id, kind: 'passport_photo', actor }, at(-1));
    const portrait = { mediaType: 'image/jpeg', bytes: await portraitPicture() } as const;
    await savePhoto({ image: portrait }, { applicationId: id, kind: 'portrait', actor }, at(-1));
  }
  await writeDatabase(async (db) => {
    await save(db, 8);
    await move(db, id, 'certify', { as: 'owner', actor }, at(-1));
    if (state === 'expired') {
      await move(db, id, 'expire', { as: 'system', actor: SYSTEM }, at(600));
    }
    if (UNPAID.includes(state) || state === 'expired') return;
    await addDemoOrder(db, id, { demo, email: emailOf(person) }, at);
    const parts = { demo, staff, typed: { first, second } };
    let hours = 0;
    for (const row of wayTo(state)) {
      hours = HOURS[row.event] ?? hours + 3;
      await work(db, id, row, parts, at(hours * (demo.slow ?? 1)));
    }
    if (demo.refund) await addDemoRefund(db, id, demo.refund, staff, at(62));
    if (demo.note) {
      const note = { id: randomUUID(), applicationId: id, text: demo.note };
      await addNote(db, { ...note, by: staff.agents[0] }, at(2));
    }
  });
}

const ALL = Object.fromEntries(GUARDS.map((guard) => [guard, true])) as MoveConditions;
type MovedBy = Parameters<typeof moveApplication>[3];

async function move(
  db: Database,
  id: string,
  event: ApplicationEvent,
  by: Omit<MovedBy, 'facts'>,
  at: Date,
): Promise<void> {
  const row = await findApplication(db, id);
  const isOperator = siteSettings().officialFee === 'operator';
  const facts = { ...ALL, feeByOperator: isOperator, feeByTraveller: !isOperator };
  const result = row && (await moveApplication(db, row, event, { ...by, facts }, at));
  if (!result?.moved) throw new Error(`${event} is refused: ${result?.refused}`);
}

async function work(
  db: Database,
  id: string,
  { event, who, to }: Move,
  { demo, staff, typed }: { demo: DemoCase; staff: DemoStaff; typed: TypedLines },
  at: Date,
): Promise<void> {
  // Where the site pays the fee, what is entered is filed.
  if (event === 'file' && (await findApplication(db, id))?.state === 'filed') return;
  const [first, second] = staff.agents;
  // Nobody files what they have checked.
  const [checker, filer] = demo.agent === 2 ? [second, first] : [first, second];
  const isOperator = siteSettings().officialFee === 'operator';
  const instant = at.toISOString();
  const sets: Partial<Record<ApplicationEvent, MovedBy['set']>> = {
    take: { assigned_to: checker },
    request: { paused_at: instant },
    check: { checked_by: checker, assigned_to: null },
    enter: {
      ...officialNumberColumns(id, officialNumber(id)),
      assigned_to: filer,
      filed_by: filer,
      entered_at: instant,
      pay_by: isOperator ? null : addDays(at, 7).toISOString(),
      filed_at: isOperator ? instant : null,
    },
    file: { filed_at: instant, filed_by: filer },
    outcome: {
      decided_at: instant,
      valid_until: demo.state === 'approved' ? dayOf(addDays(at, 730)) : null,
    },
  };
  const isByFiler = ['enter', 'file', 'outcome'].includes(event);
  const staffMember = { kind: 'staff', id: isByFiler ? filer : checker } as const;
  const byOthers = who.includes('system') ? SYSTEM : ANYBODY;
  const actor = who.includes('system') || who.includes('owner') ? byOthers : staffMember;
  const chosen = event === 'outcome' && { to };
  await move(db, id, event, { as: who, actor, set: sets[event] ?? {}, ...chosen }, at);
  if (event === 'take') await addTasks(db, id, { demo, typed, doneBy: checker }, at);
  if (event === 'request') {
    const reason = textInLanguage(REASONS, demo.language);
    await openRequest(db, id, { fields: ['passport_number', 'passport_photo'], reason, actor }, at);
  }
}

const officialNumber = (id: string) => id.replaceAll('-', '').slice(0, 16).toUpperCase();

async function addTasks(
  db: Database,
  id: string,
  { demo, typed, doneBy }: { demo: DemoCase; typed: TypedLines; doneBy: string },
  at: Date,
): Promise<void> {
  const isDone = !BEING_CHECKED.includes(demo.state);
  const done = { state: 'done', done_by: doneBy, done_at: at.toISOString() } as const;
  const tasks = (['lines', 'photo', 'portrait', 'expiry'] as const).map((kind) => ({
    ...newTask(id, { kind, subject: '' }, at),
    ...(isDone && done),
  }));
  await insertTasks(
    db,
    tasks.map((task) => {
      if (!isDone || task.kind !== 'lines') return task;
      const text = JSON.stringify(typed);
      const typed_sealed = sealColumn('application_tasks', task.id, 'typed_sealed', text);
      return { ...task, typed_sealed };
    }),
  );
}

const REASONS = {
  fr: 'Le numéro et la photo ne vont pas ensemble. Indiquez le numéro de votre nouveau passeport et ajoutez la photo de sa page d’identité, s’il vous plaît.',
  en: 'The number and the photo do not match. Please enter the number of your new passport and add a photo of its page.',
  de: 'Nummer und Foto passen nicht zusammen. Bitte geben Sie die Nummer Ihres neuen Passes an und fügen Sie ein Foto seiner Seite hinzu.',
};

async function addDemoOrder(
  db: Database,
  applicationId: string,
  { demo, email }: { demo: DemoCase; email: string },
  at: (hours: number) => Date,
): Promise<void> {
  const { person, language } = demo;
  const row = await findApplication(db, applicationId);
  if (!row) throw new Error('no application');
  const paidAt = at(0);
  const choice = {
    ...offerOf(demo.package, language, person.country),
    ...({ package: demo.package, startChoice: 'now', consents: {}, language } as const),
    buyer: {
      name: `${person.first} ${person.last}`,
      address: ['Place de l’Exemple 1', person.city],
      country: person.country,
      email,
    },
  };
  const of = { row, owner: { kind: 'browser' } } as const;
  const { order } = await findOrInsertOrder(db, of, choice, paidAt);
  if (!order) throw new Error('no order');
  const number = order.id.replaceAll('-', '');
  const { amountCents, currency } = choice;
  // As the stand-in keeps it: it can be given back.
  const payment: StoredPayment = {
    amount: amountCents,
    currency: currency.toLowerCase(),
    refunded: 0,
    isDisputed: false,
  };
  const paymentId = `pi_demo_${number}`;
  const stored = { id: paymentId, kind: 'payment', data: JSON.stringify(payment) };
  await rowsIn(db).insert('stand_in_objects', { ...stored, created_at: paidAt.toISOString() });
  const paid = { id: `cs_demo_${number}`, url: null, status: 'complete', isPaid: true } as const;
  const checkout = { ...paid, amountCents, currency, orderId: order.id, paymentId };
  const result = await capturePayment(db, { ...checkout, expiresAt: paidAt }, paidAt);
  if (result !== 'fulfilled') throw new Error(`The order is ${result}`);
}

const STEPS: Readonly<Record<NonNullable<DemoCase['refund']>, readonly RefundEvent[]>> = {
  requested: [],
  proposed: ['propose'],
  refused: ['propose', 'refuse'],
  failed: ['propose', 'approve', 'fail'],
  settled: ['propose', 'approve', 'send', 'settle'],
};

async function addDemoRefund(
  db: Database,
  applicationId: string,
  state: NonNullable<DemoCase['refund']>,
  { agents: [agent], supervisor }: DemoStaff,
  at: Date,
): Promise<void> {
  const order = await findFulfilledOrder(db, applicationId);
  const application = await findApplication(db, applicationId);
  if (!order || !application) throw new Error('no order');
  const kinds = { cancelled: 'cancellation', not_authorized: 'guarantee' } as const;
  const kind = kinds[application.state as keyof typeof kinds] ?? 'goodwill';
  let refund = await openRefund(db, order, { kind, reason: 'Demonstration' }, at);
  const instant = at.toISOString();
  for (const event of STEPS[state]) {
    if (!refund) throw new Error('no refund');
    const who = event === 'propose' ? agent : supervisor;
    const set = {
      ...(event === 'propose' && { proposed_by: agent, proposed_at: instant }),
      ...(event === 'approve' && { approved_by: supervisor, approved_at: instant }),
      ...(event === 'refuse' && {
        approved_by: supervisor,
        answer_sealed: sealText(refund.id, 'answer_sealed', 'Demonstration'),
      }),
      ...(event === 'fail' && { failure_code: 'expired_or_canceled_card' }),
      ...(event === 'send' && {
        sent_at: instant,
        provider_refund_id: `re_demo_${refund.id.replaceAll('-', '')}`,
        credit_note_number: await takeDocumentNumber(db, 'credit_note', at),
      }),
      ...(event === 'settle' && { settled_at: instant }),
    };
    refund = await moveRefund(db, refund, event, { actor: { kind: 'staff', id: who }, set }, at);
  }
  const current = await findOrder(db, order.id);
  if (state === 'settled' && current) await moveAfterRefund(db, current, at);
}
