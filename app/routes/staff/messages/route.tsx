import { json } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { deskLoader } from '~/desk/desk-page.server';
import { listPage } from '~/desk/lists.server';
import { promisedAnswers, timeSince, timeUntil } from '~/desk/due.server';
import { requireDatabase } from '~/database.server';
import { MESSAGE_STATES } from '~/domain/messages';
import { textOfMessage } from '~/messages/messages.server';
import { DeskList } from '~/ui/desk-list';
import { ButtonLink, PageHeading } from '~/ui/elements';
import { findNextMessage, listContactMessages } from '~db/queries/contact-messages.server';
import { countStates } from '~db/queries/rows.server';
import { COUNTED } from '~db/queries/worklist.server';

/** The messages by their state, a page at a time: who has written, what about, and when an answer is due. */
export const loader = deskLoader('messages', async ({ user, language, t, asked }) => {
  const states = MESSAGE_STATES;
  const { state, ...list } = await listPage(asked, {
    states,
    read: listContactMessages,
    count: (db) => countStates(db, 'contact_messages', { states, most: COUNTED }),
  });
  const promised = promisedAnswers();
  return json({
    ...{ ...list, state },
    toAnswer: (await requireDatabase((db) => findNextMessage(db, user.id)))?.id,
    rows: list.rows.map(({ id, category, language_code, assignee, assigned_to, ...row }) => {
      const { name, subject } = textOfMessage({ id, ...row });
      const at = row.created_at;
      return {
        ...{ id, name, subject, category, assignee, language: language_code },
        time: state === 'new' ? timeUntil(promised(at), language) : timeSince(at, language),
        isMine: assigned_to === user.id,
      };
    }),
    page: { title: t('desk-messages:title') },
  });
});

export default function Messages() {
  const { t } = useTranslation('desk-messages');
  const { rows, numbers, toAnswer, page, ...list } = useLoaderData<typeof loader>();
  return (
    <div className="wrap py-6 sm:py-8">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <PageHeading title={page.title} />
        {toAnswer && (
          <ButtonLink
            href={`/crm/messages/${toAnswer}#write`}
            data-key="n"
            after="arrow-right"
            words={t('answerNext')}
          />
        )}
      </div>
      <DeskList
        {...list}
        address="/crm/messages"
        title={t('table')}
        none={t('none')}
        states={MESSAGE_STATES.map((name, n) => ({
          ...{ name, title: t(`tabs.${name}`), count: numbers[n] ?? '' },
        }))}
        columns={[
          ...([t('columns.sender'), t('columns.subject')] as const),
          t(`columns.${list.state === 'new' ? 'promised' : 'received'}`),
        ]}
        rows={rows.map(({ subject, ...row }) => ({
          ...row,
          href: `/crm/messages/${row.id}`,
          what: subject,
        }))}
      />
    </div>
  );
}
