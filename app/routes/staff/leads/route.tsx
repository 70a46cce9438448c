import { json } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { deskLoader } from '~/desk/desk-page.server';
import { listPage } from '~/desk/lists.server';
import { LEAD_STATES } from '~/domain/leads';
import { timeSince } from '~/desk/due.server';
import { textOfMessage } from '~/messages/messages.server';
import { DeskList } from '~/ui/desk-list';
import { PageHeading } from '~/ui/elements';
import { listLeads } from '~db/queries/leads.server';
import { countStates } from '~db/queries/rows.server';
import { COUNTED } from '~db/queries/worklist.server';

export const loader = deskLoader('leads', async ({ request, user, language, t, asked }) => {
  const address = new URL(request.url).pathname;
  const isMine = address === '/crm/leads/assigned';
  const states = LEAD_STATES;
  const list = await listPage(asked, {
    states,
    read: (db, state, part) =>
      listLeads(db, { state, ...part, ...(isMine && { assignedTo: user.id }) }),
    count: (db) => {
      const known = isMine ? { assigned_to: user.id } : {};
      return countStates(db, 'leads', { known, states, most: COUNTED });
    },
  });
  return json({
    ...{ ...list, isMine, address },
    rows: list.rows.map(({ id, kind, reference, category, language: spoken, ...row }) => {
      const { message_id, message_sealed, assignee, wants_reminder } = row;
      const isOpen = list.state === 'new' || list.state === 'contacted';
      const page = message_id ? `/crm/messages/${message_id}` : `/crm/leads/${id}`;
      const remind = { href: `/crm/leads/${id}#remind`, act: 'remind' } as const;
      const text =
        message_id && message_sealed
          ? textOfMessage({ id: message_id, message_sealed })
          : undefined;
      return {
        // Nothing of what they have answered is seen before they pay: a reference instead of a name.
        ...{ id, kind, reference, category, assignee, language: spoken },
        ...{ name: text?.name, subject: text?.subject },
        todo: isOpen
          ? wants_reminder === 1
            ? remind
            : { href: `${page}#write`, act: 'write' as const }
          : undefined,
        time: timeSince(row.created_at, language),
        isMine: row.assigned_to === user.id,
      };
    }),
    page: { title: t(isMine ? 'desk-leads:mineTitle' : 'desk-leads:title') },
  });
});

export default function Leads() {
  const { t } = useTranslation('desk-leads');
  const { isMine, rows, numbers, page, ...list } = useLoaderData<typeof loader>();
  return (
    <div className="wrap py-6 sm:py-8">
      <PageHeading title={page.title} lead={t(isMine ? 'mineLead' : 'lead')} />
      <DeskList
        {...list}
        title={t('table')}
        none={t('none')}
        states={LEAD_STATES.map((name, n) => ({
          ...{ name, title: t(`states.${name}`), count: numbers[n] ?? '' },
        }))}
        columns={[t('columns.who'), t('columns.what'), t('columns.since')]}
        todo={t('columns.todo')}
        rows={rows.map(({ name, subject, kind, reference, todo, ...row }) => ({
          ...row,
          todo: todo && {
            href: todo.href,
            words: todo.act === 'write' ? t('write') : t('events.remind'),
          },
          href: `/crm/leads/${row.id}`,
          name: name ?? <span className="machine">{reference}</span>,
          what: subject ?? t(`kinds.${kind}`),
        }))}
      />
    </div>
  );
}
