import { expect } from 'vitest';

import type { Site } from '../production-server';

export interface ShownMail {
  subject: string;
  text: string;
  links: string[];
}

export async function mailsTo(site: Site, to: string, least = 1): Promise<ShownMail[]> {
  let mails: ShownMail[] = [];
  await expect
    .poll(async () => {
      const address = new URL(`/outbox?${new URLSearchParams({ to })}`, site.origin);
      const response = await fetch(address, { headers: { Accept: 'application/json' } });
      mails = ((await response.json()) as (ShownMail & { state: string })[]).filter(
        ({ state }) => state === 'kept',
      );
      return mails.length;
    })
    .toBeGreaterThanOrEqual(least);
  return mails;
}

/** The path and query of the link in a mail that leads to a page, or of its first. */
export function linkIn(mail: ShownMail | undefined, path?: string): string {
  for (const link of mail?.links ?? []) {
    const { pathname, search } = new URL(link);
    if (path === undefined || pathname === path) return pathname + search;
  }
  throw new Error(`${mail?.subject} has no link to ${path ?? 'any page'}`);
}

export const tokenOf = (link: string): string =>
  new URL(link, 'http://localhost').searchParams.get('token') ?? '';
