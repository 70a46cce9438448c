import { json, redirect, type SerializeFrom } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { may } from '~/access';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { takeNext } from '~/desk/assign.server';
import { deskAction, deskLoader } from '~/desk/desk-page.server';
import {
  type CaseRow,
  filterChoices,
  type FilterName,
  listView,
  readListQuery,
  tabViews,
} from '~/desk/worklist.server';
import { foundBy, search, type SearchAnswer, sendLinkAgain } from '~/desk/search.server';
import { PACKAGES } from '~/domain/offer';
import { SOON_DAYS, type Tab } from '~/domain/worklist';
import { namedIntentOf } from '~/http/form.server';
import type { PageHandle } from '~/live.server';
import { Fold, PageHeading, Submit, TextLink } from '~/ui/elements';
import { Done } from '~/ui/plain-elements';
import { SelectField } from '~/ui/form-fields';
import { PostForm } from '~/ui/post-form';
import { Search } from './search';

export const handle: PageHandle = { limitsForms: true };
export const loader = deskLoader('processing', async (page) => {
  const { session, language, t } = page;
  const { id, role } = page.user;
  const self = { id, seesOthers: may(role, 'case.listOfOthers') };
  const asking = { asked: readListQuery(page.asked), self, language };
  const [answer, list, tabs, choices] = await Promise.all([
    foundBy(page.asked.get('search'), session, language),
    requireDatabase((db) => listView(db, asking)),
    requireDatabase((db) => tabViews(db, asking)),
    requireDatabase((db) => filterChoices(db, asking)),
  ]);
  return json({
    answer,
    list,
    tabs,
    choices,
    isNoneFree: page.asked.get('done') === 'none',
    page: { title: t('desk:worklist.title'), noindex: true, form: true },
  });
});

export const action = deskAction('processing', async ({ sent, session, context }) => {
  const intent = namedIntentOf(sent, ['search', 'take-next', 'link']);
  if (intent === 'search') return search(sent, session);
  if (intent === 'link') return sendLinkAgain(sent, context.client ?? '');
  const taken = await requireDatabase((db) => takeNext(db, { session }, now()), writeDatabase);
  if (!taken) return redirect('/crm/processing?done=none', 303);
  const page = taken.state === 'checked' ? '/copy-sheet' : '?done=take';
  return redirect(`/crm/processing/${taken.id}${page}`, 303);
});

export default function Processing() {
  const { t } = useTranslation('desk-worklist');
  const { list, tabs, choices, isNoneFree, answer: search } = useLoaderData<typeof loader>();
  const refusal = useActionData<SearchAnswer>();
  const answer = refusal ?? search;
  const pages = [
    [list.start, 'first'],
    [list.previous, 'previous'],
    [list.next, list.isPart ? 'lookFurther' : 'next'],
  ] as const;
  // A change of language gives back what is typed, and nothing that was found.
  const found = refusal?.problem ? undefined : search?.found;
  return (
    <div className="wrap py-6 sm:py-8">
      {isNoneFree && !answer && <Done>{t('noneFree')}</Done>}
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3">
        <PageHeading title={t('title')} />
        <form method="post" action="/crm/processing">
          <input type="hidden" name="intent" value="take-next" />
          <Submit words={t('takeNext')} after="arrow-right" data-key="n" />
        </form>
      </div>
      <Search {...{ answer, found }} />
      {!found && (
        <>
          <WorkTabs tabs={tabs} active={list.tab} />
          <FilterForm list={list} choices={choices} />
          <CaseTable
            rows={list.rows}
            label={t(`tabs.${list.tab}`)}
            isEnded={list.tab === 'ended'}
          />
          {list.rows.length === 0 && (
            <p className="mt-4">
              {t(list.isPart ? 'noneHere' : list.isFiltered ? 'noneMatch' : 'none')}
            </p>
          )}
          {list.isPart && list.rows.length > 0 && <p className="mt-3">{t('part')}</p>}
          {pages.some(([href]) => href) && (
            <nav aria-label={t('pages')} className="mt-3 flex flex-wrap gap-x-6">
              {pages.map(
                ([href, word]) => href && <TextLink key={word} href={href} words={t(word)} />,
              )}
            </nav>
          )}
        </>
      )}
    </div>
  );
}

type Data = SerializeFrom<typeof loader>;

/** The lists of the desk, as links with their numbers; filters stay. */
function WorkTabs({ tabs, active }: Pick<Data, 'tabs'> & { active: Tab }) {
  const { t } = useTranslation('desk-worklist');
  return (
    <nav aria-label={t('lists')} className="mt-4">
      <ul className="flex flex-wrap gap-1 border-b border-rule pb-2">
        {tabs.map(({ tab, href, count }) => (
          <li key={tab}>
            <a
              href={href}
              aria-current={tab === active ? 'page' : undefined}
              className={`flex min-h-11 items-center gap-[0.4rem] rounded-field px-[0.7rem] text-sm/[1.2] no-underline ${tab === active ? 'bg-action font-[650] text-on-action forced-color-adjust-none forced-colors:bg-[Highlight] forced-colors:text-[HighlightText]' : 'text-ink hover:bg-sea'}`}
            >
              {`${t(`tabs.${tab}`)} `}
              <span className={`tabular-nums ${tab === active ? '' : 'text-muted'}`}>{count}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Narrows the list; what is chosen stands in the address, for a bookmark or a colleague. */
function FilterForm({ list, choices }: Pick<Data, 'list' | 'choices'>) {
  const { t } = useTranslation('desk-worklist');
  const { t: staff } = useTranslation('staff');
  const { tab, filters, isFiltered } = list;
  const who = [['me', t('filters.me')] as const, ['nobody', t('nobody')] as const];
  const isAnybodys = tab !== 'free' && tab !== 'mine';
  const options: Record<FilterName, (readonly [string, string])[]> = {
    package: PACKAGES.map((one) => [one, staff(`refunds.packages.${one}`)]),
    citizenship: choices.citizenships,
    due: tab === 'ended' ? [] : [['overdue', t('filters.overdue')]],
    travel: [['soon', t('filters.soon', { count: SOON_DAYS })]],
    who: isAnybodys ? [...who, ...choices.staff] : [],
  };
  return (
    <Fold open={isFiltered} title={t('filters.title')} className="mt-2">
      <PostForm
        id="filters"
        method="get"
        action="/crm/processing"
        hidden={{ tab }}
        refusal={{ errors: {}, values: filters }}
        className="grid grid-cols-[1fr_1fr] items-end gap-x-4 gap-y-3 pb-3 min-[34rem]:grid-cols-[repeat(auto-fill,minmax(11rem,1fr))]"
      >
        {(Object.keys(options) as FilterName[])
          .filter((name) => options[name].length > 0)
          .map((name) => (
            <SelectField
              key={name}
              name={name}
              id={`filter-${name}`}
              label={t(`filters.${name}`)}
              options={[['', t('filters.all')], ...options[name]]}
            />
          ))}
        <p className="col-span-full flex flex-wrap items-center gap-x-4">
          <Submit look="button-quiet" words={t('filters.apply')} />
          {isFiltered && (
            <TextLink href={`/crm/processing?tab=${tab}`} words={t('filters.clear')} />
          )}
        </p>
      </PostForm>
    </Fold>
  );
}

const COLUMNS = [
  'reference',
  'name',
  'citizenship',
  'package',
  'due',
  'travel',
  'state',
  'who',
] as const;

interface CaseTableProps {
  rows: readonly CaseRow[];
  label: string;
  /** Then they have the day of their end in the place of that of their due. */
  isEnded: boolean;
}

/** Cases, one a row; on a narrow screen each is a card with its columns' names. */
function CaseTable({ rows, label, isEnded }: CaseTableProps) {
  const { t } = useTranslation('desk-worklist');
  const { t: states } = useTranslation('application-states');
  if (rows.length === 0) return null;
  const columnOf = (column: (typeof COLUMNS)[number]) =>
    t(`columns.${column === 'due' && isEnded ? 'ended' : column}`);
  return (
    <table className="work-list" data-key-rows>
      <caption className="sr-only">{label}</caption>
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <th key={column} scope="col">
              {columnOf(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} data-late={row.isOverdue || undefined}>
            <th scope="row">
              <a href={`/crm/processing/${row.id}`} className="machine">
                {row.reference}
              </a>
            </th>
            <td data-label={columnOf('name')}>
              <strong>{row.name || t('unknown')}</strong>
            </td>
            <td data-label={columnOf('citizenship')}>{row.citizenship || t('unknown')}</td>
            <td className="whitespace-nowrap" data-label={columnOf('package')}>
              {row.package || t('unknown')}
            </td>
            <td data-label={t(row.isEnded ? 'columns.ended' : 'columns.due')}>
              <span>
                {row.isOverdue && <strong className="text-bad">{t('overdue')} </strong>}
                <span className="whitespace-nowrap">{row.at || t('unknown')}</span>
              </span>
            </td>
            <td data-label={columnOf('travel')}>{row.travel || t('unknown')}</td>
            <td data-label={columnOf('state')}>{states(`desk.${row.state}`)}</td>
            <td data-label={columnOf('who')}>{row.isMine ? t('you') : row.who || t('nobody')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
