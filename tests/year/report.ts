/** What a bookkeeper and a data protection officer ask of a year: its figures, and what is wrong. */
import { readFileSync, statSync } from 'node:fs';

import { addDays, differenceInDays, eachMonthOfInterval, formatISO } from 'date-fns';
import { sql } from 'kysely';

import { queryDatabase } from '~/database.server';
import { monthPeriod } from '~/domain/order/month';
import { translator } from '~/i18n/locale.server';
import { booksViews } from '~/orders/books.server';
import { tryToOpen } from '~/sealing/seal.server';
import { siteSettings } from '~/settings/settings.server';
import { sealedRows } from '~db/queries/sealed-values.server';
import type { Database, Schema } from '~db/schema';
import { SEALED_TABLES } from '~db/sealed-columns.server';
import { runHere } from '../commands';
import { daysIn, type Traveller } from './travellers';
import type { World } from './world';

/** The law keeps these for ten years; they hold names and addresses of buyers. */
const KEPT_BY_LAW = ['orders', 'refunds', 'withdrawals', 'invoice_corrections'];
/** A draft that is kept to its end, a case that waits to its end, and as long after it as it is kept. */
const MOST_DAYS = 30 + 30 + 30 + 15;

export async function report(world: World, days: number) {
  const faults: string[] = [];
  const lines = [
    `# ${days} days on ${world.engine}`,
    ...[...world.counts].sort().map(([what, count]) => `${what}: ${count}`),
    ...(await money(world, faults)),
    ...(await numbers(faults)),
    ...(await cases(world, faults)),
    ...(await mails(world, faults)),
    ...(await privacy(world, days, faults)),
    ...(await size(world)),
  ];
  // Facts that nobody has looked at for a year are wrong by then.
  const { stdout } = await runHere('check', [], world.variables());
  if (!stdout.includes('Database: fine')) faults.push(`npm run check: ${stdout}`);
  const { user, system } = process.cpuUsage();
  lines.push(`processor seconds of this process so far: ${Math.round((user + system) / 1e6)}`);
  return { text: [...lines, '', `${faults.length} faults`, ...faults].join('\n'), faults };
}

const all = <Table extends keyof Schema>(table: Table) =>
  queryDatabase((db) =>
    db
      .selectFrom(table as 'orders')
      .selectAll()
      .execute(),
  ) as unknown as Promise<Record<string, string | number | null>[]>;

function grouped<T>(rows: Iterable<T>, keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
const inMoney = (cents: number) => (cents / 100).toFixed(2);

/** The provider's own books, payment by payment, against orders, refunds and credit notes. */
export async function money(
  { stripe, begun, now }: Pick<World, 'stripe' | 'begun' | 'now'>,
  faults: string[],
): Promise<string[]> {
  const payments = new Map((await stripe.payments()).map(({ id, data }) => [id, data]));
  const paid = (await all('orders')).filter(({ paid_at }) => paid_at !== null);
  const refunds = await all('refunds');
  const books = new Map<string, { paid: number; back: number; lost: number }>();
  const seen = new Set<string>();
  for (const order of paid) {
    const id = String(order['provider_payment_id']);
    const payment = payments.get(id);
    const own = refunds.filter(({ order_id }) => order_id === order['id']);
    const back = own.filter(
      ({ kind, state }) => kind !== 'dispute' && (state === 'sent' || state === 'settled'),
    );
    const lost = own.filter(({ kind, state }) => kind === 'dispute' && state === 'settled');
    const cents = (rows: typeof own) => sum(rows.map(({ amount_cents }) => Number(amount_cents)));
    const currency = String(order['currency']);
    if (payment?.amount !== order['amount_cents'] || payment?.currency !== currency.toLowerCase())
      faults.push(`order ${order['invoice_number']}: the provider has ${JSON.stringify(payment)}`);
    else if (payment.refunded !== cents(back))
      faults.push(`${order['invoice_number']}: ${cents(back)} back, ${payment.refunded} there`);
    if (seen.has(id)) faults.push(`${id} pays two orders`);
    seen.add(id);
    const sums = books.get(currency) ?? { paid: 0, back: 0, lost: 0 };
    sums.paid += Number(order['amount_cents']);
    sums.back += cents(back);
    sums.lost += cents(lost);
    books.set(currency, sums);
  }
  for (const id of payments.keys()) if (!seen.has(id)) faults.push(`${id} is in no order`);
  const { timeZone } = siteSettings();
  const differs = translator('en')('staff:export.differs');
  for (const month of eachMonthOfInterval({ start: begun, end: now() })) {
    const name = formatISO(month, { representation: 'date' }).slice(0, 7);
    const views = await booksViews(monthPeriod(name, timeZone), 'en');
    const wrong = views.flatMap(({ checks }) =>
      checks.filter(({ figures }) => figures.includes(differs)),
    );
    if (wrong.length > 0) faults.push(`books of ${name}: ${JSON.stringify(wrong)}`);
  }
  return [...books].map(
    ([currency, sums]) =>
      `${currency}: ${inMoney(sums.paid)} paid, ${inMoney(sums.back)} given back, ${inMoney(sums.lost)} lost to disputes, ${inMoney(sums.paid - sums.back - sums.lost)} kept`,
  );
}

/** Each number once, and none left out. */
export async function numbers(faults: string[]): Promise<string[]> {
  const corrections = await all('invoice_corrections');
  const from = (rows: Awaited<ReturnType<typeof all>>, column: string) =>
    rows.flatMap((row) => (row[column] === null ? [] : [String(row[column])]));
  const series = {
    invoices: [
      ...from(await all('orders'), 'invoice_number'),
      ...from(corrections, 'invoice_number'),
    ],
    'credit notes': [
      ...from(await all('refunds'), 'credit_note_number'),
      ...from(corrections, 'credit_note_number'),
    ],
  };
  return Object.entries(series).map(([name, found]) => {
    const years = grouped(found, (number) => number.replace(/\d+$/, ''));
    for (const [prefix, inYear] of years) {
      const counted = inYear
        .map((number) => Number(/\d+$/.exec(number)?.[0]))
        .sort((a, b) => a - b);
      const wrong = counted.find((number, index) => number !== index + 1);
      if (wrong !== undefined)
        faults.push(`${name}: ${prefix}${wrong} is twice, or one before it is missing`);
    }
    return `${name}: ${found.length}, each number once, in ${[...years.keys()].join(', ')}`;
  });
}

export async function cases(
  { travellers }: { travellers: ReadonlyMap<string, Pick<Traveller, 'id' | 'hasPaid'>> },
  faults: string[],
): Promise<string[]> {
  const rows = new Map((await all('applications')).map((row) => [String(row['id']), row]));
  const orders = grouped(await all('orders'), ({ application_id }) => String(application_id));
  const deletions = await all('deletions');
  const deleted = new Set(
    deletions
      .filter(({ subject_type }) => subject_type === 'application')
      .map(({ subject_id }) => String(subject_id)),
  );
  const answers = await all('application_answers');
  const answered = new Set(answers.map(({ application_id }) => String(application_id)));
  for (const { id, hasPaid } of travellers.values()) {
    const row = rows.get(id);
    if (!row && !deleted.has(id)) faults.push(`application ${id} is gone, and nothing says why`);
    // What was paid for keeps its row for the books, and a draft for who comes back; neither has answers.
    if (row && deleted.has(id) && answered.has(id))
      faults.push(`application ${id} was deleted and has answers`);
    const taken = (orders.get(id) ?? []).filter(({ fulfilled_at }) => fulfilled_at !== null);
    if (taken.length !== Number(hasPaid))
      faults.push(`${id} has ${taken.length} orders that are paid`);
  }
  const states = grouped(rows.values(), ({ state }) => String(state));
  const reasons = grouped(deletions, (row) => `${row['subject_type']}, ${row['reason']}`);
  return [
    ...[...states].map(([state, inState]) => `applications ${state}: ${inState.length}`),
    ...[...reasons].map(([reason, of]) => `deleted ${reason}: ${of.length}`),
  ];
}

async function mails(world: World, faults: string[]): Promise<string[]> {
  const rows = await all('outbox');
  const yesterday = addDays(world.now(), -1).toISOString();
  const late = rows.filter(
    ({ state, created_at }) => state !== 'sent' && String(created_at) < yesterday,
  );
  for (const { kind, state } of late) faults.push(`a mail ${kind} of before yesterday is ${state}`);
  const unique = new Set(world.mails).size;
  const twice = world.mails.length - unique;
  // Time that jumps past a lease while a mail is on its way has it sent again, as the same mail.
  if (twice > unique / 100) faults.push(`${twice} mails came twice`);
  return [`mails: ${unique}, ${twice} of them twice`];
}

/** Names that are older than they may be: in what is sealed, in the files, in the log, in a backup. */
async function privacy(world: World, days: number, faults: string[]): Promise<string[]> {
  const lines: string[] = [];
  await queryDatabase(async (db: Database) => {
    for (const table of SEALED_TABLES) {
      const ages: number[] = [];
      for await (const rows of sealedRows(db, table, 500))
        for (const row of rows)
          for (const field of table.sealed) {
            const sealed = row[field];
            if (!sealed) continue;
            const place = { table: table.table, row: String(row[table.row]), field };
            const { text } = tryToOpen(sealed, place);
            if (text === undefined) faults.push(`${table.table}.${field} does not open`);
            ages.push(...daysIn(text ?? '').map((day) => days - day));
          }
      const oldest = Math.max(0, ...ages);
      lines.push(`${table.table}: ${ages.length} names, the oldest of ${oldest} days`);
      if (oldest > MOST_DAYS && !KEPT_BY_LAW.includes(table.table))
        faults.push(`${table.table}: a name of ${oldest} days`);
    }
  });
  const { caseDays } = siteSettings();
  const limit = addDays(world.now(), -caseDays - 1).toISOString();
  const [documents] = (
    await queryDatabase((db) =>
      sql<{
        count: number;
        old: number;
      }>`select count(*) as count, coalesce(sum(case when decided_at < ${limit} then 1 else 0 end), 0) as old
        from application_documents join applications on applications.id = application_documents.application_id`.execute(
        db,
      ),
    )
  ).rows;
  lines.push(`pictures: ${Number(documents?.count)}`);
  if (Number(documents?.old) > 0) faults.push(`${documents?.old} pictures of cases that are over`);
  // The name of a buyer may be in no file that can be read without the key.
  const texts: Record<string, string> = { log: world.site().log() };
  if (world.engine === 'SQLite') {
    for (const file of [
      world.site().databaseFile,
      `${world.site().databaseFile}-wal`,
      world.backup,
    ])
      texts[file.split('/').at(-1) ?? ''] = readFileSync(file, 'latin1');
  }
  for (const [name, text] of Object.entries(texts)) {
    const found = daysIn(text).length + (text.match(/[\da-f-]{13}@example\.com/g)?.length ?? 0);
    lines.push(`${name}: ${Math.round(text.length / 1e6)} MB, ${found} names or addresses`);
    if (found > 0) faults.push(`${name}: ${found} names or addresses that can be read`);
  }
  return lines;
}

async function size(world: World): Promise<string[]> {
  const begun = Math.max(1, world.travellers.size);
  const bytes =
    world.engine === 'SQLite'
      ? statSync(world.site().databaseFile).size
      : Number(
          (
            await queryDatabase((db) =>
              sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`.execute(
                db,
              ),
            )
          ).rows[0]?.bytes,
        );
  const since = differenceInDays(world.now(), world.begun);
  return [
    `database: ${Math.round(bytes / 1e6)} MB after ${since} days, ${Math.round(bytes / begun / 1000)} kB an application begun`,
  ];
}
