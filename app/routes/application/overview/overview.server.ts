import { redirect } from '@remix-run/node';
import { type Picture, PICTURES } from '~/domain/application/requests';
import { stopLook, wishLook } from '~/applications/departure-look.server';
import { actorOf, type OpenApplication } from '~/applications/access.server';
import { applicationEmail } from '~/applications/address.server';
import { deleteApplication, isDeletable } from '~/applications/deletion.server';
import { draftsOf, forgetDrafts, saveDraft } from '~/applications/draft-cookie.server';
import { moveApplication } from '~/applications/moves.server';
import { photoChanges } from '~/applications/documents.server';
import { answerBy } from '~/applications/requests.server';
import { findOpenRequest } from '~db/queries/application-requests.server';
import type { ApplicationRow } from '~db/queries/applications.server';
import { listMoves } from '~db/queries/audit-events.server';
import { findFulfilledOrder, listOrdersOf, type OrderRow } from '~db/queries/orders.server';
import { listMailsOfApplication } from '~db/queries/outbox.server';
import { listRefundsOf, type RefundRow } from '~db/queries/refunds.server';
import type { Database } from '~db/schema';
import { dayOf, now, today } from '~/clock.server';
import { savedAnswers } from '~/applications/answers.server';
import type { AllAnswers } from '~/domain/application/answers';
import { lookDay } from '~/domain/timeline';
import { unsealColumn } from '~/sealing/seal.server';
import { applicationTicket, type ApplicationTicketView } from '~/applications/ticket.server';
import { factText, factViews, isPortraitRequired } from '~/facts.server';
import { orderViews } from '~/orders/order.server';
import {
  queryDatabase,
  requireDatabase,
  requireWrite,
  writeWithSecureDelete,
} from '~/database.server';
import { feeWords, OFFICIAL_SITE, officialNumberOf } from '~/desk/official-fee.server';
import { meantEmail } from '~/domain/application/email-typo';
import { type ApplicationState, eventsFrom, stationsOf, UNPAID } from '~/domain/application/states';
import { lastGuaranteeDay, refundDueDay } from '~/domain/order/deadlines';
import { isUndecided, leftToRefund } from '~/domain/order/refund-rules';
import { leadTo } from '~/http/toast.server';
import type { Language } from '~/i18n/languages';
import {
  dayInWords,
  formatDay,
  formatInstant,
  formatMoment,
  formatMoney,
  formatShortInstant,
  formatTimeZone,
  translator,
} from '~/i18n/locale.server';
import { offeredReminders, stopReminders, wishReminders } from '~/leads/leads.server';
import { MAILS, type MailKind } from '~/mail/messages';
import { askForRefund } from '~/orders/refunds.server';
import { requireClosedCheckout } from '~/orders/checkout.server';
import { standingOf } from '~/orders/withdrawals.server';
import { siteSettings } from '~/settings/settings.server';
import { beginForNextTraveller } from '~/applications/drafts.server';

/** Opened without the date of birth, state and dates only. */
export async function overviewOf(request: Request, open: OpenApplication, language: Language) {
  const { row, level } = open;
  const { moves, changes } = await queryDatabase(async (db) => ({
    moves: await listMoves(db, row.id),
    changes: await photoChanges(db, row.id),
  }));
  const past = moves.map(({ at, details }) => ({
    at,
    to: (JSON.parse(details) as { to: ApplicationState }).to,
  }));
  const stations = stationsOf(row.state, past).map(({ at, ...station }) => ({
    ...station,
    ...(at !== undefined && { at: formatShortInstant(new Date(at), language) }),
  }));
  const isOwn = level === 'answers';
  const isUnpaid = UNPAID.includes(row.state);
  const reminders = isOwn ? offeredReminders(row) : undefined;
  const entry = isOwn ? undefined : (await draftsOf(request)).find(({ id }) => id === row.id);
  const ticket = await applicationTicket(open, language);
  return {
    ticket,
    stations,
    can: {
      delete: isOwn && isDeletable(row),
      // Of what was not paid for nothing has to be cancelled: it is deleted.
      cancel: isOwn && !isUnpaid && eventsFrom(row.state, 'owner').includes('cancel'),
      pictures: isOwn ? await changeablePictures(ticket, row.state) : [],
    },
    orders: await orderViews(row.id, language),
    zone: formatTimeZone(now(), language),
    ...(await requestView(ticket, language)),
    mails: await sentMails(row, language),
    isPhotoGone: isOwn && isUnpaid && changes.isGone,
    ...(isOwn && row.state === 'draft' && writesTo(applicationEmail(row))),
    ...(reminders && { reminders }),
    ...(entry?.resume !== undefined && { resume: entry.resume }),
  };
}
export type OverviewView = Awaited<ReturnType<typeof overviewOf>>;

function writesTo(email: string | undefined): { writesTo?: { email: string; meant?: string } } {
  if (email === undefined) return {};
  const meant = meantEmail(email);
  return { writesTo: { email, ...(meant !== undefined && { meant }) } };
}

const VISA_SITE = 'https://travel.state.gov/content/travel/en/us-visas/tourism-visit/visitor.html';

export interface ProgressView {
  title: string;
  lead?: string;
  number?: { label: string; value?: string; hidden?: string };
  items: string[];
  after: string[];
  links: { href: string; words: string; isOfficial: boolean }[];
}

const PARTS = { filed: 'filed', not_authorized: 'notAuthorized' } as const;

/** What becomes of what was entered at the official site, and what its owner still does there. */
export async function progressOf(
  open: OpenApplication,
  language: Language,
): Promise<ProgressView | undefined> {
  const { row } = open;
  if (row.state === 'fee_due') return feeDue(open, language);
  const t = translator(language);
  // Whose address stands at the official site; the number is needed to change it there.
  const whose = siteSettings().filingEmail === null ? 'yours' : 'ours';
  const official = {
    ...(row.official_number_sealed !== null && { number: numberView(open, language) }),
    after: [t(`application-progress:address.${whose}`, { site: OFFICIAL_SITE })],
    links: [officialLink(language)],
  };
  if (row.state === 'approved') {
    return { title: t('application-progress:approved.official'), items: [], ...official };
  }
  if (row.state !== 'filed' && row.state !== 'not_authorized') return undefined;
  const part = PARTS[row.state];
  const items = t(`application-progress:${part}.items`, {
    returnObjects: true,
    processing: factText((await factViews(language)).official_processing_up_to, language),
  }) as unknown as Record<string, string>;
  const own = { title: t(`application-progress:${part}.title`), items: Object.values(items) };
  if (part === 'notAuthorized') return { ...own, ...(await refusedView(row, language)) };
  return { ...own, ...official };
}

/** Of an approved application; what it says of its traveller only where the answers are open. */
export async function approvedOf({ row, level }: OpenApplication, language: Language) {
  if (row.state !== 'approved') return undefined;
  const isOpen = level === 'answers';
  const { all } =
    isOpen && row.purged_at === null
      ? await queryDatabase((db) => savedAnswers(db, row.id))
      : { all: {} as AllAnswers };
  const { first_name: first = '', last_name: last = '' } = all[1] ?? {};
  const trip = all[6] ?? {};
  const ofStay = {
    yes: ['us_contact_name', 'us_contact_city'],
    no: ['us_address_line1', 'us_address_city'],
  }[trip['us_address_same'] ?? ''];
  const place = (ofStay ?? [])
    .map((name) => trip[name])
    .filter((part) => part && part !== 'UNKNOWN');
  const lastOf = (text: string | undefined) =>
    isOpen && text !== undefined && { last: `•••• ${text.slice(-4)}` };
  const arrival = row.look_on ?? row.travel_date;
  const travelsOn = arrival !== null && arrival > today() ? arrival : null;
  return {
    firstName: first.split(' ')[0] ?? '',
    name: `${first} ${last}`.trim(),
    passport: lastOf(unsealColumn('applications', row, 'passport_sealed')),
    number: lastOf(officialNumberOf(row)),
    maxStay: factText((await factViews(language)).max_stay, language),
    place: place.join(', '),
    ...(row.decided_at !== null && { decidedOn: dayInWords(row.decided_at, language) }),
    ...(travelsOn !== null && {
      look: {
        day: formatDay(lookDay(travelsOn), language),
        file: `/timeline/reminder.ics?date=${travelsOn}&only=look`,
        arrival: formatDay(travelsOn, language),
        // Whoever has the answers ticks it, whoever sees the state takes it back.
        ...((row.look_on !== null || (isOpen && row.purged_at === null)) && {
          wish: row.look_on === null ? ('offered' as const) : ('on' as const),
        }),
      },
    }),
  };
}
export type ApprovedView = NonNullable<Awaited<ReturnType<typeof approvedOf>>>;

const officialLink = (language: Language) => ({
  href: OFFICIAL_SITE,
  words: translator(language)('application-progress:feeDue.link'),
  isOfficial: true,
});

function numberView({ row, level }: OpenApplication, language: Language) {
  const t = translator(language);
  const label = t('application-progress:feeDue.number');
  const value = level === 'answers' ? officialNumberOf(row) : undefined;
  if (value !== undefined) return { label, value };
  return { label, hidden: t('application-progress:feeDue.numberHidden') };
}

async function feeDue(open: OpenApplication, language: Language): Promise<ProgressView> {
  const { pay_by } = open.row;
  const t = translator(language);
  const fee = factText((await factViews(language)).esta_fee_total, language);
  const due = pay_by && formatInstant(new Date(pay_by), language);
  return {
    title: t('application-progress:feeDue.title'),
    ...(due && { lead: t('application-progress:feeDue.by', { due }) }),
    number: numberView(open, language),
    items: feeWords('how', fee, language).items,
    after: [...feeWords('cannot', fee, language).items, t('application-progress:feeDue.after')],
    links: [officialLink(language)],
  };
}

async function refusedView({ id }: ApplicationRow, language: Language) {
  const t = translator(language);
  const fee = factText((await factViews(language)).esta_fee_if_refused, language);
  const guarantee = await queryDatabase((db) => guaranteeOf(db, id, now()));
  const date = typeof guarantee === 'object' ? formatDay(guarantee.until, language) : undefined;
  const refund = {
    href: `/application/${id}/refund`,
    words: t('application-progress:notAuthorized.refundLink'),
    isOfficial: false,
  };
  const visa = { words: t('application-progress:notAuthorized.link'), isOfficial: true };
  return {
    after: [
      ...(date ? [t('application-progress:notAuthorized.refund', { date })] : []),
      ...(guarantee === 'over' ? [t('application-progress:notAuthorized.noRefund')] : []),
      t('application-progress:notAuthorized.fee', { fee }),
    ],
    links: [{ href: VISA_SITE, ...visa }, ...(date ? [refund] : [])],
  };
}

export const QUESTIONS = ['delete', 'cancel'] as const;

export async function beginAnother(request: Request, open: OpenApplication, language: Language) {
  const { owner, row } = open;
  const { id, entry } = await requireWrite((db) =>
    beginForNextTraveller(db, { id: row.id, owner, language }, now()),
  );
  const cookies = entry ? [await saveDraft(request, entry)] : [];
  return leadTo(`/application/${id}/step-1`, cookies, 'applicationCopied');
}

export async function deleteOwn(request: Request, open: OpenApplication) {
  const { id } = open.row;
  // What was paid meanwhile is taken: then it may not be deleted any more.
  await requireDatabase(() => requireClosedCheckout(id, now()));
  const isDeleted = await requireDatabase(
    (db) => deleteApplication(db, id, actorOf(open.owner), now()),
    writeWithSecureDelete,
  );
  if (!isDeleted) return redirect(`/application/${id}/overview`, 303);
  const cookies = open.owner.kind === 'browser' ? [await forgetDrafts(request, [id])] : [];
  return leadTo('/application-status', cookies, 'applicationDeleted');
}

export async function cancelOwn(open: OpenApplication) {
  const { row } = open;
  const at = now();
  const goal = `/application/${row.id}/overview`;
  await requireDatabase(() => requireClosedCheckout(row.id, at));
  const isCancelled = await requireWrite(async (db) => {
    const by = { as: 'owner', actor: actorOf(open.owner), facts: {} } as const;
    const { moved } = await moveApplication(db, row, 'cancel', by, at);
    const order = moved && (await findFulfilledOrder(db, row.id));
    if (order) await askForRefund(db, order, { kind: 'cancellation' }, at);
    return moved !== undefined;
  });
  return isCancelled ? leadTo(goal, [], 'applicationCancelled') : redirect(goal, 303);
}

export async function moneyOf(
  db: Database,
  applicationId: string,
  { language, now }: { language: Language; now: Date },
) {
  const order = await findFulfilledOrder(db, applicationId);
  if (!order) return undefined;
  const { paidToDays } = siteSettings().guarantee;
  return {
    is: fateOf(order, await listRefundsOf(db, order.id), now),
    price: formatMoney(order.amount_cents, order.currency, language),
    paidOn: dayInWords(order.paid_at ?? order.created_at, language),
    due: formatDay(refundDueDay('cancellation', dayOf(now), paidToDays), language),
  };
}
export type MoneyView = NonNullable<Awaited<ReturnType<typeof moneyOf>>>;

/** `part`: less what was done of work that was to begin at once; `look`: the desk decides. */
function fateOf(order: OrderRow, refunds: readonly RefundRow[], now: Date) {
  const isUnderWay = refunds.some(({ state }) => isUndecided(state) || state === 'approved');
  if (isUnderWay || leftToRefund(order.amount_cents, refunds) === 0) return 'known';
  if (order.state === 'disputed') return 'disputed';
  if (standingOf(order, now) === 'over' || refunds.length > 0) return 'look';
  const isBegun = order.starts_at === null || order.starts_at <= now.toISOString();
  return order.guarantee_days > 0 || !isBegun ? 'whole' : 'part';
}

/** Under our guarantee, yyyy-MM-dd. */
async function guaranteeOf(db: Database, applicationId: string, now: Date) {
  const paid = (await listOrdersOf(db, applicationId)).filter(({ paid_at }) => paid_at !== null);
  const order = paid.find(({ fulfilled_at }) => fulfilled_at !== null) ?? paid[0];
  if (!order) return 'over';
  if ((await listRefundsOf(db, order.id)).length > 0) return 'asked';
  const day = dayOf(new Date(order.paid_at ?? order.created_at));
  const until = lastGuaranteeDay(day, order.guarantee_days);
  return until !== undefined && dayOf(now) <= until ? { until } : 'over';
}

/** Before it is paid both pictures can be changed; after that, one that is missing is added. */
async function changeablePictures({ asks }: ApplicationTicketView, state: ApplicationState) {
  if (asks && asks !== 'answer') return [asks];
  if (!UNPAID.includes(state)) return [];
  const isAsked = await queryDatabase(isPortraitRequired);
  return PICTURES.filter((kind) => kind !== 'portrait' || isAsked);
}

async function requestView(
  { id, asks }: ApplicationTicketView,
  language: Language,
): Promise<{ request?: { asks: 'answer' | Picture; by?: string } }> {
  if (!asks) return {};
  if (asks !== 'answer') return { request: { asks } };
  const request = await queryDatabase((db) => findOpenRequest(db, id));
  if (!request) return {};
  return { request: { asks, by: formatMoment(answerBy(request), language) } };
}

const MOST = 20;

const MAIL_STATES = { queued: 'waiting', sent: 'sent', kept: 'sent', failed: 'failed' } as const;

/** What each was about and when, never what it said. */
async function sentMails({ id, reference }: ApplicationRow, language: Language) {
  const [rows, orders] = await queryDatabase(async (db) => [
    await listMailsOfApplication(db, id, MOST),
    await listOrdersOf(db, id),
  ]);
  /** The number in the subject of an order's mail is the order's. */
  const orderAt = (at: string) =>
    orders.find((order) => order.paid_at !== null && order.paid_at <= at)?.reference ?? reference;
  const { siteName: site } = siteSettings();
  const t = translator(language);
  return rows.flatMap(({ id: mail, kind, state, created_at, sent_at }) => {
    if (!Object.hasOwn(MAILS, kind)) return [];
    const named = kind === 'orderConfirmation' ? orderAt(created_at) : reference;
    return {
      id: mail,
      subject: t(`mail:mails.${kind as MailKind}.subject`, { reference: named, site }),
      at: formatShortInstant(new Date(sent_at ?? created_at), language),
      state: MAIL_STATES[state],
    };
  });
}

export async function saveLook({ row, owner }: OpenApplication, isWished: boolean) {
  const change = isWished ? wishLook : stopLook;
  await requireDatabase((db) => change(db, row.id, actorOf(owner), now()), writeWithSecureDelete);
  return redirect(`/application/${row.id}/overview`, 303);
}

export async function saveReminders({ row, owner }: OpenApplication, sent: FormData) {
  const actor = actorOf(owner);
  const wants = sent.get('remind_me') === 'yes';
  const goal = `/application/${row.id}/overview`;
  const offered = offeredReminders(row);
  // Nothing to change, or nothing to be reminded of any more.
  if (!offered || offered.isOn === wants) return redirect(goal, 303);
  await requireWrite(async (db) => {
    if (wants) await wishReminders(db, row.id, actor, now());
    else await stopReminders(db, row.id, actor, now());
  });
  return leadTo(goal, [], wants ? 'reminderOn' : 'reminderOff');
}
