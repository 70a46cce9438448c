import { ICalAlarmRelatesTo, ICalAlarmType, ICalCalendar } from 'ical-generator';
import { today } from '~/clock.server';
import { factText, factViews, type FactViews } from '~/facts.server';
import {
  addDays,
  adviceBands,
  daysUntil,
  monthOf,
  lookDay,
  neighbourMonth,
  readMonth,
  recommendation,
  reminders,
  TRAVEL_FORM,
  travelDateRule,
  wayDone,
  weeksOf,
} from '~/domain/timeline';
import { env } from '~/env.server';
import { readForm, type Refusal } from '~/http/form.server';
import { type Language, LANGUAGE_ROWS } from '~/i18n/languages';
import {
  formatDay,
  formatDuration,
  formatFullDay,
  formatMonth,
  formatPercent,
  translator,
  weekdayNames,
} from '~/i18n/locale.server';
import { siteSettings } from '~/settings/settings.server';

const QUOTED_LENGTH = 40;

/** `today` is a day in the operator's time zone. */
export function plannerView(address: URLSearchParams, today: string, language: Language) {
  const read = address.has('date') ? readTravelDate(address, today) : undefined;
  const { errors, typed } = read ?? {};
  const date = read?.values?.date;
  const typedDate = typed?.['date']?.trim() ?? '';
  const refusal: Refusal | undefined = errors && { problem: 'text', errors, values: typed ?? {} };
  return {
    today,
    refusal,
    quoted: {
      value: typedDate.slice(0, QUOTED_LENGTH),
      date: errors?.['date'] === 'past' ? formatDay(typedDate, language) : '',
    },
    plan: date === undefined ? null : planView(date, today, language),
    calendar: calendarView(readMonth(address.get('month')), date, today, language),
  };
}
export type CalendarView = ReturnType<typeof calendarView>;
export type PlanView = ReturnType<typeof planView>;

export const readTravelDate = (address: URLSearchParams, today: string) =>
  readForm(address, TRAVEL_FORM, { rules: { travel_date: travelDateRule(today) } });

function planView(date: string, today: string, language: Language) {
  const { passport, apply } = reminders(date, today);
  const days = daysUntil(date, today);
  return {
    date,
    dateText: formatFullDay(date, language),
    days,
    recommendation: recommendation(days),
    bands: adviceBands(),
    done: Math.round(wayDone(days) * 1000),
    passportDays: daysUntil(passport, today),
    todayText: formatDay(today, language),
    passportText: formatDay(passport, language),
    /** The latest recommended day to apply, while there is one. */
    apply: apply ? { days: daysUntil(apply, today), text: formatDay(apply, language) } : null,
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

const NINE_O_CLOCK_SECONDS = 9 * 60 * 60;

/** All-day events have no time zone: they are on the same day wherever the traveller is (RFC 5545). */
/** @param isLook the look at an approved ESTA alone */
export async function reminderFile(travelDate: string, language: Language, isLook = false) {
  const t = translator(language);
  const { official_processing_up_to: official } = await factViews(language);
  const processing = factText(official, language);
  const origin = env().publicOrigin;
  const { siteName, timeZone } = siteSettings();
  const host = origin ? new URL(origin).host : 'esta-assistance';
  const calendar = new ICalCalendar({
    name: `${t('timeline:reminder.name')}, ${formatDay(travelDate, language)}`,
    prodId: { company: siteName, product: 'ESTA', language: language.toUpperCase() },
    // Not as the library's time zone, in which it would write the stamps, which must be in UTC.
    x: [{ key: 'X-WR-TIMEZONE', value: timeZone }],
  });
  const days = isLook ? { look: lookDay(travelDate) } : reminders(travelDate, today());
  for (const [name, day] of Object.entries(days)) {
    const event = calendar.createEvent({
      // Stable ids: importing the same trip twice replaces its events.
      id: `${name}-${travelDate}@${host}`,
      start: new Date(`${day}T00:00:00Z`),
      end: new Date(`${addDays(day, 1)}T00:00:00Z`),
      allDay: true,
      summary: t(`timeline:reminder.${name}.title`),
      description: t(`timeline:reminder.${name}.text`, { processing }),
      ...(origin && { url: `${origin}/timeline?date=${travelDate}` }),
    });
    // The library's default is the end of the day, which would ring a day late; it heeds the method
    // alone, not the option of the same name.
    event
      .createAlarm({ type: ICalAlarmType.display, triggerAfter: NINE_O_CLOCK_SECONDS })
      .relatesTo(ICalAlarmRelatesTo.start);
  }
  return calendar.toString();
}

const LOOKS = {
  approved: { name: 'approved', icon: 'circle-check', colour: 'text-good' },
  pending: { name: 'pending', icon: 'clock', colour: 'text-note' },
  refused: { name: 'refused', icon: 'circle-x', colour: 'text-bad' },
} as const;

export function scenarioViews(language: Language, facts: FactViews) {
  const t = translator(language);
  const { outcomes, processing } = siteSettings().claims;
  const hours = (count: number) => formatDuration(count, 'hour', language);
  const share = (percent: number) => (outcomes.shown ? formatPercent(percent, language) : null);
  const official = t('timeline:times.refused.time', {
    processing: factText(facts.official_processing_up_to, language),
  });
  const { fromHours: from, toHours } = processing;
  const own = t('timeline:times.pending.time', { from, to: hours(toHours) });
  return [
    { ...LOOKS.approved, share: share(outcomes.approved), time: t('timeline:times.approved.time') },
    { ...LOOKS.pending, share: share(outcomes.pending), time: processing.shown ? own : official },
    { ...LOOKS.refused, share: share(outcomes.refused), time: official },
  ];
}
