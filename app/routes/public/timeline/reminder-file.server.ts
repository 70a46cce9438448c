import { ICalAlarmRelatesTo, ICalAlarmType, ICalCalendar } from 'ical-generator';

import { addDays, reminders } from '~/domain/timeline';
import { formatDay } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { siteSettings } from '~/settings/settings.server';

interface ReminderOptions {
  /** Both as `yyyy-MM-dd`. */
  travelDate: string;
  today: string;
  language: Language;
  /** How long the official decision may take, formatted. */
  processing: string;
  /** The site's origin, if the operator has set it. */
  origin: string | undefined;
}

const NINE_O_CLOCK_SECONDS = 9 * 60 * 60;

/**
 * A calendar (RFC 5545) with all-day events: check the passport, apply, travel. All-day
 * events have no time zone: they are on the same day wherever the traveller is. The alarm is at
 * nine in the morning, local time.
 */
export function reminderFile(options: ReminderOptions): string {
  const { travelDate, today, language, processing, origin } = options;
  const t = translator(language);
  const { siteName, timeZone } = siteSettings();
  const host = origin ? new URL(origin).host : 'esta-assistance';
  const calendar = new ICalCalendar({
    name: `${t('timeline:reminder.name')}, ${formatDay(travelDate, language)}`,
    prodId: { company: siteName, product: 'ESTA', language: language.toUpperCase() },
    // Not as the library's time zone, in which it would write the stamps, which must be in UTC.
    x: [{ key: 'X-WR-TIMEZONE', value: timeZone }],
  });
  for (const [name, day] of Object.entries(reminders(travelDate, today))) {
    const event = calendar.createEvent({
      // Stable ids: importing the same trip twice replaces its events.
      id: `${name}-${travelDate}@${host}`,
      start: midnight(day),
      end: midnight(addDays(day, 1)),
      allDay: true,
      summary: t(`timeline:reminder.${name as 'passport' | 'apply' | 'travel'}.title`),
      description: t(`timeline:reminder.${name as 'passport' | 'apply' | 'travel'}.text`, {
        processing,
      }),
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

function midnight(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}
