import { differenceInCalendarDays } from 'date-fns';

import { dayOf, now, today } from '~/clock.server';
import { UNDER_PROMISE } from '~/domain/application/states';
import { dueAfter } from '~/domain/closures';
import type { Language } from '~/i18n/languages';
import { formatTime, shortInstants, translator } from '~/i18n/locale.server';
import { closedPeriods, siteSettings } from '~/settings/settings.server';
import type { ApplicationRow } from '~db/queries/applications.server';

/** « dans 3 h 10 », and below it « aujourd’hui, 18:30 »; undefined where no promise runs. */
export function dueView(
  { state, due_at, paused_at, starts_at, code_at, pay_by, filed_at }: ApplicationRow,
  language: Language,
) {
  const t = translator(language);
  if (state === 'fee_due' && pay_by !== null) return timeUntil(pay_by, language);
  if (state === 'filed' && filed_at !== null) {
    const { left: ago, ...since } = timeSince(filed_at, language);
    return { ...since, left: t('desk:due.filed', { ago }) };
  }
  if (!UNDER_PROMISE.includes(state) || due_at === null) return undefined;
  if (paused_at !== null) return { left: t('desk:due.paused'), at: '', isLate: false };
  if (state === 'paid' && starts_at !== null && starts_at > now().toISOString()) {
    const left = t('desk:due.starts', { at: shortInstants(language)(starts_at) });
    return { left, at: '', isLate: false };
  }
  if (state === 'checked' && code_at !== null) {
    const left = t('desk:due.code', { at: shortInstants(language)(code_at) });
    return { left, at: timeUntil(due_at, language).at, isLate: false };
  }
  return timeUntil(due_at, language);
}

/** By when somebody who wrote at an instant is promised an answer. */
export function promisedAnswers() {
  const { generalHours } = siteSettings().support;
  const closed = closedPeriods();
  return (at: string): string => dueAfter(new Date(at), generalHours, closed).toISOString();
}

/** The same of any promise, such as one to somebody who has written. */
export function timeUntil(dueAt: string, language: Language) {
  const t = translator(language);
  const [at, due] = [now(), new Date(dueAt)];
  const isLate = due < at;
  const clock = clockOf(dueAt, language);
  const time = timeLeft(Math.abs(due.getTime() - at.getTime()), language);
  return {
    left: isLate ? t('desk:due.late', { time }) : t('desk:due.in', { time }),
    at: dayOf(due) === dayOf(at) ? t('desk:due.today', { at: clock }) : clock,
    isLate,
  };
}

/** « il y a 5 h 10 », and since when. */
export function timeSince(at: string, language: Language) {
  const time = timeLeft(now().getTime() - new Date(at).getTime(), language);
  const left = translator(language)('desk:due.ago', { time });
  return { left, at: clockOf(at, language), isLate: false };
}

/** The same of a day on which something is due at the latest. */
export function daysUntil(day: string | undefined, language: Language) {
  if (day === undefined) return undefined;
  const t = translator(language);
  const days = differenceInCalendarDays(day, today());
  const time = t('desk:due.days', { count: Math.abs(days) });
  if (days === 0) return { left: t('desk:due.thisDay'), isLate: false };
  return days < 0
    ? { left: t('desk:due.late', { time }), isLate: true }
    : { left: t('desk:due.in', { time }), isLate: false };
}

/** Without the day, if that is today. */
export function clockOf(at: string, language: Language): string {
  const instant = new Date(at);
  const isToday = dayOf(instant) === dayOf(now());
  return isToday ? formatTime(instant, language) : shortInstants(language)(at);
}

function timeLeft(ms: number, language: Language): string {
  const t = translator(language);
  const all = Math.floor(ms / 60_000);
  const [days, hours, minutes] = [Math.floor(all / 1440), Math.floor(all / 60) % 24, all % 60];
  if (days > 0) return t('desk:due.days', { count: days });
  if (hours === 0) return t('desk:due.minutes', { minutes });
  return t('desk:due.hours', { hours, minutes: String(minutes).padStart(2, '0') });
}
