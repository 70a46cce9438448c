import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { recordEvent } from '~/accounts/audit.server';
import { requireStaff } from '~/accounts/session.server';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { ANSWER_FORM, MESSAGE_EVENTS } from '~/domain/messages';
import { rolesFor } from '~/domain/staff';
import { isLanguageChange, namedIntentOf, sentForm, showAgain } from '~/http/form.server';
import { live } from '~/http/live.server';
import type { PageHandle } from '~/http/page-handle';
import { limitForms } from '~/http/rate-limit.server';
import type { Refusal } from '~/http/refusal';
import { languageOf, translator } from '~/i18n/server.server';
import { ErrorSummary, summaryItems } from '~/ui/error-summary';
import { Icon } from '~/ui/icon';
import { TypedTexts } from '~/ui/typed-again';
import { act } from './act.server';
import { Answer, OtherDeeds, useAnswerWords } from './deeds';
import { MessageFacts, Replies } from './parts';
import { messageView } from './view.server';

export const handle: PageHandle = { limitsForms: true };
/** One message: what was written, what was answered, and what can be done. Each view is recorded. */
export const loader = live(async ({ request, params }: LoaderFunctionArgs) => {
  const session = await requireStaff(request, rolesFor('messages'));
  const language = await languageOf(request);
  const { user } = session;
  const id = params['id'] ?? '';
  const view = await requireDatabase((db) => messageView(db, id, { staff: user, language }));
  if (!view) throw new Response(null, { status: 404 });
  const actor = { kind: 'staff', id: user.id } as const;
  const subject = { type: 'message', id } as const;
  await requireDatabase(
    (db) => recordEvent(db, { action: 'message.viewed', actor, subject }, now()),
    writeDatabase,
  );
  const asked = new URL(request.url).searchParams.get('done');
  const t = translator(language);
  return json({
    done: MESSAGE_EVENTS.find((event) => event === asked),
    view,
    page: {
      title: t('desk-messages:message', { date: view.received }),
      noindex: true,
      form: view.events.includes('answer'),
    },
  });
});

export const action = live(async ({ request, params, context }: ActionFunctionArgs) => {
  const { user } = await requireStaff(request, rolesFor('messages'));
  limitForms(context);
  const sent = await sentForm(request);
  if (isLanguageChange(sent)) return showAgain(sent);
  const id = params['id'] ?? '';
  return act(namedIntentOf(sent, MESSAGE_EVENTS), { id, sent, staffId: user.id });
});

export default function Message() {
  const { t } = useTranslation('desk-messages');
  const { view, done, page } = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal<'invalid' | 'changed'>>();
  const words = useAnswerWords();
  const { typed } = view;
  return (
    <div className="wrap py-8 sm:py-12">
      {refusal?.problem && (
        <ErrorSummary
          title={t('errors.title')}
          description={t(`errors.${refusal.problem}`)}
          items={summaryItems(ANSWER_FORM, refusal, words)}
          trigger={refusal}
        />
      )}
      {done && !refusal && (
        <p role="status" className="say say-good mb-6 w-fit">
          <Icon name="circle-check" />
          {t(`did.${done}`)}
        </p>
      )}
      <p className="eyebrow">
        <a href={`/crm/messages?state=${view.state}`}>{t('title')}</a>
      </p>
      <h1 tabIndex={-1} className="text-h1">
        {page.title}
      </h1>
      <p className="lead mt-3">{t(`states.${view.state}`)}</p>
      <div className="mt-8 grid items-start gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid gap-10">
          <section aria-labelledby="written">
            <h2 id="written" className="text-xl wrap-anywhere" lang={view.language}>
              {typed.subject}
            </h2>
            <p
              className="mt-3 max-w-[44rem] wrap-anywhere whitespace-pre-line"
              lang={view.language}
            >
              {typed.message}
            </p>
          </section>
          <Replies view={view} />
          <Answer view={view} refusal={refusal} />
          {!view.events.includes('answer') && <TypedTexts texts={[refusal?.values['answer']]} />}
          <OtherDeeds view={view} />
        </div>
        <MessageFacts view={view} />
      </div>
    </div>
  );
}
