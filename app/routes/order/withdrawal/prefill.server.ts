import { sessionOf } from '~/accounts/session.server';
import { type OpenApplication, openedInBrowser } from '~/applications/access.server';
import { queryDatabase } from '~/database.server';
import { readReference } from '~/domain/application/reference';
import { errorFields, log } from '~/log.server';
import { buyerOfOrder } from '~/orders/sealed-buyer.server';
import { listApplicationsOfUser } from '~db/queries/applications.server';
import { listOrdersOf, type OrderRow } from '~db/queries/orders.server';

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
export async function ownApplications(request: Request): Promise<Own[]> {
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
