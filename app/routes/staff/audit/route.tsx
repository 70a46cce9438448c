import { json, type LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { requireStaff } from '~/accounts/session.server';
import { eventViews } from '~/content/audit.server';
import { requireDatabase } from '~/database.server';
import { AUDIT_SCOPES, rolesFor } from '~/domain/staff';
import { live } from '~/http/live.server';
import { languageOf, translator } from '~/i18n/server.server';
import { siteSettings } from '~/settings/settings.server';
import { PageHeading } from '~/ui/page-heading';
import { listAuditEvents } from '~db/queries/audit-events.server';
import { EventTable } from './event-table';
import { addressOfKey, groupsFor, keyOf, lanesFor } from './filter.server';

const PER_PAGE = 50;

/** What was done, as far as the role reads it; a page at a time, the latest first. */
export const loader = live(async ({ request }: LoaderFunctionArgs) => {
  const session = await requireStaff(request, rolesFor('audit'));
  const { role, id } = session.user;
  const language = await languageOf(request);
  const { searchParams } = new URL(request.url);
  const groups = groupsFor(role);
  const group = groups.find((one) => one === searchParams.get('group'));
  const [older, newer] = ['before', 'after'].map((name) => keyOf(searchParams.get(name)));
  const isNewer = newer !== undefined;
  const from = newer ?? older;
  const found = await requireDatabase((db) =>
    listAuditEvents(db, {
      lanes: lanesFor(role, id, group),
      from,
      isNewer,
      // One more tells whether there are others.
      limit: PER_PAGE + 1,
    }),
  );
  const isMore = found.length > PER_PAGE;
  const events = isNewer && isMore ? found.slice(1) : found.slice(0, PER_PAGE);
  const addressOf = (name: 'before' | 'after', event: (typeof found)[number] | undefined) =>
    event &&
    `/crm/audit?${new URLSearchParams({ ...(group && { group }), [name]: addressOfKey(event) })}`;
  return json({
    scope: AUDIT_SCOPES[role],
    groups,
    group: group ?? '',
    events: eventViews(events, language),
    newer: from && (!isNewer || isMore) ? addressOf('after', events[0]) : undefined,
    older: isNewer || isMore ? addressOf('before', events.at(-1)) : undefined,
    timeZone: siteSettings().timeZone,
    page: { title: translator(language)('staff:audit.title'), noindex: true },
  });
});

export default function Audit() {
  const { t } = useTranslation('staff');
  const { scope, groups, group, events, newer, older, timeZone } = useLoaderData<typeof loader>();
  return (
    <div className="wrap py-8 sm:py-12">
      <PageHeading title={t('audit.title')} lead={t(`audit.lead.${scope}`)} />
      <form method="get" action="/crm/audit" className="mt-6 flex flex-wrap items-end gap-3">
        <div className="w-full sm:w-auto">
          <label htmlFor="group" className="font-[650]">
            {t('audit.filter')}
          </label>
          <select id="group" name="group" defaultValue={group} className="field mt-1">
            <option value="">{t('audit.all')}</option>
            {groups.map((one) => (
              <option key={one} value={one}>
                {t(`audit.groups.${one}`)}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" className="button button-quiet">
          {t('audit.apply')}
        </button>
      </form>
      {events.length > 0 ? (
        <EventTable events={events} />
      ) : (
        <p className="mt-6">{t('audit.empty')}</p>
      )}
      <p className="mt-3 text-sm text-muted">{t('audit.zone', { zone: timeZone })}</p>
      <p className="mt-3 flex gap-6">
        {newer && (
          <a href={newer} className="inline-flex min-h-11 items-center">
            {t('audit.newer')}
          </a>
        )}
        {older && (
          <a href={older} className="inline-flex min-h-11 items-center">
            {t('audit.older')}
          </a>
        )}
      </p>
    </div>
  );
}
