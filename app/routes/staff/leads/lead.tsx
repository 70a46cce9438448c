import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { recordEvent } from '~/accounts/audit.server';
import { requireStaff } from '~/accounts/session.server';
import { now } from '~/clock.server';
import { requireDatabase, writeDatabase } from '~/database.server';
import { DESK_LEAD_EVENTS } from '~/domain/leads';
import { rolesFor } from '~/domain/staff';
import { namedIntentOf, refuse, sentForm } from '~/http/form.server';
import { live } from '~/http/live.server';
import type { PageHandle } from '~/http/page-handle';
import { limitForms } from '~/http/rate-limit.server';
import type { Refusal } from '~/http/refusal';
import { languageOf, translator } from '~/i18n/server.server';
import { actOnLead } from '~/leads/leads.server';
import { ErrorSummary } from '~/ui/error-summary';
import { Icon } from '~/ui/icon';
import { LeadFacts } from './facts';
import { leadView } from './view.server';

export const handle: PageHandle = { limitsForms: true };
const INTENTS = ['take', ...DESK_LEAD_EVENTS] as const;

/** One lead: where it comes from, and what becomes of it. Each view is recorded. */
export const loader = live(async ({ request, params }: LoaderFunctionArgs) => {
  const session = await requireStaff(request, rolesFor('leads'));
  const language = await languageOf(request);
  const id = params['id'] ?? '';
  const { id: staffId } = session.user;
  const view = await requireDatabase((db) => leadView(db, id, { staffId, language }));
  if (!view) throw new Response(null, { status: 404 });
  const actor = { kind: 'staff', id: staffId } as const;
  const subject = { type: 'lead', id } as const;
  await requireDatabase(
    (db) => recordEvent(db, { action: 'lead.viewed', actor, subject }, now()),
    writeDatabase,
  );
  return json({
    isDone: new URL(request.url).searchParams.has('done'),
    view,
    page: {
      title: translator(language)('desk-leads:one', { date: view.since }),
      noindex: true,
    },
  });
});

export const action = live(async ({ request, params, context }: ActionFunctionArgs) => {
  const { user } = await requireStaff(request, rolesFor('leads'));
  limitForms(context);
  const sent = await sentForm(request);
  const event = namedIntentOf(sent, INTENTS);
  const version = sent.get('version');
  if (typeof version !== 'string' || !/^\d{1,9}$/.test(version)) {
    throw new Response(null, { status: 400 });
  }
  const id = params['id'] ?? '';
  const deed = { id, version: Number(version), staffId: user.id };
  const done = await requireDatabase((db) => actOnLead(db, event, deed, now()), writeDatabase);
  if (done === 'gone') throw new Response(null, { status: 404 });
  if (done === 'changed') return refuse('changed', {}, { status: 409 });
  return redirect(`/crm/leads/${id}?done`, 303);
});

export default function Lead() {
  const { t } = useTranslation('desk-leads');
  const { view, isDone, page } = useLoaderData<typeof loader>();
  const refusal = useActionData<Refusal<'changed'>>();
  return (
    <div className="wrap py-8 sm:py-12">
      {refusal?.problem && (
        <ErrorSummary
          title={t('errorTitle')}
          description={t('changed')}
          items={[]}
          trigger={refusal}
        />
      )}
      {isDone && !refusal && (
        <p role="status" className="say say-good mb-6 w-fit">
          <Icon name="circle-check" />
          {t('done')}
        </p>
      )}
      <p className="eyebrow">
        <a href={`/crm/leads?state=${view.state}`}>{t('title')}</a>
      </p>
      <h1 tabIndex={-1} className="text-h1">
        {page.title}
      </h1>
      <p className="lead mt-3">{t(`states.${view.state}`)}</p>
      <LeadFacts view={view} />
      <Moves view={view} />
    </div>
  );
}

function Moves({ view }: { view: ReturnType<typeof useLoaderData<typeof loader>>['view'] }) {
  const { t } = useTranslation('desk-leads');
  const events = [...(view.isMine ? [] : (['take'] as const)), ...view.events];
  if (events.length === 0) return null;
  return (
    <section aria-labelledby="move" className="mt-8">
      <h2 id="move" className="text-xl">
        {t('move')}
      </h2>
      <form method="post" action={`/crm/leads/${view.id}`} className="mt-3 flex flex-wrap gap-3">
        <input type="hidden" name="version" value={view.version} />
        <input type="hidden" name="intent" value={events[0]} />
        {events.map((event) => (
          <button
            key={event}
            type="submit"
            name="intent"
            value={event}
            className="button button-quiet w-full sm:w-auto"
          >
            {t(`events.${event}`)}
          </button>
        ))}
      </form>
      {view.events.includes('stop') && <p className="mt-2 text-sm text-muted">{t('stopText')}</p>}
    </section>
  );
}
