import { env } from '~/env.server';

/**
 * Whether accounts, applications, payments and the staff portal are off (`OFFLINE_MODE`), as in the
 * specification's current build. Nothing else reads the variable. In live mode, sections that are
 * implemented are open; the others still show a placeholder.
 */
export function isOffline(): boolean {
  return env().offline;
}
