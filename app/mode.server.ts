import { env } from '~/env.server';
import type { Mode } from '~/site-map';

/**
 * Whether accounts, applications, payments and the staff portal are off (`OFFLINE_MODE`), as in the
 * specification's current build. Nothing else reads the variable.
 */
export function isOffline(): boolean {
  return env().offline;
}

/** The mode by its name in the site map. */
export function siteMode(): Mode {
  return isOffline() ? 'offline' : 'live';
}
