import { json } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { requireStaff } from '~/accounts/session.server';
import { requireDatabase } from '~/database.server';
import { keyIn, pageOfRows } from '~/desk/lists.server';
import { LEAD_STATES } from '~/domain/leads';
import { live } from '~/http/live.server';
import { languageOf, shortInstants, translator } from '~/i18n/server.server';
import { PageHeading } from '~/ui/elements';
import { DeskList } from '~/ui/desk-list';
import { listLeads } from '~db/queries/leads.server';

const PER_PAGE = 25;
const COLUMNS = ['since', 'what', 'language', 'assigned'] as const;

/** All leads in a state, or those that are assigned to who looks; a page at a time. */
export const loader = live(async ({ request }) => {
  const { pathname, searchParams } = new URL(request.url);
  const isMine = pathname === '/crm/leads/assigned';
  const session = await requireStaff(request, 'leads');
  const language = await languageOf(request);
  const timeOf = shortInstants(language);
  const { id: staffId } = session.user;
  const state = LEAD_STATES.find((one) => one === searchParams.get('state')) ?? 'new';
  const after = keyIn(searchParams, 'after');
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
    rows: rows.map(({ id, kind, reference, category, language, assignee, ...row }) => ({
      ...{ id, kind, reference, category, language, assignee },
      since: timeOf(row.created_at),
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
      <DeskList
        {...{ address, state, isFirst, next }}
        states={LEAD_STATES.map((name) => [name, t(`states.${name}`)] as const)}
        columns={COLUMNS.map((name) => t(`columns.${name}`))}
        rows={rows.map(({ id, since, kind, reference, category, language, ...row }) => {
          const what = reference ?? (category && t(`contact:categories.${category as 'other'}`));
          return {
            id,
            href: `/crm/leads/${id}`,
            cells: [
              since,
              [t(`kinds.${kind}`), what].filter(Boolean).join(' · '),
              language ? t(`desk-messages:languages.${language as 'fr'}`) : '–',
              row.isOwn ? t('you') : (row.assignee ?? t('nobody')),
            ],
          };
        })}
        words={{
          ...{ tabs: t('tabs.label'), table: t('table'), none: t('none') },
          ...{ first: t('first'), more: t('more') },
        }}
      />
    </div>
  );
}
