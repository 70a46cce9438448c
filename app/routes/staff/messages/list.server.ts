import { differenceInDays, differenceInHours, differenceInMinutes } from 'date-fns';

import { type ListCursor, pageOfRows } from '~/desk/list-cursor.server';
import type { MessageState } from '~/domain/messages';
import { formatDuration, formatShortInstant } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { siteSettings } from '~/settings/settings.server';
import { listContactMessages } from '~db/queries/contact-messages.server';
import type { Database } from '~db/schema';

const PER_PAGE = 25;

/** A page of the messages in a state: of what was typed it has nothing. */
export async function messageList(
  db: Database,
  { state, after }: { state: MessageState; after: ListCursor | undefined },
  { staffId, language, now }: { staffId: string; language: Language; now: Date },
) {
  const found = await listContactMessages(db, state, { after, limit: PER_PAGE + 1 });
  const { rows, after: next } = pageOfRows(found, PER_PAGE);
  const { timeZone } = siteSettings();
  return {
    next,
    rows: rows.map((row) => ({
      id: row.id,
      received: formatShortInstant(new Date(row.created_at), language, timeZone),
      age: ageOf(new Date(row.created_at), language, now),
      category: row.category,
      language: row.language_code,
      isMine: row.assigned_to === staffId,
      assignee: row.assignee,
    })),
  };
}

/** In the largest unit that is whole. */
function ageOf(at: Date, language: Language, now: Date): string {
  const days = differenceInDays(now, at);
  if (days > 0) return formatDuration(days, 'day', language);
  const hours = differenceInHours(now, at);
  if (hours > 0) return formatDuration(hours, 'hour', language);
  const minutes = Math.max(differenceInMinutes(now, at), 0);
  return formatDuration(minutes, 'minute', language);
}
