import type { Buyer } from '~/domain/order/buyer';
import { seal, unseal } from '~/sealing/seal.server';
import type { OrderRow } from '~db/queries/orders.server';

const placeOf = (orderId: string) => ({ table: 'orders', row: orderId, field: 'buyer_sealed' });

export function sealBuyer(orderId: string, buyer: Buyer): string {
  return seal(JSON.stringify(buyer), placeOf(orderId));
}

/** The buyer of an order, as frozen into it. @throws {SealError} if it does not open */
export function buyerOfOrder({ id, buyer_sealed }: Pick<OrderRow, 'id' | 'buyer_sealed'>): Buyer {
  return JSON.parse(unseal(buyer_sealed, placeOf(id))) as Buyer;
}
