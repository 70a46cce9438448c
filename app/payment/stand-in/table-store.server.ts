import { queryDatabase, writeDatabase } from '~/database.server';
import {
  findStandInObject,
  insertStandInObject,
  listDueStandInObjects,
  listStandInObjects,
  replaceStandInObject,
  type StandInRow,
} from '~db/queries/stand-in-objects.server';
import type { Database } from '~db/schema';
import type { Kind, Kinds } from './objects';
import { type Due, type Objects, Overtaken, type StandInStore, type Stored } from './store';

/** Remembers in the site's database, so that a restart and a second server find it. */
export const tableStore: StandInStore = {
  change: (work) => writeDatabase(async (db) => await work(objectsIn(db))),
  due: (now) =>
    queryDatabase(async (db) =>
      (await listDueStandInObjects(db, now)).map((row) => fromRow(row) as Due),
    ),
};

function objectsIn(db: Database): Objects {
  return {
    find: async (kind, id) => {
      const row = await findStandInObject(db, kind, id);
      return row && fromRow(row);
    },
    list: async (kind) => (await listStandInObjects(db, kind)).map((row) => fromRow(row)),
    add: async ({ id, kind, data, createdAt, dueAt }) => {
      const row = {
        id,
        kind,
        data: JSON.stringify(data),
        created_at: createdAt,
        due_at: dueAt,
      };
      if (!(await insertStandInObject(db, row))) throw new Overtaken();
    },
    replace: async (one, { data = one.data, dueAt = one.dueAt }) => {
      const changes = { data: JSON.stringify(data), due_at: dueAt };
      if (!(await replaceStandInObject(db, one, changes))) throw new Overtaken();
    },
  };
}

function fromRow<K extends Kind>({ id, kind, data, version, ...row }: StandInRow): Stored<K> {
  return {
    id,
    kind: kind as K,
    data: JSON.parse(data) as Kinds[K],
    version,
    createdAt: row.created_at,
    dueAt: row.due_at,
  };
}
