import { redirect } from '@remix-run/node';

import { audit } from '~/accounts/audit.server';
import { answersInWords, fieldLabels } from '~/applications/answers-in-words.server';
import { savedAnswers } from '~/applications/answers.server';
import { picturesOf } from '~/applications/pictures.server';
import { answerBy, fieldsOf } from '~/applications/requests.server';
import { warningView } from '~/applications/step-fields.server';
import { now, today } from '~/clock.server';
import { queryDatabase, requireDatabase, requireWrite } from '~/database.server';
import { answeredDate, dayIn } from '~/domain/application/dates';
import {
  DECIDED,
  ENTERED,
  eventsFrom,
  settingFacts,
  staffActors,
} from '~/domain/application/states';
import { ASKED_STEPS, STEPS } from '~/domain/application/steps';
import { needsNote, readyReasonOf, readyReasons, warningOf } from '~/domain/application/tasks';
import { warningsOf } from '~/domain/application/validate-step';
import { canCorrectNumber, FINISHED } from '~/domain/desk';
import {
  FIELD_OF_GUARD,
  GOALS,
  goalsFrom,
  isMoveIntent,
  LOOK_RESULTS,
  type MoveIntent,
  NOTE_FORM,
  readOfficialNumber,
  REASON_FORM,
  validUntilProblem,
  type WorkIntent,
} from '~/domain/desk-work';
import { askFirst, readForm, refuse } from '~/http/form.server';
import type { Language } from '~/i18n/languages';
import { formatDay, formatInstant, shortInstants, translator } from '~/i18n/locale.server';
import { unsealColumn } from '~/sealing/seal.server';
import { siteSettings } from '~/settings/settings.server';
import { findOpenRequest } from '~db/queries/application-requests.server';
import { listTasks, type TaskRow } from '~db/queries/application-tasks.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { rowsIn } from '~db/queries/rows.server';
import { findStaffName } from '~db/queries/staff.server';
import type { Database } from '~db/schema';
import { redirectToNextCase } from './assign.server';
import {
  caseAddress,
  type CaseMove,
  isHiddenStep,
  lockCase,
  moveCase,
  type OpenCase,
} from './case.server';
import { backToCheck, saveTicks } from './check.server';
import { requestableLabels } from './conversation-entries.server';
import {
  latestDay,
  officialNumberOf,
  payByFrom,
  officialNumberColumns,
  tellOfCase,
} from './official-fee.server';
import {
  addNote,
  type CaseTasks,
  checkersOf,
  doTask,
  isSameTask,
  noteOf,
  openTasks,
  reopenTask,
  taskOf,
  tasksOf,
} from '~/applications/tasks.server';

/** Tasks of the site's own, in the state of the case in which somebody looks. */
const ASKED_IN = { outcome: 'filed', look: 'approved' } as const;
const isAskedFor = (kind: string): kind is keyof typeof ASKED_IN => kind in ASKED_IN;

export type WorkView = Awaited<ReturnType<typeof workSection>>;

export async function workSection(open: OpenCase, language: Language) {
  const { row, session, isAssigned } = open;
  const { state } = row;
  const isChecking = state === 'in_review';
  if (isChecking) await makeMissing(row.id);
  const shows = isChecking || state === 'action_required' || state === 'checked';
  const tasks = await requireDatabase(async (db) => {
    if (row.purged_at !== null && row.look_on === null) return [];
    const found = await tasksOf(db, row);
    const rows = found.rows.filter(({ kind }) =>
      isAskedFor(kind) ? state === ASKED_IN[kind] : shows,
    );
    return taskViews(db, open, { ...found, rows }, language);
  });
  const { fourEyes, officialFee } = siteSettings();
  const { user } = session;
  const isChecker = (await queryDatabase((db) => checkersOf(db, row))).has(user.id);
  const asking = { role: user.role, userId: user.id, row };
  const correctable = canCorrectNumber(asking, now());
  const isBack = ENTERED.includes(state);
  const goesBack = isBack && canCorrectNumber(asking, now(), 'step') !== undefined;
  const mine = eventsFrom(state, staffActors(user.role, isAssigned))
    .filter(isMoveIntent)
    // On the page of its sheet.
    .filter((move): move is Exclude<MoveIntent, 'enter'> => move !== 'enter')
    .filter((move) => move !== 'send_back' || !isAssigned)
    .filter((move) => move !== 'correct' || !isBack || goesBack);
  const forms = correctable ? [...mine, 'correct_number' as const] : mine;
  const moves = row.purged_at === null ? forms : [];
  const at = shortInstants(language);
  const { pay_by, entered_at, filed_at, valid_until } = row;
  return {
    version: row.version,
    address: caseAddress(open),
    tasks,
    asked: await requireDatabase((db) => askedView(db, row, language)),
    canDoTasks: (isChecking && isAssigned) || state === 'filed' || state === 'approved',
    isOthers: isChecking && !isAssigned,
    moves,
    needsOther:
      moves.includes('file') && !settingFacts({ fourEyes, officialFee }, isChecker).notChecker,
    isBack,
    numberUntil: correctable instanceof Date ? at(correctable.toISOString()) : undefined,
    /** What the authorities have written about it is passed on from the conversation. */
    passOn:
      row.official_number_sealed !== null &&
      `${caseAddress(open, { reply: 'authorities_wrote' }, '/conversation')}#write`,
    goals: goalsFrom(state, settingFacts({ fourEyes, officialFee }, isChecker)),
    facts: {
      number: officialNumberOf(row),
      entered: entered_at === null ? undefined : at(entered_at),
      payBy: pay_by && state === 'fee_due' ? formatInstant(new Date(pay_by), language) : undefined,
      filed: filed_at === null ? undefined : at(filed_at),
      validUntil: valid_until === null ? undefined : formatDay(valid_until, language),
    },
  };
}

async function askedView(db: Database, { id, state }: ApplicationRow, language: Language) {
  const request = state === 'action_required' ? await findOpenRequest(db, id) : undefined;
  if (!request) return undefined;
  const labelOf = await requestableLabels(language);
  const t = translator(language);
  const [at, until] = [new Date(request.created_at), answerBy(request)].map((one) =>
    shortInstants(language)(one.toISOString()),
  );
  const who = (await findStaffName(db, request.created_by)) ?? t('desk-conversation:said.site');
  const fields = fieldsOf(request).map(labelOf);
  return { fields, text: t('desk-work:asked.text', { who, at, until }) };
}

/** Makes what is missing: a case may be older than the rules of today. */
async function makeMissing(id: string): Promise<void> {
  const { missing } = await requireDatabase((db) => tasksOf(db, { id }));
  if (missing.length === 0) return;
  await requireWrite((db) => openTasks(db, { id }, now()));
}

interface TaskWords {
  title: string;
  text: string;
  /** Of a warning: what it is about, and what stands there. */
  what?: string;
  value?: string | undefined;
  isHiddenUntilTyped?: true;
}

async function taskViews(
  db: Database,
  openCase: OpenCase,
  { rows, needed, open, context }: CaseTasks,
  language: Language,
) {
  const application = openCase.row;
  const labelOf = await fieldLabels(language);
  const inWords = await answersInWords(context, language);
  const answers = ASKED_STEPS.flatMap((step) =>
    inWords(step).map((answer) => ({ ...answer, step: step.number })),
  );
  const t = translator(language);
  const timeOf = shortInstants(language);
  const warnings = STEPS.flatMap((step) => warningsOf(step, context));
  const textOf = (field: 'passport_sealed' | 'birth_sealed') =>
    unsealColumn('applications', application, field) ?? '';
  const words = ({ kind, subject }: TaskRow): TaskWords => {
    if (kind === 'look') {
      const [arrival, birth] = [application.look_on ?? '', textOf('birth_sealed')].map(
        (day) => day && formatDay(day, language),
      );
      const values = { arrival, birth, passport: textOf('passport_sealed') };
      return {
        title: t('desk-work:tasks.look.title'),
        text: t('desk-work:tasks.look.text', values),
      };
    }
    if (kind !== 'warning') {
      const title = t(`desk-work:tasks.${kind}.title`);
      if (kind === 'expiry' && openCase.isHiddenUntilTyped)
        return { title, text: '', isHiddenUntilTyped: true };
      const value = kind === 'expiry' ? valueOf('passport_expiry_date') : undefined;
      return { title, text: t(`desk-work:tasks.${kind}.text`), value };
    }
    const { field, code } = warningOf(subject);
    const found = warnings.find((one) => one.field === field && one.code === code);
    const { title, text } = found
      ? warningView(found, language, 'desk')
      : { title: code, text: '' };
    if (found && isHiddenStep(openCase, found.step))
      return { title: labelOf(field), text: '', isHiddenUntilTyped: true };
    return { title: labelOf(field), what: title, text, value: valueOf(field) };
  };
  const valueOf = (field: string) => answers.find(({ name }) => name === field)?.text;
  // In the order of the work; what is not needed any more comes last.
  const positionOf = (row: TaskRow) => {
    const index = needed.findIndex((one) => isSameTask(one, row));
    return index < 0 ? needed.length : index;
  };
  const views = [];
  for (const row of [...rows].sort((one, other) => positionOf(one) - positionOf(other))) {
    const { id, version, kind, done_at } = row;
    const by = await findStaffName(db, row.done_by);
    const isOutcome = isAskedFor(kind);
    const isOpen = isOutcome ? row.state === 'open' : open.some((one) => isSameTask(one, row));
    const isNeeded = isOutcome || positionOf(row) < needed.length;
    const state = isOpen ? ('open' as const) : ('done' as const);
    const note = noteOf(row);
    const ready = readyReasonOf(note);
    views.push({
      ...{ id, version, kind, ...words(row) },
      note: ready ? t(`desk-work:ready.${ready}`) : note,
      ready: [...readyReasons(row)],
      /** `unneeded`: an answer has changed since it was made. */
      state: isNeeded ? state : ('unneeded' as const),
      done: done_at === null || isOpen ? undefined : { by: by ?? '–', at: timeOf(done_at) },
    });
  }
  return views;
}

const FIELDS = [
  ...['intent', 'task', 'task_version', 'note', 'reason', 'official_number', 'official_paid'],
  ...['outcome', 'goal', 'valid_until', 'look', 'ready'],
];
/** Nothing of the desk's forms is longer, by far. */
const MOST_TYPED = 5000;

type Errors = Record<string, string>;
type Refused = { problem: string; errors?: Errors; status?: number };
type Done = Refused | undefined;

const CHANGED = { problem: 'changed', status: 409 } as const;
const invalid = (errors: Errors): Refused => ({ problem: 'invalid', errors });
const NO_NUMBER = invalid({ official_number: 'officialNumberGiven' });

type Sent = ReturnType<typeof read>;

function read(open: OpenCase, sent: FormData) {
  const typed: Record<string, string> = {};
  for (const name of FIELDS) {
    const value = sent.get(name);
    if (typeof value === 'string') typed[name] = value.slice(0, MOST_TYPED);
  }
  const { values, errors } = readForm(sent, REASON_FORM);
  const error = errors?.['reason'];
  return {
    ...{ open, sent, typed, user: open.session.user },
    number: readOfficialNumber(typed['official_number'] ?? ''),
    isPaid: typed['official_paid'] === 'yes',
    outcome: DECIDED.find((one) => one === typed['outcome']),
    look: LOOK_RESULTS.find((one) => one === typed['look']),
    goal: GOALS.find((one) => one === typed['goal']),
    until: dayIn(typed['valid_until'] ?? '') ?? '',
    reason: values?.reason ?? '',
    noReason: error ? invalid({ reason: error === 'required' ? 'reasonGiven' : error }) : undefined,
  };
}

export async function actOnWork(intent: WorkIntent, open: OpenCase, sent: FormData) {
  const form = read(open, sent);
  const { typed } = form;
  const answer = ({ problem, errors = {}, status = 422 }: Refused) =>
    refuse(problem, { typed, errors }, { status });
  if (open.rights.view !== 'full') {
    // Somebody who might have a moment ago; nobody else has the form.
    if (sent.get('version') === String(open.row.version)) throw new Response(null, { status: 403 });
    return answer(CHANGED);
  }
  if (isValidated(intent)) {
    const refused = validateRight(intent, form) ?? (await VALIDATE[intent](form));
    if (refused) return answer(refused);
    const asked = intent !== 'correct' && askFirst(sent, typed);
    if (asked) return asked;
  }
  const refused = await requireWrite((db) => {
    if (intent === 'task' || intent === 'reopen-task') return seeToTask(db, intent, form);
    return intent === 'correct_number' ? correctNumber(db, form) : make(db, intent, form);
  });
  if (refused) return answer(refused);
  const finished = FINISHED.find((one) => one === intent);
  if (finished) return redirectToNextCase(open, finished);
  if (open.row.state === 'in_review') return backToCheck(open, { done: intent });
  return redirect(caseAddress(open, { done: intent }), 303);
}

async function held(db: Database, { open, sent }: Sent): Promise<ApplicationRow | undefined> {
  const row = await lockCase(db, open, sent);
  // What was emptied stays as it is: a note about it would never be deleted, but for what a look keeps.
  return row && (row.purged_at === null || row.look_on !== null) ? row : undefined;
}

async function seeToTask(db: Database, intent: 'task' | 'reopen-task', form: Sent): Promise<Done> {
  const { user, sent, typed } = form;
  const row = await held(db, form);
  if (!row) return CHANGED;
  const task = (await listTasks(db, row.id)).find(({ id }) => id === typed['task']);
  if (!task) throw new Response(null, { status: 404 });
  const isOwn = row.assigned_to === user.id;
  const isWrongState = isAskedFor(task.kind)
    ? row.state !== ASKED_IN[task.kind]
    : row.state !== 'in_review' || !isOwn;
  if (isWrongState) {
    return { problem: row.state === 'in_review' ? 'actor' : 'state', status: 409 };
  }
  // The lines are typed on a page of their own.
  if (task.kind === 'lines' && intent === 'task') throw new Response(null, { status: 400 });
  if (String(task.version) !== typed['task_version']) return CHANGED;
  if ((task.state === 'open') !== (intent === 'task')) return CHANGED;
  // What was told by mail is told.
  if (task.kind === 'look' && intent === 'reopen-task') throw new Response(null, { status: 400 });
  if (intent === 'reopen-task') {
    await reopenTask(db, task, user, now());
    return undefined;
  }
  const { values, errors } = readForm(sent, NOTE_FORM);
  if (!values) return invalid({ note: errors['note'] ?? '' });
  const note = readyReasons(task).find((one) => one === typed['ready']) ?? values.note;
  const { look } = form;
  if (task.kind === 'look') {
    if (!look) return invalid({ look: 'outcome' });
    await doTask(db, task, { by: user.id, note, result: look }, now());
    await tellOfCase(db, row, look === 'still' ? 'lookApproved' : 'lookChanged', now());
    return undefined;
  }
  if (needsNote(task.kind) && !note) return invalid({ note: 'required' });
  const pictures = await picturesOf(db, row.id);
  if (task.kind === 'photo' && !pictures.passport_photo) return { problem: 'noPhoto' };
  if (task.kind === 'portrait' && !pictures.portrait) return { problem: 'noPortrait' };
  await doTask(db, task, { by: user.id, note }, now());
  return undefined;
}

const VALIDATE = {
  enter({ number, isPaid }: Sent): Done {
    if (number === undefined) return NO_NUMBER;
    if (isPaid || siteSettings().officialFee === 'traveller') return undefined;
    return invalid({ official_paid: 'officialPaymentSeen' });
  },
  correct_number({ number, noReason, open }: Sent): Done {
    if (number === undefined) return NO_NUMBER;
    const isSame = number === officialNumberOf(open.row);
    return isSame ? invalid({ official_number: 'sameNumber' }) : noReason;
  },
  outcome: (form: Sent) =>
    form.outcome ? validateUntil(form, form.outcome) : invalid({ outcome: 'outcome' }),
  correct({ goal, noReason, ...form }: Sent) {
    if (!goal) return invalid({ goal: 'outcome' });
    return noReason ?? validateUntil(form, goal);
  },
} as const;
type Validated = keyof typeof VALIDATE;
const isValidated = (intent: WorkIntent): intent is Validated => intent in VALIDATE;

function validateRight(intent: Validated, { open, sent, user: { id: userId, role } }: Sent): Done {
  const { row, isAssigned } = open;
  if (sent.get('version') !== String(row.version)) return CHANGED;
  if (row.purged_at !== null) return { problem: 'state', status: 409 };
  if (intent === 'correct_number') {
    if (!ENTERED.includes(row.state)) return { problem: 'state', status: 409 };
    if (canCorrectNumber({ role, userId, row }, now()) !== undefined) return undefined;
  } else if (eventsFrom(row.state, staffActors(role, isAssigned)).includes(intent)) {
    const isBack = intent === 'correct' && ENTERED.includes(row.state);
    if (!isBack || canCorrectNumber({ role, userId, row }, now(), 'step')) return undefined;
  }
  return { problem: 'actor', status: 403 };
}

/** The last day of an authorization, which nothing but an approval has. */
async function validateUntil(
  { open: { row }, until, typed }: Pick<Sent, 'open' | 'until' | 'typed'>,
  to: (typeof GOALS)[number],
): Promise<Done> {
  if (to !== 'approved') return undefined;
  if (!typed['valid_until']?.trim()) return invalid({ valid_until: 'validUntilGiven' });
  const problem = await requireDatabase(async (db) => {
    const { all } = await savedAnswers(db, row.id);
    const passportExpiry = answeredDate(all[2] ?? {}, 'passport_expiry_date')?.day;
    return validUntilProblem(until, {
      ...{ today: today(), latest: await latestDay(db), passportExpiry },
    });
  });
  return problem && invalid({ valid_until: problem });
}

async function correctNumber(db: Database, form: Sent): Promise<Done> {
  const { number, reason, user } = form;
  const row = await held(db, form);
  if (!row || number === undefined) return CHANGED;
  const set = { state: row.state, ...officialNumberColumns(row.id, number) };
  if (!(await rowsIn(db).move('applications', row, set))) return CHANGED;
  const at = now();
  const details = { field: 'official_number' };
  await audit(db, user, 'case.corrected', ['application', row.id], at, details);
  await addNote(db, { applicationId: row.id, text: reason, by: user.id }, at);
  await tellOfCase(db, { ...row, ...set }, 'numberCorrected', at);
  return undefined;
}

interface Made extends CaseMove {
  mail?: Parameters<typeof tellOfCase>[2];
  reason?: string;
  after?: (() => Promise<unknown>) | undefined;
}

async function make(db: Database, intent: MoveIntent, form: Sent): Promise<Done> {
  const row = await held(db, form);
  if (!row) return CHANGED;
  const at = now();
  const made = await PREPARE[intent](db, row, form, at);
  if ('problem' in made) return made;
  const result = await moveCase(db, form.open, row, intent, made, at);
  if (result.refused === 'guard') {
    const guard = result.guard ?? 'tasksDone';
    const field = FIELD_OF_GUARD[guard];
    return field === undefined ? { problem: guard } : invalid({ [field]: guard });
  }
  if (result.refused) {
    return { problem: result.refused, status: result.refused === 'actor' ? 403 : 409 };
  }
  const note = { applicationId: row.id, text: made.reason ?? '', by: form.user.id };
  if (note.text) await addNote(db, note, at);
  await made.after?.();
  if (made.mail) await tellOfCase(db, result.moved, made.mail, at);
  return undefined;
}

/** What was not entered has no number, and no time to pay. */
const UNDONE = {
  ...{ official_number_sealed: null, official_index: null, filed_by: null },
  ...{ entered_at: null, pay_by: null, filed_at: null, reminded_at: null },
} as const;

type Prepare = (
  db: Database,
  row: ApplicationRow,
  form: Sent,
  at: Date,
) => Promise<Made | Refused> | Made | Refused;

/** Nobody enters it any more. */
const NOT_ENTERED = {
  ...{ worked_at: null, entered_sections: null, code_at: null, code_sealed: null },
} as const;

const PREPARE: Record<MoveIntent, Prepare> = {
  async check(db, row, { open, sent, user }, at) {
    const problem = await saveTicks(db, open, sent);
    if (problem) return { problem, status: problem === 'changed' ? 409 : 422 };
    // What an answer has brought with it since is asked for now.
    await openTasks(db, row, at);
    const { open: left } = await tasksOf(db, row);
    // Whoever may enter it takes it.
    const set = { checked_by: user.id, assigned_to: null };
    return { facts: { tasksDone: left.length === 0 }, set };
  },

  send_back(_, row, { reason, noReason }) {
    if (noReason) return noReason;
    // To who checked it, and sees what was wrong.
    const assigned_to = row.checked_by ?? row.assigned_to;
    const set = { checked_by: null, assigned_to, ...NOT_ENTERED };
    return { facts: { reasonGiven: true }, reason, set };
  },

  async enter(db, row, { user, number, isPaid }, at) {
    const payBy = await payByFrom(db, at);
    const isOperator = siteSettings().officialFee === 'operator';
    const entered = at.toISOString();
    return {
      facts: {
        officialNumberGiven: number !== undefined,
        payByKnown: payBy !== undefined,
        officialPaymentSeen: isPaid,
      },
      set: {
        ...(number === undefined
          ? { official_number_sealed: null, official_index: null }
          : officialNumberColumns(row.id, number)),
        ...NOT_ENTERED,
        filed_by: user.id,
        entered_at: entered,
        pay_by: isOperator ? null : (payBy?.toISOString() ?? null),
        filed_at: isOperator ? entered : null,
        reminded_at: null,
      },
      mail: isOperator ? 'filed' : 'feeDue',
    };
  },

  file(_, __, { user, isPaid }, at) {
    const set = { filed_at: at.toISOString(), filed_by: user.id, reminded_at: null };
    return { facts: { officialPaymentSeen: isPaid }, set, mail: 'filed' };
  },

  async outcome(db, row, { user, outcome: to, until }, at) {
    const task = taskOf(await listTasks(db, row.id), 'outcome');
    const isApproved = to === 'approved';
    return {
      facts: { validUntilGiven: isApproved },
      to,
      set: { valid_until: isApproved ? until : null, decided_at: at.toISOString() },
      mail: isApproved ? 'approved' : 'notAuthorized',
      // Nobody has to look for it any more.
      after: task?.state === 'open' ? () => doTask(db, task, { by: user.id }, at) : undefined,
    };
  },

  async correct(db, row, { goal: to, reason, until, user }, at) {
    const facts = { reasonGiven: true };
    if (to === 'fee_due') return { facts, to, reason, set: { filed_at: null, reminded_at: null } };
    if (to === 'checked') {
      const set = { assigned_to: row.filed_by ?? user.id, worked_at: at.toISOString() };
      return { facts, to, reason, set: { ...UNDONE, ...set } };
    }
    const task = taskOf(await listTasks(db, row.id), 'outcome');
    const decided_at = to === 'filed' ? null : at.toISOString();
    const looked = { state: 'done', done_at: at.toISOString() } as const;
    return {
      facts: { reasonGiven: true, validUntilGiven: to === 'approved' },
      to,
      reason,
      set: { valid_until: to === 'approved' ? until : null, decided_at },
      mail: 'corrected',
      // Somebody looks for the decision in a week.
      after:
        to === 'filed' && task
          ? () => rowsIn(db).replace('application_tasks', task, looked)
          : undefined,
    };
  },
};
