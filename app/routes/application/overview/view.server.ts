import type { OpenApplication } from '~/applications/access.server';
import { addressOf } from '~/applications/address.server';
import { isDeletable } from '~/applications/deletion.server';
import { draftsOf } from '~/applications/draft-cookie.server';
import { photoChanges } from '~/applications/photo-retention.server';
import { now } from '~/clock.server';
import { applicationTicket } from '~/content/application-ticket.server';
import type { ApplicationTicketView } from '~/content/application-ticket-view';
import { type OrderView, orderViews } from '~/content/order.server';
import { queryDatabase } from '~/database.server';
import { meantEmail } from '~/domain/application/email-typo';
import { type ApplicationState, eventsFrom } from '~/domain/application/states';
import { type PastMove, type Station, stationsOf } from '~/domain/application/stations';
import { formatShortInstant, formatTimeZone } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { offeredReminders } from '~/leads/offered-reminders.server';
import { siteSettings } from '~/settings/settings.server';
import { listMoves } from '~db/queries/audit-events.server';
import { requestView, type RequestView, sentMails, type SentMail } from './requests.server';

/** What the page of one application shows, formatted. */
export interface OverviewView {
  ticket: ApplicationTicketView;
  stations: Station[];
  /** What its owner may do with it besides. */
  can: { delete: boolean; cancel: boolean; photo: boolean };
  /** What was paid for it, the latest first. */
  orders: OrderView[];
  /** The time zone of all times. */
  zone: string;
  /** What its traveller is asked for, and until when. */
  request?: RequestView;
  /** The mails about it, the latest first. */
  mails: SentMail[];
  /** We have deleted the photo of an application that is not paid, and it was not added again. */
  isPhotoGone: boolean;
  /** Whether its owner is reminded of it; missing where nothing can be reminded of. */
  reminders?: { isOn: boolean };
  /** Where we write to about a draft, and the address that was probably meant. */
  writesTo?: { email: string; meant?: string };
  /** Opened by a link without the date of birth: the token with which that opens the answers. */
  resume?: string;
}

/**
 * All that its owner sees of an application; of one that a link has opened without the date of birth,
 * state and dates only.
 *
 * @throws {SealError} if what it shows does not open
 * @throws if the database cannot be read
 */
export async function overviewOf(
  request: Request,
  open: OpenApplication,
  language: Language,
): Promise<OverviewView> {
  const { row, level } = open;
  const moves = await queryDatabase((db) => listMoves(db, row.id));
  const { timeZone } = siteSettings();
  const stations = stationsOf(row.state, moves.map(pastMove)).map(({ at, ...station }) => ({
    ...station,
    ...(at !== undefined && { at: formatShortInstant(new Date(at), language, timeZone) }),
  }));
  const isOwn = level === 'answers';
  const reminders = isOwn ? offeredReminders(row) : undefined;
  const entry = isOwn ? undefined : (await draftsOf(request)).find(({ id }) => id === row.id);
  const ticket = await applicationTicket(open, language);
  return {
    ticket,
    stations,
    can: {
      delete: isOwn && isDeletable(row),
      cancel: isOwn && isCancellable(row.state),
      photo: isOwn && (isUnpaid(row.state) || ticket.asks === 'photo'),
    },
    orders: await orderViews(row.id, language),
    zone: formatTimeZone(now(), language, timeZone),
    ...(await requestView(ticket, row.id, language)),
    mails: await sentMails(row, language),
    isPhotoGone: isOwn && isUnpaid(row.state) && (await isPhotoGone(row.id)),
    ...(isOwn && row.state === 'draft' && writesTo(addressOf(row))),
    ...(reminders && { reminders }),
    ...(entry?.resume !== undefined && { resume: entry.resume }),
  };
}

function writesTo(email: string | undefined): Pick<OverviewView, 'writesTo'> {
  if (email === undefined) return {};
  const meant = meantEmail(email);
  return { writesTo: { email, ...(meant !== undefined && { meant }) } };
}

/** Whether we have deleted the photo, and it was not added again. */
const isPhotoGone = (id: string) =>
  queryDatabase(async (db) => (await photoChanges(db, id)).isGone);

const isUnpaid = (state: ApplicationState) => state === 'draft' || state === 'awaiting_payment';

/** Of what was not paid for nothing has to be cancelled: it is deleted. */
function isCancellable(state: ApplicationState): boolean {
  return !isUnpaid(state) && eventsFrom(state, 'owner').includes('cancel');
}

function pastMove({ at, details }: { at: string; details: string }): PastMove {
  const { to } = JSON.parse(details) as { to: ApplicationState };
  return { at, to };
}
