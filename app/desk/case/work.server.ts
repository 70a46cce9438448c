import { now } from '~/clock.server';
import { fieldLabels } from '~/applications/answers-in-words.server';
import { warningView } from '~/applications/step-fields.server';
import { queryDatabase, requireDatabase, writeDatabase } from '~/database.server';
import { warningsOf } from '~/domain/application/judge';
import { eventsFrom, settingFacts, staffActors } from '~/domain/application/states';
import { STEPS } from '~/domain/application/steps';
import { type TaskKind, warningOf } from '~/domain/application/tasks';
import { canCorrectNumber } from '~/domain/desk';
import { type FormIntent, GOALS, type MoveIntent } from '~/domain/desk-work';
import { formatDay, formatInstant, formatShortInstant } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { siteSettings } from '~/settings/settings.server';
import type { TaskRow } from '~db/queries/application-tasks.server';
import { findUser } from '~db/queries/users.server';
import { findHoldingWithdrawal } from '~db/queries/withdrawals.server';
import type { Database } from '~db/schema';
import { caseAddress } from '../case-address.server';
import { latestDay, officialNumberOf } from '../official-fee.server';
import type { OpenCase } from '../open-case.server';
import {
  type CaseTasks,
  checkersOf,
  missingTasks,
  noteOf,
  openTasks,
  tasksOf,
} from '../tasks.server';

export interface TaskView {
  id: string;
  version: number;
  kind: TaskKind;
  title: string;
  text: string;
  /** `unneeded`: an answer has changed since it was made. */
  state: 'open' | 'done' | 'unneeded';
  note?: string;
  done?: { by: string; at: string };
}

export interface WorkView {
  version: number;
  /** Where its forms are sent to, with the reason of who opened it. */
  address: string;
  lines: string;
  tasks: TaskView[];
  openCount: number;
  canDoTasks: boolean;
  /** The case is being checked by somebody else. */
  isOthers: boolean;
  /** The forms of moves, in the order of the table, then that of the official number. */
  moves: FormIntent[];
  /** Until when its reader can correct that number, if not for ever. */
  numberUntil?: string;
  /** Entering and filing wait for somebody else. */
  needsOther: boolean;
  officialFee: 'traveller' | 'operator';
  /** The operator's address for the official site; null: the traveller's is typed there. */
  filingEmail: string | null;
  goals: (typeof GOALS)[number][];
  /** The last day that an authorization can have. */
  latest?: string;
  facts: {
    officialNumber?: string;
    payBy?: string;
    entered?: string;
    filed?: string;
    validUntil?: string;
  };
}

/** The work on a case; of one that is not open to who asks, undefined. */
export async function workSection(
  open: OpenCase,
  language: Language,
): Promise<WorkView | undefined> {
  const { row, rights, session, isAssigned } = open;
  if (rights.view !== 'full') return undefined;
  const { state } = row;
  const isChecking = state === 'in_review';
  if (isChecking) await makeMissing(row.id);
  const shows = isChecking || state === 'action_required' || state === 'checked';
  const tasks = await requireDatabase(async (db) => {
    const found = row.purged_at === null ? await tasksOf(db, row) : undefined;
    if (!found) return [];
    const rows = found.rows.filter(({ kind }) => (kind === 'outcome' ? state === 'filed' : shows));
    return taskViews(db, { ...found, rows }, language);
  });
  const { fourEyes, officialFee, filingEmail, timeZone } = siteSettings();
  const { user } = session;
  const isChecker = (await queryDatabase((db) => checkersOf(db, row))).has(user.id);
  const events = eventsFrom(state, staffActors(user.role, isAssigned));
  const isHeld = await queryDatabase((db) => findHoldingWithdrawal(db, row.id));
  const mine = events.filter(isMove).filter((move) => move !== 'enter' || !isHeld);
  const correctable = canCorrectNumber({ role: user.role, userId: user.id, row }, now());
  const forms = [...mine, ...(correctable ? (['correct_number'] as const) : [])];
  const moves = row.purged_at === null ? forms : [];
  const at = (instant: string) => formatShortInstant(new Date(instant), language, timeZone);
  const { pay_by, entered_at, filed_at, valid_until } = row;
  const officialNumber = officialNumberOf(row);
  const latest = await requireDatabase((db) => latestDay(db));
  return {
    version: row.version,
    address: caseAddress(open),
    lines: caseAddress(open, {}, '/lines'),
    tasks,
    openCount: tasks.filter((task) => task.state === 'open').length,
    canDoTasks: (isChecking && isAssigned) || state === 'filed',
    isOthers: isChecking && !isAssigned,
    moves,
    needsOther:
      (moves.includes('enter') || moves.includes('file')) &&
      !settingFacts({ fourEyes, officialFee }, isChecker).notChecker,
    ...(correctable instanceof Date && { numberUntil: at(correctable.toISOString()) }),
    officialFee,
    filingEmail,
    goals: GOALS.filter((goal) => goal !== state),
    ...(latest !== undefined && { latest }),
    facts: {
      ...(officialNumber !== undefined && { officialNumber }),
      ...(pay_by !== null && { payBy: formatInstant(new Date(pay_by), language, timeZone) }),
      ...(entered_at !== null && { entered: at(entered_at) }),
      ...(filed_at !== null && { filed: at(filed_at) }),
      ...(valid_until !== null && { validUntil: formatDay(valid_until, language) }),
    },
  };
}

const MOVES: Record<MoveIntent, true> = {
  check: true,
  send_back: true,
  enter: true,
  file: true,
  outcome: true,
  correct: true,
};
const isMove = (event: string): event is MoveIntent => event in MOVES;

/** Makes what is missing: a case may be older than the rules of today. */
async function makeMissing(id: string): Promise<void> {
  const found = await requireDatabase(() => queryDatabase((db) => tasksOf(db, { id })));
  if (missingTasks(found).length === 0) return;
  await requireDatabase((db) => openTasks(db, { id }, now()), writeDatabase);
}

async function taskViews(
  db: Database,
  { rows, needed, open, context }: CaseTasks,
  language: Language,
): Promise<TaskView[]> {
  const labelOf = await fieldLabels(language);
  const t = translator(language);
  const { timeZone } = siteSettings();
  const warnings = STEPS.flatMap((step) => warningsOf(step, context));
  const is = (task: TaskRow, list: CaseTasks['needed']) =>
    list.some(({ kind, subject }) => kind === task.kind && subject === task.subject);
  const words = ({ kind, subject }: TaskRow) => {
    if (kind !== 'warning') {
      return { title: t(`desk-work:tasks.${kind}.title`), text: t(`desk-work:tasks.${kind}.text`) };
    }
    const { field, code } = warningOf(subject);
    const found = warnings.find((one) => one.field === field && one.code === code);
    const { title, text } = found ? warningView(found, language) : { title: code, text: '' };
    const values = { title, text, field: labelOf(field) };
    return {
      title: t('desk-work:tasks.warning.title', values),
      text: t('desk-work:tasks.warning.text', values),
    };
  };
  // In the order of the work; what is not needed any more comes last.
  const placeOf = ({ kind, subject }: TaskRow) => {
    const index = needed.findIndex((one) => one.kind === kind && one.subject === subject);
    return index < 0 ? needed.length : index;
  };
  const views: TaskView[] = [];
  for (const row of [...rows].sort((one, other) => placeOf(one) - placeOf(other))) {
    const by = row.done_by === null ? undefined : await findUser(db, row.done_by);
    const isOpen = row.kind === 'outcome' ? row.state === 'open' : is(row, open);
    const isNeeded = row.kind === 'outcome' || is(row, needed);
    const note = noteOf(row);
    views.push({
      id: row.id,
      version: row.version,
      kind: row.kind,
      ...words(row),
      state: !isNeeded ? 'unneeded' : isOpen ? 'open' : 'done',
      ...(note !== undefined && { note }),
      ...(row.done_at !== null &&
        !isOpen && {
          done: {
            by: by?.email ?? '–',
            at: formatShortInstant(new Date(row.done_at), language, timeZone),
          },
        }),
    });
  }
  return views;
}
