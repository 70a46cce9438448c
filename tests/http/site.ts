import { afterAll, beforeAll, onTestFinished } from 'vitest';

import { type Site, startSite } from '../production-server';
import type { InProcessOptions } from '../site-in-process';

export let site: Site;
/** Without Vitest. */
export const setSite = (another: Site): Site => (site = another);

type Variables = Record<string, string>;

/** Changes of its rows are seen after a second, which no test of this process may hold. */
const IS_POSTGRES = process.env['TEST_ENGINE'] === 'postgres';

/** @param variables a function where they are known only then @param options `apart`: in a process of its own */
export function withSite(
  variables: Variables | (() => Promise<Variables> | Variables) = {},
  { apart = IS_POSTGRES, ...options }: InProcessOptions & { apart?: boolean } = {},
): void {
  let outer: Site;
  beforeAll(async () => {
    outer = site;
    const start = apart ? startSite : (await import('../site-in-process')).startInProcess;
    site = await start(typeof variables === 'function' ? await variables() : variables, options);
    await fetch(`${site.origin}/readyz`);
  });
  afterAll(async () => {
    await site.stop();
    site = outer;
  });
}

export async function whileChanged(
  change: string,
  undo: string,
  work: () => Promise<void>,
): Promise<void> {
  site.execute(change);
  try {
    await work();
  } finally {
    site.execute(undo);
  }
}

export const whileAway = (table: string, work: () => Promise<void>) =>
  whileChanged(`alter table ${table} rename to away`, `alter table away rename to ${table}`, work);

/** Something that a test has started for itself alone: another site, a payment provider. */
export function endsWithTest<T extends { stop: () => Promise<void> }>(one: T): T {
  onTestFinished(() => one.stop());
  return one;
}

/** The address of a copy of a site's database, which another site may have in the same process. */
export function copyOf({ databaseFile, execute }: Pick<Site, 'databaseFile' | 'execute'>): string {
  const file = `${databaseFile}.copy`;
  execute(`vacuum into '${file}'`);
  return `file:${file}`;
}
