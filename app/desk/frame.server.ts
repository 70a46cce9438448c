import { type StaffRole, may, pagesOf } from '~/access';
import { sessionOf } from '~/accounts/session.server';
import { now } from '~/clock.server';
import { databaseErrorFields, queryDatabase } from '~/database.server';
import { WORKING } from '~/domain/application/states';
import { shownCount } from '~/domain/dashboard';
import { queuesToTake } from '~/domain/worklist';
import type { Language } from '~/i18n/languages';
import { formatTime } from '~/i18n/locale.server';
import { log } from '~/log.server';
import { countWaiting } from '~db/queries/dashboard.server';
import { COUNTED, countQueues } from '~db/queries/worklist.server';
import { staffName } from './staff.server';
import { lookingNow } from './worklist.server';

/** What stands around each page of the desk; null for everybody else, and while there is no database. */
export async function frameView(request: Request, language: Language) {
  try {
    const session = await sessionOf(request);
    if (!session?.user.role || session.mfaRequired) return null;
    const { user, endsAt, most } = session;
    const { role } = session.user;
    const counts = await placeCounts(role, user.id);
    return {
      name: staffName(user),
      role,
      places: pagesOf(user).map(({ name, path }) => ({
        name,
        href: path,
        count: counts[name] ?? '',
      })),
      searches: may(role, 'processing'),
      at: now().toISOString(),
      time: formatTime(now(), language),
      ends: {
        at: endsAt.toISOString(),
        time: formatTime(endsAt, language),
        canStay: endsAt < most,
      },
    };
  } catch (error) {
    log('error', 'the frame of the desk cannot be loaded', databaseErrorFields(error));
    return null;
  }
}

export async function placeCounts(role: StaffRole, id: string) {
  const counts: Partial<Record<string, string>> = {};
  if (!may(role, 'processing')) return counts;
  const looking = lookingNow(id);
  const own = WORKING.map((state) => ({ state, assignedTo: id }));
  const [cases, waiting] = await queryDatabase(async (db) => [
    await countQueues(db, [...queuesToTake(looking), ...own], looking.now.toISOString()),
    await countWaiting(db, looking.now, role),
  ]);
  const found = {
    processing: cases.reduce((a, b) => a + b, 0),
    messages: waiting.messages,
    refunds: waiting.refunds,
  };
  for (const [name, count] of Object.entries(found)) {
    if (count > 0) counts[name] = shownCount(count, COUNTED);
  }
  return counts;
}

export type DeskFrame = NonNullable<Awaited<ReturnType<typeof frameView>>>;
