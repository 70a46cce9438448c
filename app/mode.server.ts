import { env } from '~/env.server';

/**
 * Whether accounts, applications, payments and the staff portal are off (`OFFLINE_MODE`), as in the
 * specification's current build. Nothing else reads the variable. While it is `false` the sections
 * of the live half that are real are open; the others show their placeholder all the same.
 */
export function isOffline(): boolean {
  return env().offline;
}
