import { Form, Link, useNavigate } from '@remix-run/react';
import {
  type FocusEvent,
  type KeyboardEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useHydrated } from 'remix-utils/use-hydrated';

import { calendarMove, monthOf } from '~/domain/timeline';
import { Icon } from '~/ui/elements';
import type { IconName } from '~/ui/icon-names';
import type { CalendarView } from './planner.server';

/** A key pressed between the new month and its focus would be lost. On the server React warns about it. */
const useBeforePaint = typeof document === 'undefined' ? useEffect : useLayoutEffect;

interface CalendarProps {
  calendar: CalendarView;
  action: string;
  chosen: string | undefined;
  today: string;
}

/** Without JavaScript, days are buttons and months links; with it, a date grid (ARIA practices). */
export function Calendar({ calendar, action, chosen, today }: CalendarProps) {
  const { t } = useTranslation('timeline');
  const hydrated = useHydrated();
  const { month, weeks, weekStartsOn, ideal, previous, next } = calendar;
  const grid = useRef<HTMLTableElement>(null);
  const navigate = useNavigate();
  const address = (of: string) =>
    `/timeline?tab=planner&month=${of}${chosen ? `&date=${chosen}` : ''}`;

  const [focusedDay, setReached] = useState<string>();
  const focusable =
    [focusedDay, chosen, today].find((day) => day && monthOf(day) === month) ??
    weeks.flat().find((entry) => entry && entry.day >= today)?.day;
  /** The day to focus once its month is loaded. */
  const pendingFocus = useRef<string>();
  useBeforePaint(() => {
    if (!pendingFocus.current) return;
    if (monthOf(pendingFocus.current) === month) {
      focusDay(pendingFocus.current);
      pendingFocus.current = undefined;
    } else {
      // An intermediate month: keep the focus in the grid for the next key.
      grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    }
  }, [month]);

  function onBlur({ relatedTarget }: FocusEvent) {
    if (relatedTarget && !grid.current?.contains(relatedTarget)) pendingFocus.current = undefined;
  }

  function focusDay(day: string) {
    grid.current?.querySelector<HTMLElement>(`[value="${day}"]`)?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const from = pendingFocus.current ?? (event.target as HTMLButtonElement).value;
    const to = calendarMove(from, event.key, event.shiftKey, { today, weekStartsOn });
    if (to === undefined) return;
    event.preventDefault();
    setReached(to);
    if (monthOf(to) === month) return focusDay(to);
    pendingFocus.current = to;
    navigate(address(monthOf(to)), { replace: true, preventScrollReset: true });
  }

  return (
    <Form method="get" action={action} preventScrollReset className="mt-6">
      <input type="hidden" name="tab" value="planner" />
      <div className="flex max-w-[34rem] items-center justify-between">
        <MonthLink to={address(previous?.month ?? month)} end={!previous} icon="arrow-left">
          {previous ? t('planner.previous', { month: previous.text }) : t('planner.noPrevious')}
        </MonthLink>
        <h3 id="month" aria-live="polite" className="text-base first-letter:uppercase">
          {calendar.title}
        </h3>
        <MonthLink to={address(next?.month ?? month)} end={!next} icon="arrow-right">
          {next ? t('planner.next', { month: next.text }) : t('planner.noNext')}
        </MonthLink>
      </div>
      <table
        ref={grid}
        aria-labelledby="month"
        {...(hydrated && { role: 'grid', onKeyDown, onBlur })}
        className="month mt-1"
      >
        <thead>
          <tr>
            {calendar.weekdays.map(({ short, long }) => (
              <th key={long} scope="col" abbr={long}>
                {short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week.find((day) => day)?.day}>
              {week.map((entry, index) =>
                entry ? (
                  <td key={entry.day} {...(hydrated && { 'aria-selected': entry.day === chosen })}>
                    <button
                      type="submit"
                      name="date"
                      value={entry.day}
                      disabled={entry.day < today}
                      aria-label={entry.label}
                      aria-current={entry.day === today ? 'date' : undefined}
                      {...(hydrated
                        ? { tabIndex: entry.day === focusable ? 0 : -1 }
                        : { 'aria-pressed': entry.day === chosen || undefined })}
                      className={entry.isIdeal ? 'is-ideal' : undefined}
                      data-chosen={entry.day === chosen || undefined}
                    >
                      {Number(entry.day.slice(8))}
                    </button>
                  </td>
                ) : (
                  <td key={index} />
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {ideal && <p className="mt-2 text-sm text-muted">{t('planner.tinted', { ...ideal })}</p>}
    </Form>
  );
}

/** Where there is no such month, the link stays, to keep the focus, but points to this month. */
type MonthLinkProps = { to: string; end: boolean; icon: IconName; children: string };
function MonthLink({ to, end, icon, children }: MonthLinkProps) {
  return (
    <Link
      to={to}
      replace
      preventScrollReset
      aria-label={children}
      data-end={end || undefined}
      className="grid size-11 place-items-center rounded-field hover:bg-sea data-end:opacity-40"
    >
      <Icon name={icon} />
    </Link>
  );
}
