import { audit } from '~/accounts/audit.server';
import { hashOfToken } from '~/accounts/tokens.server';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { closeInBrowser } from '~db/queries/applications.server';
import { markTokenUsed } from '~db/queries/one-time-tokens.server';
import { draftsOf, forgetDrafts } from './draft-cookie.server';

/** Closes all that this browser has without an account; a copy of its cookie opens none. */
export async function closeOnDevice(request: Request): Promise<string> {
  const drafts = await draftsOf(request);
  const at = now();
  await requireDatabase(async (db) => {
    for (const { id, token, resume } of drafts) {
      if (resume !== undefined) await markTokenUsed(db, hashOfToken(resume), at);
      if (token === undefined || !(await closeInBrowser(db, id, hashOfToken(token)))) continue;
      await audit(db, { kind: 'anybody' }, 'application.closed_on_device', ['application', id], at);
    }
  }, writeDatabase);
  return forgetDrafts(request);
}
