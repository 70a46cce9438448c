import { json } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { extentOf } from '~/access';
import { eventViews, auditQueries, groupsFor } from '~/accounts/audit-view.server';
import { requireDatabase } from '~/database.server';
import { deskLoader } from '~/desk/desk-page.server';
import { keyIn, textOfKey } from '~/desk/lists.server';
import { siteSettings } from '~/settings/settings.server';
import { Filter, Scrolled } from '~/ui/desk-list';
import { PageHeading, TextLink } from '~/ui/elements';
import { listAuditEvents } from '~db/queries/audit-events.server';

const PER_PAGE = 50;

const COLUMNS = ['at', 'who', 'what', 'whom', 'details'] as const;

/** What was done, as far as the role reads it; a page at a time, the latest first. */
export const loader = deskLoader('audit', async ({ user: { role, id }, language, t, asked }) => {
  const groups = groupsFor(role);
  const group = groups.find((one) => one === asked.get('group'));
  const [older, newer] = [keyIn(asked, 'before'), keyIn(asked, 'after')];
  const isNewer = newer !== undefined;
  const from = newer ?? older;
  const found = await requireDatabase((db) =>
    listAuditEvents(db, {
      queries: auditQueries(role, id, group),
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
    `/crm/audit?${new URLSearchParams({ ...(group && { group }), [name]: textOfKey(event) })}`;
  return json({
    scope: extentOf(role, 'audit'),
    groups,
    group: group ?? '',
    events: eventViews(events, language),
    newer: from && (!isNewer || isMore) ? addressOf('after', events[0]) : undefined,
    older: isNewer || isMore ? addressOf('before', events.at(-1)) : undefined,
    timeZone: siteSettings().timeZone,
    page: { title: t('staff:audit.title'), noindex: true },
  });
});

export default function Audit() {
  const { t } = useTranslation('staff');
  const { scope, groups, group, events, newer, older, timeZone } = useLoaderData<typeof loader>();
  return (
    <div className="wrap py-8 sm:py-12">
      <PageHeading title={t('audit.title')} lead={t(`audit.lead.${scope}`)} />
      <Filter
        id="filter"
        action="/crm/audit"
        name="group"
        label={t('audit.filter')}
        value={group}
        options={[
          ['', t('audit.all')],
          ...groups.map((one) => [one, t(`audit.groups.${one}`)] as const),
        ]}
        button={t('audit.apply')}
      />
      {events.length > 0 ? (
        <Scrolled label={t('audit.table')} className="mt-6 overflow-x-auto p-2 sm:p-4">
          <table className="w-full text-left text-sm">
            <thead>
              <tr>
                {COLUMNS.map((column) => (
                  <th key={column} scope="col" className="px-2 py-2 font-[650] whitespace-nowrap">
                    {t(`audit.${column}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {events.map((event) => (
                <tr key={event.id} className="border-t border-rule align-top">
                  <td className="px-2 py-2 whitespace-nowrap tabular-nums">
                    <time dateTime={event.at}>{event.time}</time>
                  </td>
                  {[event.who, event.what, event.whom, event.details].map((words, index) => (
                    <td key={index} className="px-2 py-2">
                      {words}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolled>
      ) : (
        <p className="mt-6">{t('audit.empty')}</p>
      )}
      <p className="mt-3 text-sm text-muted">{t('audit.zone', { zone: timeZone })}</p>
      <p className="mt-3 flex gap-6">
        {newer && <TextLink href={newer} words={t('audit.newer')} />}
        {older && <TextLink href={older} words={t('audit.older')} />}
      </p>
    </div>
  );
}
