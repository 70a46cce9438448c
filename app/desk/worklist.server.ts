import { now, today } from '~/clock.server';
import { dayAfter } from '~/domain/application/dates';
import { type ApplicationState, ENDED_STATES, OPEN_STATES } from '~/domain/application/states';
import { PACKAGES } from '~/domain/offer';
import {
  type CaseFilter,
  isOpen,
  isOverdue,
  type Lane,
  lanesOf,
  SOON_DAYS,
  type Tab,
  TABS,
} from '~/domain/worklist';
import { formatShortDay, formatShortInstant } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { SealError, unseal } from '~/sealing/seal.server';
import { siteSettings } from '~/settings/settings.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { listEligibleCodes } from '~db/queries/countries.server';
import { COUNTED, countLanes, type Key, listCases } from '~db/queries/worklist.server';
import type { Database } from '~db/schema';
import { type StaffName, staffNames } from './staff-names.server';
import { countryName } from '~/applications/field-words.server';

/** What the address of the list says: everything but whom somebody looks for. */
interface ListAsked {
  tab: Tab;
  filters: Partial<Record<FilterName, string>>;
  from?: Key;
  isBackwards: boolean;
}

const FILTERS = ['package', 'citizenship', 'due', 'travel', 'who'] as const;
export type FilterName = (typeof FILTERS)[number];

/** What a filter may say; all else is as if it were not there. */
const KNOWN: Readonly<Record<FilterName, RegExp>> = {
  package: new RegExp(`^(${PACKAGES.join('|')})$`),
  citizenship: /^[A-Z]{2}$/,
  due: /^overdue$/,
  travel: /^soon$/,
  who: /^(nobody|me|[0-9a-f-]{36})$/,
};

export function readAsked(url: URL): ListAsked {
  const { searchParams } = url;
  const filters = FILTERS.flatMap((name) => {
    const value = searchParams.get(name) ?? '';
    return KNOWN[name].test(value) ? [[name, value]] : [];
  });
  const before = keyOf(searchParams.get('before'));
  const from = before ?? keyOf(searchParams.get('after'));
  return {
    tab: TABS.find((tab) => tab === searchParams.get('tab')) ?? 'free',
    filters: Object.fromEntries(filters) as ListAsked['filters'],
    ...(from && { from }),
    isBackwards: before !== undefined,
  };
}

/** The filters as the list takes them; who has a case is not for everybody to ask, but for oneself. */
function filterOf(
  { filters: { package: name, citizenship, due, travel, who } }: ListAsked,
  self: { id: string; seesOthers: boolean },
): CaseFilter {
  const isKnown = who === 'nobody' || who === 'me' || self.seesOthers;
  const assignedTo = who === 'nobody' ? null : who === 'me' ? self.id : who;
  return {
    ...(name && { package: name }),
    ...(citizenship && { citizenship }),
    ...(due && { isOverdue: true }),
    ...(travel && { isSoon: true }),
    ...(assignedTo !== undefined && isKnown && { assignedTo }),
  };
}

/** The address of a list, with its filters; `at`: of one of its pages. */
function addressOf(
  { tab, filters }: Pick<ListAsked, 'tab' | 'filters'>,
  at?: { name: 'before' | 'after'; key: Key },
): string {
  const asked = new URLSearchParams({ tab, ...filters });
  if (at) asked.set(at.name, `${at.key.at}_${at.key.id}`);
  return `/crm/processing?${asked}`;
}

/** Where a page begins: an instant and the id of a case. */
function keyOf(asked: string | null): Key | undefined {
  const [, at, id] = /^([0-9TZ:.-]{24})_([0-9a-f-]{36})$/.exec(asked ?? '') ?? [];
  return at && id ? { at, id } : undefined;
}

const PER_PAGE = 25;

interface Asking {
  asked: ListAsked;
  self: { id: string; seesOthers: boolean };
  language: Language;
}

/** A page of a list, with the tabs of the others. */
export async function listView(db: Database, { asked, self, language }: Asking) {
  const { tab, isBackwards } = asked;
  const filter = filterOf(asked, self);
  const at = now();
  const { rows, goOn } = await listCases(db, {
    lanes: lanesOf(tab, self.id, filter),
    order: tab === 'ended' ? 'closed_at' : 'due_at',
    ...(filter.package && { package: filter.package }),
    ...(filter.citizenship && { citizenship: filter.citizenship }),
    ...(filter.isOverdue && { dueBefore: at.toISOString() }),
    ...(filter.isSoon && { travelUntil: dayAfter(today(), { days: SOON_DAYS }) }),
    ...(tab === 'free' && { startedBy: at.toISOString() }),
    ...(tab === 'ended' && filter.assignedTo !== undefined && { assignedTo: filter.assignedTo }),
    ...(asked.from && { from: asked.from }),
    isBackwards,
    limit: PER_PAGE,
  });
  const staff = await staffNames(db);
  const shown = isBackwards ? rows.toReversed() : rows;
  const keyOf = (row: (typeof rows)[number] | undefined) =>
    row && { at: (tab === 'ended' ? row.closed_at : row.due_at) ?? '', id: row.id };
  // Where a filter has found nothing, the page is as long as the part of the list that was looked at.
  const first = isBackwards ? goOn : asked.from && (keyOf(shown[0]) ?? asked.from);
  const last = isBackwards ? (keyOf(shown.at(-1)) ?? asked.from) : goOn;
  return {
    tab,
    filters: asked.filters,
    isFiltered: Object.keys(asked.filters).length > 0,
    rows: caseRows(shown, { language, staff, self: self.id, now: at }),
    previous: first && addressOf(asked, { name: 'before', key: first }),
    next: last && addressOf(asked, { name: 'after', key: last }),
    start: asked.from && addressOf(asked),
    /** Only a part of the list was looked at for what the filters say. */
    isPart: goOn !== undefined && rows.length < PER_PAGE,
  };
}

/** The tabs, each with the number of its cases as far as it is counted. */
export async function tabViews(db: Database, { asked, self }: Asking) {
  const lanes: Lane[] = [
    ...lanesOf('free', self.id),
    ...lanesOf('mine', self.id),
    ...[...OPEN_STATES, ...ENDED_STATES].map((state) => ({ state })),
  ];
  const counts = await countLanes(db, lanes, now().toISOString());
  const isSame = (a: Lane, b: Lane) => a.state === b.state && a.assignedTo === b.assignedTo;
  const count = (tab: Tab) =>
    lanesOf(tab, self.id)
      .map((lane) => counts[lanes.findIndex((one) => isSame(one, lane))] ?? 0)
      .reduce((sum, one) => sum + one, 0);
  return TABS.map((tab) => {
    const number = count(tab);
    return {
      tab,
      href: addressOf({ tab, filters: asked.filters }),
      count: number < COUNTED ? String(number) : `${COUNTED - 1}+`,
    };
  });
}

/** What the filters can be set to. */
export async function filterChoices(db: Database, { self, language }: Asking) {
  const { compare } = new Intl.Collator(language);
  const codes = await listEligibleCodes(db);
  const staff = self.seesOthers ? await staffNames(db) : [];
  return {
    citizenships: codes
      .map((code) => ({ code, name: countryName(code, language) }))
      .sort((a, b) => compare(a.name, b.name)),
    staff: staff
      .filter(({ id, worksOnCases }) => worksOnCases && id !== self.id)
      .map(({ id, name }) => ({ id, name })),
  };
}

export interface CaseRow {
  id: string;
  reference: string;
  /** Of the traveller, as it will be sent; empty: not known, or deleted. */
  name: string;
  citizenship: string;
  package: string;
  state: ApplicationState;
  at: string;
  isOverdue: boolean;
  isEnded: boolean;
  travel: string;
  /** Who has it; empty: nobody. */
  who: string;
  isMine: boolean;
}

interface Shown {
  language: Language;
  staff: readonly StaffName[];
  self: string;
  now: Date;
}

/** Cases as rows of the list, in a language. */
export function caseRows(
  rows: readonly ApplicationRow[],
  { language, staff, self, now }: Shown,
): CaseRow[] {
  const { timeZone } = siteSettings();
  const names = new Map(staff.map(({ id, name }) => [id, name]));
  const t = translator(language);
  return rows.map((row) => {
    const isEnded = !isOpen(row.state);
    const at = isEnded ? row.closed_at : row.due_at;
    const name = PACKAGES.find((one) => one === row.package);
    return {
      id: row.id,
      reference: row.reference,
      name: nameOf(row),
      citizenship: row.citizenship === null ? '' : countryName(row.citizenship, language),
      package: name ? t(`staff:refunds.packages.${name}`) : '',
      state: row.state,
      at: at === null ? '' : formatShortInstant(new Date(at), language, timeZone),
      isOverdue: isOverdue(row, now),
      isEnded,
      travel: row.travel_date === null ? '' : formatShortDay(row.travel_date, language),
      who: row.assigned_to === null ? '' : (names.get(row.assigned_to) ?? ''),
      isMine: row.assigned_to === self,
    };
  });
}

/** A list is of use without a name that does not open, which is logged. */
function nameOf({ id, name_sealed }: ApplicationRow): string {
  if (name_sealed === null) return '';
  try {
    return unseal(name_sealed, { table: 'applications', row: id, field: 'name_sealed' });
  } catch (error) {
    if (error instanceof SealError) return '';
    throw error;
  }
}
