import { countryName } from '~/applications/field-words.server';
import { now, today } from '~/clock.server';
import { dayAfter } from '~/domain/application/dates';
import { asWritten } from '~/domain/desk';
import { shownCount } from '~/domain/dashboard';
import { PACKAGES } from '~/domain/offer';
import {
  isOpen,
  nextStep,
  type Looking,
  type Queue,
  queuesInTab,
  SOON_DAYS,
  type Tab,
  TABS,
} from '~/domain/worklist';
import type { Language } from '~/i18n/languages';
import { shortDay, shortInstants, translator } from '~/i18n/locale.server';
import { siteSettings } from '~/settings/settings.server';
import { SealError, unsealColumn } from '~/sealing/seal.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { listEligibleCodes } from '~db/queries/countries.server';
import type { RowKey } from '~db/queries/rows.server';
import { COUNTED, countQueues, listCases } from '~db/queries/worklist.server';
import type { Database } from '~db/schema';
import { assignedSince, sinceText } from './assign.server';
import { dueView } from './due.server';
import { keyIn, textOfKey } from './lists.server';
import { namesOfStaff, staffNames } from './staff.server';

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

/** The list that is looked at: what is done to it leads back to it. */
export const hereOf = ({ from, isBackwards, ...list }: ListQuery) =>
  addressOf(list, from && { name: isBackwards ? 'before' : 'after', key: from });

const PER_PAGE = 50;

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
  const names = await namesOfStaff(db);
  const shown = isBackwards ? rows.toReversed() : rows;
  const keyOf = (row: ApplicationRow | undefined) =>
    row && { at: (isEnded ? row.closed_at : row.due_at) ?? '', id: row.id };
  const byDue = (a: ApplicationRow, b: ApplicationRow) => (printedDue(a) < printedDue(b) ? -1 : 1);
  const printed = isEnded ? shown : shown.toSorted(byDue);
  // Where a filter has found nothing, the page is as long as the part of the list that was looked at.
  const first = isBackwards ? goOn : from && (keyOf(shown[0]) ?? from);
  const last = isBackwards ? (keyOf(shown.at(-1)) ?? from) : goOn;
  return {
    tab,
    filters,
    isFiltered: Object.keys(filters).length > 0,
    rows: caseRows(printed, { language, names, looking, since: await assignedSince(db, shown) }),
    previous: first && addressOf(asked, { name: 'before', key: first }),
    next: last && addressOf(asked, { name: 'after', key: last }),
    start: from && addressOf(asked),
    address: hereOf(asked),
    /** Only a part of the list was looked at for what the filters say. */
    isPart: goOn !== undefined && rows.length < PER_PAGE,
  };
}

/** In the order of what `dueView` says: what was filed, or stands still, comes last. */
const printedDue = ({ state, pay_by, filed_at, paused_at, due_at }: ApplicationRow) => {
  if (state === 'fee_due') return pay_by ?? due_at ?? '';
  if (state === 'filed') return `~${filed_at}`;
  return `${paused_at === null ? '' : '~'}${due_at}`;
};

/** Each queue up to `COUNTED` and once. */
export async function countTabs(db: Database, tabs: readonly Tab[], looking: Looking) {
  // What is nobody's (null) is another queue than everybody's, of which nothing is written.
  const nameOf = (queue: Queue) => JSON.stringify(queue);
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
  return {
    citizenships: (await listEligibleCodes(db))
      .map((code) => [code, countryName(code, language)] as const)
      .sort(([, a], [, b]) => compare(a, b)),
    staff: (self.seesOthers ? await staffNames(db) : [])
      .filter(({ id, worksOnCases }) => worksOnCases && id !== self.id)
      .map(({ id, name }) => [id, name] as const),
  };
}

export function caseRows(
  rows: readonly ApplicationRow[],
  of: {
    language: Language;
    names: ReadonlyMap<string, string>;
    looking: Looking;
    since?: ReadonlyMap<string, string>;
  },
) {
  const { language, names, looking, since } = of;
  const t = translator(language);
  const time = shortInstants(language);
  return rows.map((row) => {
    const at = isOpen(row.state) ? row.due_at : row.closed_at;
    const name = PACKAGES.find((one) => one === row.package);
    return {
      id: row.id,
      reference: row.reference,
      /** Of the traveller; empty: not known, or deleted. */
      name: nameOf(row),
      citizenship: row.citizenship === null ? '' : countryName(row.citizenship, language),
      package: name ? t(`staff:refunds.packages.${name}`) : '',
      state: row.state,
      at: at === null ? '' : time(at),
      due: dueView(row, language) ?? null,
      next: nextStep(row, looking) ?? null,
      travel: row.travel_date === null ? '' : shortDay(row.travel_date, language),
      /** Who has it; empty: nobody. */
      who: row.assigned_to === null ? '' : (names.get(row.assigned_to) ?? ''),
      /** The same with since when, where it is known. */
      holder: sinceText(names.get(row.assigned_to ?? '') ?? '', since?.get(row.id), language),
      assignedTo: row.assigned_to,
      isMine: row.assigned_to === looking.id,
    };
  });
}
export type CaseRow = ReturnType<typeof caseRows>[number];

/** A list is of use without a name that does not open, which is logged. */
function nameOf(row: ApplicationRow): string {
  try {
    return asWritten(unsealColumn('applications', row, 'name_sealed') ?? '');
  } catch (error) {
    if (error instanceof SealError) return '';
    throw error;
  }
}
