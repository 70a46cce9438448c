import { json, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { requireDatabase } from '~/database.server';
import { caseAddress, openCase } from '~/desk/case.server';
import { actOnConversation, conversationView } from '~/desk/conversation.server';
import { deskAction, deskLoader, viewed } from '~/desk/desk-page.server';
import { isCase } from '~/domain/application/states';
import type { Refusal } from '~/http/form.server';
import type { PageHandle } from '~/live.server';
import { textOfMessage } from '~/messages/messages.server';
import { Conversation } from '~/ui/conversation';
import { Due } from '~/ui/desk-list';
import { findApplication } from '~db/queries/applications.server';
import { findContactMessage, findNextMessage } from '~db/queries/contact-messages.server';
import type { Database } from '~db/schema';

export const handle: PageHandle = { limitsForms: true };

const addressOf = (id: string) => (parameters?: Readonly<Record<string, string>>) => {
  const query = new URLSearchParams(parameters);
  return `/crm/messages/${id}${query.size > 0 ? `?${query}` : ''}`;
};

/** One message, with all else between us and who has sent it; of a case that somebody has, there. */
export const loader = deskLoader('messages', async (page) => {
  const { request, user, language, asked } = page;
  const message = await viewed('message', page, findContactMessage);
  const application = await requireDatabase((db) => applicationOf(db, message.application_id));
  if (application && isCase(application) && application.assigned_to === user.id) {
    const open = await openCase(request, application.id);
    const parameters = Object.fromEntries(asked);
    if (open.rights.view === 'full')
      throw redirect(`${caseAddress(open, parameters, '/conversation')}#m-${message.id}`);
  }
  const { id } = message;
  const conversation = { message, addressOf: addressOf(id), user: { ...user, role: user.role } };
  const next = await requireDatabase((db) => findNextMessage(db, user.id, id));
  return json({
    done: asked.get('done'),
    next: next && `/crm/messages/${next.id}`,
    view: await conversationView(conversation, language, asked),
    page: { title: textOfMessage(message).subject, form: true },
  });
});

export const action = deskAction('messages', async ({ sent, user, params: { id = '' } }) => {
  const message = await requireDatabase((db) => findContactMessage(db, id));
  if (!message) throw new Response(null, { status: 404 });
  const conversation = { message, addressOf: addressOf(id), user: { ...user, role: user.role } };
  return actOnConversation(conversation, sent);
});

export default function Message() {
  const { t } = useTranslation('desk-messages');
  const { view, done, next, page } = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal>();
  return (
    <div className="wrap py-6">
      <p className="eyebrow">
        <a href="/crm/messages">{t('title')}</a>
      </p>
      <div className="mb-4 flex flex-wrap items-start justify-between gap-x-6">
        <h1 tabIndex={-1} className="text-h1 wrap-anywhere" lang={view.write?.lang}>
          {page.title}
        </h1>
        {view.message?.due && (
          <p className="text-right leading-tight">
            <Due {...view.message.due} />
          </p>
        )}
      </div>
      <Conversation
        view={view as Parameters<typeof Conversation>[0]['view']}
        {...{ refusal, done, next }}
      />
    </div>
  );
}

const applicationOf = async (db: Database, id: string | null) =>
  id === null ? undefined : findApplication(db, id);
