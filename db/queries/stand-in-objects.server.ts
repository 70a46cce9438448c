import type { Database } from '../schema';
import { type Row, rowsIn } from './rows.server';

export type StandInRow = Row<'stand_in_objects'>;

export const listStandInObjects = (db: Database, kind: string) =>
  rowsIn(db)
    .of('stand_in_objects', { kind })
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();

export const listDueStandInObjects = (db: Database, now: Date) =>
  rowsIn(db)
    .of('stand_in_objects')
    .where('due_at', '<=', now.toISOString())
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export const deleteStandInEventsBefore = (db: Database, limit: Date) =>
  rowsIn(db).deleteSome('stand_in_objects', 'id', (where) =>
    where.and([
      where('kind', 'in', ['answer', 'event']),
      where('created_at', '<', limit.toISOString()),
      where('due_at', 'is', null),
    ]),
  );
