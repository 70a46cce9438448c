import { now, today } from '~/clock.server';
import { countryName } from '~/content/option-lists.server';
import { staffNames } from '~/desk/staff-names.server';
import { dayAfter } from '~/domain/application/dates';
import {
  ENDED_STATES,
  type Lane,
  lanesOf,
  OPEN_STATES,
  SOON_DAYS,
  TABS,
  type Tab,
} from '~/domain/worklist';
import type { Language } from '~/i18n/languages';
import { COUNTED, countLanes, listCases } from '~db/queries/worklist.server';
import { listEligibleCodes } from '~db/queries/countries.server';
import type { Database } from '~db/schema';
import { addressOf, filterOf, type ListAsked } from './asked.server';
import { caseRows } from './rows.server';

const PER_PAGE = 25;

interface Asking {
  asked: ListAsked;
  self: { id: string; isSupervisor: boolean };
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
  const staff = self.isSupervisor ? await staffNames(db) : [];
  return {
    citizenships: codes
      .map((code) => ({ code, name: countryName(code, language) }))
      .sort((a, b) => compare(a.name, b.name)),
    staff: staff
      .filter(({ id, worksOnCases }) => worksOnCases && id !== self.id)
      .map(({ id, name }) => ({ id, name })),
  };
}
