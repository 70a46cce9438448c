import { sessionOf } from '~/accounts/session.server';
import { openedInBrowser } from '~/applications/access.server';
import { queryDatabase } from '~/database.server';
import { readReference } from '~/domain/application/reference';
import { errorFields, log } from '~/log.server';
import { buyerOfOrder } from '~/orders/sealed-buyer.server';
import { type ApplicationRow, listApplicationsOfUser } from '~db/queries/applications.server';
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
  const applications = await ownApplications(request);
  const meant = applications.filter(({ reference }) => !asked || reference === asked);
  const orders = await queryDatabase(async (db) => {
    const found = [];
    for (const { id } of meant) {
      const [latest] = (await listOrdersOf(db, id)).filter(({ paid_at }) => paid_at !== null);
      if (latest) found.push(latest);
    }
    return found;
  });
  return orders.length === 1 ? orders[0] : undefined;
}

/** Of a link that opened the state alone, nothing is shown that the answers have. */
async function ownApplications(request: Request): Promise<ApplicationRow[]> {
  const session = await sessionOf(request);
  const isOpen = session && !session.needsFactor && session.user.kind === 'traveller';
  const own = isOpen
    ? await queryDatabase((db) => listApplicationsOfUser(db, session.user.id))
    : [];
  const here = (await openedInBrowser(request)).filter(({ level }) => level === 'answers');
  return [...own, ...here.map(({ row }) => row)];
}
