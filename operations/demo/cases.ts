import { randomUUID } from 'node:crypto';

import { addDays, addHours, min } from 'date-fns';

import type { AuditActor } from '~/accounts/audit.server';
import { saveStep } from '~/applications/answers.server';
import { keepPhoto } from '~/applications/documents.server';
import { beginDraft } from '~/applications/drafts.server';
import { moveApplication } from '~/applications/moves.server';
import { randomToken } from '~/accounts/tokens.server';
import { dayOf } from '~/clock.server';
import { writeDatabase } from '~/database.server';
import type { ApplicationEvent, ApplicationState, Facts } from '~/domain/application/states';
import { BEING_CHECKED, GUARDS, UNPAID } from '~/domain/application/states';
import type { StepNumber } from '~/domain/application/steps';
import type { TypedLines } from '~/domain/application/tasks';
import { type Language, textIn } from '~/i18n/languages';
import { siteSettings } from '~/settings/settings.server';
import { type ApplicationRow, findApplication } from '~db/queries/applications.server';
import type { Database } from '~db/schema';
import { sealed } from './accounts';
import { demoAnswers } from './answers';
import { addDemoOrder, addDemoRefund } from './orders';
import { passportPicture, printedLines } from './passport';
import { type DemoCase, emailOf } from './people';

export interface DemoStaff {
  agents: readonly [string, string];
  supervisor: string;
  traveller: string;
}

/** The moves on the way to a state, each so many hours after the payment. */
const TAKE = ['take', 1] as const;
const CHECKED = [TAKE, ['check', 4]] as const;
const ENTERED = [...CHECKED, ['enter', 6]] as const;
const FILED = [...ENTERED, ['file', 9]] as const;
type Way = readonly (readonly [ApplicationEvent, number])[];
const WAYS: Readonly<Record<ApplicationState, Way>> = {
  draft: [],
  awaiting_payment: [],
  expired: [],
  paid: [],
  in_review: [TAKE],
  action_required: [TAKE, ['request', 3]],
  checked: CHECKED,
  fee_due: ENTERED,
  filed: FILED,
  approved: [...FILED, ['outcome', 40]],
  not_authorized: [...FILED, ['outcome', 60]],
  cancelled: [['cancel', 2]],
};

/** Adds a case of the demonstration, by the same steps as a traveller and the staff make it. */
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
  const actor: AuditActor = demo.isOwn
    ? { kind: 'traveller', id: staff.traveller }
    : { kind: 'anybody' };
  const save = async (db: Database, step: StepNumber) => {
    const given = { answers: answers[step], isComplete: true, version: 0 };
    await saveStep(db, { application: { id }, step, ...given }, at(-1));
  };
  await writeDatabase(async (db) => {
    if (!(await beginDraft(db, { id, ...owner, language }, at(-2)))) throw new Error('no draft');
    const last = state === 'draft' ? 3 : 7;
    for (let step = 1; step <= last; step += 1) await save(db, step as StepNumber);
    if (demo.wantsReminder) {
      await db
        .updateTable('applications')
        .set({ wants_reminder: 1 })
        .where('id', '=', id)
        .execute();
    }
  });
  if (state === 'draft') return;
  if (demo.photo !== false) {
    const bytes = passportPicture(person, lines);
    await keepPhoto({ mediaType: 'image/png', bytes }, { applicationId: id, actor }, at(-1));
  }
  await writeDatabase(async (db) => {
    await save(db, 8);
    await move(db, id, 'certify', { as: 'owner', actor }, at(-1));
    if (state === 'expired') {
      await move(db, id, 'expire', { as: 'system', actor: { kind: 'system' } }, at(600));
    }
    if (UNPAID.includes(state) || state === 'expired') return;
    await addDemoOrder(db, id, { demo, email: emailOf(person) }, at);
    for (const [event, hours] of WAYS[state]) {
      await work(
        db,
        id,
        event,
        { demo, staff, typed: { first, second } },
        at(hours * (demo.slow ?? 1)),
      );
    }
    if (demo.refund) {
      await addDemoRefund(db, id, demo.refund, staff, at(62));
    }
    if (demo.note) await note(db, id, demo.note, staff.agents[0], at(2));
  });
}

const ALL = Object.fromEntries(GUARDS.map((guard) => [guard, true])) as Facts;

interface Mover {
  as: Parameters<typeof moveApplication>[3]['as'];
  actor: AuditActor;
  to?: ApplicationState;
  set?: NonNullable<Parameters<typeof moveApplication>[3]['set']>;
}

/** Moves it; what is invented fulfils every condition. */
async function move(
  db: Database,
  id: string,
  event: ApplicationEvent,
  mover: Mover,
  at: Date,
): Promise<ApplicationRow> {
  const row = await findApplication(db, id);
  const isOperator = siteSettings().officialFee === 'operator';
  const facts = { ...ALL, feeByOperator: isOperator, feeByTraveller: !isOperator };
  const result = row && (await moveApplication(db, row, event, { ...mover, facts }, at));
  if (!result?.moved) throw new Error(`${event} is refused: ${result?.refused}`);
  return result.moved;
}

/** What staff do on the way of a case. */
async function work(
  db: Database,
  id: string,
  event: ApplicationEvent,
  { demo, staff, typed }: { demo: DemoCase; staff: DemoStaff; typed: TypedLines },
  at: Date,
): Promise<void> {
  const [first, second] = demo.agent === 2 ? staff.agents.toReversed() : staff.agents;
  const checker = first ?? '';
  // Nobody files what they have checked.
  const filer = second ?? '';
  const by = (who: string) =>
    ({ as: ['agent', 'assignee'], actor: { kind: 'staff', id: who } }) as const;
  const instant = at.toISOString();
  // Where the site pays the fee, what is entered is filed.
  if (event === 'file' && (await findApplication(db, id))?.state === 'filed') return;
  if (event === 'take') {
    await move(db, id, event, { ...by(checker), set: { assigned_to: checker } }, at);
    for (const kind of ['lines', 'photo', 'expiry'] as const) {
      const isDone = !BEING_CHECKED.includes(demo.state);
      const done = isDone && { doneBy: checker, ...(kind === 'lines' && { typed }) };
      await addTask(db, id, { kind, at, ...done });
    }
  } else if (event === 'request') {
    await move(db, id, event, { ...by(checker), set: { paused_at: instant } }, at);
    await ask(db, id, { by: checker, language: demo.language }, at);
  } else if (event === 'check') {
    await move(db, id, event, { ...by(checker), set: { checked_by: checker } }, at);
  } else if (event === 'enter') {
    const isOperator = siteSettings().officialFee === 'operator';
    const set = {
      official_number_sealed: sealed(
        'applications',
        id,
        'official_number_sealed',
        officialNumber(id),
      ),
      assigned_to: filer,
      filed_by: filer,
      entered_at: instant,
      pay_by: isOperator ? null : addDays(at, 7).toISOString(),
      filed_at: isOperator ? instant : null,
    };
    await move(db, id, event, { ...by(filer), set }, at);
  } else if (event === 'file') {
    await move(db, id, event, { ...by(filer), set: { filed_at: instant, filed_by: filer } }, at);
  } else if (event === 'outcome') {
    const isApproved = demo.state === 'approved';
    const valid_until = isApproved ? dayOf(addDays(at, 730)) : null;
    const set = { decided_at: instant, valid_until };
    await move(db, id, event, { ...by(filer), to: demo.state, set }, at);
  } else {
    await move(db, id, event, { as: 'owner', actor: { kind: 'anybody' } }, at);
  }
}

/** As many signs as the official ones have, of nobody's. */
const officialNumber = (id: string) => id.replaceAll('-', '').slice(0, 16).toUpperCase();

interface DemoTask {
  kind: 'lines' | 'photo' | 'expiry';
  at: Date;
  doneBy?: string;
  typed?: TypedLines;
}

async function addTask(db: Database, id: string, { kind, at, doneBy, typed }: DemoTask) {
  const task = randomUUID();
  await db
    .insertInto('application_tasks')
    .values({
      id: task,
      application_id: id,
      kind,
      state: doneBy ? 'done' : 'open',
      created_at: at.toISOString(),
      ...(doneBy && { done_by: doneBy, done_at: at.toISOString() }),
      ...(typed && {
        typed_sealed: sealed('application_tasks', task, 'typed_sealed', JSON.stringify(typed)),
      }),
    })
    .execute();
}

const REASONS = {
  fr: 'Le numéro et la photo ne vont pas ensemble. Indiquez le numéro de votre nouveau passeport et ajoutez la photo de sa page d’identité, s’il vous plaît.',
  en: 'The number and the photo do not match. Please enter the number of your new passport and add a photo of its page.',
  de: 'Nummer und Foto passen nicht zusammen. Bitte geben Sie die Nummer Ihres neuen Passes an und fügen Sie ein Foto seiner Seite hinzu.',
};

async function ask(
  db: Database,
  id: string,
  { by, language }: { by: string; language: Language },
  at: Date,
): Promise<void> {
  const request = randomUUID();
  const reason = textIn(REASONS, language);
  await db
    .insertInto('application_requests')
    .values({
      id: request,
      application_id: id,
      state: 'open',
      fields: JSON.stringify(['passport_number', 'passport_photo']),
      reason_sealed: sealed('application_requests', request, 'reason_sealed', reason),
      created_by: by,
      created_at: at.toISOString(),
    })
    .execute();
}

async function note(db: Database, applicationId: string, text: string, by: string, at: Date) {
  const id = randomUUID();
  await db
    .insertInto('notes')
    .values({
      id,
      application_id: applicationId,
      text_sealed: sealed('notes', id, 'text_sealed', text),
      written_by: by,
      created_at: at.toISOString(),
    })
    .execute();
}
