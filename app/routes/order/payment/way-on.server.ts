import { savedAnswers } from '~/applications/answers.server';
import { firstIncomplete } from '~/applications/step-page.server';
import { queryDatabase } from '~/database.server';
import type { ApplicationRow } from '~db/queries/applications.server';

/**
 * Where somebody belongs who asks for the order page of an application that does not wait for payment.
 *
 * @returns undefined: it does
 * @throws if it cannot be read
 */
export async function wayOn({ id, state }: ApplicationRow): Promise<string | undefined> {
  const address = `/application/${id}`;
  switch (state) {
    case 'awaiting_payment':
      return undefined;
    case 'draft': {
      const saved = await queryDatabase((db) => savedAnswers(db, id));
      return `${address}/step-${firstIncomplete(saved)}`;
    }
    case 'paid':
    case 'in_review':
      return `${address}/success`;
    default:
      return `${address}/overview`;
  }
}
