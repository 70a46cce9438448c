import { audit } from '~/accounts/audit.server';
import { copyForFamily } from '~/domain/application/family';
import type { StepNumber } from '~/domain/application/steps';
import type { Language } from '~/i18n/languages';
import type { Database } from '~db/schema';
import type { Owner } from './access.server';
import { saveStep, savedAnswers } from './answers.server';
import type { DraftEntry } from './draft-cookie.server';
import { beginDraft, plannedDraft } from './drafts.server';

export interface NextTraveller {
  id: string;
  /** Without an account: what the browser is to keep of it. */
  entry: DraftEntry | undefined;
}

/**
 * Begins the application of the next traveller with what both have in common, in the transaction `db`.
 * Its steps count as incomplete, so that each is looked at once more.
 *
 * @param id of the application that it is begun with; its owner has opened its answers
 * @throws {SealError} if its answers do not open
 */
export async function beginForNextTraveller(
  db: Database,
  { id: from, owner, language }: { id: string; owner: Owner; language: Language },
  now: Date,
): Promise<NextTraveller> {
  const { id, token = '' } = plannedDraft();
  const ofWhom = owner.kind === 'account' ? { userId: owner.userId } : { token };
  const { all } = await savedAnswers(db, from);
  await beginDraft(db, { id, ...ofWhom, language }, now);
  const steps = Object.entries(copyForFamily(all));
  for (const [step, answers] of steps) {
    await saveStep(
      db,
      {
        application: { id },
        step: Number(step) as StepNumber,
        answers,
        isComplete: false,
        version: 0,
      },
      now,
    );
  }
  await audit(
    db,
    owner.kind === 'account' ? { kind: 'traveller', id: owner.userId } : { kind: 'anybody' },
    'application.copied',
    ['application', id],
    now,
    { steps: steps.map(([step]) => step).join(' ') },
  );
  return { id, entry: owner.kind === 'account' ? undefined : { id, token } };
}
