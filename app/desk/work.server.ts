import { fieldLabels } from '~/applications/answers-in-words.server';
import { warningView } from '~/applications/step-fields.server';
import { now } from '~/clock.server';
import { queryDatabase, requireDatabase, writeDatabase } from '~/database.server';
import { warningsOf } from '~/domain/application/validate-step';
import { eventsFrom, settingFacts, staffActors } from '~/domain/application/states';
import { STEPS } from '~/domain/application/steps';
import { warningOf } from '~/domain/application/tasks';
import { canCorrectNumber } from '~/domain/desk';
import { GOALS, isMoveIntent } from '~/domain/desk-work';
import type { Language } from '~/i18n/languages';
import { formatDay, formatInstant, shortInstants, translator } from '~/i18n/server.server';
import { siteSettings } from '~/settings/settings.server';
import type { TaskRow } from '~db/queries/application-tasks.server';
import { findUser } from '~db/queries/users.server';
import { findHoldingWithdrawal } from '~db/queries/withdrawals.server';
import type { Database } from '~db/schema';
import { caseAddress, type OpenCase } from './case.server';
import { latestDay, officialNumberOf } from './official-fee.server';
import { type CaseTasks, checkersOf, isSameTask, noteOf, openTasks, tasksOf } from './tasks.server';

export type WorkView = Awaited<ReturnType<typeof workSection>>;

export async function workSection(open: OpenCase, language: Language) {
  const { row, session, isAssigned } = open;
  const { state } = row;
  const isChecking = state === 'in_review';
  if (isChecking) await makeMissing(row.id);
  const shows = isChecking || state === 'action_required' || state === 'checked';
  const tasks = await requireDatabase(async (db) => {
    if (row.purged_at !== null) return [];
    const found = await tasksOf(db, row);
    const rows = found.rows.filter(({ kind }) => (kind === 'outcome' ? state === 'filed' : shows));
    return taskViews(db, { ...found, rows }, language);
  });
  const { fourEyes, officialFee, filingEmail, timeZone } = siteSettings();
  const { user } = session;
  const isChecker = (await queryDatabase((db) => checkersOf(db, row))).has(user.id);
  const isHeld = await queryDatabase((db) => findHoldingWithdrawal(db, row.id));
  const mine = eventsFrom(state, staffActors(user.role, isAssigned))
    .filter(isMoveIntent)
    .filter((move) => move !== 'enter' || !isHeld);
  const correctable = canCorrectNumber({ role: user.role, userId: user.id, row }, now());
  const forms = correctable ? [...mine, 'correct_number' as const] : mine;
  const moves = row.purged_at === null ? forms : [];
  const at = shortInstants(language);
  const { pay_by, entered_at, filed_at, valid_until } = row;
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
    /** Until when its reader can correct that number, if not for ever. */
    numberUntil: correctable instanceof Date ? at(correctable.toISOString()) : undefined,
    officialFee,
    /** The operator's address for the official site; null: the traveller's is typed there. */
    filingEmail,
    goals: GOALS.filter((goal) => goal !== state),
    /** The last day that an authorization can have. */
    latest: await requireDatabase((db) => latestDay(db)),
    facts: {
      number: officialNumberOf(row),
      entered: entered_at === null ? undefined : at(entered_at),
      payBy: pay_by === null ? undefined : formatInstant(new Date(pay_by), language, timeZone),
      filed: filed_at === null ? undefined : at(filed_at),
      validUntil: valid_until === null ? undefined : formatDay(valid_until, language),
    },
  };
}

/** Makes what is missing: a case may be older than the rules of today. */
async function makeMissing(id: string): Promise<void> {
  const { missing } = await requireDatabase(() => queryDatabase((db) => tasksOf(db, { id })));
  if (missing.length === 0) return;
  await requireDatabase((db) => openTasks(db, { id }, now()), writeDatabase);
}

async function taskViews(
  db: Database,
  { rows, needed, open, context }: CaseTasks,
  language: Language,
) {
  const labelOf = await fieldLabels(language);
  const t = translator(language);
  const timeOf = shortInstants(language);
  const warnings = STEPS.flatMap((step) => warningsOf(step, context));
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
  const placeOf = (row: TaskRow) => {
    const index = needed.findIndex((one) => isSameTask(one, row));
    return index < 0 ? needed.length : index;
  };
  const views = [];
  for (const row of [...rows].sort((one, other) => placeOf(one) - placeOf(other))) {
    const { id, version, kind, done_at } = row;
    const by = row.done_by === null ? undefined : await findUser(db, row.done_by);
    const isOutcome = kind === 'outcome';
    const isOpen = isOutcome ? row.state === 'open' : open.some((one) => isSameTask(one, row));
    const isNeeded = isOutcome || placeOf(row) < needed.length;
    const state = isOpen ? ('open' as const) : ('done' as const);
    views.push({
      ...{ id, version, kind, ...words(row), note: noteOf(row) },
      /** `unneeded`: an answer has changed since it was made. */
      state: isNeeded ? state : ('unneeded' as const),
      done: done_at === null || isOpen ? undefined : { by: by?.email ?? '–', at: timeOf(done_at) },
    });
  }
  return views;
}
