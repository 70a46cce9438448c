import { useTranslation } from 'react-i18next';

import type { EventView } from '~/content/audit.server';

const COLUMNS = ['at', 'who', 'what', 'whom', 'details'] as const;

/** The events; on a narrow screen the table is moved sideways, by keys too. */
export function EventTable({ events }: { events: EventView[] }) {
  const { t } = useTranslation('staff');
  return (
    <div
      role="region"
      aria-label={t('audit.table')}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls takes the focus
      tabIndex={0}
      className="card mt-6 overflow-x-auto p-2 sm:p-4"
    >
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
              <td className="px-2 py-2">{event.who}</td>
              <td className="px-2 py-2">{event.what}</td>
              <td className="px-2 py-2">{event.whom}</td>
              <td className="px-2 py-2">{event.details}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
