import { savedAnswers } from '~/applications/answers.server';
import { judgeContext } from '~/content/application-context.server';
import { firstOpenStep } from '~/domain/application/judge';
import type { Database } from '~db/schema';
import type { ApplicationRow } from '~db/queries/applications.server';

/** Where somebody goes on: with a draft's first step that is not complete, or the answer that we wait for. */
export async function goalOf(db: Database, { id, state }: ApplicationRow): Promise<string> {
  if (state === 'action_required') return `/application/${id}/respond`;
  if (state !== 'draft') return `/application/${id}/overview`;
  const { all } = await savedAnswers(db, id);
  // Whether there is a photo completes no step.
  const step = firstOpenStep(await judgeContext(all, { hasPhoto: false }));
  return `/application/${id}/step-${step}`;
}
