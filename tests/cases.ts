import { PICTURES } from '~/domain/application/requests';
import { envelope } from '~/applications/documents.server';
import { writeDatabase } from '~/database.server';
import { STEPS } from '~/domain/application/steps';
import { type ApplicationRow, findApplication } from '~db/queries/applications.server';
import type { OrderRow } from '~db/queries/orders.server';
import { rowsIn } from '~db/queries/rows.server';
import { type Changes, FULL } from './domain/application/full';
import { MARIE } from './domain/application/specimen';
import { addPaidOrder } from './paid-orders';

/** What the passport of `FULL` prints. */
export const PASSPORT_LINES = { line1: MARIE.first, line2: MARIE.second };

/** Answers of which the form warns of nothing but other nationalities. */
const QUIET: Changes = {
  2: { passport_line_1: '' },
  7: { q_restricted_travel_combined: 'no' },
};

const PHOTO = { mediaType: 'image/jpeg', bytes: Buffer.from('a photo') } as const;

interface CaseOptions {
  order?: Partial<Parameters<typeof addPaidOrder>[1]>;
  /** Other answers than those of `FULL`. */
  changes?: Changes;
  hasPhoto?: boolean;
  /** Columns of the application, such as its state and whose it is. */
  set?: Partial<ApplicationRow>;
}

/** A paid application with all its answers and its photo, as the desk finds it, in this process's database. */
export async function addCase({
  order = {},
  changes = {},
  hasPhoto = true,
  set,
}: CaseOptions): Promise<{ order: OrderRow; id: string; reference: string }> {
  const at = order.at ?? new Date();
  return writeDatabase(async (db) => {
    const steps = Object.fromEntries(
      STEPS.slice(0, 7).map(({ number: step }) => {
        const own = step === 1 && order.email !== undefined && { email: order.email };
        return [step, { ...FULL[step], ...own, ...QUIET[step], ...changes[step] }];
      }),
    );
    const made = await addPaidOrder(db, { ...order, at, steps, isComplete: true });
    const id = made.application_id;
    // Not as a traveller's: the site erases what a photo takes the place of, and opens its file anew.
    for (const kind of hasPhoto ? PICTURES : []) {
      await rowsIn(db).insert('application_documents', envelope(id, PHOTO, at, kind));
    }
    if (set) await db.updateTable('applications').set(set).where('id', '=', id).execute();
    return { order: made, id, reference: (await findApplication(db, id))?.reference ?? '' };
  });
}
