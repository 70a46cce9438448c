import { randomUUID } from 'node:crypto';

import { type AuditActor, audit } from '~/accounts/audit.server';
import { requestableAmong, lapsesAt, type Picture } from '~/domain/application/requests';
import { BEING_CHECKED } from '~/domain/application/states';
import { sealColumn, unsealColumn } from '~/sealing/seal.server';
import { siteSettings } from '~/settings/settings.server';
import {
  closeRequest,
  saveSealedAnswer,
  type RequestRow,
} from '~db/queries/application-requests.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { rowsIn } from '~db/queries/rows.server';
import type { Database } from '~db/schema';

export async function openRequest(
  db: Database,
  applicationId: string,
  { fields, reason, actor }: { fields: readonly string[]; reason?: string; actor: AuditActor },
  now: Date,
): Promise<void> {
  const id = randomUUID();
  const asked = requestableAmong(fields);
  const table = 'application_requests';
  await rowsIn(db).insert(table, {
    id,
    application_id: applicationId,
    state: 'open',
    fields: JSON.stringify(asked),
    reason_sealed: reason === undefined ? null : sealColumn(table, id, 'reason_sealed', reason),
    created_by: actor.id ?? null,
    created_at: now.toISOString(),
  });
  const details = { fields: asked.join(' ') };
  await audit(db, actor, 'request.opened', ['application', applicationId], now, details);
}

export const fieldsOf = ({ fields }: Pick<RequestRow, 'fields'>): string[] =>
  requestableAmong(JSON.parse(fields) as string[]);

export const reasonOf = (request: Pick<RequestRow, 'id' | 'reason_sealed'>) =>
  unsealColumn('application_requests', request, 'reason_sealed');

/** All that was typed while its traveller has left for the photo; then the note and the boxes. */
export function answerOf(request: Pick<RequestRow, 'id' | 'answer_sealed'>) {
  const answer = new FormData();
  const text = unsealColumn('application_requests', request, 'answer_sealed') ?? '[]';
  const fields = JSON.parse(text) as [string, string][];
  for (const [name, text] of fields) answer.append(name, text);
  return answer;
}

export async function saveAnswer(
  db: Database,
  { id }: Pick<RequestRow, 'id'>,
  fields: readonly (readonly [name: string, text: string])[],
): Promise<boolean> {
  const said = JSON.stringify(fields);
  const sealed = sealColumn('application_requests', id, 'answer_sealed', said);
  return saveSealedAnswer(db, id, fields.length === 0 ? null : sealed);
}

export const answerBy = ({ created_at }: Pick<RequestRow, 'created_at'>): Date =>
  lapsesAt(new Date(created_at), siteSettings().answerDays);

export async function noteAnswered(
  db: Database,
  request: RequestRow,
  actor: AuditActor,
  now: Date,
): Promise<boolean> {
  if (!(await closeRequest(db, request.id, now))) return false;
  const details = { fields: fieldsOf(request).join(' ') };
  await audit(db, actor, 'request.answered', ['application', request.application_id], now, details);
  return true;
}

/** Whether the site itself has asked, which changes no state: for pictures that come later. */
export const isOwnRequest = ({ created_by }: Pick<RequestRow, 'created_by'>): boolean =>
  created_by === null;

/** To a paid application: while there is none, or staff ask for a better one. */
export function mayAddPhoto(
  { state }: Pick<ApplicationRow, 'state'>,
  found: { kind: Picture; hasPhoto: boolean; request: RequestRow | undefined },
): boolean {
  const { kind, hasPhoto, request } = found;
  if (!BEING_CHECKED.includes(state)) return false;
  if (!hasPhoto) return true;
  return state === 'action_required' && request !== undefined && fieldsOf(request).includes(kind);
}
