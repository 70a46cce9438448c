import { json } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { deskLoader } from '~/desk/desk-page.server';
import { listPage } from '~/desk/lists.server';
import { LEAD_STATES } from '~/domain/leads';
import { shortInstants } from '~/i18n/server.server';
import { DeskList } from '~/ui/desk-list';
import { PageHeading } from '~/ui/elements';
import { listLeads } from '~db/queries/leads.server';

const COLUMNS = ['since', 'what', 'language', 'assigned'] as const;

/** All leads in a state, or those that are assigned to who looks; a page at a time. */
export const loader = deskLoader('leads', async ({ request, user, language, t, asked }) => {
  const address = new URL(request.url).pathname;
  const isMine = address === '/crm/leads/assigned';
  const own = isMine && { assignedTo: user.id };
  const timeOf = shortInstants(language);
  const list = await listPage(asked, LEAD_STATES, (db, state, part) =>
    listLeads(db, { state, ...part, ...own }),
  );
  const title = t(isMine ? 'desk-leads:mineTitle' : 'desk-leads:title');
  return json({
    ...{ ...list, isMine, address },
    rows: list.rows.map(({ id, kind, reference, category, language, assignee, ...row }) => ({
      ...{ id, kind, reference, category, language, assignee },
      since: timeOf(row.created_at),
      isOwn: row.assigned_to === user.id,
    })),
    page: { title },
  });
});

export default function Leads() {
  const { t } = useTranslation(['desk-leads', 'contact', 'desk-messages']);
  const { isMine, rows, page, ...list } = useLoaderData<typeof loader>();
  return (
    <div className="wrap py-8 sm:py-12">
      <PageHeading title={page.title} lead={t(isMine ? 'mineLead' : 'lead')} />
      <DeskList
        {...list}
        title={t('table')}
        none={t('none')}
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
      />
    </div>
  );
}
