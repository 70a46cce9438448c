import { audit } from '~/accounts/audit.server';
import { now } from '~/clock.server';
import { CSV_FORMS, csvHeaders } from '~/http/csv.server';
import { EXPORT_TABLES, exportFile } from '~/orders/books.server';
import { requireDatabase, requireWrite } from '~/database.server';
import { deskLoader } from '~/desk/desk-page.server';
import { isMonth, monthPeriod } from '~/domain/order/month';
import { siteSettings } from '~/settings/settings.server';

/** A table of a month as a file of comma-separated values; each is recorded before it is sent. */
export const loader = deskLoader('export', async ({ user, asked }) => {
  const month = asked.get('month');
  const table = EXPORT_TABLES.find((one) => one === asked.get('table'));
  const form = CSV_FORMS.find((one) => one === asked.get('form'));
  if (!isMonth(month) || !table || !form) throw new Response(null, { status: 404 });
  const parts = exportFile(table, monthPeriod(month, siteSettings().timeZone), form);
  // The first part shows whether there is a database to read, while the answer can still say so.
  const head = await requireDatabase(async () => [await parts.next(), await parts.next()]);
  await requireWrite((db) =>
    audit(db, user, 'orders.exported', ['order'], now(), { month, table, form }),
  );
  return new Response(streamOf(head, parts), { headers: csvHeaders(`${table}-${month}`) });
});

/** Parts as they are asked for: no more than one of them is in memory. */
function streamOf(head: IteratorResult<string, void>[], rest: AsyncGenerator<string, void>) {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const part = head.shift() ?? (await rest.next());
      if (part.done) controller.close();
      else controller.enqueue(encoder.encode(part.value));
    },
    cancel: async () => void (await rest.return()),
  });
}
