import { json } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { differenceInDays, differenceInHours, differenceInMinutes } from 'date-fns';
import { useTranslation } from 'react-i18next';

import { now } from '~/clock.server';
import { deskLoader } from '~/desk/desk-page.server';
import { listPage } from '~/desk/lists.server';
import { MESSAGE_STATES } from '~/domain/messages';
import type { Language } from '~/i18n/languages';
import { formatDuration, shortInstants } from '~/i18n/server.server';
import { DeskList } from '~/ui/desk-list';
import { PageHeading } from '~/ui/elements';
import { listContactMessages } from '~db/queries/contact-messages.server';

const COLUMNS = ['received', 'category', 'language', 'age', 'assigned'] as const;

/** The messages of the contact form by their state, a page at a time; of what was typed it has nothing. */
export const loader = deskLoader('messages', async ({ user, language, t, asked }) => {
  const list = await listPage(asked, MESSAGE_STATES, listContactMessages);
  const timeOf = shortInstants(language);
  return json({
    ...list,
    rows: list.rows.map(({ id, category, language_code, assignee, ...row }) => ({
      ...{ id, category, language: language_code, assignee },
      received: timeOf(row.created_at),
      age: ageOf(new Date(row.created_at), language, now()),
      isMine: row.assigned_to === user.id,
    })),
    page: { title: t('desk-messages:title'), noindex: true },
  });
});

export default function Messages() {
  const { t } = useTranslation(['desk-messages', 'contact']);
  const { rows, page, ...list } = useLoaderData<typeof loader>();
  return (
    <div className="wrap py-8 sm:py-12">
      <PageHeading title={page.title} lead={t('lead')} />
      <DeskList
        {...list}
        address="/crm/messages"
        title={t('table')}
        none={t('none')}
        states={MESSAGE_STATES.map((name) => [name, t(`tabs.${name}`)] as const)}
        columns={COLUMNS.map((name) => t(`columns.${name}`))}
        rows={rows.map(({ id, received, category, language, age, isMine, assignee }) => ({
          id,
          href: `/crm/messages/${id}`,
          cells: [
            received,
            category ? t(`contact:categories.${category as 'other'}`) : '–',
            t(`languages.${language as 'fr'}`),
            age,
            isMine ? t('you') : (assignee ?? t('nobody')),
          ],
        }))}
      />
    </div>
  );
}

function ageOf(at: Date, language: Language, now: Date): string {
  const days = differenceInDays(now, at);
  if (days > 0) return formatDuration(days, 'day', language);
  const hours = differenceInHours(now, at);
  if (hours > 0) return formatDuration(hours, 'hour', language);
  const minutes = Math.max(differenceInMinutes(now, at), 0);
  return formatDuration(minutes, 'minute', language);
}
