import { now as clockNow } from '~/clock.server';
import { requireDatabase } from '~/database.server';
import { deskLoader } from '~/desk/desk-page.server';
import { monthAsked, numbersLines, numbersView } from '~/desk/numbers.server';
import { csvFile } from '~/http/csv.server';

/** What the page of the month shows, as a file. */
export const loader = deskLoader('numbers', async ({ language, asked }) => {
  const now = clockNow();
  const month = monthAsked(asked, now);
  const view = await requireDatabase((db) => numbersView(db, month, { language, now }));
  return csvFile(`numbers-${month}`, numbersLines(month, view, language), language);
});
