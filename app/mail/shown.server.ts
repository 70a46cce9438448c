import type { AppLoadContext } from '@remix-run/node';

import { env } from '~/env.server';
import { requireLoopback } from '~/http/loopback-host.server';
import { isOffline } from '~/mode.server';
import { unsealColumn } from '~/sealing/seal.server';
import type { OutboxRow } from '~db/queries/outbox.server';
import type { Rendered } from './render.server';

/** Where there is no mail server, and never on https or in a drill. */
export function isOutboxShown(): boolean {
  const { mail, secure, drill } = env();
  return !isOffline() && mail === undefined && !secure && !drill;
}

export const requireOutbox = (request: Request, context: AppLoadContext) =>
  requireLoopback(isOutboxShown(), request, context);

export function shownMessage(row: OutboxRow) {
  const { id, channel, state, created_at } = row;
  const { subject, text, links } = renderedOf(row) ?? { subject: '', text: '', links: [] };
  const to = unsealColumn('outbox', row, 'to_sealed');
  return { id, channel, to, subject, text, links, state, created_at };
}

export function renderedOf(row: OutboxRow): Rendered | undefined {
  const rendered = unsealColumn('outbox', row, 'rendered_sealed');
  return rendered === undefined ? undefined : (JSON.parse(rendered) as Rendered);
}

/** A text in pieces; those with `path` are links, within this site without their origin. */
export function linkPieces(
  text: string,
  links: readonly string[],
  origin: string,
): { text: string; path?: string }[] {
  const [link, ...others] = links;
  if (link === undefined) return text === '' ? [] : [{ text }];
  const path = link.startsWith(`${origin}/`) ? link.slice(origin.length) : link;
  return text
    .split(link)
    .flatMap((part, index) => [
      ...(index > 0 ? [{ text: link, path }] : []),
      ...linkPieces(part, others, origin),
    ]);
}
