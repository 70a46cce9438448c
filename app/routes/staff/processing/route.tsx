import { json, redirect, type SerializeFrom } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { may } from '~/access';
import { now } from '~/clock.server';
import { requireDatabase, requireWrite } from '~/database.server';
import { assignMany, takeNext } from '~/desk/assign.server';
import { goalInCheck } from '~/desk/check.server';
import { deskAction, deskLoader } from '~/desk/desk-page.server';
import {
  type CaseRow,
  filterChoices,
  type FilterName,
  hereOf,
  listView,
  readListQuery,
  tabViews,
} from '~/desk/worklist.server';
import { foundBy, search, type SearchAnswer, sendLinkAgain } from '~/desk/search.server';
import { PACKAGES } from '~/domain/offer';
import { SOON_DAYS } from '~/domain/worklist';
import { namedIntentOf } from '~/http/form.server';
import type { PageHandle } from '~/live.server';
import { Icon, PageHeading, Submit, TextLink } from '~/ui/elements';
import { CHIP, Due, Heads, ListTabs } from '~/ui/desk-list';
import { Done } from '~/ui/plain-elements';
import { SelectField } from '~/ui/form-fields';
import { PostForm } from '~/ui/post-form';
import { Hits, Search } from './search';

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
    list: {
      ...list,
      canTake: may(role, 'case.take'),
      canAssign: may(role, 'case.assign') && list.tab !== 'ended',
      isAllChosen: page.asked.get('choose') === 'all',
    },
    assigned: assignedIn(page.asked),
    tabs,
    choices,
    isNoneFree: page.asked.get('done') === 'none',
    page: { title: t('desk:worklist.title'), form: true },
  });
});

/** What was assigned at once, and the references of what was not. */
const assignedIn = (asked: URLSearchParams) =>
  asked.get('done') === 'assigned'
    ? {
        count: Number(asked.get('count')) || 0,
        to: asked.get('to'),
        left: (asked.get('left') ?? '').match(/TRV-\w{4}-\w{4}/g)?.join(', '),
      }
    : undefined;

export const action = deskAction('processing', async ({ sent, session, context, asked }) => {
  const intent = namedIntentOf(sent, ['search', 'take-next', 'link', 'assign']);
  if (intent === 'assign') return assignMany(session, sent, hereOf(readListQuery(asked)));
  if (intent === 'search') return search(sent, session);
  if (intent === 'link') return sendLinkAgain(sent, context.client ?? '');
  if (!may(session.user.role, 'case.take')) throw new Response(null, { status: 403 });
  const taken = await requireWrite((db) => takeNext(db, { session }, now()));
  if (!taken) return redirect('/crm/processing?done=none', 303);
  const page =
    taken.state === 'checked' ? '/copy-sheet#step-1' : `?done=take#${await goalInCheck(taken)}`;
  return redirect(`/crm/processing/${taken.id}${page}`, 303);
});

export default function Processing() {
  const { t } = useTranslation('desk-worklist');
  const data = useLoaderData<typeof loader>();
  const { list, tabs, choices, isNoneFree, assigned, answer: search } = data;
  const refusal = useActionData<SearchAnswer>();
  // The list has a form of its own.
  const answer = refusal?.values['intent'] === 'assign' ? search : (refusal ?? search);
  const pages = [
    [list.start, 'first'],
    [list.previous, 'previous'],
    [list.next, list.isPart ? 'lookFurther' : 'next'],
  ] as const;
  // A change of language gives back what is typed, and nothing that was found.
  const found = answer?.problem ? undefined : search?.found;
  return (
    <div className="wrap py-6 sm:py-8">
      {isNoneFree && !answer && <Done>{t('noneFree')}</Done>}
      {assigned && !refusal && (
        <Done>
          {t('bulk.done', {
            count: assigned.count,
            who: choices.staff.find(([id]) => id === assigned.to)?.[1] ?? t('you'),
          })}
          {assigned.left && ` ${t('bulk.left', { left: assigned.left })}`}
        </Done>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3">
        <PageHeading title={t('title')} />
        {list.canTake && (
          <form method="post" action="/crm/processing" className="order-1 sm:order-2">
            <input type="hidden" name="intent" value="take-next" />
            <Submit words={t('takeNext')} after="arrow-right" data-key="n" />
          </form>
        )}
        <Search {...{ answer }} />
      </div>
      {found && <Hits {...found} />}
      {!found && (
        <>
          <div className="flex flex-wrap gap-x-2">
            <ListTabs
              label={t('lists')}
              tabs={tabs.map(({ tab, ...more }) => ({
                ...{ name: tab, title: t(`tabs.${tab}`), ...more },
              }))}
              active={list.tab}
            />
            <FilterForm list={list} choices={choices} />
          </div>
          <CaseTable {...{ list, choices, refusal }} />
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
    <details open={isFiltered} className="mt-3 open:basis-full">
      <summary className={`${CHIP} list-none`}>
        {t('filters.title')}
        <Icon name="chevron-down" className="size-4" />
      </summary>
      <PostForm
        id="filters"
        method="get"
        action="/crm/processing"
        hidden={{ tab }}
        refusal={{ errors: {}, values: filters }}
        className="grid grid-cols-[1fr_1fr] items-end gap-x-4 gap-y-3 py-3 min-[34rem]:grid-cols-[repeat(auto-fill,minmax(11rem,1fr))]"
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
        <p className="flex flex-wrap items-center gap-x-4">
          <Submit look="button-quiet" words={t('filters.apply')} />
          {isFiltered && (
            <TextLink href={`/crm/processing?tab=${tab}`} words={t('filters.clear')} />
          )}
        </p>
      </PostForm>
    </details>
  );
}

const COLUMNS = ['name', 'step', 'due', 'package', 'citizenship', 'travel', 'who'] as const;
const WIDE = 'max-[60rem]:hidden';

type CaseTableProps = Pick<Data, 'list' | 'choices'> & { refusal: SearchAnswer | undefined };

/** Cases, one a row; on a narrow screen each is a card. Supervisors choose some and assign them. */
function CaseTable({ list, choices, refusal }: CaseTableProps) {
  const { t } = useTranslation('desk-worklist');
  const { t: states } = useTranslation('application-states');
  const { tab, canAssign, isAllChosen } = list;
  const chosen = refusal?.values['cases']?.split(' ');
  const isAsked = refusal?.problem === 'confirm';
  const rows = list.rows.filter(({ id }) => !isAsked || chosen?.includes(id));
  if (rows.length === 0) return null;
  const isEnded = tab === 'ended';
  const columnOf = (column: (typeof COLUMNS)[number]) =>
    t(`columns.${column === 'due' && isEnded ? 'ended' : column}`);
  const stepOf = ({ next, state, holder }: CaseRow) => {
    if (!next) return <>{states(`desk.${state}`)}</>;
    const { obstacle } = next;
    // Whose case it is stands in its own column.
    const isOthers = obstacle === 'traveller' || obstacle === 'authorities';
    const why = obstacle && !isOthers && t(`obstacles.${obstacle}`, { who: holder });
    return (
      <span className={obstacle ? 'text-muted' : 'font-[650]'}>
        {`${t(`steps.${next.step}`)} `}
        {why && <small className="block font-normal">{why}</small>}
      </span>
    );
  };
  return (
    <PostForm
      id="bulk"
      action={list.address}
      intent="assign"
      refusal={refusal}
      problem={(name) => t(`bulk.problems.${name as 'person'}`)}
    >
      {canAssign && <BulkBar {...{ list, choices, refusal }} count={rows.length} />}
      <table className="work-list" data-key-rows>
        <caption className="sr-only">{t(`tabs.${tab}`)}</caption>
        <Heads columns={COLUMNS.map(columnOf)}>
          {canAssign && (
            <td>
              <span className="sr-only">{t('bulk.chosen')}</span>
            </td>
          )}
        </Heads>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className="has-checked:bg-sea">
              {canAssign && (
                <td className="w-11 max-[60rem]:row-span-2">
                  <label className="grid size-11 place-items-center">
                    <input
                      type="checkbox"
                      name="case"
                      value={row.id}
                      defaultChecked={chosen?.includes(row.id) ?? isAllChosen}
                      aria-label={t('bulk.choose', { reference: row.reference })}
                      className="size-5 accent-action"
                    />
                  </label>
                </td>
              )}
              <th scope="row" className="max-[60rem]:col-start-2">
                <a href={`/crm/processing/${row.id}`} className="no-underline">
                  {row.name && (
                    <strong className="underline underline-offset-4">{`${row.name} `}</strong>
                  )}
                  <small className="machine whitespace-nowrap text-muted">{row.reference}</small>
                </a>
              </th>
              <td className="max-[60rem]:col-span-2 max-[60rem]:col-start-2 max-[60rem]:row-start-2">
                {stepOf(row)}
              </td>
              <td className="max-[60rem]:col-start-3 max-[60rem]:pl-3 max-[60rem]:text-right min-[60rem]:whitespace-nowrap">
                <Due {...(row.due ?? { left: row.at, at: '', isLate: false })} />
              </td>
              <td className={`whitespace-nowrap ${WIDE}`}>{row.package || t('unknown')}</td>
              <td className={WIDE}>{row.citizenship || t('unknown')}</td>
              <td className={WIDE}>{row.travel || t('unknown')}</td>
              <td className={WIDE}>
                <Holder {...row} isLink={canAssign} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </PostForm>
  );
}

/** Of a supervisor's list: leads to all that they have. */
function Holder({ assignedTo, who, isMine, isLink }: CaseRow & { isLink: boolean }) {
  const { t } = useTranslation('desk-worklist');
  const name = isMine ? t('you') : who || t('nobody');
  if (!isLink || assignedTo === null) return name;
  return <a href={`/crm/processing?tab=open&who=${assignedTo}`}>{name}</a>;
}

/** Assigns what is chosen, after one more press. */
function BulkBar({ list, choices, refusal, count }: CaseTableProps & { count: number }) {
  const { t } = useTranslation('desk-worklist');
  const isAsked = refusal?.problem === 'confirm';
  const people = choices.staff;
  const who = people.find(([id]) => id === refusal?.values['person'])?.[1];
  return (
    <div
      id="bulk-bar"
      tabIndex={-1}
      className="sticky top-0 z-2 mt-3 flex flex-wrap items-end gap-x-4 gap-y-2 rounded-lg border border-action bg-sea px-4 py-2"
    >
      {refusal?.errors['case'] && (
        <p role="alert" className="w-full font-bold text-bad">
          {t('bulk.problems.case')}
        </p>
      )}
      {isAsked && (
        <p role="alert" className="w-full font-bold">
          {t('bulk.sure', { count, who })}
        </p>
      )}
      <SelectField
        name="person"
        label={t('bulk.person')}
        options={[['', t('bulk.unchosen')], ...people]}
      />
      {isAsked ? (
        <Submit
          name="confirm"
          value="yes"
          autoFocus // oxlint-disable-line jsx-a11y/no-autofocus -- as after each refused form
          look="min-h-12"
          words={t('bulk.yes')}
        />
      ) : (
        <Submit
          look="min-h-12"
          words={t('bulk.assign')}
          data-none={t('bulk.assign')}
          data-one={t('bulk.count', { count: 1 })}
          data-many={t('bulk.count', { count: 2 })}
        />
      )}
      <TextLink
        href={`${list.address}${isAsked || list.isAllChosen ? '' : '&choose=all'}#bulk-bar`}
        words={t(isAsked ? 'bulk.cancel' : list.isAllChosen ? 'bulk.none' : 'bulk.all')}
      />
    </div>
  );
}
