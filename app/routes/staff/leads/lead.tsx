import { json, redirect, type SerializeFrom } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { now } from '~/clock.server';
import { requireDatabase, requireWrite } from '~/database.server';
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
import { shortInstants } from '~/i18n/locale.server';
import { actOnLead, remindNow } from '~/leads/leads.server';
import { Conversation } from '~/ui/conversation';
import { Hidden, LinkLine, PageHeading, Submit } from '~/ui/elements';
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
  return json({
    ...{ done: asked.get('done'), view, talk: talk || null },
    page: { title: t('desk-leads:one', { date: view.since }), form: Boolean(talk) },
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
  const done = await requireWrite((db) =>
    event === 'remind' ? remindNow(db, action, now()) : actOnLead(db, event, action, now()),
  );
  if (done === 'gone') throw new Response(null, { status: 404 });
  if (done === 'changed') return refuse('changed', { typed: { lead: id } }, { status: 409 });
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
            <Hidden version={view.version} intent={events[0]} />
            {events.map((intent) => (
              <Submit
                key={intent}
                id={intent}
                {...{ intent }}
                look="button-quiet button-small"
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

/** What else is known of its owner stands beside the conversation. */
function LeadFacts({ view }: { view: LeadView }) {
  const { t } = useTranslation(['desk-leads', 'contact', 'desk', 'staff']);
  const { category, reference, write } = view;
  const about = category && t(`contact:categories.${category as 'other'}`);
  const facts = {
    of: [t(`kinds.${view.kind}`), about].filter(Boolean).join(' · '),
    reference: reference && <span className="machine">{reference}</span>,
    package:
      reference &&
      (view.package ? t(`staff:refunds.packages.${view.package as 'standard'}`) : t('noPackage')),
    reminded: view.reminded,
    assigned: view.isMine ? t('desk:list.you') : (view.assignee ?? t('desk:list.nobody')),
  };
  return (
    <div className="card mt-6 max-w-[48rem] p-4 sm:p-6">
      <DeskFacts
        {...{ facts }}
        labelOf={(name) => t(`facts.${name}`)}
        className="grid gap-3 sm:grid-cols-2"
      />
      {write && <LinkLine className="mt-3" href={write} words={t('write')} />}
      {reference && <p className="mt-3 text-sm text-muted">{t('privacy')}</p>}
    </div>
  );
}

type LeadView = SerializeFrom<Omit<NonNullable<Awaited<ReturnType<typeof leadView>>>, 'row'>>;

/** Undefined for an unknown one. Of an unpaid application it has nothing of its answers. */
async function leadView(db: Database, id: string, staffId: string, language: Language) {
  const lead = await findLead(db, id);
  if (!lead) return undefined;
  const at = shortInstants(language);
  const message = lead.message_id ? await findContactMessage(db, lead.message_id) : undefined;
  const row = lead.application_id ? await findApplication(db, lead.application_id) : undefined;
  const { kind, state, version } = lead;
  const talk = row && isCase(row) ? `/crm/processing/${row.id}/conversation#write` : undefined;
  return {
    row: talk ? undefined : row,
    write: message ? `/crm/messages/${message.id}#write` : talk,
    ...{ id, kind, state, version },
    since: at(lead.created_at),
    isMine: lead.assigned_to === staffId,
    assignee: await findStaffName(db, lead.assigned_to),
    events: deskLeadEvents(state, kind),
    canRemind: row?.wants_reminder === 1 && state !== 'do_not_contact',
    category: message?.category,
    reference: row?.reference,
    package: row?.package,
    reminded: row?.reminded_at && at(row.reminded_at),
  };
}
