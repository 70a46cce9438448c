import { PACKAGES } from '~/domain/offer';
import { type CaseFilter, type Tab, TABS } from '~/domain/worklist';
import type { Key } from '~db/queries/worklist.server';

/** What the address of the list says: everything but whom somebody looks for. */
export interface ListAsked {
  tab: Tab;
  /** As they stand in the address. */
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

/** Reads the address of the list. */
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

/** The filters as the list takes them; who has a case is for supervisors to ask, and for oneself. */
export function filterOf(
  { filters: { package: name, citizenship, due, travel, who } }: ListAsked,
  self: { id: string; isSupervisor: boolean },
): CaseFilter {
  const isKnown = who === 'nobody' || who === 'me' || self.isSupervisor;
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
export function addressOf(
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
