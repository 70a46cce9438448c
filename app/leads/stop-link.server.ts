import { hashOfToken } from '~/accounts/tokens.server';
import { findAnyToken } from '~db/queries/one-time-tokens.server';
import type { Database } from '~db/schema';

/**
 * The application of a link that stops reminders. It is good however often it is used, also once an
 * account has taken the application over: who wants to hear nothing more is not asked for a sign-in.
 */
export async function applicationOfStopLink(
  db: Database,
  token: string,
  now: Date,
): Promise<string | undefined> {
  const link = await findAnyToken(db, 'stopReminders', hashOfToken(token));
  if (!link?.application_id || link.expires_at <= now.toISOString()) return undefined;
  return link.application_id;
}
