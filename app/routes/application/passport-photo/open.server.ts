import type { AuditEvent } from '~/accounts/audit.server';
import { openApplication, type Owner } from '~/applications/access.server';
import { draftsOf, keepDraft } from '~/applications/draft-cookie.server';
import { applicationNotFound } from '~/applications/not-found.server';
import { requireDatabase } from '~/database.server';
import type { ApplicationRow } from '~db/queries/applications.server';

interface Opened {
  row: ApplicationRow;
  owner: Owner;
  actor: AuditEvent['actor'];
  /** `Set-Cookie` headers: without an account, each page keeps it open here for longer. */
  cookies: string[];
}

/**
 * The application of the address, for who may see its documents.
 *
 * @throws {Response} 404, also for who has opened its state alone; 503 without a database
 */
export async function openForPhoto(request: Request, id: string | undefined): Promise<Opened> {
  const open = await requireDatabase(() => openApplication(request, id));
  if (open?.level !== 'answers') throw applicationNotFound();
  const { row, owner } = open;
  if (owner.kind === 'account') {
    return { row, owner, actor: { kind: 'traveller', id: owner.userId }, cookies: [] };
  }
  const entry = (await draftsOf(request)).find((one) => one.id === row.id);
  const cookies = entry ? [await keepDraft(request, entry)] : [];
  return { row, owner, actor: { kind: 'anybody' }, cookies };
}
