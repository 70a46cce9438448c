import { env } from '~/env.server';
import type { Mode } from '~/site-map';

/** `OFFLINE_MODE`, as in the specification's current build. Nothing else reads the variable. */
export const isOffline = (): boolean => env().offline;

export const siteMode = (): Mode => (isOffline() ? 'offline' : 'live');

export function isDemonstrated(): boolean {
  const { payment, secure, drill } = env();
  return !isOffline() && payment === undefined && !secure && !drill;
}

export const isDemonstration = (): boolean => isDemonstrated() || env().payment?.isTest === true;
