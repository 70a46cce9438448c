import { answerBy } from '~/applications/requests.server';
import type { ApplicationTicketView } from '~/content/application-ticket-view';
import { queryDatabase } from '~/database.server';
import { formatMoment, formatShortInstant } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { MAIL_LINKS, type MailKind } from '~/mail/messages';
import { siteSettings } from '~/settings/settings.server';
import { findOpenRequest } from '~db/queries/application-requests.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { listOrdersOf } from '~db/queries/orders.server';
import { listMailsOfApplication } from '~db/queries/outbox.server';

/** What the traveller is asked for; what that is, and why, is on the page where it is answered. */
export interface RequestView {
  asks: 'answer' | 'photo';
  /** By when it is to be answered; the photo is waited for without an end of its own. */
  by?: string;
}

/** What an application asks of its traveller; nothing where it asks nothing. */
export async function requestView(
  { asks }: ApplicationTicketView,
  applicationId: string,
  language: Language,
): Promise<{ request?: RequestView }> {
  if (!asks) return {};
  if (asks === 'photo') return { request: { asks } };
  const request = await queryDatabase((db) => findOpenRequest(db, applicationId));
  if (!request) return {};
  const by = formatMoment(answerBy(request), language, siteSettings().timeZone);
  return { request: { asks, by } };
}

/** A mail about an application: what it was about and when, never what it said. */
export interface SentMail {
  id: string;
  subject: string;
  at: string;
  state: 'sent' | 'waiting' | 'failed';
}

/** How many are shown: more are no help. */
const MOST = 20;

/** The mails about an application that are remembered, the latest first. */
export async function sentMails(
  { id, reference }: ApplicationRow,
  language: Language,
): Promise<SentMail[]> {
  const [rows, orders] = await queryDatabase(async (db) => [
    await listMailsOfApplication(db, id, MOST),
    await listOrdersOf(db, id),
  ]);
  /** The number in the subject of an order's mail is the order's. */
  const orderAt = (at: string) =>
    orders.find((order) => order.paid_at !== null && order.paid_at <= at)?.reference ?? reference;
  const { siteName: site, timeZone } = siteSettings();
  const t = translator(language);
  return rows.flatMap(({ id: mail, kind, state, created_at, sent_at }) => {
    if (!Object.hasOwn(MAIL_LINKS, kind)) return [];
    return {
      id: mail,
      subject: t(`mail:mails.${kind as MailKind}.subject`, {
        reference: kind === 'orderConfirmation' ? orderAt(created_at) : reference,
        site,
      }),
      at: formatShortInstant(new Date(sent_at ?? created_at), language, timeZone),
      state: state === 'queued' ? 'waiting' : state === 'failed' ? 'failed' : 'sent',
    };
  });
}
