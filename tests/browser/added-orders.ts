/**
 * Adds paid orders and their refunds to the database of the environment, and prints them. A program of
 * its own: what reads keys and database keeps them, and the tests of a worker share what they import.
 */
import { closeDatabase } from '~/database.server';
import { type AddedOrder, addOrder, addRefund } from '../http/orders';

/** An order as a test wants it, with its refunds. */
export interface AskedOrder {
  order: Parameters<typeof addOrder>[0];
  refunds?: NonNullable<Parameters<typeof addRefund>[1]>[];
}

/** As it was added, with the numbers of its credit notes. */
export type PrintedOrder = AddedOrder & { creditNotes: string[] };

const [asked] = process.argv.slice(2);
if (asked !== undefined && import.meta.filename === process.argv[1]) {
  const added: PrintedOrder[] = [];
  for (const { order, refunds = [] } of JSON.parse(asked) as AskedOrder[]) {
    const own = await addOrder(order);
    const creditNotes: string[] = [];
    for (const refund of refunds) {
      const { credit_note_number: number } = await addRefund(own.order, refund);
      creditNotes.push(number ?? '');
    }
    added.push({ ...own, creditNotes });
  }
  await closeDatabase();
  console.log(JSON.stringify(added));
}
