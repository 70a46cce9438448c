import type { Database } from '../schema';
import { type Row, rowsIn } from './rows.server';

export type OwnerEdit = Row<'owner_edits'>;

/** The latest first. */
export const listEdits = (db: Database, area: string, subject: string) =>
  rowsIn(db).of('owner_edits', { area, subject }).orderBy('version', 'desc').execute();

/** In the order in which they come to hold. */
export const listSettingEdits = (db: Database) =>
  rowsIn(db)
    .of('owner_edits', { area: 'settings' })
    .orderBy('from_day')
    .orderBy('version')
    .execute();
