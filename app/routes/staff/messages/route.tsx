import { json, type LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { differenceInDays, differenceInHours, differenceInMinutes } from 'date-fns';
import { useTranslation } from 'react-i18next';

import { requireStaff } from '~/accounts/session.server';
import { now } from '~/clock.server';
import { requireDatabase } from '~/database.server';
import { cursorOf, type ListCursor, pageOfRows } from '~/desk/list-cursor.server';
import { MESSAGE_STATES, type MessageState } from '~/domain/messages';
import { live } from '~/http/live.server';
import { formatDuration, formatShortInstant } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { languageOf, translator } from '~/i18n/server.server';
import { siteSettings } from '~/settings/settings.server';
import { DeskPages, DeskTable, DeskTabs } from '~/ui/desk-list';
import { PageHeading } from '~/ui/page-heading';
import { listContactMessages } from '~db/queries/contact-messages.server';
import type { Database } from '~db/schema';

const COLUMNS = ['received', 'category', 'language', 'age', 'assigned'] as const;

/** The messages of the contact form by their state, a page at a time. */
export const loader = live(async ({ request }: LoaderFunctionArgs) => {
  const session = await requireStaff(request, 'messages');
  const language = await languageOf(request);
  const { searchParams } = new URL(request.url);
  const state = MESSAGE_STATES.find((one) => one === searchParams.get('state')) ?? 'new';
  const after = cursorOf(searchParams);
  const who = { staffId: session.user.id, language, now: now() };
  const list = await requireDatabase((db) => messageList(db, { state, after }, who));
  return json({
    state,
    list,
    isFirst: after === undefined,
    page: { title: translator(language)('desk-messages:title'), noindex: true },
  });
});

export default function Messages() {
  const { t } = useTranslation(['desk-messages', 'contact']);
  const { state, list, isFirst } = useLoaderData<typeof loader>();
  const address = `/crm/messages?state=${state}`;
  return (
    <div className="wrap py-8 sm:py-12">
      <PageHeading title={t('title')} lead={t('lead')} />
      <DeskTabs
        label={t('tabs.label')}
        active={state}
        tabs={MESSAGE_STATES.map((name) => ({
          name,
          title: t(`tabs.${name}`),
          href: `/crm/messages?state=${name}`,
        }))}
      />
      {list.rows.length === 0 ? (
        <p className="mt-6">{t('none')}</p>
      ) : (
        <DeskTable
          label={t('table')}
          columns={COLUMNS.map((name) => ({ name, title: t(`columns.${name}`) }))}
          rows={list.rows.map((row) => ({
            id: row.id,
            cells: [
              <a
                key="received"
                href={`/crm/messages/${row.id}`}
                className="inline-flex min-h-11 items-center tabular-nums"
              >
                {row.received}
              </a>,
              row.category ? t(`contact:categories.${row.category as 'other'}`) : '–',
              t(`languages.${row.language as 'fr'}`),
              row.age,
              row.isMine ? t('you') : (row.assignee ?? t('nobody')),
            ],
          }))}
        />
      )}
      <DeskPages
        first={isFirst ? undefined : { href: address, title: t('first') }}
        next={list.next ? { href: `${address}&after=${list.next}`, title: t('more') } : undefined}
      />
    </div>
  );
}

const PER_PAGE = 25;

/** A page of the messages in a state: of what was typed it has nothing. */
async function messageList(
  db: Database,
  { state, after }: { state: MessageState; after: ListCursor | undefined },
  { staffId, language, now }: { staffId: string; language: Language; now: Date },
) {
  const found = await listContactMessages(db, state, { after, limit: PER_PAGE + 1 });
  const { rows, after: next } = pageOfRows(found, PER_PAGE);
  const { timeZone } = siteSettings();
  return {
    next,
    rows: rows.map((row) => ({
      id: row.id,
      received: formatShortInstant(new Date(row.created_at), language, timeZone),
      age: ageOf(new Date(row.created_at), language, now),
      category: row.category,
      language: row.language_code,
      isMine: row.assigned_to === staffId,
      assignee: row.assignee,
    })),
  };
}

/** In the largest unit that is whole. */
function ageOf(at: Date, language: Language, now: Date): string {
  const days = differenceInDays(now, at);
  if (days > 0) return formatDuration(days, 'day', language);
  const hours = differenceInHours(now, at);
  if (hours > 0) return formatDuration(hours, 'hour', language);
  const minutes = Math.max(differenceInMinutes(now, at), 0);
  return formatDuration(minutes, 'minute', language);
}
