import { answerBy, fieldsOf, openRequest } from '~/applications/requests.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { PHOTO } from '~/domain/application/requests';
import { findDocumentFacts } from '~db/queries/application-documents.server';
import { endOpenRequest, findOpenRequest } from '~db/queries/application-requests.server';
import { lockApplication } from '~db/queries/applications.server';
import type { Database } from '~db/schema';
import { moveCase } from './move-case.server';
import type { OpenCase } from './open-case.server';
import { tellTraveller } from '~/applications/address.server';

interface SentRequest {
  version: number;
  fields: readonly string[];
  reason: string;
}

/**
 * Asks the traveller of a case to mend something: the clock stops, and a mail goes out. The photo that
 * was to come later is asked for with it, if it is still missing.
 *
 * @returns `changed`: somebody was faster, or the case is in another state; nothing was done
 * @throws {Response} 403 for who is not its assignee, 503 without a database
 */
export async function askTraveller(
  open: OpenCase,
  { version, fields, reason }: SentRequest,
  now: Date,
): Promise<'asked' | 'changed'> {
  return requireDatabase(async (db) => {
    const row = await lockApplication(db, open.row.id);
    if (row?.version !== version) return 'changed';
    const facts = { reasonGiven: reason !== '', fieldsNamed: fields.length > 0 };
    const set = { paused_at: now.toISOString() };
    const { moved, refused } = await moveCase(db, open, row, 'request', { facts, set }, now);
    if (refused === 'actor') throw new Response(null, { status: 403 });
    if (!moved) return 'changed';
    const asked = [...fields, ...(await takenAlong(db, row.id))];
    const actor = { kind: 'staff', id: open.session.user.id } as const;
    await openRequest(db, row.id, { fields: asked, reason, actor }, now);
    const due = answerBy({ created_at: now.toISOString() }).toISOString();
    await tellTraveller(db, moved, 'requestOpened', { due }, now);
    return 'asked';
  }, writeDatabase);
}

/** Ends the request that the site itself has made: one is open at a time. @returns what it asked for */
async function takenAlong(db: Database, applicationId: string): Promise<string[]> {
  const own = await findOpenRequest(db, applicationId);
  if (!own) return [];
  await endOpenRequest(db, applicationId);
  const isPhotoThere = await findDocumentFacts(db, applicationId, PHOTO);
  return isPhotoThere ? [] : fieldsOf(own);
}
