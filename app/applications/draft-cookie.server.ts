import { z } from 'zod/v4';

import { getOrInsert } from '~/domain/get-or-insert';
import { signedCookie } from '~/http/cookies.server';

const MOST_DRAFTS = 8;
/** Somebody else may sit down at this device later (live-mode.md, the application). */
const IDLE_S = 2 * 60 * 60;

const entrySchema = z.object({
  id: z.string(),
  /** Opens the answers; its hash is in the application's row. Without, only its state is shown. */
  token: z.string().optional(),
  /** Of a link for the date of birth that opens the answers, too. */
  resume: z.string().optional(),
});

export type DraftEntry = z.output<typeof entrySchema>;

const draftCookie = signedCookie('draft', z.array(entrySchema).max(MOST_DRAFTS), {
  maxAge: IDLE_S,
  isLive: true,
});

/** A page asks several times; to check a signature takes longer than to remember it. */
const read = new WeakMap<Request, Promise<DraftEntry[]>>();

export const draftsOf = (request: Request): Promise<DraftEntry[]> =>
  getOrInsert(read, request, async () => (await draftCookie.read(request)) ?? []);

export async function saveDraft(request: Request, entry: DraftEntry): Promise<string> {
  const others = (await draftsOf(request)).filter(({ id }) => id !== entry.id);
  return draftCookie.write([entry, ...others].slice(0, MOST_DRAFTS));
}

export async function forgetDrafts(request: Request, ids?: readonly string[]): Promise<string> {
  const left = (await draftsOf(request)).filter(({ id }) => ids && !ids.includes(id));
  return left.length > 0 ? draftCookie.write(left) : draftCookie.clear();
}
