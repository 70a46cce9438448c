import { routeId } from '~/site-map';

import type { Site } from '../production-server';

/** What becomes of a request: a status; of a redirect with the path that it leads to. */
export type Outcome = number | `303 ${string}` | `302 ${string}`;

/** A data request is told of a way on with 204 and two headers, which are no other outcome. */
export function outcomeOf({ status, headers }: Response): Outcome {
  const goal = headers.get('Location') ?? headers.get('X-Remix-Redirect');
  if (goal === null) return status;
  const told = headers.get('X-Remix-Status') ?? status;
  return `${told} ${goal.split('?')[0]}` as Outcome;
}

/**
 * The same of something that there is. `sign in`: led to the desk's own sign-in, or to its second step,
 * or told of it; `done`: taken, whichever page follows at the desk; of an application the name of the page.
 */
export type MatterOutcome = number | string;

export function matterOutcomeOf(response: Response): MatterOutcome {
  const outcome = outcomeOf(response);
  if (outcome === 401) return 'sign in';
  if (typeof outcome === 'number') return outcome;
  const [status, goal = ''] = outcome.split(' ');
  if (goal === '/crm/auth' || goal === '/auth/challenge') return 'sign in';
  const [, page] = /^\/application\/[0-9a-f-]{36}\/([\w-]+)$/.exec(goal) ?? [];
  if (status !== '303') return outcome;
  return page ?? 'done';
}

export const isRefusal = (outcome: Outcome): boolean =>
  outcome === 403 || outcome === 404 || typeof outcome === 'string';

/** All that a data request may say to whom the page is refused. */
export const SAID_TO_REFUSED = ['', '{"application":"closed"}'];

/** An address as a script of the page asks for its data, or sends its form: by the route's id. */
export function asData(address: string, row: Parameters<typeof routeId>[0]): string {
  const query = `_data=${encodeURIComponent(routeId(row))}`;
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
}

/** What no address takes; of them one alone takes one: `DELETE /factors/{id}`, with a token. */
export const OTHER_METHODS = ['PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

export function allRows(site: Site): Record<string, Record<string, unknown>[]> {
  const tables = site.query(`select name from sqlite_master where type = 'table'`);
  const names = tables
    .map(({ name }) => String(name))
    .filter((name) => !/^(sqlite|kysely)/.test(name));
  return Object.fromEntries(
    names.map((name) => [name, site.query(`select * from ${name} order by 1, 2`)]),
  );
}
