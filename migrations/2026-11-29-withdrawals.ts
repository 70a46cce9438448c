import { type Kysely, sql } from 'kysely';

/** A withdrawal that a stranger may have declared waits for who owns the contract. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['effective_at', 'asked_at']) {
    await db.schema.alterTable('withdrawals').addColumn(column, 'text').execute();
  }
  await db.schema
    .alterTable('withdrawals')
    .addColumn('answer', 'text', (column) => column.check(sql`answer in ('yes', 'no')`))
    .execute();
}
