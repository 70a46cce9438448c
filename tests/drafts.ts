import { randomUUID } from 'node:crypto';

import { saveStep } from '~/applications/answers.server';
import { beginDraft } from '~/applications/drafts.server';
import type { AllAnswers } from '~/domain/application/answers';
import type { StepNumber } from '~/domain/application/steps';
import type { Language } from '~/i18n/languages';
import { type ApplicationRow, findApplication } from '~db/queries/applications.server';
import type { Database } from '~db/schema';

export interface Draft {
  at: Date;
  id?: string;
  userId?: string | undefined;
  token?: string;
  language?: Language;
  steps?: AllAnswers;
  isComplete?: boolean;
  set?: Partial<ApplicationRow>;
}

export async function addDraftTo(db: Database, draft: Draft): Promise<ApplicationRow> {
  const { at, id = randomUUID(), userId, token = randomUUID(), language = 'fr' } = draft;
  const whose = userId === undefined ? { token } : { userId };
  const begun = await beginDraft(db, { id, ...whose, language }, at);
  if (!begun) throw new Error('It has not begun.');
  await answer(db, begun, draft);
  if (draft.set) await db.updateTable('applications').set(draft.set).where('id', '=', id).execute();
  return (await findApplication(db, id)) as ApplicationRow;
}

export async function answer(
  db: Database,
  application: Pick<ApplicationRow, 'id'>,
  { at, steps = {}, isComplete = false }: Pick<Draft, 'at' | 'steps' | 'isComplete'>,
): Promise<void> {
  for (const [number, answers] of Object.entries(steps)) {
    const step = Number(number) as StepNumber;
    const saved = await saveStep(db, { application, step, answers, isComplete, version: 0 }, at);
    if (saved !== 'saved') throw new Error(`Step ${step} is ${saved}.`);
  }
}
