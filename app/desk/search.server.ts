import { randomUUID } from 'node:crypto';

import { redirect } from '@remix-run/node';
import { z } from 'zod/v4';

import { audit } from '~/accounts/audit.server';
import type { SignedIn } from '~/accounts/session.server';
import {
  EMAIL_INDEX,
  PASSPORT_INDEX,
  PERSON_INDEX,
  personText,
} from '~/applications/answers.server';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { normalizeEmail } from '~/domain/accounts';
import { dateOf } from '~/domain/application/dates';
import { normalisePassportNumber } from '~/domain/application/passport-shapes';
import { readReference } from '~/domain/application/reference';
import { type Refusal, refuse, textIn } from '~/http/form.server';
import type { Language } from '~/i18n/languages';
import { blindIndexes, seal, SealError, unseal } from '~/sealing/seal.server';
import { findSearches, replaceSearches } from '~db/queries/sessions.server';
import { findCases } from '~db/queries/worklist.server';
import type { Database } from '~db/schema';
import { staffNames } from './staff.server';
import { type CaseRow, caseRows } from './worklist.server';

/** Browsers, proxies and logs keep addresses: what was typed is kept with the session alone. */

/** More are not shown: who looks for one person has something that is theirs alone. */
const MOST = 50;

const FIELDS = ['q', 'family_name', 'born.day', 'born.month', 'born.year'] as const;
const COLUMNS = {
  reference: 'reference',
  email: 'email_index',
  passport: 'passport_index',
  person: 'person_index',
} as const;
type Query = { by: keyof typeof COLUMNS; values: string[] };

/** As many as somebody goes back to, in several tabs. */
const KEPT = 10;
const keptSchema = z.array(z.object({ id: z.string(), typed: z.record(z.string(), z.string()) }));
const placeOf = (row: string) => ({ table: 'sessions', row, field: 'searches_sealed' });

async function keptSearches(db: Database, sessionId: string) {
  const sealed = await findSearches(db, sessionId);
  if (sealed === null) return [];
  try {
    return keptSchema.parse(JSON.parse(unseal(sealed, placeOf(sessionId))));
  } catch (error) {
    // Its key is gone, which does not keep the site from starting: it is looked for anew.
    if (error instanceof SealError) return [];
    throw error;
  }
}

export type SearchAnswer = Refusal & { found?: { rows: CaseRow[]; isCut: boolean } };

export async function search(sent: FormData, { sessionId }: SignedIn) {
  const typed = Object.fromEntries(FIELDS.map((name) => [name, textIn(sent, name).slice(0, 320)]));
  const read = queriesOf(typed);
  if ('errors' in read) return refuse('invalid', { typed, errors: read.errors });
  const id = randomUUID();
  await requireDatabase(async (db) => {
    const kept = [{ id, typed }, ...(await keptSearches(db, sessionId))].slice(0, KEPT);
    await replaceSearches(db, sessionId, seal(JSON.stringify(kept), placeOf(sessionId)));
  }, writeDatabase);
  return redirect(`/crm/processing?search=${id}`, 303);
}

export async function foundBy(
  id: string | null,
  { sessionId, user }: SignedIn,
  language: Language,
): Promise<SearchAnswer | undefined> {
  if (id === null) return undefined;
  const kept = await requireDatabase((db) => keptSearches(db, sessionId));
  const typed = kept.find((one) => one.id === id)?.typed;
  const read = typed && queriesOf(typed);
  if (!read || 'errors' in read) return undefined;
  const at = now();
  const found = await requireDatabase((db) => find(db, read, user, at), writeDatabase);
  const staff = await requireDatabase((db) => staffNames(db));
  return {
    values: typed,
    errors: {},
    found: {
      rows: caseRows(found.slice(0, MOST), { language, staff, self: user.id, now: at }),
      isCut: found.length > MOST,
    },
  };
}

/** Each look is an event that says by what, and how many there were. */
async function find(db: Database, queries: readonly Query[], self: SignedIn['user'], at: Date) {
  for (const { by, values } of queries) {
    const rows = await findCases(db, COLUMNS[by], values, MOST + 1);
    const isLast = by === queries.at(-1)?.by;
    if (rows.length === 0 && !isLast) continue;
    const details = { by, found: Math.min(rows.length, MOST) };
    await audit(db, self, 'case.searched', ['application'], at, details);
    return rows.sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  }
  return [];
}

/** What is looked for, in this order: a reference without its prefix may be a passport's number, too. */
function queriesOf(typed: Record<string, string>): Query[] | { errors: Record<string, string> } {
  const q = (typed['q'] ?? '').trim();
  const family = (typed['family_name'] ?? '').trim();
  const birth = dateOf(typed, 'born');
  if (q.includes('@')) {
    return [{ by: 'email', values: blindIndexes(EMAIL_INDEX, normalizeEmail(q)) }];
  }
  if (q) {
    const reference = readReference(q);
    const number = normalisePassportNumber(q);
    const queries: Query[] = [];
    if (reference) queries.push({ by: 'reference', values: [reference] });
    if (number) queries.push({ by: 'passport', values: blindIndexes(PASSPORT_INDEX, number) });
    return queries.length ? queries : { errors: { q: 'q' } };
  }
  if (!family && !birth) return { errors: { q: 'required' } };
  if (!family) return { errors: { family_name: 'family' } };
  if (!birth) return { errors: { born: 'born' } };
  if (birth.day === undefined) return { errors: { born: birth.problem } };
  const person = personText(family, birth.day);
  if (!person) return { errors: { family_name: 'family' } };
  return [{ by: 'person', values: blindIndexes(PERSON_INDEX, person) }];
}
