import { json } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';

import { caseAddress, nameOf, openCase, type OpenCase, recordView } from '~/desk/case.server';
import { actOnConversation, conversationView } from '~/desk/conversation.server';
import { caseAction } from '~/desk/desk-page.server';
import { type Refusal, refuse, textIn } from '~/http/form.server';
import { live, type PageHandle } from '~/live.server';
import { Conversation } from '~/ui/conversation';

export const handle: PageHandle = { limitsForms: true };

const conversationOf = (open: OpenCase) => ({
  open,
  application: open.row,
  user: open.session.user,
  addressOf: (parameters?: Readonly<Record<string, string>>) =>
    caseAddress(open, parameters, '/conversation'),
});

/** All between us and the customer of a case, for who sees all of it. */
export const loader = live(async ({ request, params, language, t, searchParams }) => {
  const open = await openCase(request, params['id']);
  const isFull = open.rights.view === 'full';
  await recordView(open, 'conversation');
  return json({
    name: nameOf(open),
    done: searchParams.get('done'),
    view: isFull ? await conversationView(conversationOf(open), language, searchParams) : null,
    page: {
      title: t('desk:case.title', { reference: open.row.reference }),
      form: isFull,
    },
  });
});

export const action = caseAction(async ({ open, sent }) => {
  // It is somebody else's since the form was opened: what was typed comes back all the same.
  if (open.rights.view !== 'full') {
    return refuse('lost', { typed: { answer: textIn(sent, 'answer') } }, { status: 403 });
  }
  return actOnConversation(conversationOf(open), sent);
});

export default function CaseConversation() {
  const { view, done } = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal>();
  return (
    <div className="wrap py-6">
      <Conversation
        view={view as Parameters<typeof Conversation>[0]['view']}
        {...{ refusal, done }}
      />
    </div>
  );
}
