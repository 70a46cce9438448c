import { randomUUID } from 'node:crypto';

import { z } from 'zod/v4';

import type { SignedIn } from '~/accounts/session.server';
import { requireDatabase, requireWrite } from '~/database.server';
import { textIn } from '~/http/form.server';
import { sealColumn, SealError, unsealColumn } from '~/sealing/seal.server';
import { rowsIn } from '~db/queries/rows.server';
import type { Database } from '~db/schema';

/** As many as somebody goes back to, in several tabs. */
const KEPT = 10;
const keptSchema = z.array(z.object({ id: z.string(), typed: z.record(z.string(), z.string()) }));

/** Browsers, proxies and logs keep addresses: what was typed is kept with the session alone. */
async function keptTexts(db: Database, sessionId: string) {
  const session = await rowsIn(db).find('sessions', { id: sessionId });
  try {
    const kept = session && unsealColumn('sessions', session, 'searches_sealed');
    return kept === undefined ? [] : keptSchema.parse(JSON.parse(kept));
  } catch (error) {
    // Its key is gone, which does not keep the site from starting: it is looked for anew.
    if (error instanceof SealError) return [];
    throw error;
  }
}

/** @returns by what the next page finds it (`typedBefore`) */
export const keepTyped = (sessionId: string, typed: Record<string, string>) =>
  requireWrite(async (db) => {
    const id = randomUUID();
    const all = [{ id, typed }, ...(await keptTexts(db, sessionId))].slice(0, KEPT);
    const text = JSON.stringify(all);
    const searches_sealed = sealColumn('sessions', sessionId, 'searches_sealed', text);
    await rowsIn(db).update('sessions', { id: sessionId }, { searches_sealed }).execute();
    return id;
  });

/** The same of what else was typed into a form that is taken: a parameter of the next page. */
export async function keptBeside(sessionId: string, sent: FormData, names: readonly string[]) {
  const typed = Object.fromEntries(names.map((name) => [name, textIn(sent, name)]));
  if (!Object.values(typed).some(Boolean)) return {};
  return { kept: await keepTyped(sessionId, typed) };
}

export async function typedBefore(id: string | null, { sessionId }: Pick<SignedIn, 'sessionId'>) {
  if (id === null) return undefined;
  const kept = await requireDatabase((db) => keptTexts(db, sessionId));
  return kept.find((one) => one.id === id)?.typed;
}
