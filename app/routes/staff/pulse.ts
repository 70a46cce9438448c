import { json } from '@remix-run/node';

import { may, type StaffRole } from '~/access';
import { AUDIT_ACTIONS } from '~/accounts/audit.server';
import { requireStaff } from '~/accounts/session.server';
import { now } from '~/clock.server';
import { requireDatabase } from '~/database.server';
import { wordsOf } from '~/desk/audit-log.server';
import { deskAction } from '~/desk/desk-page.server';
import { placeCounts } from '~/desk/frame.server';
import { namesOfStaff } from '~/desk/staff.server';
import type { Language } from '~/i18n/languages';
import { formatTime, translator } from '~/i18n/locale.server';
import { live, type PageArgs } from '~/live.server';
import { listAuditEvents } from '~db/queries/audit-events.server';
import { listRepliesTo } from '~db/queries/contact-messages.server';
import type { Database } from '~db/schema';

/** What a page of the desk asks every five seconds, by a script. */
export const loader = live(async (args) =>
  pulse(await requireStaff(args.request, 'dashboard', true), args),
);

/** The same from who presses for it, which prolongs their session. */
export const action = deskAction('dashboard', (page) => pulse(page.session, page));

async function pulse(
  { user, endsAt }: Awaited<ReturnType<typeof requireStaff>>,
  { language, searchParams: asked }: Pick<PageArgs, 'language' | 'searchParams'>,
) {
  const counts = await requireDatabase(() => placeCounts(user.role, user.id));
  const [of, since] = [asked.get('of') ?? '', asked.get('since') ?? ''];
  const news = await requireDatabase((db) => newsOf(db, { of, since, user, language }));
  return json({ endsAt, counts, news });
}

const MOVES = ['application.moved', 'case.assigned', 'case.released'] as const;
const OF_MESSAGES = AUDIT_ACTIONS.message.filter((action) => action.startsWith('message.'));
/** Which list a page has, and what changes it. */
const LISTS: Partial<Record<string, { name: 'cases' | 'messages'; actions: readonly string[] }>> = {
  '/crm/dashboard': { name: 'cases', actions: MOVES },
  '/crm/processing': { name: 'cases', actions: MOVES },
  '/crm/messages': { name: 'messages', actions: OF_MESSAGES },
};

const COUNTED = 20;
/** No page is looked at longer without being loaded. */
const OLDEST_MS = 12 * 3_600_000;

interface Asked {
  of: string;
  since: string;
  user: { id: string; role: StaffRole };
  language: Language;
}

/** What others have done with what a page shows since it was loaded: in the words of the audit log. */
async function newsOf(db: Database, { of, since: loaded, user, language }: Asked) {
  if (!/^\d{4}-\d\d-\d\dT[\d:.]{8,12}Z$/.test(loaded) || !may(user.role, 'processing')) return;
  const oldest = new Date(now().getTime() - OLDEST_MS).toISOString();
  const since = loaded > oldest ? loaded : oldest;
  const only = { since, notBy: user.id };
  const list = LISTS[of];
  const [, subject] = /^\/crm\/(?:processing|messages)\/([\da-f-]{36})/.exec(of) ?? [];
  if (list) {
    const queries = list.actions.map((action) => ({ action }));
    const found = await listAuditEvents(db, { queries, only, limit: COUNTED });
    const count = new Set(found.map(({ subject_id }) => subject_id)).size;
    const t = translator(language);
    return count === 0 ? undefined : t(`staff:news.${list.name}`, { count });
  }
  if (!subject) return;
  const found = await listAuditEvents(db, {
    queries: [{ subject }],
    only: { ...only, except: AUDIT_ACTIONS.look },
    limit: 1,
  });
  const [event] = found;
  if (!event) return writtenBy(db, subject, { of, since, user, language });
  return (await wordsOf(db, found, { reader: user, language })).row([event]).words;
}

/** Who else has begun to write to the customer of a case or a message. */
async function writtenBy(db: Database, subject: string, { since, user, language }: Asked) {
  const draft = (await listRepliesTo(db, { messages: [subject], applications: [subject] })).find(
    ({ sent_at, written_by, created_at }) =>
      sent_at === null && written_by !== user.id && created_at > since,
  );
  if (!draft) return undefined;
  const who = (await namesOfStaff(db)).get(draft.written_by) ?? '–';
  const at = formatTime(new Date(draft.created_at), language);
  return translator(language)('desk-conversation:writing', { who, at });
}
