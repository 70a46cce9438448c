import { json, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { deskAction, deskLoader, viewed } from '~/desk/desk-page.server';
import { DESK_LEAD_EVENTS, deskLeadEvents } from '~/domain/leads';
import { namedIntentOf, type Refusal, refuse, requireVersion } from '~/http/form.server';
import type { PageHandle } from '~/live.server';
import type { Language } from '~/i18n/languages';
import { shortInstants } from '~/i18n/server.server';
import { actOnLead, remindNow } from '~/leads/leads.server';
import { wakeOutbox } from '~/mail/outbox.server';
import { LinkLine, PageHeading, Part } from '~/ui/elements';
import { Done } from '~/ui/plain-elements';
import { DeskButtons, DeskFacts } from '~/ui/desk-list';
import { ErrorSummary } from '~/ui/error-summary';
import { findApplication } from '~db/queries/applications.server';
import { findContactMessage } from '~db/queries/contact-messages.server';
import { findLead } from '~db/queries/leads.server';
import { findStaffName } from '~db/queries/staff.server';
import type { Database } from '~db/schema';

export const handle: PageHandle = { limitsForms: true };
const INTENTS = ['remind', 'take', ...DESK_LEAD_EVENTS] as const;

/** One lead: where it comes from, and what becomes of it. Each view is recorded. */
export const loader = deskLoader('leads', async (page) => {
  const { user, language, t, asked } = page;
  const view = await viewed('lead', page, (db, id) => leadView(db, id, user.id, language));
  const title = t('desk-leads:one', { date: view.since });
  return json({ isDone: asked.has('done'), view, page: { title } });
});

export const action = deskAction('leads', async ({ sent, user, params: { id = '' } }) => {
  const event = namedIntentOf(sent, INTENTS);
  const action = { id, version: requireVersion(sent), staffId: user.id };
  const done = await requireDatabase(
    (db) =>
      event === 'remind' ? remindNow(db, action, now()) : actOnLead(db, event, action, now()),
    writeDatabase,
  );
  if (done === 'gone') throw new Response(null, { status: 404 });
  if (done === 'changed') return refuse('changed', {}, { status: 409 });
  if (event === 'remind') wakeOutbox();
  return redirect(`/crm/leads/${id}?done`, 303);
});

export default function Lead() {
  const { t } = useTranslation('desk-leads');
  const { view, isDone, page } = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal>();
  const events = INTENTS.filter((one) => {
    if (one === 'remind') return view.canRemind;
    return one === 'take' ? !view.isMine : view.events.includes(one);
  });
  return (
    <div className="wrap py-8 sm:py-12">
      {refusal?.problem && (
        <ErrorSummary title={t('errorTitle')} description={t('changed')} {...{ refusal }} />
      )}
      {isDone && !refusal && <Done>{t('done')}</Done>}
      <p className="eyebrow">
        <a href={`/crm/leads?state=${view.state}`}>{t('title')}</a>
      </p>
      <PageHeading title={page.title} lead={t(`states.${view.state}`)} />
      <LeadFacts view={view} />
      {events.length > 0 && (
        <Part id="move" title={t('move')} className="mt-8">
          <DeskButtons
            action={`/crm/leads/${view.id}`}
            version={view.version}
            buttons={events.map((event) => [event, t(`events.${event}`)] as const)}
            className="mt-3"
          />
          {events.includes('stop') && <p className="mt-2 text-sm text-muted">{t('stopText')}</p>}
        </Part>
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
      {message && (
        <LinkLine className="mt-3" href={`/crm/messages/${message.id}#write`} words={t('write')} />
      )}
      {application && <p className="mt-3 text-sm text-muted">{t('privacy')}</p>}
    </div>
  );
}

type LeadView = NonNullable<Awaited<ReturnType<typeof leadView>>>;

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
