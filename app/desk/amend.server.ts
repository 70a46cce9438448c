import { savedAnswers, shownColumns } from '~/applications/answers.server';
import { hasPassportPhoto } from '~/applications/documents.server';
import { judgeContext } from '../applications/judge-context.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import type { Answers } from '~/domain/application/answers';
import { type Amendable, judgeAmendment, type JudgedAmendment } from '~/domain/application/amend';
import type { JudgeContext } from '~/domain/application/judge';
import { caseRights } from '~/domain/desk';
import { seal } from '~/sealing/seal.server';
import {
  lockApplication,
  updateAtVersion,
  answersId,
  replaceAnswers,
} from '~db/queries/applications.server';
import type { Database } from '~db/schema';
import { keepAmendments } from './amendments.server';
import type { OpenCase } from './open-case.server';
import { isShown } from '~/domain/application/judge-context';

interface CaseAnswers {
  context: JudgeContext;
  versions: Awaited<ReturnType<typeof savedAnswers>>['versions'];
}

/**
 * The answers of a case, opened, for who has full view of it.
 *
 * @throws {Response} 503 without a database
 * @throws {SealError} if a step does not open
 */
export async function caseAnswers(applicationId: string): Promise<CaseAnswers> {
  const { all, versions, hasPhoto } = await requireDatabase(async (db) => ({
    ...(await savedAnswers(db, applicationId)),
    hasPhoto: await hasPassportPhoto(db, applicationId),
  }));
  return { context: await requireDatabase(() => judgeContext(all, { hasPhoto })), versions };
}

interface Amendment {
  amended: Amendable;
  typed: Answers;
  why: string;
  version: number;
}

/** What became of an amendment; refused, with the problems of its fields by form name. */
type AmendResult =
  | { done: true }
  | {
      done?: undefined;
      refused: 'invalid' | 'same' | 'hidden' | 'changed' | 'state';
      errors?: JudgedAmendment['errors'];
    };

/**
 * Changes an answer of a case as staff, by the rules of the traveller's form: the answer before it is
 * kept beside the new one, with the reason.
 *
 * @throws {Response} 403 for who may not change answers of it; 503 without a database
 */
export async function amendCase(
  open: OpenCase,
  { amended, typed, why, version }: Amendment,
  answers: CaseAnswers,
  now: Date,
): Promise<AmendResult> {
  const { context, versions } = answers;
  const { step } = amended;
  const [field] = amended.fields;
  if (!field || !isShown(field, context.all[step.number] ?? {}, context)) {
    return { refused: 'hidden' };
  }
  const judged = judgeAmendment(amended, typed, context);
  if (Object.keys(judged.errors).length > 0) return { refused: 'invalid', errors: judged.errors };
  if (judged.changes.length === 0) return { refused: 'same' };
  const stepVersion = versions[step.number] ?? 0;
  return requireDatabase(
    (db) => save(db, open, { amended, judged, why, version, stepVersion }, now),
    writeDatabase,
  );
}

interface Save {
  amended: Amendable;
  judged: JudgedAmendment;
  why: string;
  version: number;
  stepVersion: number;
}

async function save(
  db: Database,
  { row: { id }, session: { user }, reason }: OpenCase,
  { amended: { step }, judged, why, version, stepVersion }: Save,
  now: Date,
): Promise<AmendResult> {
  const row = await lockApplication(db, id);
  if (!row) throw new Response(null, { status: 404 });
  if (row.version !== version) return { refused: 'changed' };
  const rights = caseRights({
    role: user.role,
    isAssigned: row.assigned_to === user.id,
    state: row.state,
    gaveReason: reason !== undefined,
  });
  if (rights.view !== 'full') throw new Response(null, { status: 403 });
  if (!rights.amend) return { refused: 'state' };
  const { kept, isComplete, changes } = judged;
  const place = { table: 'application_answers', row: answersId(id, step.number), field: 'sealed' };
  const sealed = seal(JSON.stringify(kept), place);
  const saved = { applicationId: id, step: step.number, sealed, isComplete, version: stepVersion };
  if (!(await replaceAnswers(db, saved, now))) return { refused: 'changed' };
  // Its version grows, too: what others have open of this case was made of the answers before.
  await updateAtVersion(db, row, shownColumns(id, step.number, kept) ?? {});
  const actor = { kind: 'staff', id: user.id } as const;
  await keepAmendments(db, { applicationId: id, step: step.number, changes, why, actor }, now);
  return { done: true };
}
