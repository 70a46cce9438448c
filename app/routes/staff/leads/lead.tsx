import { json, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import {
  actOnConversation,
  type Conversation as Conversing,
  conversationView,
} from '~/desk/conversation.server';
import { deskAction, deskLoader, viewed } from '~/desk/desk-page.server';
import { isCase } from '~/domain/application/states';
import { DESK_LEAD_EVENTS, deskLeadEvents } from '~/domain/leads';
import {
  askFirst,
  namedIntentOf,
  type Refusal,
  refuse,
  requireVersion,
  textIn,
} from '~/http/form.server';
import type { PageHandle } from '~/live.server';
import type { Language } from '~/i18n/languages';
import { shortInstants } from '~/i18n/server.server';
import { actOnLead, remindNow } from '~/leads/leads.server';
import { wakeOutbox } from '~/mail/outbox.server';
import { Conversation } from '~/ui/conversation';
import { LinkLine, PageHeading, Submit } from '~/ui/elements';
import { Done } from '~/ui/plain-elements';
import { DeskFacts } from '~/ui/desk-list';
import { ErrorSummary } from '~/ui/error-summary';
import { Question } from '~/ui/question';
import { TypedTexts } from '~/ui/typed-again';
import { type ApplicationRow, findApplication } from '~db/queries/applications.server';
import { findContactMessage } from '~db/queries/contact-messages.server';
import { findLead } from '~db/queries/leads.server';
import { findStaffName } from '~db/queries/staff.server';
import type { Database } from '~db/schema';

export const handle: PageHandle = { limitsForms: true };
const INTENTS = ['remind', 'take', ...DESK_LEAD_EVENTS] as const;

const talkOf = (id: string, application: ApplicationRow, user: Conversing['user']) => ({
  ...{ application, user },
  addressOf: (parameters?: Readonly<Record<string, string>>) =>
    `/crm/leads/${id}${parameters ? `?${new URLSearchParams(parameters)}` : ''}`,
});

/** One lead: where it comes from, what becomes of it, and all between us and its owner. Each view is recorded. */
export const loader = deskLoader('leads', async (page) => {
  const { user, language, t, asked } = page;
  const { row, ...view } = await viewed('lead', page, (db, id) =>
    leadView(db, id, user.id, language),
  );
  // Who wants to hear nothing is not written to.
  const talk =
    row &&
    view.state !== 'do_not_contact' &&
    (await conversationView(talkOf(view.id, row, { ...user, role: user.role }), language, asked));
  const title = t('desk-leads:one', { date: view.since });
  return json({
    ...{ done: asked.get('done'), view, talk: talk || null },
    page: { title, form: Boolean(talk) },
  });
});

export const action = deskAction('leads', async ({ sent, user, params: { id = '' } }) => {
  if (sent.has('seen') || sent.has('id')) {
    const { state, application_id } = (await requireDatabase((db) => findLead(db, id))) ?? {};
    const application = await requireDatabase((db) => findApplication(db, application_id ?? ''));
    if (!application) throw new Response(null, { status: 404 });
    const typed = { lead: id, answer: textIn(sent, 'answer') };
    if (state === 'do_not_contact') return refuse('changed', { typed }, { status: 409 });
    return actOnConversation(talkOf(id, application, { ...user, role: user.role }), sent);
  }
  const event = namedIntentOf(sent, INTENTS);
  const asked = event === 'stop' && askFirst(sent, { lead: id });
  if (asked) return asked;
  const action = { id, version: requireVersion(sent), staffId: user.id };
  const done = await requireDatabase(
    (db) =>
      event === 'remind' ? remindNow(db, action, now()) : actOnLead(db, event, action, now()),
    writeDatabase,
  );
  if (done === 'gone') throw new Response(null, { status: 404 });
  if (done === 'changed') return refuse('changed', { typed: { lead: id } }, { status: 409 });
  if (event === 'remind') wakeOutbox();
  return redirect(`/crm/leads/${id}?done`, 303);
});

export default function Lead() {
  const { t } = useTranslation('desk-leads');
  const { view, talk, done, page } = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal>();
  const isOwn = refusal?.values['lead'] !== undefined;
  const isAsked = isOwn && refusal?.problem === 'confirm';
  const action = `/crm/leads/${view.id}`;
  const events = INTENTS.filter((one) => {
    if (one === 'remind') return view.canRemind;
    return one === 'take' ? !view.isMine : view.events.includes(one);
  });
  return (
    <div className="wrap py-6 sm:py-8">
      {isOwn && !isAsked && (
        <ErrorSummary title={t('errorTitle')} description={t('changed')} {...{ refusal }} />
      )}
      {!talk && <TypedTexts texts={[refusal?.values['answer']]} />}
      {done === '' && !refusal && <Done>{t('done')}</Done>}
      <p className="eyebrow">
        <a href={`/crm/leads?state=${view.state}`}>{t('title')}</a>
      </p>
      <PageHeading title={page.title} lead={t(`states.${view.state}`)} />
      {isAsked ? (
        <Question
          {...{ action: `${action}#stop`, hidden: { version: view.version }, intent: 'stop' }}
          title={t('stop.title')}
          text={t('stop.text')}
          yes={t('stop.yes')}
        />
      ) : (
        events.length > 0 && (
          // Enter does the first.
          <form method="post" {...{ action }} className="mt-4 flex flex-wrap gap-3">
            <input type="hidden" name="version" value={view.version} />
            <input type="hidden" name="intent" value={events[0]} />
            {events.map((intent) => (
              <Submit
                key={intent}
                id={intent}
                {...{ intent }}
                look="button-quiet w-full sm:w-auto"
                words={t(`events.${intent}`)}
              />
            ))}
          </form>
        )
      )}
      <LeadFacts view={view} />
      {talk && (
        <div className="mt-6">
          <Conversation
            view={talk as Parameters<typeof Conversation>[0]['view']}
            refusal={isOwn ? undefined : refusal}
            {...{ done }}
          />
        </div>
      )}
    </div>
  );
}

function LeadFacts({ view }: { view: LeadView }) {
  const { t } = useTranslation([
    'desk-leads',
    'application-states',
    'desk-messages',
    'contact',
    'desk',
  ]);
  const { message, application, kind } = view;
  const language = message?.language ?? application?.language;
  const category =
    message?.category && ` · ${t(`contact:categories.${message.category as 'other'}`)}`;
  const facts = {
    of: [t(`kinds.${kind}`), category].join(''),
    reference: application && <span className="machine">{application.reference}</span>,
    application: application && t(`application-states:desk.${application.state}`),
    package:
      application &&
      t(application.package ? `packages.${application.package as 'standard'}` : 'noPackage'),
    created: application?.created,
    reminded: application?.reminded,
    language: language && t(`desk-messages:languages.${language as 'fr'}`),
    assigned: view.isMine ? t('desk:list.you') : (view.assignee ?? t('desk:list.nobody')),
  };
  return (
    <div className="card mt-6 max-w-[48rem] p-4 sm:p-6">
      <DeskFacts
        {...{ facts }}
        labelOf={(name) => t(`facts.${name}`)}
        className="grid gap-3 sm:grid-cols-2"
      />
      {view.write && <LinkLine className="mt-3" href={view.write} words={t('write')} />}
      {application && <p className="mt-3 text-sm text-muted">{t('privacy')}</p>}
    </div>
  );
}

type LeadView = Omit<NonNullable<Awaited<ReturnType<typeof leadView>>>, 'row'>;

/**
 * A lead for somebody of the staff; undefined for an unknown one. Of an unpaid application it has
 * reference, state, language, package and dates, never an answer.
 */
async function leadView(db: Database, id: string, staffId: string, language: Language) {
  const row = await findLead(db, id);
  if (!row) return undefined;
  const at = shortInstants(language);
  const { message_id: messageId, application_id: applicationId } = row;
  const message = messageId === null ? undefined : await findContactMessage(db, messageId);
  const application = applicationId === null ? undefined : await findApplication(db, applicationId);
  const { kind, state, version } = row;
  return {
    row: application && !isCase(application) ? application : undefined,
    write: message
      ? `/crm/messages/${message.id}#write`
      : application && isCase(application)
        ? `/crm/processing/${application.id}/conversation#write`
        : null,
    ...{ id, kind, state, version },
    since: at(row.created_at),
    isMine: row.assigned_to === staffId,
    assignee: (await findStaffName(db, row.assigned_to)) ?? null,
    events: deskLeadEvents(state, kind),
    canRemind: application?.wants_reminder === 1 && state !== 'do_not_contact',
    message: message
      ? { id: message.id, category: message.category, language: message.language_code }
      : null,
    application: application
      ? {
          reference: application.reference,
          state: application.state,
          language: application.language_code,
          package: application.package,
          created: at(application.created_at),
          reminded: application.reminded_at === null ? null : at(application.reminded_at),
        }
      : null,
  };
}
