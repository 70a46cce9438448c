import { writeOrUndo } from '~/database.server';
import { saveAmendments } from '~/desk/records.server';
import { reopenTasksFor } from '~/desk/tasks.server';
import type { AmendedField } from '~/domain/application/amend';
import { dueAfterWait, isPicture } from '~/domain/application/requests';
import { findOpenRequest } from '~db/queries/application-requests.server';
import { lockApplication } from '~db/queries/applications.server';
import { actorOf, type OpenApplication } from './access.server';
import { isNewer, picturesOf } from './pictures.server';
import { moveApplication } from './moves.server';
import { fieldsOf, saveAnswer, noteAnswered } from './requests.server';
import { replaceStep, shownColumns, type SavedStep } from './answers.server';

export type AnsweredStep = SavedStep & { changes: readonly AmendedField[] };

interface Answer {
  requestId: string;
  steps: readonly AnsweredStep[];
  /** By the names of the form: the note, and the boxes of what is right as it is. */
  said: readonly (readonly [name: string, text: string])[];
}

/** `conflict`: an answer was changed meanwhile; `photo`: it is not there. Nothing was done then. */
export type Responded = 'answered' | 'closed' | 'conflict' | 'photo';

/** All or nothing; its checks are opened again. Of two answers, or one and a lapse, one wins. */
export async function respond(
  { row, owner }: OpenApplication,
  answer: Answer,
  now: Date,
): Promise<Responded> {
  const actor = actorOf(owner);
  return writeOrUndo('answered', async (db) => {
    const held = await lockApplication(db, row.id);
    const request = await findOpenRequest(db, row.id);
    if (held?.state !== 'action_required' || request?.id !== answer.requestId) {
      return 'closed';
    }
    const asked = fieldsOf(request);
    const pictures = asked.filter(isPicture);
    const there = await picturesOf(db, row.id);
    if (pictures.some((kind) => !isNewer(there[kind], request))) return 'photo';
    const columns = answer.steps.map(({ step, answers }) => shownColumns(row.id, step, answers));
    const due_at = dueAfterWait(held.due_at, held.paused_at, now);
    const set = {
      ...(Object.assign({}, ...columns) as (typeof columns)[0]),
      paused_at: null,
      due_at,
    };
    const by = { as: 'owner', actor, facts: { askedFieldsOnly: true }, set } as const;
    const { moved } = await moveApplication(db, held, 'respond', by, now);
    if (!moved) return 'closed';
    for (const { changes, ...saved } of answer.steps) {
      if (!(await replaceStep(db, row.id, saved, now))) return 'conflict';
      const amended = { applicationId: row.id, step: saved.step, changes, why: null, actor };
      await saveAmendments(db, amended, now);
    }
    await saveAnswer(db, request, answer.said);
    await noteAnswered(db, request, actor, now);
    for (const kind of pictures) await reopenTasksFor(db, row.id, kind, now);
    return 'answered';
  });
}
