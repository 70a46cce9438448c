/** The command that signs accounts out, for when somebody else may be in them (docs/incidents.md). */
import { audit } from '~/accounts/audit.server';
import { now } from '~/clock.server';
import { normalizeEmail } from '~/domain/accounts';
import { ConfigurationError } from '~/env.server';
import type { Database } from '~db/schema';
import { deleteAllSessions, deleteSessions } from '~db/queries/sessions.server';
import { findUserByEmail } from '~db/queries/users.server';
import { parseAddress } from './staff-commands';

/** Everybody's sessions, in the place of an address. */
const ALL = 'all';
const KINDS = ['traveller', 'staff'] as const;

type Erase = <T>(work: (db: Database) => Promise<T>) => Promise<T>;

/**
 * Whose sessions `npm run sessions:end` ends: an address, or `all`.
 *
 * @throws {ConfigurationError} for a wrong address, and in offline mode
 */
export function parseWhose(word: string | undefined): string {
  return word === ALL ? ALL : parseAddress(word, 'sessions:end -- EMAIL, or all for everybody');
}

/**
 * Signs out everywhere: the accounts of an address, or all of them. Passwords and factors stay.
 *
 * @throws {ConfigurationError} for an address without account
 */
export async function endSessions(erase: Erase, whose: string): Promise<string> {
  if (whose === ALL) {
    const ended = await erase(async (db) => {
      await record(db, undefined);
      return deleteAllSessions(db);
    });
    return `Signed out everywhere: everybody, ${ended} sessions.`;
  }
  const kinds = await erase(async (db) => {
    const found = [];
    for (const kind of KINDS) {
      const user = await findUserByEmail(db, kind, normalizeEmail(whose));
      if (!user) continue;
      await deleteSessions(db, user.id);
      await record(db, user.id);
      found.push(kind);
    }
    return found;
  });
  if (kinds.length === 0) throw new ConfigurationError(`${whose} has no account.`);
  return `Signed out everywhere: ${whose} (${kinds.join(' and ')}).`;
}

function record(db: Database, id: string | undefined): Promise<void> {
  const actor = { kind: 'operator' } as const;
  return audit(db, actor, 'session.ended', ['user', id], now());
}
