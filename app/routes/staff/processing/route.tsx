import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { requireStaff } from '~/accounts/session.server';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { takeNext } from '~/desk/assign.server';
import { rolesFor } from '~/domain/staff';
import { isLanguageChange, namedIntentOf, sentForm, showAgain } from '~/http/form.server';
import { live } from '~/http/live.server';
import type { PageHandle } from '~/http/page-handle';
import { limitForms } from '~/http/rate-limit.server';
import { languageOf, translator } from '~/i18n/server.server';
import { Icon } from '~/ui/icon';
import { readAsked } from './asked.server';
import { CaseTable } from './case-table';
import { FilterForm } from './filter-form';
import { KeyHints } from './key-hints';
import { filterChoices, listView, tabViews } from './list.server';
import { foundBy, search } from './search.server';
import { SearchErrors, SearchForm, type SearchAnswer } from './search-form';
import { WorkTabs } from './work-tabs';

export const handle: PageHandle = { limitsForms: true };
/** The worklist: cases in lists by what is to be done, the most urgent first. */
export const loader = live(async ({ request }: LoaderFunctionArgs) => {
  const session = await requireStaff(request, rolesFor('processing'));
  const language = await languageOf(request);
  const url = new URL(request.url);
  const asked = readAsked(url);
  const { id, role } = session.user;
  const asking = { asked, self: { id, isSupervisor: role === 'supervisor' }, language };
  const [answer, list, tabs, choices] = await Promise.all([
    foundBy(url.searchParams.get('search'), session, language),
    requireDatabase((db) => listView(db, asking)),
    requireDatabase((db) => tabViews(db, asking)),
    requireDatabase((db) => filterChoices(db, asking)),
  ]);
  return json({
    answer,
    list,
    tabs,
    choices,
    isNoneFree: url.searchParams.get('done') === 'none',
    page: { title: translator(language)('desk:worklist.title'), noindex: true, form: true },
  });
});

/** Takes the next case, or looks for one. */
export const action = live(async ({ request, context }: ActionFunctionArgs) => {
  const session = await requireStaff(request, rolesFor('processing'));
  limitForms(context);
  const sent = await sentForm(request);
  if (isLanguageChange(sent)) return showAgain(sent);
  const intent = namedIntentOf(sent, ['search', 'take-next']);
  if (intent === 'search') return search(sent, session);
  const taken = await requireDatabase((db) => takeNext(db, { session }, now()), writeDatabase);
  return redirect(
    taken ? `/crm/processing/${taken.id}?done=take` : '/crm/processing?done=none',
    303,
  );
});

export default function Processing() {
  const { t } = useTranslation('desk-worklist');
  const { list, tabs, choices, isNoneFree, answer: search } = useLoaderData<typeof loader>();
  const refusal = useActionData<SearchAnswer>();
  const answer = refusal ?? search;
  // A change of language gives back what is typed, and nothing that was found.
  const found = refusal?.problem ? undefined : search?.found;
  return (
    <div className="wrap py-6 sm:py-8">
      <SearchErrors answer={answer} />
      {isNoneFree && !answer && (
        <p role="status" className="say say-good mb-6 w-fit">
          <Icon name="circle-check" />
          {t('noneFree')}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3">
        <h1 tabIndex={-1} className="text-h1">
          {t('title')}
        </h1>
        <form method="post" action="/crm/processing" data-key-next>
          <input type="hidden" name="intent" value="take-next" />
          <button type="submit" className="button">
            {t('takeNext')}
            <Icon name="arrow-right" />
          </button>
        </form>
      </div>
      <SearchForm answer={answer} />
      {found ? (
        <section aria-labelledby="found" className="mt-6">
          <h2 id="found" className="text-xl">
            {t('search.found', { count: found.rows.length })}
          </h2>
          {found.isCut && <p className="mt-1">{t('search.cut')}</p>}
          <CaseTable rows={found.rows} label={t('search.results')} isEnded={false} />
          <p className="mt-4">
            <a href="/crm/processing" className="inline-flex min-h-11 items-center">
              {t('search.back')}
            </a>
          </p>
        </section>
      ) : (
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
          <Pages list={list} />
        </>
      )}
      <KeyHints />
    </div>
  );
}

function Pages({ list }: { list: ReturnType<typeof useLoaderData<typeof loader>>['list'] }) {
  const { t } = useTranslation('desk-worklist');
  const { previous, next, start, isPart } = list;
  if (!previous && !next && !start) return null;
  const link = (href: string | undefined, words: string) =>
    href && (
      <a href={href} className="inline-flex min-h-11 items-center">
        {words}
      </a>
    );
  return (
    <nav aria-label={t('pages')} className="mt-3 flex flex-wrap gap-x-6">
      {link(start, t('first'))}
      {link(previous, t('previous'))}
      {link(next, t(isPart ? 'lookFurther' : 'next'))}
    </nav>
  );
}
