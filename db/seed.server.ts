import { type FactKey, periodProblems } from '~/domain/facts';
import {
  anyTables,
  CONTENT_KEYS,
  CONTENT_TABLES,
  contentRow,
  type ContentRow,
  contentRows,
  hashOf,
  wordsOf,
} from './content-rows.server';
import { type Fixtures, PERIODS } from './fixture-rows.server';
import { FixtureError, SHIPPED_CONTENT } from './fixtures.server';
import { rowsIn } from './queries/rows.server';
import type { Database } from './schema';
import type { SeedReport, Store } from './store.server';

const EVERYTHING = 'everything';
/** Rows that are written or asked for at once; SQLite takes 32,766 values. */
const CHUNK = 200;

/**
 * Writes the rows of this version, once: those that are new, and those that are still as an earlier
 * version wrote them. What the operator has changed or deleted stays so; a fact or a question of which
 * one row was changed is the operator's altogether. @returns undefined if this version has been here
 * before
 */
export async function seedShipped(
  store: Pick<Store, 'db' | 'exclusively'>,
  shipped = SHIPPED_CONTENT,
): Promise<SeedReport | undefined> {
  const digest = shipped.digest();
  // Checked first, because reading the fixtures takes a large part of the startup time.
  if (await isShipped(store.db, digest)) return undefined;
  const rows = contentRows(shipped.fixtures());
  return store.exclusively(async (db) => {
    if (await isShipped(db, digest)) return undefined;
    return writeShipped(db, rows, digest);
  });
}

export async function seedAgain(store: Pick<Store, 'exclusively'>, shipped = SHIPPED_CONTENT) {
  const rows = contentRows(shipped.fixtures());
  return store.exclusively((db) => writeShipped(db, rows, shipped.digest()));
}

/** @throws {FixtureError} if facts do not fit those of the database; then nothing is written */
export async function seedOwn(store: Pick<Store, 'exclusively'>, fixtures: Fixtures) {
  const rows = contentRows(fixtures);
  return store.exclusively(async (db) => {
    const current = await currentRows(db);
    const isThere = ({ subject }: ContentRow) => current.has(subject);
    for (const row of rows) await writeRow(db, row);
    if (fixtures.facts) await refuseMisfits(db, fixtures.facts);
    return {
      added: countMain(rows.filter((row) => !isThere(row))),
      updated: countMain(rows.filter(isThere)),
      kept: 0,
      own: [],
    };
  });
}

/** The rows of one key, with their translations, become these; what is not among them goes. */
export async function replaceContent(
  db: Database,
  table: keyof Fixtures,
  key: string,
  fixtures: readonly object[],
): Promise<void> {
  const rows = contentRows({ [table]: fixtures });
  const wanted = new Set(rows.map(({ subject }) => subject));
  for (const name of new Set([wordsOf(table), table])) {
    const [column, ...others] = CONTENT_KEYS[name];
    const present = anyTables(db)
      .selectFrom(name)
      .selectAll()
      .where(column as string, '=', key);
    for (const row of await present.execute()) {
      if (wanted.has(contentRow(name, row).subject)) continue;
      const known = Object.fromEntries([column, ...others].map((one) => [one, row[one]]));
      await rowsIn(db).delete(name, known).execute();
    }
  }
  for (const row of rows) await writeRow(db, row);
}

/**
 * A shipped period of a fact may be one that is shipped no more: a corrected first day, or an older
 * version that has come back. Where the periods do not meet, it goes, if it is as it was written.
 */
async function removeFormerPeriods(
  db: Database,
  shippedRows: readonly ContentRow[],
  written: readonly ContentRow[],
  { current, marks }: { current: Current; marks: Marks },
): Promise<void> {
  const keys = new Set(
    written.filter(({ table }) => table === 'facts').map(({ row }) => String(row['fact_key'])),
  );
  if (keys.size === 0) return;
  const periods = await periodsOf(db, keys);
  const misfits = new Set(periodProblems(periods).map(({ at }) => at.key));
  const shipped = new Set(shippedRows.map(({ subject }) => subject));
  for (const { key, validFrom, subject } of periods) {
    const isAsWritten = marks.has(subject) && marks.get(subject) === current.get(subject)?.hash;
    if (!misfits.has(key) || shipped.has(subject) || !isAsWritten) continue;
    await rowsIn(db).delete('facts', { fact_key: key, valid_from: validFrom }).execute();
    // Its translations went with it. No mark is left: a version that ships it may write it again.
    const titles = `fact_translations ${JSON.stringify([key, validFrom]).slice(0, -1)},`;
    const gone = [...marks.keys()].filter((one) => one === subject || one.startsWith(titles));
    await db.deleteFrom('shipped_content').where('subject', 'in', gone).execute();
  }
}

const isShipped = async (db: Database, digest: string): Promise<boolean> =>
  (await rowsIn(db).find('shipped_content', { subject: EVERYTHING }))?.hash === digest;

/** `outdated`: as an earlier version wrote it; `own`: changed or deleted by the operator. */
type State = 'same' | 'new' | 'outdated' | 'own';

async function writeShipped(db: Database, rows: readonly ContentRow[], digest: string) {
  const current = await currentRows(db);
  const marks = await readMarks(db);
  const states = new Map(
    rows.map((row) => [row, stateOf(row, current.get(row.subject)?.hash, marks)]),
  );
  const taken = groupsOfTheOperator(states, current, marks);
  const isToWrite = (row: ContentRow, state: State) =>
    states.get(row) === state && !taken.has(row.group);
  const present = new Set(current.keys());
  const added = rows.filter((row) => {
    const isToAdd = isToWrite(row, 'new') && (!row.parent || present.has(row.parent));
    if (isToAdd) present.add(row.subject);
    return isToAdd;
  });
  const updated = rows.filter(
    (row) => isToWrite(row, 'outdated') && (!row.parent || present.has(row.parent)),
  );
  await insertRows(db, added);
  for (const row of updated) await writeRow(db, row);
  await removeFormerPeriods(db, rows, [...added, ...updated], { current, marks });
  await remember(db, [
    ...rows.map((row) => ({ subject: row.subject, hash: hashOf(row.row) })),
    { subject: EVERYTHING, hash: digest },
  ]);
  return {
    added: countMain(added),
    updated: countMain(updated),
    kept: countMain(rows) - countMain(added) - countMain(updated),
    own: [...taken].sort(),
  };
}

/** What versions have left in the database: the hash of each row that one wrote, by subject. */
type Marks = ReadonlyMap<string, string>;

function stateOf({ row, subject }: ContentRow, current: string | undefined, marks: Marks): State {
  if (current === hashOf(row)) return 'same';
  if (current === undefined) return marks.has(subject) ? 'own' : 'new';
  return current === marks.get(subject) ? 'outdated' : 'own';
}

function groupsOfTheOperator(
  states: ReadonlyMap<ContentRow, State>,
  current: Current,
  marks: Marks,
): Set<string> {
  const rows = [...states.keys()];
  const shipped = new Set(rows.map(({ subject }) => subject));
  const groups = new Set(rows.map(({ group }) => group));
  // A period of a fact, or a translation, that no version has written.
  const added = [...current].filter(([subject]) => !shipped.has(subject) && !marks.has(subject));
  return new Set([
    ...rows.filter((row) => states.get(row) === 'own').map(({ group }) => group),
    ...added.map(([, { group }]) => group).filter((group) => groups.has(group)),
  ]);
}

type Current = ReadonlyMap<string, { hash: string; group: string }>;

async function currentRows(db: Database): Promise<Current> {
  const rows = new Map<string, { hash: string; group: string }>();
  for (const table of CONTENT_TABLES) {
    for (const row of await anyTables(db).selectFrom(table).selectAll().execute()) {
      const { subject, group } = contentRow(table, row);
      rows.set(subject, { hash: hashOf(row), group });
    }
  }
  return rows;
}

async function readMarks(db: Database): Promise<Marks> {
  const rows = await rowsIn(db).of('shipped_content').execute();
  return new Map(rows.map(({ subject, hash }) => [subject, hash]));
}

async function remember(db: Database, marks: readonly { subject: string; hash: string }[]) {
  for (const chunk of chunks(marks)) {
    await db
      .insertInto('shipped_content')
      .values(chunk)
      .onConflict((conflict) =>
        conflict.column('subject').doUpdateSet((build) => ({ hash: build.ref('excluded.hash') })),
      )
      .execute();
  }
}

async function insertRows(db: Database, rows: readonly ContentRow[]): Promise<void> {
  for (const table of CONTENT_TABLES) {
    for (const chunk of chunks(rows.filter((row) => row.table === table))) {
      await anyTables(db)
        .insertInto(table)
        .values(chunk.map(({ row }) => row))
        .execute();
    }
  }
}

async function writeRow(db: Database, { table, row }: ContentRow): Promise<void> {
  await anyTables(db)
    .insertInto(table)
    .values(row)
    .onConflict((conflict) => conflict.columns([...CONTENT_KEYS[table]]).doUpdateSet(row))
    .execute();
}

async function periodsOf(db: Database, keys: Iterable<string>) {
  const rows = await rowsIn(db)
    .of('facts')
    .where('fact_key', 'in', [...keys])
    .execute();
  return rows.map((row) => ({
    key: row.fact_key as FactKey,
    validFrom: row.valid_from,
    validTo: row.valid_to,
    subject: contentRow('facts', row).subject,
  }));
}

/** With those that were there before, a day may have no value or two. @throws {FixtureError} saying so */
async function refuseMisfits(db: Database, written: readonly { fact_key: string }[]) {
  const periods = await periodsOf(
    db,
    written.map(({ fact_key }) => fact_key),
  );
  const said = periodProblems(periods).map(
    ({ at, problem }) =>
      `facts.json with the rows of the database, ${at.key} from ${at.validFrom}: ${problem}; ${PERIODS}.`,
  );
  if (said.length > 0) throw new FixtureError(said.join('\n'));
}

const countMain = (rows: readonly ContentRow[]) =>
  rows.filter(({ parent }) => parent === undefined).length;

const chunks = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / CHUNK) }, (_, n) =>
    all.slice(n * CHUNK, (n + 1) * CHUNK),
  );
