import { subDays } from 'date-fns';
import { countDays, HOURS } from '~/desk/day-counts.server';
import { countWaiting, listFailedMails, listLongOpen } from '~db/queries/dashboard.server';
import { countPeriod, listDayCounts, sumDayCounts } from '~db/queries/day-counts.server';
import { lastPurge } from '~db/queries/deletions.server';
import { COUNTED, countLanes } from '~db/queries/worklist.server';
import type { Database } from '~db/schema';
import { may } from '../access';
import { dayOf } from '../clock.server';
import {
  axisEnd,
  daysBefore,
  KEPT_DAYS,
  LONG_OPEN_DAYS,
  medianStep,
  SHOWN_DAYS,
  shownCount,
} from '../domain/dashboard';
import { DECIDED } from '../domain/application/states';
import { beginOfDay } from '../domain/day-period';
import type { StaffRole } from '../domain/staff';
import { type Lane, lanesOf, type Tab } from '../domain/worklist';
import { formatNumber, formatShortDay, formatShortInstant } from '../i18n/format.server';
import type { Language } from '../i18n/languages';
import { errorFields, log } from '../log.server';
import { siteSettings } from '../settings/settings.server';

interface Looking {
  user: { id: string; role: StaffRole };
  language: Language;
  now: Date;
}

const TABS = ['free', 'mine', 'waiting', 'toEnter', 'fee', 'filed'] as const satisfies Tab[];
/** What no auditor has: nothing is assigned to them. */
const OWN: readonly Tab[] = ['mine'];
const FAILED_SHOWN = 5;
const LONG_OPEN_SHOWN = 10;

/** Counts the days that are over; a page that is asked for does not fail by it. */
export async function countDaysBefore(now: Date): Promise<void> {
  try {
    await countDays(now);
  } catch (error) {
    log('error', 'days cannot be counted', errorFields(error));
  }
}

/** What waits for somebody; who opens the lists is led there. */
export async function workView(db: Database, { user, now }: Looking) {
  const opens = (page: 'processing' | 'refunds' | 'leads') => may(user.role, page);
  const tabs = TABS.filter((tab) => opens('processing') || !OWN.includes(tab));
  const lanes: Lane[] = tabs.flatMap((tab) => lanesOf(tab, user.id));
  const counts = await countLanes(db, lanes, now.toISOString());
  const rest = [...counts];
  const waiting = await countWaiting(db, now);
  const tile = (name: string, count: number, href: string | false) => ({
    name,
    count: shownCount(count, COUNTED),
    isNone: count === 0,
    ...(href && { href }),
  });
  const cases = tabs.map((tab) => {
    const own = rest.splice(0, lanesOf(tab, user.id).length);
    const sum = own.reduce((a, b) => a + b, 0);
    return tile(tab, sum, opens('processing') && `/crm/processing?tab=${tab}`);
  });
  const before = subDays(now, LONG_OPEN_DAYS);
  const longOpen = opens('processing') ? await listLongOpen(db, before, LONG_OPEN_SHOWN + 1) : [];
  return {
    longOpen: {
      days: LONG_OPEN_DAYS,
      cases: longOpen.slice(0, LONG_OPEN_SHOWN).map(({ id, reference, state }) => ({
        href: `/crm/processing/${id}`,
        reference,
        state,
      })),
      hasMore: longOpen.length > LONG_OPEN_SHOWN,
    },
    cases: [...cases, tile('messages', waiting.messages, opens('leads') && '/crm/messages')],
    urgent: [
      tile(
        'overdue',
        waiting.overdue,
        opens('processing') && '/crm/processing?tab=open&due=overdue',
      ),
      tile('outcomes', waiting.outcomes, opens('processing') && '/crm/processing?tab=filed'),
      tile('refunds', waiting.refunds, opens('refunds') && '/crm/refunds'),
    ],
  };
}

/** Orders and filings by day, up to today; and the figures of the days before it. */
export async function figuresView(db: Database, { language, now }: Looking) {
  const today = dayOf(now);
  const [first30 = '', first90 = ''] = [SHOWN_DAYS, KEPT_DAYS].map(
    (count) => daysBefore(today, count)[0],
  );
  const rows = await listDayCounts(db, first30, ['orders', 'filed']);
  const begun = beginOfDay(today, siteSettings().timeZone);
  const ofToday = await countPeriod(db, ['orders', 'filed'], {
    from: begun,
    to: new Date(begun.getTime() + 26 * 60 * 60 * 1000),
  });
  const valueOf = new Map(rows.map(({ day, name, value }) => [`${day} ${name}`, value]));
  const shown = [...daysBefore(today, SHOWN_DAYS - 1), today];
  const days = shown.map((day) => ({
    day,
    label: formatShortDay(day, language),
    orders: day === today ? ofToday.orders : (valueOf.get(`${day} orders`) ?? 0),
    filed: day === today ? ofToday.filed : (valueOf.get(`${day} filed`) ?? 0),
  }));
  const sums = await sumDayCounts(db, first30);
  const outcomes = await sumDayCounts(db, first90, DECIDED);
  const text = (value: number | undefined) => formatNumber(value ?? 0, language);
  const number = (name: string) => text(sums[name]);
  const steps = Object.entries(sums).filter(([name]) => name.startsWith(HOURS));
  const times = new Map(steps.map(([name, sum]) => [Number(name.slice(HOURS.length)), sum]));
  const timed = [...times.values()].reduce((a, b) => a + b, 0);
  return {
    days,
    end: axisEnd(days.flatMap(({ orders, filed }) => [orders, filed])),
    totals: {
      orders: text(days.reduce((sum, { orders }) => sum + orders, 0)),
      filed: text(days.reduce((sum, { filed }) => sum + filed, 0)),
    },
    promise: {
      inTime: text(timed - (sums['late'] ?? 0)),
      late: number('late'),
      // A word for one, and one for several.
      median: medianStep(times) ?? null,
    },
    outcomes: DECIDED.map((state) => ({
      state,
      month: number(state),
      quarter: text(outcomes[state]),
    })),
    funnel: (['checks', 'drafts', 'certified', 'orders', 'filed'] as const).map((name) => ({
      name,
      count: number(name),
    })),
  };
}

/** How the site itself does: mail that could not be sent, and when it deleted last. */
export async function siteView(db: Database, { language }: Looking) {
  const { timeZone } = siteSettings();
  const time = (at: Date) => ({
    at: at.toISOString(),
    text: formatShortInstant(at, language, timeZone),
  });
  const failed = await listFailedMails(db, FAILED_SHOWN + 1);
  const purged = await lastPurge(db);
  return {
    failed: failed.slice(0, FAILED_SHOWN).map(({ id, kind, created_at }) => ({
      id,
      kind,
      time: time(new Date(created_at)),
    })),
    hasMoreFailed: failed.length > FAILED_SHOWN,
    purged: purged ? time(purged) : null,
  };
}
