import { requireDatabase, writeDatabase } from '~/database.server';
import { keepAmendments } from '~/desk/records.server';
import { reopenTasksFor } from '~/desk/tasks.server';
import type { AmendedField } from '~/domain/application/amend';
import type { Answers } from '~/domain/application/answers';
import { dueAfterWait, PHOTO } from '~/domain/application/requests';
import type { StepNumber } from '~/domain/application/steps';
import { seal } from '~/sealing/seal.server';
import { findOpenRequest } from '~db/queries/application-requests.server';
import { lockApplication, answersId, replaceAnswers } from '~db/queries/applications.server';
import type { Database } from '~db/schema';
import { actorOf, type OpenApplication } from './access.server';
import { photoOf } from './documents.server';
import { moveApplication } from './moves.server';
import { fieldsOf, keepAnswer, noteAnswered } from './requests.server';
import { shownColumns } from './answers.server';

export interface AnsweredStep {
  number: StepNumber;
  answers: Answers;
  isComplete: boolean;
  version: number;
  changes: readonly AmendedField[];
}

interface Answer {
  requestId: string;
  steps: readonly AnsweredStep[];
  /** By the names of the form: the note, and the boxes of what is right as it is. */
  said: readonly (readonly [name: string, text: string])[];
}

/** `conflict`: an answer was changed meanwhile; `photo`: it is not there. Nothing was done then. */
export type Responded = 'answered' | 'closed' | 'conflict' | 'photo';

class Undone extends Error {
  constructor(readonly why: Exclude<Responded, 'answered'>) {
    super(why);
  }
}

/** All or nothing; its checks are opened again. Of two answers, or one and a lapse, one wins. */
export async function respond(
  { row, owner }: OpenApplication,
  answer: Answer,
  now: Date,
): Promise<Responded> {
  const actor = actorOf(owner);
  return requireDatabase(() =>
    writeDatabase(async (db) => {
      const held = await lockApplication(db, row.id);
      const request = await findOpenRequest(db, row.id);
      if (held?.state !== 'action_required' || request?.id !== answer.requestId) {
        throw new Undone('closed');
      }
      const asked = fieldsOf(request);
      if (asked.includes(PHOTO)) {
        const photo = await photoOf(db, row.id);
        if (!photo || photo.createdAt.toISOString() < request.created_at) throw new Undone('photo');
      }
      const { moved } = await moveApplication(
        db,
        held,
        'respond',
        {
          as: 'owner',
          actor,
          facts: { askedFieldsOnly: true },
          set: {
            ...columnsOf(row.id, answer),
            paused_at: null,
            due_at: dueAfterWait(held.due_at, held.paused_at, now),
          },
        },
        now,
      );
      if (!moved) throw new Undone('closed');
      for (const step of answer.steps) {
        await saveAnswered(db, row.id, step, now);
        const { number, changes } = step;
        const amended = { applicationId: row.id, step: number, changes, why: null, actor };
        await keepAmendments(db, amended, now);
      }
      await keepAnswer(db, request, answer.said);
      await noteAnswered(db, request, actor, now);
      if (asked.includes(PHOTO)) await reopenTasksFor(db, row.id, PHOTO, now);
      return 'answered' as const;
    }).catch((error: unknown) => {
      if (error instanceof Undone) return error.why;
      throw error;
    }),
  );
}

function columnsOf(applicationId: string, { steps }: Answer): ReturnType<typeof shownColumns> {
  return steps.reduce(
    (all, { number, answers }) => ({ ...all, ...shownColumns(applicationId, number, answers) }),
    {},
  );
}

async function saveAnswered(
  db: Database,
  applicationId: string,
  { number: step, answers, isComplete, version }: AnsweredStep,
  now: Date,
): Promise<void> {
  const place = { table: 'application_answers', row: answersId(applicationId, step) };
  const sealed = seal(JSON.stringify(answers), { ...place, field: 'sealed' });
  const save = { applicationId, step, sealed, isComplete, version };
  if (!(await replaceAnswers(db, save, now))) throw new Undone('conflict');
}
