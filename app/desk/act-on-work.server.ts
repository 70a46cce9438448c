import { randomUUID } from 'node:crypto';

import { redirect } from '@remix-run/node';

import { audit } from '~/accounts/audit.server';
import { savedAnswers } from '~/applications/answers.server';
import { hasPassportPhoto } from '~/applications/documents.server';
import { now, today } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { dateOf } from '~/domain/application/dates';
import { DECIDED, ENTERED, eventsFrom, type Facts, staffActors } from '~/domain/application/states';
import { needsNote } from '~/domain/application/tasks';
import { canCorrectNumber } from '~/domain/desk';
import {
  FIELD_OF_GUARD,
  GOALS,
  type MoveIntent,
  NOTE_FORM,
  readOfficialNumber,
  REASON_FORM,
  validUntilProblem,
  type WorkIntent,
} from '~/domain/desk-work';
import { readForm, refuse, showAgain } from '~/http/form.server';
import { wakeOutbox } from '~/mail/outbox.server';
import { siteSettings } from '~/settings/settings.server';
import { listTasks, replaceTask } from '~db/queries/application-tasks.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { moveRow } from '~db/queries/versioned-rows.server';
import type { Database } from '~db/schema';
import { caseAddress } from './case-address.server';
import { tellOfCase } from './case-mail.server';
import { lockCase } from './lock-case.server';
import { moveCase } from './move-case.server';
import { addNote } from './notes.server';
import { latestDay, officialNumberOf, payByFrom, sealOfficialNumber } from './official-fee.server';
import type { OpenCase } from './open-case.server';
import { doTask, openTasks, reopenTask, taskOf, tasksOf } from './tasks.server';

/** Fields whose contents a page that is shown again has still. */
const FIELDS = [
  'intent',
  'task',
  'task_version',
  'note',
  'reason',
  'official_number',
  'official_paid',
  'outcome',
  'goal',
  'valid_until',
] as const;
/** Nothing of the desk's forms is longer, by far. */
const MOST_TYPED = 5000;

type Errors = Record<string, string>;
interface Refused {
  problem: string;
  errors?: Errors;
  status?: number;
}
type Done = Refused | undefined;

interface Sent {
  open: OpenCase;
  sent: FormData;
  typed: Record<string, string>;
}

/** Takes a form about the work on a case: a task, or a move of the table of states. */
export async function actOnWork(
  intent: WorkIntent,
  open: OpenCase,
  sent: FormData,
): Promise<Response> {
  const typed: Record<string, string> = {};
  for (const name of FIELDS) {
    const value = sent.get(name);
    if (typeof value === 'string') typed[name] = value.slice(0, MOST_TYPED);
  }
  const form = { open, sent, typed };
  if (open.rights.view !== 'full') {
    // Somebody who might have a moment ago; nobody else has the form.
    if (sent.get('version') === String(open.row.version)) throw new Response(null, { status: 403 });
    return answer(form, { problem: 'changed', status: 409 });
  }
  // Asked to confirm it, somebody has seen a mistake.
  if (sent.get('confirm') === 'no') return showAgain(sent);
  if (isJudged(intent)) {
    const refused = judgeMay(intent, form) ?? (await JUDGE[intent](form));
    if (refused) return answer(form, refused);
    if (intent !== 'correct' && sent.get('confirm') !== 'yes') return askToConfirm(form);
  }
  const refused = await requireDatabase((db) => {
    if (intent === 'task' || intent === 'reopen-task') return seeToTask(db, intent, form);
    return intent === 'correct_number' ? correctNumber(db, form) : make(db, intent, form);
  }, writeDatabase);
  if (refused) return answer(form, refused);
  wakeOutbox();
  return redirect(`${caseAddress(open, { done: intent })}#work`, 303);
}

function answer({ typed }: Sent, { problem, errors = {}, status = 422 }: Refused): Response {
  return refuse(problem, { typed, errors }, { status });
}

/** What cannot be taken back by who did it is asked once more; nothing of it stands in an address. */
function askToConfirm({ typed }: Sent): Response {
  return refuse('confirm', { typed }, { status: 200 });
}

const CHANGED = { problem: 'changed', status: 409 } as const;

/** The case as it is now, held; undefined if it is not what the form was made from. */
async function held(db: Database, { open, sent }: Sent): Promise<ApplicationRow | undefined> {
  const row = await lockCase(db, open, sent.get('version'));
  // What was emptied stays as it is: a note about it would never be deleted.
  return row?.purged_at === null ? row : undefined;
}

async function seeToTask(db: Database, intent: 'task' | 'reopen-task', form: Sent): Promise<Done> {
  const { open, sent, typed } = form;
  const row = await held(db, form);
  if (!row) return CHANGED;
  const tasks = await listTasks(db, row.id);
  const task = tasks.find(({ id }) => id === typed['task']);
  if (!task) throw new Response(null, { status: 404 });
  const { user } = open.session;
  const isOwn = row.assigned_to === user.id;
  if (task.kind === 'outcome' ? row.state !== 'filed' : row.state !== 'in_review' || !isOwn) {
    return { problem: row.state === 'in_review' ? 'actor' : 'state', status: 409 };
  }
  // The lines are typed on a page of their own.
  if (task.kind === 'lines' && intent === 'task') throw new Response(null, { status: 400 });
  if (String(task.version) !== typed['task_version']) return CHANGED;
  const isOpen = task.state === 'open';
  if (isOpen !== (intent === 'task')) return CHANGED;
  if (intent === 'reopen-task') {
    await reopenTask(db, task, { actor: { kind: 'staff', id: user.id } }, now());
    return undefined;
  }
  const read = readForm(sent, NOTE_FORM);
  if (read.errors) return { problem: 'invalid', errors: present(read.errors) };
  const { note } = read.values;
  if (needsNote(task.kind) && !note) return { problem: 'invalid', errors: { note: 'required' } };
  if (task.kind === 'photo' && !(await hasPassportPhoto(db, row.id))) return { problem: 'noPhoto' };
  await doTask(db, task, { by: user.id, note }, now());
  return undefined;
}

const present = (errors: Partial<Record<string, string>>): Errors =>
  Object.fromEntries(Object.entries(errors).filter((one): one is [string, string] => !!one[1]));

/** What is judged before anybody is asked to confirm it. */
const JUDGE = {
  enter: judgeEntry,
  correct_number: judgeNumber,
  outcome: (form: Sent) => judgeDecision('outcome', form),
  correct: (form: Sent) => judgeDecision('correct', form),
} as const;
type Judged = keyof typeof JUDGE;
const isJudged = (intent: WorkIntent): intent is Judged => intent in JUDGE;

/** Whether the case is still what the form was made from, and who sends it may. */
function judgeMay(intent: Judged, { open, sent }: Sent): Done {
  const { row, session, isAssigned } = open;
  const { id: userId, role } = session.user;
  if (sent.get('version') !== String(row.version)) return CHANGED;
  if (row.purged_at !== null) return { problem: 'state', status: 409 };
  if (intent === 'correct_number') {
    if (!ENTERED.includes(row.state)) return { problem: 'state', status: 409 };
    if (canCorrectNumber({ role, userId, row }, now()) !== undefined) return undefined;
  } else if (eventsFrom(row.state, staffActors(role, isAssigned)).includes(intent)) {
    return undefined;
  }
  return { problem: 'actor', status: 403 };
}

const NO_NUMBER = {
  problem: 'officialNumberGiven',
  errors: { official_number: 'officialNumberGiven' },
};

function judgeEntry({ typed }: Sent): Done {
  if (readOfficialNumber(typed['official_number'] ?? '') === undefined) return NO_NUMBER;
  const isPaid = typed['official_paid'] === 'yes';
  if (isPaid || siteSettings().officialFee === 'traveller') return undefined;
  return { problem: 'officialPaymentSeen', errors: { official_paid: 'officialPaymentSeen' } };
}

function judgeNumber(form: Sent): Done {
  const number = readOfficialNumber(form.typed['official_number'] ?? '');
  if (number === undefined) return NO_NUMBER;
  if (number === officialNumberOf(form.open.row)) {
    return { problem: 'invalid', errors: { official_number: 'sameNumber' } };
  }
  const read = reasonIn(form);
  return 'problem' in read ? read : undefined;
}

/** Puts the right number in the place of a wrong one, and tells the traveller. */
async function correctNumber(db: Database, form: Sent): Promise<Done> {
  const row = await held(db, form);
  const number = readOfficialNumber(form.typed['official_number'] ?? '');
  const read = reasonIn(form);
  if (!row || number === undefined || 'problem' in read) return CHANGED;
  const set = { state: row.state, official_number_sealed: sealOfficialNumber(row.id, number) };
  if (!(await moveRow(db, 'applications', row, set))) return CHANGED;
  const [at, { id: writtenBy }] = [now(), form.open.session.user];
  await audit(db, { kind: 'staff', id: writtenBy }, 'case.corrected', ['application', row.id], at, {
    field: 'official_number',
  });
  await addNote(db, { id: randomUUID(), applicationId: row.id, text: read.reason, writtenBy }, at);
  await tellOfCase(db, { ...row, ...set }, 'numberCorrected', at);
  return undefined;
}

async function judgeDecision(
  intent: 'outcome' | 'correct',
  { open: { row }, typed, sent }: Sent,
): Promise<Done> {
  const name = intent === 'outcome' ? 'outcome' : 'goal';
  const choices: readonly string[] = intent === 'outcome' ? DECIDED : GOALS;
  const chosen = typed[name] ?? '';
  if (!choices.includes(chosen)) return { problem: 'invalid', errors: { [name]: 'outcome' } };
  const read = intent === 'correct' ? readForm(sent, REASON_FORM) : undefined;
  if (read?.errors) {
    const { reason } = present(read.errors);
    return {
      problem: 'invalid',
      errors: { reason: reason === 'required' ? 'reasonGiven' : (reason ?? '') },
    };
  }
  if (chosen !== 'approved') return undefined;
  const day = typed['valid_until']?.trim() ?? '';
  if (day === '') return { problem: 'validUntilGiven', errors: { valid_until: 'validUntilGiven' } };
  const problem = await requireDatabase(async (db) => {
    const { all } = await savedAnswers(db, row.id);
    const passportExpiry = dateOf(all[2] ?? {}, 'passport_expiry_date')?.day;
    return validUntilProblem(day, { today: today(), latest: await latestDay(db), passportExpiry });
  });
  return problem && { problem: 'invalid', errors: { valid_until: problem } };
}

/** What a move needs of what was typed and found out. */
interface Made {
  facts: Facts;
  to?: ApplicationRow['state'];
  set?: Parameters<typeof moveCase>[4]['set'];
  mail?: Parameters<typeof tellOfCase>[2];
  reason?: string;
  /** What else changes once the case has moved. */
  after?: () => Promise<unknown>;
}

async function make(db: Database, intent: MoveIntent, form: Sent): Promise<Done> {
  const row = await held(db, form);
  if (!row) return CHANGED;
  const at = now();
  const made = await PREPARE[intent](db, row, form, at);
  if ('problem' in made) return made;
  const { facts, to, set, mail, reason, after } = made;
  const { user } = form.open.session;
  const result = await moveCase(
    db,
    form.open,
    row,
    intent,
    { facts, ...(to && { to }), ...(set && { set }) },
    at,
  );
  if (result.refused === 'guard') {
    const guard = result.guard ?? 'tasksDone';
    const field = FIELD_OF_GUARD[guard];
    return { problem: guard, ...(field !== undefined && { errors: { [field]: guard } }) };
  }
  if (result.refused === 'actor') return { problem: 'actor', status: 403 };
  if (result.refused) return { problem: result.refused, status: 409 };
  if (reason) {
    const note = { id: randomUUID(), applicationId: row.id, text: reason, writtenBy: user.id };
    await addNote(db, note, at);
  }
  await after?.();
  if (mail) await tellOfCase(db, result.moved, mail, at);
  return undefined;
}

type Prepare = (
  db: Database,
  row: ApplicationRow,
  form: Sent,
  at: Date,
) => Promise<Made | Refused> | Made | Refused;

const PREPARE: Record<MoveIntent, Prepare> = {
  async check(db, row, { open }, at) {
    // What an answer has brought with it since is asked for now.
    await openTasks(db, row, at);
    const { open: left } = await tasksOf(db, row);
    return { facts: { tasksDone: left.length === 0 }, set: { checked_by: open.session.user.id } };
  },

  send_back(_, row, form) {
    const read = reasonIn(form);
    if ('problem' in read) return read;
    // To who checked it, and sees what was wrong.
    const assigned_to = row.checked_by ?? row.assigned_to;
    return { facts: { reasonGiven: true }, ...read, set: { checked_by: null, assigned_to } };
  },

  async enter(db, row, { open, typed }, at) {
    const number = readOfficialNumber(typed['official_number'] ?? '');
    const payBy = await payByFrom(db, at);
    const isPaid = typed['official_paid'] === 'yes';
    const isOperator = siteSettings().officialFee === 'operator';
    const { id } = open.session.user;
    const entered = at.toISOString();
    return {
      facts: {
        officialNumberGiven: number !== undefined,
        payByKnown: payBy !== undefined,
        officialPaymentSeen: isPaid,
      },
      set: {
        official_number_sealed: number === undefined ? null : sealOfficialNumber(row.id, number),
        assigned_to: id,
        filed_by: id,
        entered_at: entered,
        pay_by: isOperator ? null : (payBy?.toISOString() ?? null),
        filed_at: isOperator ? entered : null,
        reminded_at: null,
      },
      mail: isOperator ? 'filed' : 'feeDue',
    };
  },

  file(_, __, { open, typed }, at) {
    return {
      facts: { officialPaymentSeen: typed['official_paid'] === 'yes' },
      set: { filed_at: at.toISOString(), filed_by: open.session.user.id, reminded_at: null },
      mail: 'filed',
    };
  },

  async outcome(db, row, { open, typed }, at) {
    const to = DECIDED.find((one) => one === typed['outcome']);
    if (!to) return { problem: 'invalid', errors: { outcome: 'outcome' } };
    const task = taskOf(await listTasks(db, row.id), 'outcome');
    const by = open.session.user.id;
    return {
      facts: { validUntilGiven: to === 'approved' },
      to,
      set: { ...decided(to, typed), decided_at: at.toISOString() },
      mail: to === 'approved' ? 'approved' : 'notAuthorized',
      // Nobody has to look for it any more.
      ...(task?.state === 'open' && { after: () => doTask(db, task, { by }, at) }),
    };
  },

  async correct(db, row, form, at) {
    const { typed } = form;
    const to = GOALS.find((one) => one === typed['goal']);
    if (!to) return { problem: 'invalid', errors: { goal: 'outcome' } };
    const read = reasonIn(form);
    if ('problem' in read) return read;
    const task = taskOf(await listTasks(db, row.id), 'outcome');
    const looked = { state: 'done', done_at: at.toISOString() } as const;
    return {
      facts: { reasonGiven: true, validUntilGiven: to === 'approved' },
      to,
      ...read,
      set: { ...decided(to, typed), decided_at: to === 'filed' ? null : at.toISOString() },
      mail: 'corrected',
      // Somebody looks for the decision in a week.
      ...(to === 'filed' && task && { after: () => replaceTask(db, task, looked) }),
    };
  },
};

const decided = (
  to: (typeof GOALS)[number],
  { valid_until: day = '' }: Record<string, string>,
) => ({
  valid_until: to === 'approved' ? day.trim() : null,
});

function reasonIn({ sent }: Sent): { reason: string } | Refused {
  const read = readForm(sent, REASON_FORM);
  if (read.values) return read.values;
  const { reason = '' } = present(read.errors);
  if (reason !== 'required') return { problem: 'invalid', errors: { reason } };
  return { problem: 'reasonGiven', errors: { reason: 'reasonGiven' } };
}
