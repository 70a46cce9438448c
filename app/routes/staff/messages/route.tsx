import { json } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';

import { deskLoader } from '~/desk/desk-page.server';
import { listPage } from '~/desk/lists.server';
import { timeUntil } from '~/desk/due.server';
import { MESSAGE_STATES, promisedBy } from '~/domain/messages';
import { shortInstants } from '~/i18n/server.server';
import { textOfMessage } from '~/messages/messages.server';
import { siteSettings } from '~/settings/settings.server';
import { DeskList } from '~/ui/desk-list';
import { PageHeading } from '~/ui/elements';
import { listContactMessages } from '~db/queries/contact-messages.server';

const COLUMNS = ['sender', 'subject', 'promised', 'language', 'assigned'] as const;

/** The messages by their state, a page at a time: who has written, what about, and when an answer is due. */
export const loader = deskLoader('messages', async ({ user, language, t, asked }) => {
  const list = await listPage(asked, MESSAGE_STATES, listContactMessages);
  const timeOf = shortInstants(language);
  const { generalHours } = siteSettings().support;
  return json({
    ...list,
    rows: list.rows.map(({ id, category, language_code, assignee, ...row }) => {
      const { name, subject } = textOfMessage({ id, ...row });
      const promised = promisedBy(row.created_at, generalHours);
      const isNew = list.state === 'new';
      return {
        ...{ id, name, subject, category, assignee, language: language_code },
        received: timeOf(row.created_at),
        promised: isNew ? timeUntil(promised.toISOString(), language, true) : undefined,
        isMine: row.assigned_to === user.id,
      };
    }),
    page: { title: t('desk-messages:title') },
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
        columns={COLUMNS.map((name) =>
          t(`columns.${name === 'promised' && list.state !== 'new' ? 'received' : name}`),
        )}
        rows={rows.map(({ id, name, subject, promised, category, language, ...row }) => ({
          id,
          href: `/crm/messages/${id}`,
          cells: [
            name,
            <Fragment key="subject">
              {subject}
              {category && (
                <span className="block text-sm text-muted">
                  {t(`contact:categories.${category as 'other'}`)}
                </span>
              )}
            </Fragment>,
            <Fragment key="promised">
              <strong className={promised?.isLate ? 'text-bad' : undefined}>
                {promised?.left}
              </strong>
              <span className="block text-sm text-muted">{promised?.at ?? row.received}</span>
            </Fragment>,
            t(`languages.${language as 'fr'}`),
            row.isMine ? t('you') : (row.assignee ?? t('nobody')),
          ],
        }))}
      />
    </div>
  );
}
