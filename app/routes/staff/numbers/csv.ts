import { now as clockNow } from '~/clock.server';
import { requireDatabase } from '~/database.server';
import { deskLoader } from '~/desk/desk-page.server';
import { monthsAsked, numbersLines, numbersView } from '~/desk/numbers.server';
import { csvFile } from '~/http/csv.server';

/** What the page of the month shows, or one of its tables, as a file. */
export const loader = deskLoader('numbers', async ({ language, asked }) => {
  const now = clockNow();
  const months = monthsAsked(asked, now);
  const only = asked.get('table');
  const view = await requireDatabase((db) => numbersView(db, months, { language, now }));
  const lines = numbersLines(months.month, view, { language, only });
  return csvFile(`numbers-${months.month}`, lines, language);
});
