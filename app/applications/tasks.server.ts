import { randomUUID } from 'node:crypto';

import { picturesOf } from '~/applications/pictures.server';
import { isPortraitRequired } from '~/facts.server';
import { PICTURES } from '~/domain/application/requests';
import { audit, type AuditActor, SYSTEM } from '~/accounts/audit.server';
import { savedAnswers } from '~/applications/answers.server';
import { today } from '~/clock.server';
import {
  checkingTasks,
  compareTyped,
  dependsOn,
  openChecks,
  type TaskKind,
  type TaskName,
  type TypedLines,
} from '~/domain/application/tasks';
import { sealColumn, unsealColumn } from '~/sealing/seal.server';
import { insertTasks, listTasks, type TaskRow } from '~db/queries/application-tasks.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { type Row, rowsIn } from '~db/queries/rows.server';
import type { Database } from '~db/schema';
import type { AmendedField } from '~/domain/application/amend';
import type { StepNumber } from '~/domain/application/steps';

export type CaseTasks = Awaited<ReturnType<typeof tasksOf>>;

/** The countries of the programme are not needed; reading them could wait for the transaction. */
export async function tasksOf(db: Database, { id }: Pick<ApplicationRow, 'id'>) {
  const { all } = await savedAnswers(db, id);
  const there = await picturesOf(db, id);
  const pictures = PICTURES.filter((kind) => there[kind]);
  const hasPhoto = pictures.includes('passport_photo');
  const lists = { programme_countries: [] };
  const facts = {
    isSocialMediaRequired: false,
    isPortraitRequired: await isPortraitRequired(db),
  };
  const context = { today: today(), lists, all, ...facts, hasPhoto };
  const rows = await listTasks(db, id);
  const needed: readonly TaskName[] = checkingTasks(context);
  const missing = needed.filter((task) => !rows.some((row) => isSameTask(row, task)));
  const typed = typedOf(taskOf(rows, 'lines'));
  const areLinesSame = typed !== undefined && compareTyped(typed, all).isSame;
  const open: readonly TaskName[] = openChecks(needed, rows, { areLinesSame, pictures });
  return { all, pictures, context, rows, needed, missing, open, typed };
}

export const isSameTask = (one: TaskName, other: TaskName) =>
  one.kind === other.kind && one.subject === other.subject;

export async function openTasks(db: Database, row: Pick<ApplicationRow, 'id'>, now: Date) {
  const { missing } = await tasksOf(db, row);
  const tasks = missing.map((task) => newTask(row.id, task, now));
  await insertTasks(db, tasks);
}

export function newTask(applicationId: string, task: TaskName, now: Date) {
  const own = { id: randomUUID(), application_id: applicationId, created_at: now.toISOString() };
  return { ...own, ...task, state: 'open' } as const;
}

/** What staff typed from a replaced photo is forgotten. @param field the form name */
export async function reopenTasksFor(db: Database, id: string, field: string, now: Date) {
  for (const task of await listTasks(db, id)) {
    if (!dependsOn(task, field)) continue;
    const forgets = field === 'passport_photo' && task.typed_sealed !== null;
    if (task.state !== 'done' && !forgets) continue;
    await reopenTask(db, task, SYSTEM, now, forgets ? { typed_sealed: null } : {});
  }
  await openTasks(db, { id }, now);
}

const TABLE = 'application_tasks';

const staff = (id: string) => ({ kind: 'staff', id }) as const;

async function changeTask(
  db: Database,
  task: TaskRow,
  action: 'task.done' | 'task.differed' | 'task.reopened',
  { actor, result, ...changes }: Partial<TaskRow> & { actor: AuditActor; result?: string },
  now: Date,
): Promise<boolean> {
  if (!(await rowsIn(db).replace('application_tasks', task, changes))) return false;
  const details = {
    kind: task.kind,
    ...(task.subject && { subject: task.subject }),
    ...(result && { result }),
  };
  await audit(db, actor, action, ['application', task.application_id], now, details);
  return true;
}

export const reopenTask = (
  db: Database,
  task: TaskRow,
  actor: AuditActor,
  now: Date,
  more: { typed_sealed?: null; due_at?: string } = {},
) => {
  const changes = { ...more, actor, state: 'open', done_by: null, done_at: null } as const;
  return changeTask(db, task, 'task.reopened', changes, now);
};

export const doTask = (
  db: Database,
  task: TaskRow,
  { by, note, result }: { by: string; note?: string | undefined; result?: string },
  now: Date,
) => {
  const note_sealed = note ? sealColumn(TABLE, task.id, 'note_sealed', note) : null;
  const done = { state: 'done', done_by: by, done_at: now.toISOString() } as const;
  return changeTask(
    db,
    task,
    'task.done',
    { actor: staff(by), ...done, note_sealed, ...(result && { result }) },
    now,
  );
};

type SavedLines = { by: string; typed: TypedLines; isSame: boolean };

export async function saveLines(db: Database, task: TaskRow, lines: SavedLines, now: Date) {
  const { by, typed, isSame } = lines;
  const changes = {
    actor: staff(by),
    typed_sealed: sealColumn(TABLE, task.id, 'typed_sealed', JSON.stringify(typed)),
    state: isSame ? 'done' : 'open',
    done_by: isSame ? by : null,
    done_at: isSame ? now.toISOString() : null,
  } as const;
  // Each try is seen, so that nobody types what the answers have until they agree.
  await changeTask(db, task, isSame ? 'task.done' : 'task.differed', changes, now);
}

export const noteOf = (task: TaskRow) => unsealColumn('application_tasks', task, 'note_sealed');

export function typedOf(task: TaskRow | undefined): TypedLines | undefined {
  const typed = task && unsealColumn('application_tasks', task, 'typed_sealed');
  return typed === undefined ? undefined : (JSON.parse(typed) as TypedLines);
}

export const taskOf = (rows: readonly TaskRow[], kind: TaskKind): TaskRow | undefined =>
  rows.find((row) => row.kind === kind);

/** Who said that it is checked, and who typed its lines: with four eyes neither files it. */
export async function checkersOf(
  db: Database,
  { id, checked_by }: Pick<ApplicationRow, 'id' | 'checked_by'>,
): Promise<ReadonlySet<string | null>> {
  const lines = taskOf(await listTasks(db, id), 'lines');
  return new Set([checked_by, ...(lines?.state === 'done' ? [lines.done_by] : [])]);
}

const MOST = 100;

type NewNote = { id?: string; applicationId: string; text: string; by: string };

export async function addNote(db: Database, note: NewNote, now: Date) {
  const { id = randomUUID(), applicationId, text, by } = note;
  const isNew = await rowsIn(db).insertNew('notes', {
    id,
    application_id: applicationId,
    text_sealed: sealColumn('notes', id, 'text_sealed', text),
    written_by: by,
    created_at: now.toISOString(),
  });
  if (!isNew) return;
  await audit(db, { kind: 'staff', id: by }, 'case.noted', ['application', applicationId], now);
}

const latest = (db: Database, table: 'notes' | 'application_amendments', application_id: string) =>
  rowsIn(db)
    .of(table as 'notes', { application_id })
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(MOST)
    .execute();

/** Latest first; `by`: the id of who wrote it. @throws {SealError} if one does not open */
export async function notesOf(db: Database, applicationId: string) {
  return (await latest(db, 'notes', applicationId)).map((row) => ({
    ...{ id: row.id, at: row.created_at, by: row.written_by },
    text: unsealColumn('notes', row, 'text_sealed'),
  }));
}

type SealedField = 'old_sealed' | 'new_sealed' | 'reason_sealed';

interface Amendments {
  applicationId: string;
  step: StepNumber;
  changes: readonly AmendedField[];
  /** Why; null: in answer to a request. */
  why: string | null;
  actor: AuditActor;
}

/** The tasks that had looked at them are open again. */
export async function saveAmendments(db: Database, made: Amendments, now: Date) {
  const { applicationId, step, changes, why, actor } = made;
  for (const { field, old, new: after } of changes) {
    const id = randomUUID();
    const sealed = (column: SealedField, text: string | null) =>
      text ? sealColumn('application_amendments', id, column, text) : null;
    await rowsIn(db).insert('application_amendments', {
      id,
      application_id: applicationId,
      step,
      field,
      old_sealed: sealed('old_sealed', old),
      new_sealed: sealed('new_sealed', after),
      reason_sealed: sealed('reason_sealed', why),
      amended_by: actor.kind === 'staff' ? (actor.id ?? null) : null,
      created_at: now.toISOString(),
    });
    await audit(db, actor, 'case.amended', ['application', applicationId], now, { step, field });
    await reopenTasksFor(db, applicationId, field, now);
  }
}

/** Latest first; `by`: the id of who of staff did, null: the traveller. @throws {SealError} if one does not open */
export async function amendmentsOf(db: Database, applicationId: string) {
  const rows = await latest(db, 'application_amendments', applicationId);
  return (rows as unknown as Row<'application_amendments'>[]).map((row) => {
    const { id, step, field, created_at: at, amended_by: by } = row;
    const opened = (column: SealedField) => unsealColumn('application_amendments', row, column);
    return {
      ...{ id, step, field, at, by },
      old: opened('old_sealed'),
      new: opened('new_sealed'),
      why: opened('reason_sealed'),
    };
  });
}
