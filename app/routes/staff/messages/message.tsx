import { json } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { ANSWER_FORM, MESSAGE_EVENTS } from '~/domain/messages';
import { namedIntentOf, type Refusal } from '~/http/form.server';
import type { PageHandle } from '~/live.server';
import { messageView, type MessageView, takeMessageForm } from '~/messages/messages.server';
import { LinkLine, PageHeading, Part, Submit, TextLink } from '~/ui/elements';
import { Done } from '~/ui/plain-elements';
import { DeskButtons, DeskFacts } from '~/ui/desk-list';
import { ErrorSummary } from '~/ui/error-summary';
import { DescribedForm } from '~/ui/form-fields';
import type { FormWords } from '~/ui/post-form';
import { TypedTexts } from '~/ui/typed-again';
import { deskAction, deskLoader, viewed } from '~/desk/desk-page.server';

export const handle: PageHandle = { limitsForms: true };
/** One message: what was written, what was answered, and what can be done. Each view is recorded. */
export const loader = deskLoader('messages', async (page) => {
  const { user, language, t, asked } = page;
  const view = await viewed('message', page, (db, id) => messageView(db, id, user.id, language));
  const title = t('desk-messages:message', { date: view.received });
  return json({
    done: MESSAGE_EVENTS.find((event) => event === asked.get('done')),
    view,
    page: { title, noindex: true, form: view.events.includes('answer') },
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
  const action = `/crm/messages/${view.id}`;
  const others = OTHERS.filter((event) => view.events.includes(event));
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
          {view.replies.length > 0 && (
            <Part id="replies" title={t('answers')}>
              <ol className="mt-3 grid gap-4">
                {view.replies.map(({ id, text, at, writer }) => (
                  <li key={id} className="card p-4">
                    <p className="text-sm text-muted">
                      {t('answeredBy', { who: writer, date: at })}
                    </p>
                    <p className="mt-1 wrap-anywhere whitespace-pre-line" lang={view.language}>
                      {text}
                    </p>
                  </li>
                ))}
              </ol>
            </Part>
          )}
          {view.events.includes('answer') ? (
            <Part id="to-answer" title={t('answer.title')}>
              <p className="mt-1 mb-4">
                {t('answer.text', { language: t(`languages.${view.language as 'fr'}`) })}
              </p>
              <DescribedForm
                {...{ action, refusal, words }}
                form={ANSWER_FORM}
                hidden={{ version: view.version, intent: 'answer' }}
              >
                <Submit look="mt-4 w-full sm:w-auto" words={t('answer.button')} />
              </DescribedForm>
            </Part>
          ) : (
            <TypedTexts texts={[refusal?.values['answer']]} />
          )}
          {others.length > 0 && (
            <DeskButtons
              {...{ action, version: view.version }}
              buttons={others.map((event) => [event, t(`deeds.${event}`)] as const)}
              className="border-t border-rule pt-6"
            />
          )}
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
    problem: (_, problem) => t(`errors.${problem as 'required'}`, { limit }),
  };
}

const OTHERS = ['take', 'close', 'reopen'] as const;

const asTyped = (text = '') => text && <span className="machine wrap-anywhere">{text}</span>;

/** Who has written, to what it belongs, and what else the same address has sent. */
function MessageFacts({ view }: { view: MessageView }) {
  const { t } = useTranslation(['desk-messages', 'contact']);
  const { typed, application, category, leadId, earlier } = view;
  const facts = {
    name: typed.name,
    email: <span className="wrap-anywhere">{typed.email}</span>,
    phone: typed.phone,
    reference: asTyped(typed.reference),
    applicationNumber: asTyped(typed.applicationNumber),
    category: category ? t(`contact:categories.${category as 'other'}`) : '–',
    language: t(`languages.${view.language as 'fr'}`),
    assigned: view.isMine ? t('you') : (view.assignee ?? t('nobody')),
  };
  return (
    <aside aria-labelledby="from" className="card grid gap-6 p-4 sm:p-6">
      <div>
        <h2 id="from" className="text-lg">
          {t('from')}
        </h2>
        <DeskFacts
          {...{ facts }}
          labelOf={(name) => t(`facts.${name}`)}
          className="mt-3 grid gap-3"
        />
        {application &&
          (application.isCase ? (
            <LinkLine
              className="mt-2"
              href={`/crm/processing/${application.id}`}
              words={t('case', { reference: application.reference })}
            />
          ) : (
            <p className="mt-3">{t('caseUnpaid', { reference: application.reference })}</p>
          ))}
        {leadId && <LinkLine className="mt-2" href={`/crm/leads/${leadId}`} words={t('toLead')} />}
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
