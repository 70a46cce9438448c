import { type CreateTableBuilder, type Kysely, sql } from 'kysely';

/*
 * What a row of `facts` must be, as far as `like` and `length` can tell, so that every database
 * understands it. What they cannot tell (30 February, 4x2) is found where the rows are read.
 */
const DIGITS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];

const all = (...conditions: string[]) => `(${conditions.join(' and ')})`;
const like = (column: string, ...patterns: string[]) =>
  `(${patterns.map((pattern) => `${column} like '${pattern}'`).join(' or ')})`;
const notLike = (column: string, ...patterns: string[]) =>
  all(...patterns.map((pattern) => `${column} not like '${pattern}'`));

const isDay = (column: string) =>
  all(
    `length(${column}) = 10`,
    like(column, '1___-__-__', '2___-__-__'),
    like(column, '____-0_-__', '____-10-__', '____-11-__', '____-12-__'),
    like(column, '%-0_', '%-1_', '%-2_', '%-30', '%-31'),
    notLike(column, '%-00', '%-00-%', '%-02-3_', '%-04-31', '%-06-31', '%-09-31', '%-11-31'),
  );
const isNumber = all(
  'length(value) <= 12',
  like('value', ...DIGITS.map((digit) => `${digit}%`)),
  like('value', ...DIGITS.map((digit) => `%${digit}`)),
  notLike('value', '%,%', '% %', '%-%', '%.%.%'),
);
const HAS_NUMBERS = like('unit', 'USD', 'hours', 'days', 'months', 'countries');

const CHECKS: Record<string, string> = {
  value: `(not ${HAS_NUMBERS} or ${isNumber})`,
  valid_from: isDay('valid_from'),
  valid_to: `(valid_to is null or ${isDay('valid_to')})`,
  checked_on: isDay('checked_on'),
  source_url: all(like('source_url', 'https://_%'), notLike('source_url', '% %')),
};

const COLUMNS = [
  'id',
  'fact_key',
  'value',
  'unit',
  'valid_from',
  'valid_to',
  'source_title',
  'source_url',
  'checked_on',
  'confidence',
];

const withFact = (table: CreateTableBuilder<string>) =>
  table
    .addColumn('fact_key', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('unit', 'text', (column) => column.notNull())
    .addColumn('valid_from', 'text', (column) => column.notNull())
    .addColumn('valid_to', 'text')
    .addColumn('source_title', 'text', (column) => column.notNull())
    .addColumn('source_url', 'text', (column) => column.notNull())
    .addColumn('checked_on', 'text', (column) => column.notNull())
    .addColumn('confidence', 'text');

/** Facts that cannot be shown are refused; those that are there are set aside. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const checked = withFact(
    db.schema
      .createTable('facts_checked')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement()),
  ).addUniqueConstraint('facts_period', ['fact_key', 'valid_from']);
  await Object.entries(CHECKS)
    .reduce(
      (table, [column, condition]) =>
        table.addCheckConstraint(`facts_${column}`, sql.raw(condition)),
      checked,
    )
    .execute();

  await withFact(
    db.schema
      .createTable('facts_rejected')
      .addColumn('id', 'integer', (column) => column.primaryKey()),
  )
    .addColumn('rejected_for', 'text', (column) => column.notNull())
    .execute();

  const columns = sql.raw(COLUMNS.join(', '));
  for (const [column, condition] of Object.entries(CHECKS)) {
    await sql`
      insert into facts_rejected (${columns}, rejected_for)
      select ${columns}, ${sql.lit(column)} from facts
      where not ${sql.raw(condition)} and id not in (select id from facts_rejected)
    `.execute(db);
  }
  await sql`
    insert into facts_checked (${columns})
    select ${columns} from facts where id not in (select id from facts_rejected)
  `.execute(db);
  await db.schema.dropTable('facts').execute();
  await db.schema.alterTable('facts_checked').renameTo('facts').execute();
}
