import type { AuditEvent } from '~/accounts/audit.server';
import { type Owner, requireApplication } from '~/applications/access.server';
import { draftsOf, keepDraft } from '~/applications/draft-cookie.server';
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
  const { row, owner } = await requireApplication(request, id);
  if (owner.kind === 'account') {
    return { row, owner, actor: { kind: 'traveller', id: owner.userId }, cookies: [] };
  }
  const entry = (await draftsOf(request)).find((one) => one.id === row.id);
  const cookies = entry ? [await keepDraft(request, entry)] : [];
  return { row, owner, actor: { kind: 'anybody' }, cookies };
}
