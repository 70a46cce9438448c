import { randomBytes, randomUUID } from 'node:crypto';

import { hashOfToken, randomToken } from '~/accounts/tokens.server';
import { audit } from '~/accounts/audit.server';
import { formatReference } from '~/domain/application/reference';
import type { Language } from '~/i18n/languages';
import type { Database } from '~db/schema';
import { type ApplicationRow, findApplication } from '~db/queries/applications.server';
import { rowsIn } from '~db/queries/rows.server';
import { copyForFamily } from '~/domain/application/family';
import type { StepNumber } from '~/domain/application/steps';
import { actorOf, type Owner } from './access.server';
import { saveStep, savedAnswers } from './answers.server';

const FORM_VERSION = 1;

export const plannedDraft = (): { id: string; token: string } => ({
  id: randomUUID(),
  token: randomToken(),
});

/** Begun once if sent twice. @returns undefined if the id is somebody else's */
export async function beginDraft(
  db: Database,
  draft: { id: string; userId?: string; token?: string; language: Language },
  now: Date,
): Promise<ApplicationRow | undefined> {
  const { id, userId, token, language } = draft;
  const hash = token === undefined ? null : hashOfToken(token);
  const at = now.toISOString();
  const isNew = await rowsIn(db).insertNew('applications', {
    id,
    reference: formatReference(randomBytes(5)),
    user_id: userId ?? null,
    draft_token_hash: userId === undefined ? hash : null,
    form_version: FORM_VERSION,
    state: 'draft',
    language_code: language,
    created_at: at,
    updated_at: at,
  });
  const row = await findApplication(db, id);
  const isOwn =
    row &&
    (userId === undefined
      ? row.user_id === null && row.draft_token_hash === hash && hash !== null
      : row.user_id === userId);
  if (!row || !isOwn) return undefined;
  const by: Owner = userId === undefined ? { kind: 'browser' } : { kind: 'account', userId };
  if (isNew) await audit(db, actorOf(by), 'application.begun', ['application', id], now);
  return row;
}

/** With what both travellers have in common; each step is to be looked at once more. */
export async function beginForNextTraveller(
  db: Database,
  { id: from, owner, language }: { id: string; owner: Owner; language: Language },
  now: Date,
) {
  const { id, token } = plannedDraft();
  const ofWhom = owner.kind === 'account' ? { userId: owner.userId } : { token };
  const { all } = await savedAnswers(db, from);
  await beginDraft(db, { id, ...ofWhom, language }, now);
  const steps = Object.entries(copyForFamily(all));
  for (const [step, answers] of steps) {
    const save = { step: Number(step) as StepNumber, answers, isComplete: false, version: 0 };
    await saveStep(db, { application: { id }, ...save }, now);
  }
  await audit(db, actorOf(owner), 'application.copied', ['application', id], now, {
    steps: steps.map(([step]) => step).join(' '),
  });
  return { id, entry: owner.kind === 'account' ? undefined : { id, token } };
}
