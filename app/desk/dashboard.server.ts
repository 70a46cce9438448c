import { subDays } from 'date-fns';

import { redirect } from '@remix-run/node';

import { extentOf, may, type Member, roleFor, type StaffRole } from '~/access';
import { audit } from '~/accounts/audit.server';
import type { SignedIn } from '~/accounts/session.server';
import { dayOf, now } from '~/clock.server';
import { perApp } from '~/current-app.server';
import { queryDatabase, requireDatabase, writeDatabase } from '~/database.server';
import {
  axisEnd,
  COUNTED_DAYS,
  fewTogether,
  isToCount,
  LONG_OPEN_DAYS,
  SHOWN_DAYS,
  shownCount,
} from '~/domain/dashboard';
import { dayPeriod } from '~/domain/day-period';
import { monthPeriod } from '~/domain/order/month';
import { addDays, daysBefore, monthOf } from '~/domain/timeline';
import type { Tab } from '~/domain/worklist';
import { formatNumber, formatShortDay, shortInstants, translator } from '~/i18n/locale.server';
import { textIn } from '~/http/form.server';
import type { Language } from '~/i18n/languages';
import { errorFields, log } from '~/log.server';
import { canSendAgain, wakeOutbox } from '~/mail/outbox.server';
import { textOfMessage } from '~/messages/messages.server';
import { siteSettings } from '~/settings/settings.server';
import { listContactMessages } from '~db/queries/contact-messages.server';
import { countWaiting, listLongOpen, listOutcomesDue } from '~db/queries/dashboard.server';
import { type Counts, countPeriod, listDayCounts, replaceDay } from '~db/queries/day-counts.server';
import { listFailed, queueAgain } from '~db/queries/outbox.server';
import { lastPurge } from '~db/queries/deletions.server';
import { countPassports } from '~db/queries/numbers.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { COUNTED } from '~db/queries/worklist.server';
import { listOpenLooks } from '~db/queries/application-tasks.server';
import type { Database } from '~db/schema';
import { workOf } from './assign.server';
import { requestableLabels } from './conversation-entries.server';
import { dueView, promisedAnswers, timeUntil } from './due.server';
import { answersFor } from './received.server';
import { namesOfStaff } from './staff.server';
import { caseRows, countTabs, lookingNow } from './worklist.server';

type Due = ReturnType<typeof timeUntil>;
type Looking = { user: { id: string; role: StaffRole }; language: Language; now: Date };

const TABS = ['free', 'waiting', 'toEnter', 'fee', 'filed'] as const satisfies Tab[];
const HANDS_SHOWN = 10;
const FIRST_MESSAGES = { after: undefined, limit: 5 };
const FAILED_SHOWN = 20;
const LONG_OPEN_SHOWN = 10;
/** What is deleted in time, and what is drawn day by day. */
const COUNTED_NAMES = ['checks', 'drafts', 'certified', 'orders', 'filed', 'decided'] as const;
const DRAWN_NAMES = ['orders', 'filed', 'decided'] as const;

const counted = perApp(() => ({ on: '' }));

/** A job does so each hour; after midnight the first page does, and does not fail by it. */
export async function countDaysBefore(now: Date): Promise<void> {
  if (counted().on === dayOf(now)) return;
  try {
    await countDays(now);
    counted().on = dayOf(now);
  } catch (error) {
    log('error', 'days cannot be counted', errorFields(error));
  }
}

/** What comes next, what somebody has begun, and how much waits; an auditor sees how much. */
export async function todayView(db: Database, { user, language, now }: Looking) {
  const looking = lookingNow(user.id);
  const opens = (page: 'processing' | 'refunds' | 'messages') => may(user.role, page);
  const seesLists = opens('processing');
  const countOf = await countTabs(db, TABS, looking);
  const waiting = await countWaiting(db, now, user.role);
  const isOwn = extentOf(user.role, 'case.view') === 'assigned';
  const outcomes = await listOutcomesDue(db, now, isOwn ? user.id : undefined);
  const before = subDays(now, LONG_OPEN_DAYS);
  const names = await namesOfStaff(db);
  const viewsOf = (rows: readonly ApplicationRow[]) => caseRows(rows, { language, names, looking });
  const queue = (name: string, count: number, href: string | false, due?: Due | null) => {
    const shown = shownCount(count, COUNTED);
    return { name, count: shown, isNone: count === 0, href: href || null, due: due ?? null };
  };
  const list = (tab: Tab) => seesLists && `/crm/processing?tab=${tab}`;
  const work = await workOf(db, user.id, now);
  const row = seesLists ? work.next : undefined;
  const dueOf = ([first]: ApplicationRow[]) => first && dueView(first, language);
  const answers = seesLists ? await answersFor(db, user) : [];
  const labelOf = await requestableLabels(language);
  const timeOf = shortInstants(language);
  const found = opens('messages') ? await listContactMessages(db, 'new', FIRST_MESSAGES) : [];
  const promised = promisedAnswers();
  const messages = found.map((message) => {
    const { name, subject } = textOfMessage(message);
    const by = promised(message.created_at);
    const isOthers = message.assigned_to !== null && message.assigned_to !== user.id;
    return { id: message.id, name, subject, by, isOthers, due: timeUntil(by, language) };
  });
  const toAnswer = messages.find(({ isOthers }) => !isOthers);
  const isMessageNext = toAnswer && toAnswer.by < (row?.due_at ?? '9');
  const longOpen = seesLists ? await listLongOpen(db, before, LONG_OPEN_SHOWN + 1) : [];
  return {
    next: isMessageNext ? null : row ? (viewsOf([row])[0] ?? null) : null,
    toAnswer: isMessageNext ? toAnswer : null,
    answers: answers.map(({ id, href, at, reference, fields }) => ({
      ...{ id, href, reference, at: timeOf(at), fields: fields.map(labelOf).join(', ') },
    })),
    messages,
    hands: seesLists ? viewsOf(work.inHand.slice(0, HANDS_SHOWN)) : [],
    queues: [
      queue('free', countOf('free'), list('free'), dueOf(work.toCheck)),
      queue('toEnter', countOf('toEnter'), list('toEnter'), dueOf(work.toEnter)),
      queue('messages', waiting.messages, opens('messages') && '/crm/messages', messages[0]?.due),
      queue(
        'outcomes',
        outcomes.length,
        seesLists && (outcomes[0] ? `/crm/processing/${outcomes[0].id}` : list('filed')),
      ),
      queue('refunds', waiting.refunds, opens('refunds') && '/crm/refunds'),
    ],
    others: [
      queue('waiting', countOf('waiting'), list('waiting')),
      queue('fee', countOf('fee'), list('fee')),
      queue('filed', countOf('filed'), list('filed')),
      queue('othersRefunds', waiting.othersRefunds, opens('refunds') && '/crm/refunds'),
    ].filter(({ name, isNone }) => name !== 'othersRefunds' || !isNone),
    overdue: {
      count: waiting.overdue,
      href: list('open') ? '/crm/processing?tab=open&due=overdue' : null,
    },
    looks: seesLists ? await listOpenLooks(db) : [],
    longOpen: {
      days: LONG_OPEN_DAYS,
      cases: longOpen.slice(0, LONG_OPEN_SHOWN),
      hasMore: longOpen.length > LONG_OPEN_SHOWN,
    },
  };
}

export async function figuresView(db: Database, { language, now }: Looking) {
  const today = dayOf(now);
  const drawn = await dayView(db, [...daysBefore(today, SHOWN_DAYS - 1), today], { language, now });
  const { orders = 0, filed = 0, decided = 0 } = drawn.days.at(-2) ?? {};
  const text = (value: number) => formatNumber(value, language);
  return {
    drawn,
    yesterday: { orders: text(orders), filed: text(filed), decided: text(decided) },
  };
}

/** Orders and filings of days in their order: today's as it stands, the others' as they were counted. */
export async function dayView(
  db: Database,
  shown: readonly string[],
  { language, now }: Pick<Looking, 'language' | 'now'>,
) {
  const today = dayOf(now);
  const ofToday = await countPeriod(db, DRAWN_NAMES, periodOf(today));
  const [first = '', last = ''] = [shown[0], shown.at(-1)];
  const rows = await listDayCounts(db, { first, last }, DRAWN_NAMES);
  const valueOf = new Map(rows.map(({ day, name, value }) => [`${day} ${name}`, value]));
  const countOf = (day: string, name: (typeof DRAWN_NAMES)[number]) =>
    day === today ? ofToday[name] : (valueOf.get(`${day} ${name}`) ?? 0);
  const days = shown.map((day) => ({
    ...{ day, label: formatShortDay(day, language) },
    ...{ orders: countOf(day, 'orders'), filed: countOf(day, 'filed') },
    decided: countOf(day, 'decided'),
  }));
  const sumOf = (name: 'orders' | 'filed') =>
    formatNumber(
      days.reduce((sum, day) => sum + day[name], 0),
      language,
    );
  return {
    days,
    end: axisEnd(days.flatMap(({ orders, filed }) => [orders, filed])),
    totals: { orders: sumOf('orders'), filed: sumOf('filed') },
  };
}

const periodOf = (day: string) => dayPeriod(day, siteSettings().timeZone);

export async function siteView(db: Database, { user, language }: Looking & { user: Member }) {
  const textOf = shortInstants(language);
  const time = (at: string) => ({ at, text: textOf(at) });
  const t = translator(language);
  const failed = await listFailed(db);
  const purged = await lastPurge(db);
  const canSend = roleFor(user, 'mails') !== undefined;
  const words = { reference: '…', site: siteSettings().siteName };
  return {
    failed: failed.slice(0, FAILED_SHOWN).map((row) => ({
      ...{ id: row.id, time: time(row.created_at), code: row.last_error },
      what: t(`mail:mails.${row.kind as 'filed'}.subject`, { ...words, defaultValue: row.kind }),
      canSend: canSend && canSendAgain(row),
    })),
    hasMoreFailed: failed.length > FAILED_SHOWN,
    canSendAll: canSend && failed.filter(canSendAgain).length > 1,
    purged: purged ? time(purged.toISOString()) : null,
  };
}

/** One, or all. @throws {Response} 403 */
export async function sendMailsAgain(sent: FormData, user: SignedIn['user']) {
  if (!roleFor(user, 'mails')) throw new Response(null, { status: 403 });
  const [id, at] = [textIn(sent, 'id'), now()];
  await requireDatabase(async (db) => {
    const failed = (await listFailed(db)).filter(canSendAgain);
    for (const row of failed.filter((one) => id === '' || one.id === id)) {
      if (!(await queueAgain(db, row.id, at))) continue;
      await audit(db, user, 'mail.sent_again', ['mail', row.id], at, { mail: row.kind });
    }
  }, writeDatabase);
  wakeOutbox();
  return redirect('/crm/dashboard?done=mails#site', 303);
}

/** Beside what a day came to: when it was counted, in seconds. */
const COUNTED_AT = 'counted';
/** Before the country of a passport, with the last day of a month: paid in that month. */
export const PASSPORTS = 'country ';

/** Later readers read a few rows. A counted day stays, whatever time zone comes after. */
export async function countDays(
  now: Date,
  { read, write } = { read: queryDatabase, write: writeDatabase },
): Promise<number> {
  const days = daysBefore(dayOf(now), COUNTED_DAYS);
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const rows = await read((db) => listDayCounts(db, { first, last }, [COUNTED_AT]));
  const countedAt = new Map(rows.map(({ day, value }) => [day, new Date(value * 1000)]));
  const missing = days.filter((day) => {
    const at = countedAt.get(day);
    return isToCount(day, at && { at, day: dayOf(at) }, now);
  });
  for (const day of missing) {
    const counts = await read((db) => countDay(db, day));
    const all = { ...counts, [COUNTED_AT]: Math.floor(now.getTime() / 1000) };
    await write((db) => replaceDay(db, day, all));
  }
  return missing.length;
}

async function countDay(db: Database, day: string): Promise<Counts> {
  const counted = await countPeriod(db, COUNTED_NAMES, periodOf(day));
  if (monthOf(addDays(day, 1)) === monthOf(day)) return counted;
  // Passports are deleted with their cases; by month, a few together, they are nobody's.
  const countries = await passportsOf(db, monthOf(day));
  return {
    ...counted,
    ...Object.fromEntries(countries.map(({ code, count }) => [PASSPORTS + (code ?? ''), count])),
  };
}

export const passportsOf = async (db: Database, month: string) =>
  fewTogether(await countPassports(db, monthPeriod(month, siteSettings().timeZone)));
