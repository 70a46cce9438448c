import { addMinutes } from 'date-fns';
import { z } from 'zod/v4';
import {
  answerEnd,
  applyWithdrawal,
  type Declaration,
  receiptOf,
  receiveWithdrawal,
  tookEffectAtOnce,
} from '~/orders/withdrawals.server';
import { buyerOfOrder } from '~/orders/order.server';
import { listApplicationsOfUser } from '~db/queries/applications.server';
import { listOrdersOf, type OrderRow } from '~db/queries/orders.server';
import { findWithdrawal } from '~db/queries/withdrawals.server';
import { sessionOf } from '../accounts/session.server';
import { type OpenApplication, openedInBrowser } from '../applications/access.server';
import { later, now } from '../clock.server';
import { queryDatabase, requireDatabase, writeDatabase } from '../database.server';
import { readReference } from '../domain/application/reference';
import { RECEIPT_MINUTES } from '../domain/order/withdrawal';
import { signedCookie } from '../http/cookies.server';
import { formatLongInstant } from '../i18n/format.server';
import type { Language } from '../i18n/languages';
import { errorFields, log } from '../log.server';
import { wakeOutbox } from '../mail/outbox.server';
import { siteSettings } from '../settings/settings.server';

/** So long after the answer what follows is done: its time does not tell whether there is an order. */
const AFTER_ANSWER_MS = 100;

/** The receipts of this browser's own withdrawals, the latest first: nobody else opens their pages. */
const receiptCookie = signedCookie('receipt', z.array(z.uuid()).max(5), {
  maxAge: RECEIPT_MINUTES * 60,
  readOn: ['/withdrawal'],
  isLive: true,
});

/**
 * Records a withdrawal; what follows from it is done after the answer, or by the hourly job.
 *
 * @returns the id of its receipt, and the `Set-Cookie` header that lets this browser open it
 * @throws {Response} 503 without a database
 */
export async function withdraw(
  request: Request,
  declared: Declaration,
  from: { client: string; language: Language },
): Promise<{ id: string; cookie: string }> {
  const applications = await requireDatabase(() => ownApplications(request));
  const own = applications.map(({ row }) => row.id);
  const id = await requireDatabase(
    (db) => receiveWithdrawal(db, declared, { ...from, own }, now()),
    writeDatabase,
  );
  later(AFTER_ANSWER_MS, () => void follow(id));
  const before = (await receiptCookie.read(request)) ?? [];
  return { id, cookie: await receiptCookie.write([id, ...before].slice(0, 5)) };
}

async function follow(id: string): Promise<void> {
  try {
    await writeDatabase((db) => applyWithdrawal(db, id, now()));
  } catch (error) {
    log('error', 'a withdrawal waits for the hourly job', errorFields(error));
  }
  wakeOutbox();
}

export interface ReceiptView {
  name: string;
  reference: string;
  email: string;
  /** Formatted, where the site is; and for programs. */
  received: string;
  at: string;
  /** When it takes effect, if nobody says that it was not them; none where it has already. */
  effective?: string;
}

/**
 * What was declared, for the browser that has just done so.
 *
 * @returns undefined for another one, and after an hour: the mail is kept
 * @throws {Response} 503 without a database
 */
export async function receiptView(
  request: Request,
  id: string,
  language: Language,
): Promise<ReceiptView | undefined> {
  if (!(await receiptCookie.read(request))?.includes(id)) return undefined;
  const row = await requireDatabase((db) => findWithdrawal(db, id));
  if (!row || addMinutes(new Date(row.received_at), RECEIPT_MINUTES) < now()) return undefined;
  const { receivedAt, name, reference, email } = receiptOf(row);
  const format = (at: Date) => formatLongInstant(at, language, siteSettings().timeZone);
  return {
    name,
    reference,
    email,
    received: format(receivedAt),
    at: row.received_at,
    // The same whether there is such an order or not.
    ...(!tookEffectAtOnce(row) && { effective: format(answerEnd(receivedAt)) }),
  };
}

/**
 * What is known of the withdrawal that somebody comes for: the reference in the address, and for who has
 * the application open also name and address of who bought it. The form can be sent without any of it,
 * so it is shown without, where that cannot be found out.
 */
export async function prefilled(
  request: Request,
): Promise<Partial<Record<'name' | 'reference' | 'email', string>>> {
  const asked = readReference(new URL(request.url).searchParams.get('reference') ?? '');
  const known = await knownOrder(request, asked).catch((error: unknown) => {
    log('error', 'a withdrawal cannot be prefilled', errorFields(error));
    return undefined;
  });
  if (!known) return asked === undefined ? {} : { reference: asked };
  const { name, email } = buyerOfOrder(known);
  return { name, email, reference: known.reference };
}

/** The order that is meant: the one of the reference, or the only one there is. */
async function knownOrder(
  request: Request,
  asked: string | undefined,
): Promise<OrderRow | undefined> {
  // Of a link that opened the state alone, nothing is shown that the answers have.
  const applications = (await ownApplications(request)).filter(({ level }) => level === 'answers');
  const meant = applications.filter(({ row }) => !asked || row.reference === asked);
  const orders = await queryDatabase(async (db) => {
    const found = [];
    for (const { row } of meant) {
      const [latest] = (await listOrdersOf(db, row.id)).filter(({ paid_at }) => paid_at !== null);
      if (latest) found.push(latest);
    }
    return found;
  });
  return orders.length === 1 ? orders[0] : undefined;
}

type Own = Pick<OpenApplication, 'row' | 'level'>;

/**
 * The applications of who is signed in, and those that are open in this browser, be it by a link.
 *
 * @throws if the database cannot be used
 */
async function ownApplications(request: Request): Promise<Own[]> {
  const session = await sessionOf(request);
  const isOpen = session && !session.needsFactor && session.user.kind === 'traveller';
  const own = isOpen
    ? await queryDatabase((db) => listApplicationsOfUser(db, session.user.id))
    : [];
  return [
    ...own.map((row) => ({ row, level: 'answers' as const })),
    ...(await openedInBrowser(request)),
  ];
}
