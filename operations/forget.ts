/** Clears what a data key has sealed that nobody has any more. */
import { audit } from '~/accounts/audit.server';
import { removeFactor } from '~/accounts/factors.server';
import { purgeCase } from '~/applications/retention.server';
import { moveApplication } from '~/applications/moves.server';
import { now } from '~/clock.server';
import { eventsFrom, UNPAID } from '~/domain/application/states';
import { buyerOf } from '~/domain/order/buyer';
import { type DataKey, failWith } from '~/env.server';
import { isOffline } from '~/mode.server';
import { cancelOrder } from '~/orders/refunds.server';
import { dataKeysPlace, dataKeysThatAreThere } from '~/sealing/data-keys.server';
import { blindIndex, keyIdOf, opened, seal, tryToOpen } from '~/sealing/seal.server';
import { siteSettings } from '~/settings/settings.server';
import { lockApplication } from '~db/queries/applications.server';
import { insertDeletion } from '~db/queries/deletions.server';
import { findFulfilledOrder } from '~db/queries/orders.server';
import {
  deleteSealed,
  findOwnerOf,
  replaceSealed,
  sealedRows,
  type SealedRow,
} from '~db/queries/sealed-values.server';
import type { Database } from '~db/schema';
import { SEALED_TABLES, type SealedTable } from '~db/sealed-columns.server';
import { BackupError } from '~db/sqlite/backup.server';
import type { Store } from '~db/store.server';
import { OPERATOR } from './account-commands';

const CHUNK = 500;

export function parseForgotten(keyId: string): string {
  if (isOffline()) failWith('Option --forget needs OFFLINE_MODE=false.');
  // What is done is remembered for as long as they say.
  siteSettings();
  if (keyIdOf(`${keyId}.`) === keyId) return keyId;
  failWith(`${JSON.stringify(keyId)} is no name of a data key.`);
}

/**
 * Clears what a lost key has sealed, in one transaction: rows that are nothing without it go, others lose
 * the value alone. A case without its answers is emptied as when its time is over; what was paid and not
 * filed yet is cancelled, and its refund waits at the desk. What was filed, or is held, keeps all that
 * opens. Orders, refunds and withdrawals stay.
 */
export async function forget(store: Store, keyId: string): Promise<string> {
  const at = now();
  const key = dataKeysThatAreThere().find(({ id }) => id === keyId);
  const lines = await store.write(async (db) => {
    const counts = new Map<string, number>();
    await eachLost(db, { keyId, key }, ({ table: { table }, fields, indexes }) => {
      for (const field of [...fields, ...indexes]) {
        const name = `${table}.${field}`;
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    });
    if (counts.size === 0) {
      throw new BackupError(
        key
          ? `${keyId} is in ${dataKeysPlace()} and opens all that it has sealed; nothing was cleared`
          : `${store.place} holds nothing that ${keyId} has sealed; nothing was cleared`,
      );
    }
    // Its events come first: whatever follows has this cause.
    const values = [...counts.values()].reduce((sum, count) => sum + count, 0);
    await audit(db, OPERATOR, 'key.forgotten', ['key', keyId], at, { values });
    const cases = new Set<string>();
    await eachLost(db, { keyId, key }, (lost) => clear(db, lost, cases, at));
    const ended = await endCases(db, cases, at);
    return [
      `What ${keyId} had sealed is cleared:`,
      ...[...counts].map(([field, count]) => `${count} of ${field}`),
      ...(ended.emptied > 0 ? [`Emptied: ${numbered(ended.emptied, 'application')}.`] : []),
      ...(ended.refunds > 0
        ? [`Cancelled before filing: ${ended.refunds} of them; the refunds wait at the desk.`]
        : []),
    ];
  });
  await store.finishSecureDelete();
  return lines.join('\n');
}

interface Lost {
  table: SealedTable;
  row: SealedRow;
  id: string;
  fields: string[];
  indexes: string[];
}

async function eachLost(
  db: Database,
  { keyId, key }: { keyId: string; key: DataKey | undefined },
  work: (lost: Lost) => Promise<void> | void,
): Promise<void> {
  for (const table of SEALED_TABLES) {
    for await (const rows of sealedRows(db, table, CHUNK)) {
      for (const row of rows) {
        const id = row[table.row] ?? '';
        const isOfKey = (field: string) => keyIdOf(row[field] ?? '') === keyId;
        const fields = table.sealed.filter((field) => {
          const place = { table: table.table, row: id, field };
          return isOfKey(field) && !(key && opened(key, row[field] ?? '', place) !== undefined);
        });
        const indexes = table.indexes
          // Whether one is of another key of this name cannot be seen but from what it is made of.
          .filter(({ field, from }) => isOfKey(field) && (!key || (from && fields.includes(from))))
          .map(({ field }) => field);
        if (fields.length + indexes.length > 0) await work({ table, row, id, fields, indexes });
      }
    }
  }
}

/** Clears a row, unless it has changed since; `cases` gets the application whose answers went. */
async function clear(db: Database, lost: Lost, cases: Set<string>, at: Date): Promise<void> {
  const { table, row, id, fields, indexes } = lost;
  if (table.table === 'auth_factors') {
    const userId = await findOwnerOf(db, 'auth_factors', 'user_id', id);
    if (userId !== undefined) await removeFactor(db, { userId, factorId: id, by: OPERATOR }, at);
    return;
  }
  if (table.loss === 'row' && fields.length > 0) {
    const owner =
      table.table === 'application_answers'
        ? await findOwnerOf(db, table.table, 'application_id', id)
        : undefined;
    if (!(await deleteSealed(db, table, row))) return;
    if (owner !== undefined) cases.add(owner);
    if (table.table === 'contact_messages') {
      await insertDeletion(db, { subject: 'message', id, reason: 'lost' }, at);
    }
    return;
  }
  const changes: Record<string, string | null> = {};
  for (const field of fields) {
    const place = { table: table.table, row: id, field };
    changes[field] = table.loss === 'text' ? seal(await emptyText(db, table, id), place) : null;
  }
  for (const field of indexes) changes[field] = indexAnew(lost, field);
  await replaceSealed(db, table, row, changes);
}

/** A buyer whom nobody knows any more but by the address of an account; else nothing. */
async function emptyText(db: Database, { table }: SealedTable, id: string): Promise<string> {
  if (table !== 'orders') return '';
  const account = await db
    .selectFrom('orders')
    .innerJoin('applications', 'applications.id', 'orders.application_id')
    .innerJoin('users', 'users.id', 'applications.user_id')
    .select('users.email')
    .where('orders.id', '=', id)
    .executeTakeFirst();
  return JSON.stringify(buyerOf({}, account?.email));
}

/** An index that outlived its key, where what it is made of opens. */
function indexAnew({ table, row, id, fields }: Lost, field: string): string | null {
  const index = table.indexes.find((one) => one.field === field);
  const from = index?.from;
  const sealed = from === undefined || fields.includes(from) ? null : (row[from] ?? null);
  if (!index || from === undefined || sealed === null) return null;
  const { text } = tryToOpen(sealed, { table: table.table, row: id, field: from });
  return text === undefined ? null : blindIndex(index.purpose, index.normalise(text));
}

async function endCases(db: Database, ids: ReadonlySet<string>, at: Date) {
  const ended = { emptied: 0, refunds: 0 };
  for (const id of ids) {
    const row = await lockApplication(db, id);
    // A decision may still come, and is noted; what is held is kept as far as it can be read.
    if (!row || row.state === 'filed' || row.hold_reason !== null) continue;
    await purgeCase(db, id, { reason: 'lost', actor: OPERATOR }, at);
    ended.emptied += 1;
    const emptied = await lockApplication(db, id);
    if (!emptied) continue;
    if (UNPAID.includes(row.state)) {
      const by = { as: 'system', actor: OPERATOR, facts: { idle: true } } as const;
      await moveApplication(db, emptied, 'expire', by, at);
    } else if (eventsFrom(row.state, 'owner').includes('cancel')) {
      const order = await findFulfilledOrder(db, id);
      if (!order) continue;
      await cancelOrder(db, order, { kind: 'cancellation', actor: OPERATOR }, at);
      ended.refunds += 1;
    }
  }
  return ended;
}

const numbered = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
