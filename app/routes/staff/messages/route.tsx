import { json } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { differenceInDays, differenceInHours, differenceInMinutes } from 'date-fns';
import { useTranslation } from 'react-i18next';

import { requireStaff } from '~/accounts/session.server';
import { now } from '~/clock.server';
import { requireDatabase } from '~/database.server';
import { keyIn, pageOfRows } from '~/desk/lists.server';
import { MESSAGE_STATES } from '~/domain/messages';
import { live } from '~/http/live.server';
import type { Language } from '~/i18n/languages';
import { formatDuration, languageOf, shortInstants, translator } from '~/i18n/server.server';
import { PageHeading } from '~/ui/elements';
import { DeskList } from '~/ui/desk-list';
import { listContactMessages } from '~db/queries/contact-messages.server';

const PER_PAGE = 25;
const COLUMNS = ['received', 'category', 'language', 'age', 'assigned'] as const;

/** The messages of the contact form by their state, a page at a time; of what was typed it has nothing. */
export const loader = live(async ({ request }) => {
  const session = await requireStaff(request, 'messages');
  const language = await languageOf(request);
  const { searchParams } = new URL(request.url);
  const state = MESSAGE_STATES.find((one) => one === searchParams.get('state')) ?? 'new';
  const after = keyIn(searchParams, 'after');
  const found = await requireDatabase((db) =>
    listContactMessages(db, state, { after, limit: PER_PAGE + 1 }),
  );
  const { rows, after: next } = pageOfRows(found, PER_PAGE);
  const timeOf = shortInstants(language);
  return json({
    state,
    next,
    isFirst: after === undefined,
    rows: rows.map(({ id, category, language_code, assignee, ...row }) => ({
      ...{ id, category, language: language_code, assignee },
      received: timeOf(row.created_at),
      age: ageOf(new Date(row.created_at), language, now()),
      isMine: row.assigned_to === session.user.id,
    })),
    page: { title: translator(language)('desk-messages:title'), noindex: true },
  });
});

export default function Messages() {
  const { t } = useTranslation(['desk-messages', 'contact']);
  const { state, next, isFirst, rows } = useLoaderData<typeof loader>();
  return (
    <div className="wrap py-8 sm:py-12">
      <PageHeading title={t('title')} lead={t('lead')} />
      <DeskList
        address="/crm/messages?state="
        {...{ state, isFirst, next }}
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
        words={{
          ...{ tabs: t('tabs.label'), table: t('table'), none: t('none') },
          ...{ first: t('first'), more: t('more') },
        }}
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
