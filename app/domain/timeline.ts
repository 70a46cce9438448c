import {
  addDays as addDaysTo,
  addMonths as addMonthsTo,
  differenceInCalendarDays,
  eachDayOfInterval,
  endOfMonth,
  endOfWeek,
  startOfWeek,
} from 'date-fns';

import type { Form, Rule } from './form';

export const PROCESS_STEPS = [
  'documents',
  'submit',
  'processing',
  'authorization',
  'travel',
] as const;

const BANDS = [
  { name: 'immediately', below: 3 },
  { name: 'soon', below: 14 },
  { name: 'optimal', below: 90 },
  { name: 'early', below: Infinity },
] as const;
export type Recommendation = (typeof BANDS)[number]['name'];

/** The last day on which the timing is still optimal: docs/decisions/0012-planner-and-guide.md */
const APPLY_DAYS_BEFORE = 14;
const PASSPORT_DAYS_BEFORE = APPLY_DAYS_BEFORE + 7;

/** The last day that four-digit years allow. */
export const LAST_DAY = '9999-12-31';

/* Days are strings, `yyyy-MM-dd`, and months `yyyy-MM`: they have no time zone or daylight saving. */

export function calendarDay(instant: Date, timeZone: string): string {
  let format = dayFormats.get(timeZone);
  if (!format) {
    // The Swedish date format is that of ISO 8601.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone });
    dayFormats.set(timeZone, format);
  }
  return format.format(instant);
}
/** Each has tens of kilobytes outside the heap, where nothing hurries to collect them. */
const dayFormats = new Map<string, Intl.DateTimeFormat>();

export const TRAVEL_FORM = [
  { name: 'date', type: 'date', required: true, rule: 'travel_date' },
] as const satisfies Form;

export function travelDateRule(today: string): Rule {
  return (date) => {
    if (!isDay(date)) return 'invalid';
    return date < today ? 'past' : undefined;
  };
}

export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && format(dateOf(text)) === text;

export const daysUntil = (day: string, today: string): number =>
  differenceInCalendarDays(dateOf(day), dateOf(today));

/** The day `days` later, or earlier if negative, limited to the years 0000 to 9999. */
export function addDays(day: string, days: number): string {
  const last = daysUntil(LAST_DAY, day);
  return changeDay(day, (date) => addDaysTo(date, Math.min(days, last)));
}

/** In their order, the last of them the day before. */
export const daysBefore = (day: string, n: number): string[] =>
  eachDayOfInterval({ start: dateOf(addDays(day, -n)), end: dateOf(addDays(day, -1)) }).map(format);

/** Days have no time zone: date-fns calculates with local midnights. */
export const changeDay = (day: string, change: (date: Date) => Date): string =>
  format(change(dateOf(day)));

export const recommendation = (days: number): Recommendation =>
  BANDS.find(({ below }) => days < below)?.name ?? 'early';

export function adviceBands(): { name: Recommendation; from: number; to: number | null }[] {
  return BANDS.map(({ name, below }, index) => ({
    name,
    from: BANDS[index - 1]?.below ?? 0,
    to: below === Infinity ? null : below - 1,
  })).reverse();
}

/** A disc at the very beginning of its band would stand in the one before. */
const LATEST_IN_BAND = 0.9;

/** From 0 to 1, if all bands are drawn equally long; the farthest ends where it has doubled. */
export function wayDone(days: number): number {
  const band = BANDS.findIndex(({ below }) => days < below);
  const from = BANDS[band - 1]?.below ?? 0;
  const below = BANDS[band]?.below ?? Infinity;
  const length = below === Infinity ? from : below - from;
  return 1 - (band + Math.min((days - from) / length, LATEST_IN_BAND)) / BANDS.length;
}

/** Nearer to the trip there is no last day to apply: only "today" would be left to say. */
export function reminders(travelDate: string, today: string) {
  const passport = addDays(travelDate, -PASSPORT_DAYS_BEFORE);
  const apply = addDays(travelDate, -APPLY_DAYS_BEFORE);
  return {
    passport: passport < today ? today : passport,
    ...(apply >= today && { apply }),
    travel: travelDate,
  };
}

/** An approved ESTA can be withdrawn: somebody looks again so many days before. */
export const lookDay = (travelDate: string): string => addDays(travelDate, -3);

export const readMonth = (text: string | null): string | undefined =>
  text !== null && /^\d{4}-\d{2}$/.test(text) && isDay(`${text}-01`) ? text : undefined;

export const monthOf = (day: string): string => day.slice(0, 7);

export const monthAfter = (month: string, step = 1): string =>
  monthOf(changeDay(`${month}-01`, (date) => addMonthsTo(date, step)));

export function neighbourMonth(month: string, step: -1 | 1, today: string): string | undefined {
  if (step === 1 && month === monthOf(LAST_DAY)) return undefined;
  const neighbour = monthAfter(month, step);
  return neighbour < monthOf(today) ? undefined : neighbour;
}

export function weeksOf(month: string, weekStartsOn: 0 | 1): (string | null)[][] {
  const first = dateOf(`${month}-01`);
  const last = endOfMonth(first);
  const days = eachDayOfInterval({
    start: startOfWeek(first, { weekStartsOn }),
    end: endOfWeek(last, { weekStartsOn }),
  }).map((day) => (day >= first && day <= last ? format(day) : null));
  return Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));
}

const MOVES: Record<string, (day: Date, by: 1 | 12, weekStartsOn: 0 | 1) => Date> = {
  ArrowLeft: (day) => addDaysTo(day, -1),
  ArrowRight: (day) => addDaysTo(day, 1),
  ArrowUp: (day) => addDaysTo(day, -7),
  ArrowDown: (day) => addDaysTo(day, 7),
  Home: (day, _, weekStartsOn) => startOfWeek(day, { weekStartsOn }),
  End: (day, _, weekStartsOn) => endOfWeek(day, { weekStartsOn }),
  PageUp: (day, by) => addMonthsTo(day, -by),
  PageDown: (day, by) => addMonthsTo(day, by),
};

/** The day a key moves to in a date grid (ARIA practices); never before today. */
export function calendarMove(
  from: string,
  key: string,
  shift: boolean,
  { today, weekStartsOn }: { today: string; weekStartsOn: 0 | 1 },
): string | undefined {
  const move = MOVES[key];
  if (!move) return undefined;
  const date = move(dateOf(from), shift ? 12 : 1, weekStartsOn);
  if (date > dateOf(LAST_DAY)) return LAST_DAY;
  const day = format(date);
  return day < today ? today : day;
}

/* The library's parser and formatter know far more, and the calendar would load all of it. */
export const dateOf = (day: string): Date => new Date(`${day}T00:00`);

function format(date: Date): string {
  const [year, ...rest] = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return [String(year).padStart(4, '0'), ...rest.map((part) => String(part).padStart(2, '0'))].join(
    '-',
  );
}
