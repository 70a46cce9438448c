import type { OpenApplication } from './access.server';
import { draftsOf, keepDraft } from './draft-cookie.server';

/**
 * The `Set-Cookie` headers that keep an open application in this browser for its full time again; none
 * for that of an account, which its session keeps open.
 */
export async function keptHere(
  request: Request,
  { row, owner }: OpenApplication,
): Promise<string[]> {
  if (owner.kind === 'account') return [];
  const entry = (await draftsOf(request)).find(({ id }) => id === row.id);
  return entry ? [await keepDraft(request, entry)] : [];
}
