import { json } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { audit } from '~/accounts/audit.server';
import { requireStaff } from '~/accounts/session.server';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { ANSWER_FORM, MESSAGE_EVENTS } from '~/domain/messages';
import { namedIntentOf, type Refusal } from '~/http/form.server';
import { live, type PageHandle } from '~/http/live.server';
import { languageOf, translator } from '~/i18n/server.server';
import { messageView, type MessageView, takeMessageForm } from '~/messages/desk.server';
import { Done, LinkLine, PageHeading, Part, Submit, TextLink } from '~/ui/elements';
import { DeskButtons, DeskFact } from '~/ui/desk-list';
import { ErrorSummary } from '~/ui/error-summary';
import { DescribedForm } from '~/ui/form-fields';
import type { FormWords } from '~/ui/post-form';
import { TypedTexts } from '~/ui/typed-again';
import { deskAction } from '~/desk/desk-action.server';

export const handle: PageHandle = { limitsForms: true };
/** One message: what was written, what was answered, and what can be done. Each view is recorded. */
export const loader = live(async ({ request, params }) => {
  const session = await requireStaff(request, 'messages');
  const language = await languageOf(request);
  const { user } = session;
  const id = params['id'] ?? '';
  const view = await requireDatabase((db) => messageView(db, id, { staff: user, language }));
  if (!view) throw new Response(null, { status: 404 });
  const actor = { kind: 'staff', id: user.id } as const;
  await requireDatabase(
    (db) => audit(db, actor, 'message.viewed', ['message', id], now()),
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

export const action = deskAction('messages', ({ sent, user, params: { id = '' } }) =>
  takeMessageForm(namedIntentOf(sent, MESSAGE_EVENTS), { id, sent, staffId: user.id }),
);

export default function Message() {
  const { t } = useTranslation('desk-messages');
  const { view, done, page } = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal>();
  const words = useAnswerWords();
  const { typed } = view;
  return (
    <div className="wrap py-8 sm:py-12">
      {refusal?.problem && (
        <ErrorSummary
          title={t('errors.title')}
          description={t(`errors.${refusal.problem}`)}
          form={ANSWER_FORM}
          {...{ refusal, words }}
        />
      )}
      {done && !refusal && <Done>{t(`did.${done}`)}</Done>}
      <p className="eyebrow">
        <a href={`/crm/messages?state=${view.state}`}>{t('title')}</a>
      </p>
      <PageHeading title={page.title} lead={t(`states.${view.state}`)} />
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

function useAnswerWords(): FormWords {
  const { t } = useTranslation('desk-messages');
  const limit = ANSWER_FORM[0].max_length;
  return {
    label: () => t('answer.label'),
    hint: () => t('answer.hint', { limit }),
    optional: '',
    problem: (_, problem) => t(`errors.${problem as 'required'}`, { limit }),
    option: (_, value) => value,
  };
}

function Answer({ view, refusal }: { view: MessageView; refusal: Refusal | undefined }) {
  const { t } = useTranslation('desk-messages');
  const words = useAnswerWords();
  if (!view.events.includes('answer')) return null;
  const language = t(`languages.${view.language as 'fr'}`);
  return (
    <Part id="to-answer" title={t('answer.title')}>
      <p className="mt-1 mb-4">{t('answer.text', { language })}</p>
      <DescribedForm
        action={`/crm/messages/${view.id}`}
        form={ANSWER_FORM}
        hidden={{ version: view.version, intent: 'answer' }}
        {...{ refusal, words }}
      >
        <Submit look="mt-4 w-full sm:w-auto" words={t('answer.button')} />
      </DescribedForm>
    </Part>
  );
}

const OTHERS = ['take', 'close', 'reopen'] as const;

function OtherDeeds({ view }: { view: MessageView }) {
  const { t } = useTranslation('desk-messages');
  const deeds = OTHERS.filter((event) => view.events.includes(event));
  if (deeds.length === 0) return null;
  return (
    <DeskButtons
      action={`/crm/messages/${view.id}`}
      version={view.version}
      buttons={deeds.map((event) => [event, t(`deeds.${event}`)] as const)}
      className="border-t border-rule pt-6"
    />
  );
}

function Replies({ view }: { view: MessageView }) {
  const { t } = useTranslation('desk-messages');
  if (view.replies.length === 0) return null;
  return (
    <Part id="replies" title={t('answers')}>
      <ol className="mt-3 grid gap-4">
        {view.replies.map(({ id, text, at, writer }) => (
          <li key={id} className="card p-4">
            <p className="text-sm text-muted">{t('answeredBy', { who: writer, date: at })}</p>
            <p className="mt-1 wrap-anywhere whitespace-pre-line" lang={view.language}>
              {text}
            </p>
          </li>
        ))}
      </ol>
    </Part>
  );
}

/** Who has written, to what it belongs, and what else the same address has sent. */
function MessageFacts({ view }: { view: MessageView }) {
  const { t } = useTranslation(['desk-messages', 'contact']);
  const { typed, application, category, leadId, earlier } = view;
  return (
    <aside aria-labelledby="from" className="card grid gap-6 p-4 sm:p-6">
      <div>
        <h2 id="from" className="text-lg">
          {t('from')}
        </h2>
        <dl className="mt-3 grid gap-3">
          <DeskFact label={t('name')}>{typed.name}</DeskFact>
          <DeskFact label={t('email')}>
            <span className="wrap-anywhere">{typed.email}</span>
          </DeskFact>
          {typed.phone && <DeskFact label={t('phone')}>{typed.phone}</DeskFact>}
          {typed.applicationNumber && (
            <DeskFact label={t('reference')}>
              <span className="machine wrap-anywhere">{typed.applicationNumber}</span>
            </DeskFact>
          )}
          <DeskFact label={t('category')}>
            {category ? t(`contact:categories.${category as 'other'}`) : '–'}
          </DeskFact>
          <DeskFact label={t('language')}>{t(`languages.${view.language as 'fr'}`)}</DeskFact>
          <DeskFact label={t('assigned')}>
            {view.isMine ? t('you') : (view.assignee ?? t('nobody'))}
          </DeskFact>
        </dl>
        {application &&
          (application.isCase ? (
            <To href={`/crm/processing/${application.id}`}>
              {t('case', { reference: application.reference })}
            </To>
          ) : (
            <p className="mt-3">{t('caseUnpaid', { reference: application.reference })}</p>
          ))}
        {leadId && <To href={`/crm/leads/${leadId}`}>{t('toLead')}</To>}
      </div>
      <div>
        <h2 className="text-lg">{t('earlier')}</h2>
        {earlier.length === 0 && <p className="mt-2 text-sm">{t('noEarlier')}</p>}
        <ul>
          {earlier.map(({ id, at, state }) => (
            <li key={id}>
              <TextLink href={`/crm/messages/${id}`} words={at} />{' '}
              <span className="text-sm text-muted">{t(`states.${state}`)}</span>
            </li>
          ))}
        </ul>
      </div>
    </aside>
  );
}

function To({ href, children }: { href: string; children: ReactNode }) {
  return <LinkLine className="mt-2" href={href} words={children} />;
}
