import { json, type LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { requireStaff } from '~/accounts/session.server';
import { requireDatabase } from '~/database.server';
import { cursorOf, pageOfRows } from '~/desk/list-cursor.server';
import { LEAD_STATES } from '~/domain/leads';
import { live } from '~/http/live.server';
import { formatShortInstant } from '~/i18n/format.server';
import { languageOf, translator } from '~/i18n/server.server';
import { siteSettings } from '~/settings/settings.server';
import { DeskPages, DeskTable, DeskTabs } from '~/ui/desk-list';
import { PageHeading } from '~/ui/page-heading';
import { listLeads } from '~db/queries/leads.server';

const PER_PAGE = 25;
const COLUMNS = ['since', 'what', 'language', 'assigned'] as const;

/** All leads in a state, or those that are assigned to who looks; a page at a time. */
export const loader = live(async ({ request }: LoaderFunctionArgs) => {
  const { pathname, searchParams } = new URL(request.url);
  const isMine = pathname === '/crm/leads/assigned';
  const session = await requireStaff(request, 'leads');
  const language = await languageOf(request);
  const { timeZone } = siteSettings();
  const { id: staffId } = session.user;
  const state = LEAD_STATES.find((one) => one === searchParams.get('state')) ?? 'new';
  const after = cursorOf(searchParams);
  const found = await requireDatabase((db) =>
    listLeads(db, { state, after, limit: PER_PAGE + 1, ...(isMine && { assignedTo: staffId }) }),
  );
  const { rows, after: next } = pageOfRows(found, PER_PAGE);
  const t = translator(language);
  return json({
    isMine,
    address: `${isMine ? '/crm/leads/assigned' : '/crm/leads'}?state=`,
    state,
    next,
    isFirst: after === undefined,
    rows: rows.map((row) => ({
      id: row.id,
      since: formatShortInstant(new Date(row.created_at), language, timeZone),
      kind: row.kind,
      reference: row.reference,
      category: row.category,
      language: row.language,
      assignee: row.assignee,
      isOwn: row.assigned_to === staffId,
    })),
    page: { title: t(isMine ? 'desk-leads:mineTitle' : 'desk-leads:title'), noindex: true },
  });
});

export default function Leads() {
  const { t } = useTranslation(['desk-leads', 'contact', 'desk-messages']);
  const { isMine, address, state, next, isFirst, rows, page } = useLoaderData<typeof loader>();
  return (
    <div className="wrap py-8 sm:py-12">
      <PageHeading title={page.title} lead={t(isMine ? 'mineLead' : 'lead')} />
      <DeskTabs
        label={t('tabs.label')}
        active={state}
        tabs={LEAD_STATES.map((name) => ({
          name,
          title: t(`states.${name}`),
          href: address + name,
        }))}
      />
      {rows.length === 0 ? (
        <p className="mt-6">{t('none')}</p>
      ) : (
        <DeskTable
          label={t('table')}
          columns={COLUMNS.map((name) => ({ name, title: t(`columns.${name}`) }))}
          rows={rows.map((row) => ({
            id: row.id,
            cells: [
              <a
                key="since"
                href={`/crm/leads/${row.id}`}
                className="inline-flex min-h-11 items-center tabular-nums"
              >
                {row.since}
              </a>,
              [
                t(`kinds.${row.kind}`),
                row.reference ??
                  (row.category && t(`contact:categories.${row.category as 'other'}`)),
              ]
                .filter(Boolean)
                .join(' · '),
              row.language ? t(`desk-messages:languages.${row.language as 'fr'}`) : '–',
              row.isOwn ? t('you') : (row.assignee ?? t('nobody')),
            ],
          }))}
        />
      )}
      <DeskPages
        first={isFirst ? undefined : { href: address + state, title: t('first') }}
        next={next ? { href: `${address}${state}&after=${next}`, title: t('more') } : undefined}
      />
    </div>
  );
}
