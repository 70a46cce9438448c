import { randomUUID } from 'node:crypto';

import { type AuditActor, audit } from '~/accounts/audit.server';
import { savedAnswers } from '~/applications/answers.server';
import { today } from '~/clock.server';
import type { AllAnswers } from '~/domain/application/answers';
import { COUNTRY_CODES, US_STATES } from '~/domain/application/country-codes';
import type { JudgeContext } from '~/domain/application/judge';
import { PHOTO } from '~/domain/application/requests';
import {
  checkingTasks,
  compareTyped,
  dependsOn,
  openChecks,
  type TaskKind,
  type TaskName,
  type TypedLines,
} from '~/domain/application/tasks';
import { seal, unseal } from '~/sealing/seal.server';
import {
  insertTasks,
  listTasks,
  replaceTask,
  type TaskRow,
} from '~db/queries/application-tasks.server';
import { findDocumentFacts } from '~db/queries/application-documents.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import type { Database } from '~db/schema';

/** What the tasks of a case are judged by, read in the transaction `db`. */
interface Judged {
  all: AllAnswers;
  hasPhoto: boolean;
  context: JudgeContext;
}

/**
 * The answers of an application and what warns of them. The countries of the programme are not needed
 * for warnings; reading them could wait for the end of the transaction.
 */
async function judged(db: Database, applicationId: string): Promise<Judged> {
  const { all } = await savedAnswers(db, applicationId);
  const hasPhoto = (await findDocumentFacts(db, applicationId, PHOTO)) !== undefined;
  const lists = { countries: COUNTRY_CODES, us_states: US_STATES, programme_countries: [] };
  const context = { today: today(), lists, all, isSocialMediaRequired: false, hasPhoto };
  return { all, hasPhoto, context };
}

export interface CaseTasks extends Judged {
  needed: readonly TaskName[];
  rows: readonly TaskRow[];
  open: readonly TaskName[];
  typed?: TypedLines;
}

/** The tasks of a case; it may be read inside or outside of a transaction. */
export async function tasksOf(
  db: Database,
  { id }: Pick<ApplicationRow, 'id'>,
): Promise<CaseTasks> {
  const found = await judged(db, id);
  const rows = await listTasks(db, id);
  const needed = checkingTasks(found.context);
  const typed = typedOf(rows.find(({ kind }) => kind === 'lines'));
  const areLinesSame = typed !== undefined && compareTyped(typed, found.all).isSame;
  const open = openChecks(needed, rows, { areLinesSame, hasPhoto: found.hasPhoto });
  return { ...found, needed, rows, open, ...(typed && { typed }) };
}

export function missingTasks({ needed, rows }: Pick<CaseTasks, 'needed' | 'rows'>): TaskName[] {
  return needed.filter(
    ({ kind, subject }) => !rows.some((row) => row.kind === kind && row.subject === subject),
  );
}

/**
 * Makes the checking tasks that a case needs, in the transaction `db`; those that are there stay as they
 * are.
 */
export async function openTasks(
  db: Database,
  row: Pick<ApplicationRow, 'id'>,
  now: Date,
): Promise<void> {
  const missing = missingTasks(await tasksOf(db, row));
  await insertTasks(
    db,
    missing.map((task) => newTask(row.id, task, now)),
  );
}

export function newTask(applicationId: string, task: TaskName, now: Date) {
  const at = now.toISOString();
  return {
    id: randomUUID(),
    application_id: applicationId,
    ...task,
    state: 'open',
    created_at: at,
  } as const;
}

/**
 * Opens the tasks that depend on an answer that has changed, in the transaction `db`, and makes those
 * that it has brought with it. What staff typed from a photo that was replaced is forgotten.
 *
 * @param field the form name; `passport_photo` for the photo
 */
export async function reopenTasksFor(
  db: Database,
  applicationId: string,
  field: string,
  now: Date,
): Promise<void> {
  const isPhoto = field === 'passport_photo';
  for (const task of await listTasks(db, applicationId)) {
    if (!dependsOn(task, field)) continue;
    const forgets = isPhoto && task.typed_sealed !== null;
    if (task.state !== 'done' && !forgets) continue;
    await reopen(db, task, { kind: 'system' }, now, forgets ? { typed_sealed: null } : {});
  }
  await openTasks(db, { id: applicationId }, now);
}

async function reopen(
  db: Database,
  task: TaskRow,
  actor: AuditActor,
  now: Date,
  more: { typed_sealed?: null; due_at?: string } = {},
): Promise<boolean> {
  const changes = { ...more, state: 'open', done_by: null, done_at: null } as const;
  if (!(await replaceTask(db, task, changes))) return false;
  await record(db, 'task.reopened', task, actor, now);
  return true;
}

/** Opens a task that somebody of the staff wants to do anew, or that the time asks for. */
export async function reopenTask(
  db: Database,
  task: TaskRow,
  { actor, dueAt }: { actor: AuditActor; dueAt?: Date },
  now: Date,
): Promise<boolean> {
  return reopen(db, task, actor, now, dueAt ? { due_at: dueAt.toISOString() } : {});
}

/** Notes that a task is done. @returns whether it was as it was read */
export async function doTask(
  db: Database,
  task: TaskRow,
  { by, note }: { by: string; note?: string | undefined },
  now: Date,
): Promise<boolean> {
  const changes = {
    state: 'done',
    note_sealed: note ? seal(note, place(task.id, 'note_sealed')) : null,
    done_by: by,
    done_at: now.toISOString(),
  } as const;
  if (!(await replaceTask(db, task, changes))) return false;
  await record(db, 'task.done', task, { kind: 'staff', id: by }, now);
  return true;
}

/**
 * Keeps the two lines that somebody of the staff has typed from the photo; the task is done if no
 * character differs from the answers as they are now.
 *
 * @returns whether the task was as it was read
 */
export async function keepLines(
  db: Database,
  task: TaskRow,
  { by, typed, isSame }: { by: string; typed: TypedLines; isSame: boolean },
  now: Date,
): Promise<boolean> {
  const changes = {
    typed_sealed: seal(JSON.stringify(typed), place(task.id, 'typed_sealed')),
    state: isSame ? 'done' : 'open',
    done_by: isSame ? by : null,
    done_at: isSame ? now.toISOString() : null,
  } as const;
  if (!(await replaceTask(db, task, changes))) return false;
  // Each try is seen, so that nobody types what the answers have until they agree.
  const action = isSame ? 'task.done' : 'task.differed';
  await record(db, action, task, { kind: 'staff', id: by }, now);
  return true;
}

async function record(
  db: Database,
  action: 'task.done' | 'task.differed' | 'task.reopened',
  { application_id, kind, subject }: TaskRow,
  actor: AuditActor,
  now: Date,
): Promise<void> {
  const details = { kind, ...(subject && { subject }) };
  await audit(db, actor, action, ['application', application_id], now, details);
}

export function noteOf({ id, note_sealed }: TaskRow): string | undefined {
  return note_sealed === null ? undefined : unseal(note_sealed, place(id, 'note_sealed'));
}

/** The two lines of a task as staff typed them, opened. */
export function typedOf(task: TaskRow | undefined): TypedLines | undefined {
  if (!task?.typed_sealed) return undefined;
  return JSON.parse(unseal(task.typed_sealed, place(task.id, 'typed_sealed'))) as TypedLines;
}

const place = (row: string, field: 'typed_sealed' | 'note_sealed') => ({
  table: 'application_tasks',
  row,
  field,
});

/** The task of a kind that an application has once. */
export function taskOf(rows: readonly TaskRow[], kind: TaskKind): TaskRow | undefined {
  return rows.find((row) => row.kind === kind);
}

/**
 * Who has checked a case: who said that it is checked, and who typed the lines of its passport. With four
 * eyes neither enters or files it. Who has ticked off another check may: else two who have shared the
 * checks would need a third.
 */
export async function checkersOf(
  db: Database,
  { id, checked_by }: Pick<ApplicationRow, 'id' | 'checked_by'>,
): Promise<ReadonlySet<string | null>> {
  const tasks = await listTasks(db, id);
  const lines = tasks.find(({ kind, state }) => kind === 'lines' && state === 'done');
  return new Set([checked_by, ...(lines ? [lines.done_by] : [])]);
}
