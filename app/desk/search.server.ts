import { redirect } from '@remix-run/node';

import { audit } from '~/accounts/audit.server';
import type { SignedIn } from '~/accounts/session.server';
import {
  EMAIL_INDEX,
  FAMILY_INDEX,
  OFFICIAL_INDEX,
  PASSPORT_INDEX,
  PERSON_INDEX,
  personText,
} from '~/applications/answers.server';
import { queueResumeLink } from '~/applications/links.server';
import { now } from '~/clock.server';
import { requireWrite } from '~/database.server';
import { normalizeEmail } from '~/domain/accounts';
import { answeredDate } from '~/domain/application/dates';
import { normalisePassportNumber } from '~/domain/application/passport-shapes';
import { readReference } from '~/domain/application/reference';
import { sentName } from '~/domain/application/sent-name';
import { isOneOf, UNPAID } from '~/domain/application/states';
import { type Refusal, refuse, textIn } from '~/http/form.server';
import type { Language } from '~/i18n/languages';
import { shortInstants } from '~/i18n/locale.server';
import { MESSAGE_EMAIL_INDEX } from '~/messages/messages.server';
import { blindIndexes } from '~/sealing/seal.server';
import { findApplication } from '~db/queries/applications.server';
import { listContactMessagesOf } from '~db/queries/contact-messages.server';
import { type CaseColumn, findCases } from '~db/queries/worklist.server';
import type { Database } from '~db/schema';
import { keepTyped, typedBefore } from './kept-texts.server';
import { namesOfStaff } from './staff.server';
import { caseRows, lookingNow } from './worklist.server';

/** More are not shown: who looks for one person has something that is theirs alone. */
const MOST = 50;

const FIELDS = ['q', 'family_name', 'born.day', 'born.month', 'born.year'] as const;
const COLUMNS = {
  reference: 'reference',
  email: 'email_index',
  passport: 'passport_index',
  official: 'official_index',
  family: 'family_index',
  person: 'person_index',
  invoice: 'invoice',
} as const satisfies Record<string, CaseColumn>;
type Query = { by: keyof typeof COLUMNS; values: string[]; ofMessages?: string[] };

export async function search(sent: FormData, { sessionId }: SignedIn) {
  const typed = Object.fromEntries(FIELDS.map((name) => [name, textIn(sent, name).slice(0, 320)]));
  const read = queriesOf(typed);
  if ('errors' in read) return refuse('invalid', { typed, errors: read.errors });
  return redirect(`/crm/processing?search=${await keepTyped(sessionId, typed)}`, 303);
}

/** To who began an application and has not paid: the mail, and its limits, of who asks for it themselves. */
export async function sendLinkAgain(sent: FormData, client: string) {
  const [id, search] = [textIn(sent, 'id'), textIn(sent, 'search')];
  const done = await requireWrite(async (db) => {
    const row = await findApplication(db, id);
    return row && isOneOf(UNPAID, row.state) ? queueResumeLink(db, row, client, now()) : undefined;
  });
  if (!done) throw new Response(null, { status: 404 });
  return redirect(`/crm/processing?${new URLSearchParams({ search, link: done })}`, 303);
}

export type SearchAnswer = Refusal & { found?: Awaited<ReturnType<typeof find>> };

export async function foundBy(
  id: string | null,
  { user, ...session }: SignedIn,
  language: Language,
): Promise<SearchAnswer | undefined> {
  const typed = await typedBefore(id, session);
  const read = typed && queriesOf(typed);
  if (!read || 'errors' in read) return undefined;
  const found = await requireWrite((db) => find(db, read, { user, language }));
  return { values: typed, errors: {}, found };
}

/** Each look is an event that says by what, and how many there were. */
async function find(
  db: Database,
  queries: readonly Query[],
  { user, language }: { user: SignedIn['user']; language: Language },
) {
  const at = now();
  const [time, names] = [shortInstants(language), await namesOfStaff(db)];
  const byId = new Map<string, Awaited<ReturnType<typeof findCases>>[number]>();
  for (const { by, values } of queries) {
    const rows = await findCases(db, COLUMNS[by], values, MOST + 1);
    for (const row of rows) byId.set(row.id, row);
    // Of what was looked for in vain the last is told.
    const isVain = by === queries.at(-1)?.by && byId.size === 0;
    if (rows.length === 0 && !isVain) continue;
    const details = { by, found: Math.min(rows.length, MOST) };
    await audit(db, user, 'case.searched', ['application'], at, details);
  }
  const all = [...byId.values()].sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  const isUnpaid = ({ state }: (typeof all)[number]) => isOneOf(UNPAID, state);
  const paid = all.filter((row) => !isUnpaid(row));
  const ofMessages = queries.find(({ by }) => by === 'email')?.ofMessages ?? [];
  const messages = await listContactMessagesOf(db, ofMessages);
  return {
    cases: caseRows(paid.slice(0, MOST), { language, names, looking: lookingNow(user.id) }),
    // Without a name: nothing of what they have answered is seen before they pay.
    unpaid: all.filter(isUnpaid).map(({ id, reference, state, created_at }) => ({
      ...{ id, reference, state, begun: time(created_at) },
    })),
    messages: messages.map(({ id, state, created_at }) => ({ id, state, at: time(created_at) })),
    isCut: paid.length > MOST,
  };
}

/** What is looked for, all of it: a reference without its prefix may be a passport's number, too. */
function queriesOf(typed: Record<string, string>): Query[] | { errors: Record<string, string> } {
  const q = (typed['q'] ?? '').trim();
  const family = (typed['family_name'] ?? '').trim();
  const birth = answeredDate(typed, 'born');
  if (q.includes('@')) {
    const email = normalizeEmail(q);
    const ofMessages = blindIndexes(MESSAGE_EMAIL_INDEX, email);
    return [{ by: 'email', values: blindIndexes(EMAIL_INDEX, email), ofMessages }];
  }
  if (q) {
    const reference = readReference(q);
    const [number, name] = [normalisePassportNumber(q), sentName(q)];
    const official = q.replaceAll(/[\s-]/g, '').toUpperCase();
    const queries: Query[] = [];
    if (reference) queries.push({ by: 'reference', values: [reference] });
    if (number) queries.push({ by: 'passport', values: blindIndexes(PASSPORT_INDEX, number) });
    if (/\d/.test(q)) {
      queries.push(
        { by: 'official', values: blindIndexes(OFFICIAL_INDEX, official) },
        { by: 'invoice', values: [q, q.toUpperCase()] },
      );
    } else if (name) queries.push({ by: 'family', values: blindIndexes(FAMILY_INDEX, name) });
    return queries.length > 0 ? queries : { errors: { q: 'q' } };
  }
  if (!family && !birth) return { errors: { q: 'required' } };
  if (!family) return { errors: { family_name: 'family' } };
  if (!birth) return { errors: { born: 'born' } };
  if (birth.day === undefined) return { errors: { born: birth.problem } };
  const person = personText(family, birth.day);
  if (!person) return { errors: { family_name: 'family' } };
  return [{ by: 'person', values: blindIndexes(PERSON_INDEX, person) }];
}
