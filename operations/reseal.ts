/** Seals with the first data key what older ones have sealed, and says which are needed. */
import type { Answers } from '~/domain/application/answers';
import { dataKeys, dataKeysPlace, dataKeysThatAreThere } from '~/sealing/data-keys.server';
import { missingKeys, namesOfKeys, needsKeys } from '~/sealing/needed-keys.server';
import { blindIndex, keyIdOf, seal, tryToOpen } from '~/sealing/seal.server';
import {
  countKeyUses,
  findSealedRow,
  type KeyUse,
  replaceSealed,
  sealedRows,
  type SealedRow,
} from '~db/queries/sealed-values.server';
import type { Database } from '~db/schema';
import { SEALED_TABLES, type SealedTable } from '~db/sealed-columns.server';
import { BackupError } from '~db/sqlite/backup.server';
import type { Store } from '~db/store.server';
import { PERSON_INDEX, personOf } from '~/applications/answers.server';
import { listStepOf } from '~db/queries/applications.server';

const CHUNK = 100;
const TRIES = 5;

interface Resealed {
  values: number;
  indexes: number;
  emptied: Map<string, number>;
  unopened: Map<string, number>;
}

/** While the site runs: what somebody changes meanwhile stays as they wrote it. Idempotent. */
export async function reseal(store: Store): Promise<string> {
  const before = await countKeyUses(store.db);
  if (dataKeysThatAreThere().length === 0) {
    if (before.length === 0) return 'Nothing is sealed yet, and there are no data keys.';
    throw new BackupError(`${store.place} ${needsKeys(idsOf(before))}; nothing was resealed`);
  }
  const done: Resealed = { values: 0, indexes: 0, emptied: new Map(), unopened: new Map() };
  for (const table of SEALED_TABLES) {
    for await (const rows of sealedRows(store.db, table, CHUNK)) {
      await resealRows(store, table, rows, done);
    }
  }
  // What the old keys have sealed is still in the log.
  await store.finishSecureDelete();
  return told(done, await countKeyUses(store.db));
}

async function resealRows(
  store: Store,
  table: SealedTable,
  rows: readonly SealedRow[],
  done: Resealed,
): Promise<void> {
  let pending = rows;
  for (let tries = 0; tries < TRIES && pending.length > 0; tries += 1) {
    const people = await peopleOf(store.db, table, pending);
    const planned = pending.map((row) => plan(table, row, people));
    const missed = new Set<Plan>();
    const changed = planned.filter(({ changes }) => Object.keys(changes).length > 0);
    if (changed.length > 0) {
      await store.write(async (db) => {
        for (const one of changed) {
          if (!(await replaceSealed(db, table, one.row, one.changes))) missed.add(one);
        }
      });
    }
    for (const one of planned) if (!missed.has(one)) count(table, one, done);
    const again = [...missed].map(({ row }) => findSealedRow(store.db, table, keyOf(table, row)));
    pending = (await Promise.all(again)).filter((row) => row !== undefined);
  }
}

type Plan = { row: SealedRow; changes: Record<string, string | null>; unopened: string[] };

/**
 * Who travels with applications, by id: sealed among the answers of step 1. Null: nobody is named there;
 * undefined: they do not open.
 */
type People = ReadonlyMap<string, string | null | undefined>;

/** Read after the rows: who saves step 1 in between has changed its row too, which is then planned again. */
async function peopleOf(db: Database, table: SealedTable, rows: readonly SealedRow[]) {
  if (!table.indexes.some(({ purpose }) => purpose === PERSON_INDEX)) return new Map();
  const ids = rows.map((row) => keyOf(table, row));
  return new Map(
    (await listStepOf(db, ids, 1)).map(({ id, application_id, sealed }) => {
      const { text } = tryToOpen(sealed, {
        table: 'application_answers',
        row: id,
        field: 'sealed',
      });
      const person = text === undefined ? undefined : personOf(JSON.parse(text) as Answers);
      return [application_id, text === undefined ? undefined : (person ?? null)];
    }),
  );
}

function plan(table: SealedTable, row: SealedRow, people: People): Plan {
  const [first] = dataKeys();
  const changes: Record<string, string | null> = {};
  const unopened: string[] = [];
  const texts = new Map<string, string>();
  for (const field of table.sealed) {
    const sealed = row[field] ?? null;
    if (sealed === null) continue;
    const place = { table: table.table, row: keyOf(table, row), field };
    const { key, text } = tryToOpen(sealed, place);
    if (text === undefined) unopened.push(field);
    else {
      texts.set(field, text);
      if (key !== first) changes[field] = seal(text, place);
    }
  }
  for (const { field, from, purpose, normalise } of table.indexes) {
    const index = row[field] ?? null;
    const isOfFirst = index !== null && keyIdOf(index) === first.id;
    const key = keyOf(table, row);
    const isThere = purpose === PERSON_INDEX ? people.has(key) : from && row[from] !== null;
    const text = purpose === PERSON_INDEX ? people.get(key) : from && texts.get(from);
    if (typeof text === 'string') {
      const anew = blindIndex(purpose, normalise(text));
      if (anew !== index) changes[field] = anew;
    } else if ((!isThere || text === null) && index !== null && !isOfFirst) {
      changes[field] = null;
    }
  }
  return { row, changes, unopened };
}

function count({ table, sealed, indexes }: SealedTable, one: Plan, done: Resealed): void {
  const add = (to: Map<string, number>, field: string) =>
    to.set(`${table}.${field}`, (to.get(`${table}.${field}`) ?? 0) + 1);
  done.values += sealed.filter((field) => field in one.changes).length;
  for (const { field } of indexes.filter((index) => index.field in one.changes)) {
    if (one.changes[field] === null) add(done.emptied, field);
    else done.indexes += 1;
  }
  for (const field of one.unopened) add(done.unopened, field);
}

const keyOf = (table: SealedTable, row: SealedRow) => row[table.row] ?? '';

function told({ values, indexes, emptied, unopened }: Resealed, uses: readonly KeyUse[]): string {
  const place = dataKeysPlace();
  const ids = dataKeys().map(({ id }) => id);
  const lines = [`Resealed with ${ids[0]}: ${counted(values, indexes)}.`];
  for (const [at, id] of ids.entries()) {
    const use = uses.find(({ keyId }) => keyId === id);
    if (use) {
      const note = at === 0 ? '' : `; leave it in ${place}`;
      lines.push(`${id} is used by ${counted(use.sealed, use.indexes)}${note}.`);
    } else if (at === 0) lines.push(`${id} is used by nothing yet.`);
    else {
      lines.push(
        `${id} is not used any more and can be taken out of ${place}; backups made before still need it.`,
      );
    }
  }
  for (const { keyId, sealed, indexes } of uses) {
    if (keyId === undefined || ids.includes(keyId)) continue;
    lines.push(`${keyId} is used by ${counted(sealed, indexes)}, but is not in ${place}.`);
  }
  for (const [field, number] of emptied) {
    lines.push(`${number} of ${field} could not be made anew and were emptied.`);
  }
  for (const [field, number] of unopened) {
    lines.push(
      `${number} of ${field} did not open and stay as they are: their key is missing, or they were moved or altered.`,
    );
  }
  return lines.join('\n');
}

const counted = (values: number, indexes: number) =>
  `${values} ${values === 1 ? 'value' : 'values'} and ${indexes} ${indexes === 1 ? 'index' : 'indexes'}`;

export async function keysNote(copy: Database): Promise<string> {
  const ids = idsOf(await countKeyUses(copy));
  if (ids.length === 0) return '';
  return ` It needs ${namesOfKeys(ids, 'it')}: keep what is in ${dataKeysPlace()} apart from it.`;
}

/** Another key of the same name opens nothing. @throws {BackupError} naming what is missing */
export async function refuseWithoutKeys(backup: Database, file: string): Promise<void> {
  const missing = await missingKeys(backup, 'all');
  if (missing.length > 0) {
    throw new BackupError(`${file} ${needsKeys(missing)}; nothing was restored`);
  }
}

const idsOf = (uses: readonly KeyUse[]) =>
  uses.flatMap(({ keyId }) => (keyId === undefined ? [] : [keyId])).sort();
