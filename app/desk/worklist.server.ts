import { redirect } from '@remix-run/node';
import { randomUUID } from 'node:crypto';
import { z } from 'zod/v4';

import { audit } from '~/accounts/audit.server';
import type { SignedIn } from '~/accounts/session.server';
import {
  EMAIL_INDEX,
  PASSPORT_INDEX,
  PERSON_INDEX,
  personText,
} from '~/applications/answers.server';
import { countryName } from '~/applications/field-words.server';
import { now, today } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { normalizeEmail } from '~/domain/accounts';
import { answeredDate, dayAfter } from '~/domain/application/dates';
import { normalisePassportNumber } from '~/domain/application/passport-shapes';
import { readReference } from '~/domain/application/reference';
import { shownCount } from '~/domain/dashboard';
import { PACKAGES } from '~/domain/offer';
import {
  isOpen,
  isOverdue,
  type Looking,
  type Queue,
  queuesInTab,
  SOON_DAYS,
  type Tab,
  TABS,
} from '~/domain/worklist';
import { type Refusal, refuse, textIn } from '~/http/form.server';
import type { Language } from '~/i18n/languages';
import { formatShortDay, shortInstants, translator } from '~/i18n/server.server';
import { siteSettings } from '~/settings/settings.server';
import { blindIndexes, seal, SealError, unsealColumn } from '~/sealing/seal.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { listEligibleCodes } from '~db/queries/countries.server';
import { type RowKey, rowsIn } from '~db/queries/rows.server';
import { COUNTED, countQueues, findCases, listCases } from '~db/queries/worklist.server';
import type { Database } from '~db/schema';
import { keyIn, textOfKey } from './lists.server';
import { type StaffName, staffNames } from './staff.server';

/** All else is as if it were not there. */
const FILTERS = {
  package: new RegExp(`^(${PACKAGES.join('|')})$`),
  citizenship: /^[A-Z]{2}$/,
  due: /^overdue$/,
  travel: /^soon$/,
  who: /^(nobody|me|[0-9a-f-]{36})$/,
} as const;
export type FilterName = keyof typeof FILTERS;
type Filters = Partial<Record<FilterName, string>>;

export function readListQuery(searchParams: URLSearchParams) {
  const filters = Object.entries(FILTERS).flatMap(([name, known]) => {
    const value = searchParams.get(name) ?? '';
    return known.test(value) ? [[name, value]] : [];
  });
  const before = keyIn(searchParams, 'before');
  return {
    tab: TABS.find((tab) => tab === searchParams.get('tab')) ?? ('free' as const),
    filters: Object.fromEntries(filters) as Filters,
    from: before ?? keyIn(searchParams, 'after'),
    isBackwards: before !== undefined,
  };
}
type ListQuery = ReturnType<typeof readListQuery>;

function addressOf(
  { tab, filters }: Pick<ListQuery, 'tab' | 'filters'>,
  at?: { name: 'before' | 'after'; key: RowKey },
): string {
  const asked = new URLSearchParams({
    tab,
    ...filters,
    ...(at && { [at.name]: textOfKey(at.key) }),
  });
  return `/crm/processing?${asked}`;
}

const PER_PAGE = 25;

type Asking = { asked: ListQuery; self: { id: string; seesOthers: boolean }; language: Language };

export const lookingNow = (id: string): Looking => ({
  id,
  fourEyes: siteSettings().fourEyes,
  now: now(),
});

function assigneeFilter({ asked: { filters }, self }: Asking): string | null | undefined {
  const { who } = filters;
  if (who === 'nobody') return null;
  if (who === 'me') return self.id;
  return self.seesOthers ? who : undefined;
}

export async function listView(db: Database, asking: Asking) {
  const { asked, self, language } = asking;
  const { tab, isBackwards, filters, from } = asked;
  const assignedTo = assigneeFilter(asking);
  const looking = lookingNow(self.id);
  const [at, isEnded] = [looking.now, tab === 'ended'];
  const { rows, goOn } = await listCases(db, {
    queues: queuesInTab(tab, looking, { isOverdue: filters.due !== undefined, assignedTo }),
    order: isEnded ? 'closed_at' : 'due_at',
    package: filters.package,
    citizenship: filters.citizenship,
    dueBefore: filters.due && at.toISOString(),
    travelUntil: filters.travel && dayAfter(today(), { days: SOON_DAYS }),
    startedBy: tab === 'free' ? at.toISOString() : undefined,
    assignedTo: isEnded ? assignedTo : undefined,
    from,
    isBackwards,
    limit: PER_PAGE,
  });
  const staff = await staffNames(db);
  const shown = isBackwards ? rows.toReversed() : rows;
  const keyOf = (row: ApplicationRow | undefined) =>
    row && { at: (isEnded ? row.closed_at : row.due_at) ?? '', id: row.id };
  // Where a filter has found nothing, the page is as long as the part of the list that was looked at.
  const first = isBackwards ? goOn : from && (keyOf(shown[0]) ?? from);
  const last = isBackwards ? (keyOf(shown.at(-1)) ?? from) : goOn;
  return {
    tab,
    filters,
    isFiltered: Object.keys(filters).length > 0,
    rows: caseRows(shown, { language, staff, self: self.id, now: at }),
    previous: first && addressOf(asked, { name: 'before', key: first }),
    next: last && addressOf(asked, { name: 'after', key: last }),
    start: from && addressOf(asked),
    /** Only a part of the list was looked at for what the filters say. */
    isPart: goOn !== undefined && rows.length < PER_PAGE,
  };
}

/** Each queue up to `COUNTED` and once. */
export async function countTabs(db: Database, tabs: readonly Tab[], looking: Looking) {
  const nameOf = (queue: Queue) => Object.values(queue).join(' ');
  const all = tabs
    .flatMap((tab) => queuesInTab(tab, looking))
    .map((queue) => [nameOf(queue), queue] as const);
  const queues = new Map(all);
  const counts = await countQueues(db, [...queues.values()], looking.now.toISOString());
  const found = new Map([...queues.keys()].map((name, n) => [name, counts[n] ?? 0]));
  return (tab: Tab) =>
    queuesInTab(tab, looking).reduce((sum, queue) => sum + (found.get(nameOf(queue)) ?? 0), 0);
}

export async function tabViews(db: Database, { asked: { filters }, self }: Asking) {
  const countOf = await countTabs(db, TABS, lookingNow(self.id));
  return TABS.map((tab) => ({
    tab,
    href: addressOf({ tab, filters }),
    count: shownCount(countOf(tab), COUNTED),
  }));
}

export async function filterChoices(db: Database, { self, language }: Asking) {
  const { compare } = new Intl.Collator(language);
  const codes = await listEligibleCodes(db);
  const staff = self.seesOthers ? await staffNames(db) : [];
  return {
    citizenships: codes
      .map((code) => [code, countryName(code, language)] as const)
      .sort(([, a], [, b]) => compare(a, b)),
    staff: staff
      .filter(({ id, worksOnCases }) => worksOnCases && id !== self.id)
      .map(({ id, name }) => [id, name] as const),
  };
}

export function caseRows(
  rows: readonly ApplicationRow[],
  of: { language: Language; staff: readonly StaffName[]; self: string; now: Date },
) {
  const { language, staff, self, now } = of;
  const names = new Map(staff.map(({ id, name }) => [id, name]));
  const t = translator(language);
  const time = shortInstants(language);
  return rows.map((row) => {
    const isEnded = !isOpen(row.state);
    const at = isEnded ? row.closed_at : row.due_at;
    const name = PACKAGES.find((one) => one === row.package);
    return {
      id: row.id,
      reference: row.reference,
      /** Of the traveller, as it will be sent; empty: not known, or deleted. */
      name: nameOf(row),
      citizenship: row.citizenship === null ? '' : countryName(row.citizenship, language),
      package: name ? t(`staff:refunds.packages.${name}`) : '',
      state: row.state,
      at: at === null ? '' : time(at),
      isOverdue: isOverdue(row, now),
      isEnded,
      travel: row.travel_date === null ? '' : formatShortDay(row.travel_date, language),
      /** Who has it; empty: nobody. */
      who: row.assigned_to === null ? '' : (names.get(row.assigned_to) ?? ''),
      isMine: row.assigned_to === self,
    };
  });
}
export type CaseRow = ReturnType<typeof caseRows>[number];

/** A list is of use without a name that does not open, which is logged. */
function nameOf(row: ApplicationRow): string {
  try {
    return unsealColumn('applications', row, 'name_sealed') ?? '';
  } catch (error) {
    if (error instanceof SealError) return '';
    throw error;
  }
}

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

/** Browsers, proxies and logs keep addresses: what was typed is kept with the session alone. */
async function keptSearches(db: Database, sessionId: string) {
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

export type SearchAnswer = Refusal & { found?: { rows: CaseRow[]; isCut: boolean } };

export async function search(sent: FormData, { sessionId }: SignedIn) {
  const typed = Object.fromEntries(FIELDS.map((name) => [name, textIn(sent, name).slice(0, 320)]));
  const read = queriesOf(typed);
  if ('errors' in read) return refuse('invalid', { typed, errors: read.errors });
  const id = randomUUID();
  await requireDatabase(async (db) => {
    const kept = [{ id, typed }, ...(await keptSearches(db, sessionId))].slice(0, KEPT);
    const place = { table: 'sessions', row: sessionId, field: 'searches_sealed' };
    const searches_sealed = seal(JSON.stringify(kept), place);
    await rowsIn(db).update('sessions', { id: sessionId }, { searches_sealed }).execute();
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
  const birth = answeredDate(typed, 'born');
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
