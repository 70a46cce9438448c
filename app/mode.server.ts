import { env } from '~/env.server';
import type { Mode } from '~/site-map';

/** `OFFLINE_MODE`, as in the specification's current build. Nothing else reads the variable. */
export function isOffline(): boolean {
  return env().offline;
}

export function siteMode(): Mode {
  return isOffline() ? 'offline' : 'live';
}

export function isDemonstrated(): boolean {
  const { payment, secure, drill } = env();
  return !isOffline() && payment === undefined && !secure && !drill;
}

export function isDemonstration(): boolean {
  return isDemonstrated() || env().payment?.isTest === true;
}
