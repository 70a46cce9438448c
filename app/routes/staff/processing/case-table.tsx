import { useTranslation } from 'react-i18next';

import type { CaseRow } from './rows.server';

const COLUMNS = [
  'reference',
  'name',
  'citizenship',
  'package',
  'due',
  'travel',
  'state',
  'who',
] as const;

interface CaseTableProps {
  rows: readonly CaseRow[];
  label: string;
  /** Whether all have ended: then they have the day of their end in the place of that of their due. */
  isEnded: boolean;
}

/** Cases, one a row; on a narrow screen each is a card with its columns' names. */
export function CaseTable({ rows, label, isEnded }: CaseTableProps) {
  const { t } = useTranslation('desk-worklist');
  const { t: states } = useTranslation('desk');
  if (rows.length === 0) return null;
  const columnOf = (column: (typeof COLUMNS)[number]) =>
    t(`columns.${column === 'due' && isEnded ? 'ended' : column}`);
  return (
    <table className="work-list" data-key-rows>
      <caption className="sr-only">{label}</caption>
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <th key={column} scope="col">
              {columnOf(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} data-late={row.isOverdue || undefined}>
            <th scope="row">
              <a href={`/crm/processing/${row.id}`} className="machine">
                {row.reference}
              </a>
            </th>
            <td data-label={columnOf('name')}>
              <strong>{row.name || t('unknown')}</strong>
            </td>
            <td data-label={columnOf('citizenship')}>{row.citizenship || t('unknown')}</td>
            <td className="whitespace-nowrap" data-label={columnOf('package')}>
              {row.package || t('unknown')}
            </td>
            <td data-label={t(row.isEnded ? 'columns.ended' : 'columns.due')}>
              <span>
                {row.isOverdue && <strong className="text-bad">{t('overdue')} </strong>}
                <span className="whitespace-nowrap">{row.at || t('unknown')}</span>
                {row.isEnded && !isEnded && <span className="text-muted"> {t('hasEnded')}</span>}
              </span>
            </td>
            <td data-label={columnOf('travel')}>{row.travel || t('unknown')}</td>
            <td data-label={columnOf('state')}>{states(`states.${row.state}`)}</td>
            <td data-label={columnOf('who')}>{row.isMine ? t('you') : row.who || t('nobody')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
