import {
  adviceBands,
  daysUntil,
  monthOf,
  neighbourMonth,
  readMonth,
  recommendation,
  reminders,
  TRAVEL_FORM,
  travelDateRule,
  wayDone,
  weeksOf,
} from '~/domain/timeline';
import {
  formatDay,
  formatDuration,
  formatFullDay,
  formatMonth,
  weekdayNames,
} from '~/i18n/format.server';
import { type ReadForm, readForm } from '~/http/form.server';
import type { Refusal } from '~/http/refusal';
import { type Language, LANGUAGE_ROWS } from '~/i18n/languages';
import { siteSettings } from '~/settings/settings.server';

/** Maximum length of an invalid date quoted in a message. */
const QUOTED_LENGTH = 40;

/**
 * The planner for a URL with `date` and `month`: the calendar month, and either the plan for the
 * chosen day or the error. `today` is a day in the operator's time zone.
 */
export function plannerView(address: URLSearchParams, today: string, language: Language) {
  const read = address.has('date') ? readTravelDate(address, today) : undefined;
  const date = read?.values?.date;
  return {
    today,
    ...(read?.errors && refusalView(read, language)),
    plan: date === undefined ? null : planView(date, today, language),
    calendar: calendarView(readMonth(address.get('month')), date, today, language),
  };
}
export type PlannerView = ReturnType<typeof plannerView>;
export type CalendarView = PlannerView['calendar'];
export type PlanView = NonNullable<PlannerView['plan']>;

/** Validates the planner's form from the query parameters. */
export function readTravelDate(address: URLSearchParams, today: string) {
  return readForm(address, TRAVEL_FORM, { rules: { travel_date: travelDateRule(today) } });
}

function refusalView({ errors = {}, typed }: ReadForm<typeof TRAVEL_FORM>, language: Language) {
  const typedDate = typed['date']?.trim() ?? '';
  const refusal: Refusal = { problem: 'text', errors, values: typed };
  return {
    refusal,
    /** Values for the error message. */
    quoted: {
      value: typedDate.slice(0, QUOTED_LENGTH),
      date: errors['date'] === 'past' ? formatDay(typedDate, language) : '',
    },
  };
}

function planView(date: string, today: string, language: Language) {
  const { passport, apply } = reminders(date, today);
  const days = daysUntil(date, today);
  return {
    date,
    dateText: formatFullDay(date, language),
    days,
    recommendation: recommendation(days),
    bands: adviceBands(),
    /** How much of the way is done, in thousandths. */
    done: Math.round(wayDone(days) * 1000),
    passportDays: daysUntil(passport, today),
    todayText: formatDay(today, language),
    passportText: formatDay(passport, language),
    /** The latest recommended day to apply, while there is one. */
    apply: apply ? { days: daysUntil(apply, today), text: formatDay(apply, language) } : null,
    /** How long our own part takes at most. */
    ours: formatDuration(siteSettings().prices.standard.days, 'day', language),
    travelText: formatDay(date, language),
  };
}

function calendarView(
  requestedMonth: string | undefined,
  chosen: string | undefined,
  today: string,
  language: Language,
) {
  const { weekStartsOn } = LANGUAGE_ROWS[language];
  const first = monthOf(today);
  const preferredMonth = requestedMonth ?? monthOf(chosen ?? today);
  const month = preferredMonth < first ? first : preferredMonth;
  const isIdeal = (day: string) => recommendation(daysUntil(day, today)) === 'optimal';
  const link = (step: -1 | 1) => {
    const neighbour = neighbourMonth(month, step, today);
    return neighbour ? { month: neighbour, text: formatMonth(neighbour, language) } : null;
  };
  const weeks = weeksOf(month, weekStartsOn).map((week) =>
    week.map((day) =>
      day === null ? null : { day, label: formatFullDay(day, language), isIdeal: isIdeal(day) },
    ),
  );
  const hasIdeal = weeks.flat().some((entry) => entry?.isIdeal);
  return {
    month,
    title: formatMonth(month, language),
    previous: link(-1),
    next: link(1),
    weekStartsOn,
    weekdays: weekdayNames(language),
    weeks,
    /** The days before the departure at which to apply, if departures of this month are tinted. */
    ideal: (hasIdeal && adviceBands().find(({ name }) => name === 'optimal')) || null,
  };
}
