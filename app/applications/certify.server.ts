import { writeOrUndo } from '~/database.server';
import type { Answers } from '~/domain/application/answers';
import { ASKED_STEPS, LAST_STEP } from '~/domain/application/steps';
import { type ApplicationRow, listAnswers } from '~db/queries/applications.server';
import { actorOf, type Owner } from './access.server';
import { type SavedAnswers, saveStep } from './answers.server';
import { missingPictures } from './pictures.server';
import { moveApplication } from './moves.server';

export type CertifiedVersions = { application: number; version: number; steps: string };

/** As the check page sends them back: `1.3.2.1.1.4.2`. */
export function seenVersions(versions: SavedAnswers['versions']): string {
  return ASKED_STEPS.map(({ number }) => versions[number] ?? 0).join('.');
}

/** All or nothing. `conflict`: something was changed meanwhile; `closed`: it is no draft. */
export async function certify(
  row: ApplicationRow,
  { answers, seen, hasPhoto }: { answers: Answers; seen: CertifiedVersions; hasPhoto: boolean },
  owner: Owner,
  now: Date,
): Promise<'certified' | 'conflict' | 'closed'> {
  if (row.version !== seen.application) return 'conflict';
  return writeOrUndo('certified', async (db) => {
    const save = { application: row, step: LAST_STEP, answers, isComplete: true } as const;
    const saved = await saveStep(db, { ...save, version: seen.version }, now);
    if (saved !== 'saved') return saved;
    // The application's row is held from here on: nobody saves a step until this is done.
    const steps = await listAnswers(db, row.id);
    const versions = Object.fromEntries(steps.map(({ step, version }) => [step, version]));
    if (seenVersions(versions) !== seen.steps) return 'conflict';
    const missing = await missingPictures(db, row.id);
    if ((missing.length === 0) !== hasPhoto) return 'conflict';
    const by = { as: 'owner', actor: actorOf(owner), facts: { stepsValid: true } } as const;
    const { refused } = await moveApplication(db, row, 'certify', by, now);
    if (refused) return refused === 'state' ? 'closed' : 'conflict';
    return 'certified';
  });
}
