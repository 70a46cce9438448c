/** The one table of what owners have changed: version by version, whatever it is. */
import { createHash, randomUUID } from 'node:crypto';

import { audit, type AuditActor } from '~/accounts/audit.server';
import { realToday } from '~/clock.server';
import { LAST_DAY } from '~/domain/timeline';
import type { Language } from '~/i18n/languages';
import { formatInstant, formatShortDay } from '~/i18n/locale.server';
import { namesOfStaff } from '~/desk/staff.server';
import { listStoredRows } from '~db/content-rows.server';
import { listEdits, type OwnerEdit } from '~db/queries/owner-edits.server';
import { rowsIn } from '~db/queries/rows.server';
import type { Database } from '~db/schema';
import { replaceContent } from '~db/seed.server';
import { formOf, isNew, type Subject, valueOn } from './subjects.server';

const jsonOf = (value: unknown) => JSON.stringify(value ?? null);

/** What a form was made from: another version, or rows that somebody has changed beside the desk, differ. */
export const tokenOf = (value: unknown, latest: OwnerEdit | undefined): string =>
  `${latest?.version ?? 0}.${createHash('sha256').update(jsonOf(value)).digest('hex').slice(0, 12)}`;

interface Change {
  subject: Subject;
  value: unknown;
  /** Of a setting: its first day; of one that is put back also those of what was planned instead. */
  fromDays: string[];
  /** Of the value that was read; without one, what somebody else has changed meanwhile is overwritten. */
  token?: string;
}

/** In the transaction `db`. @returns false if somebody else has changed it meanwhile: of two, one is saved */
export async function saveEdit(
  db: Database,
  { subject, value, fromDays, token }: Change,
  actor: AuditActor & { id: string },
  now: Date,
): Promise<boolean> {
  const { area, key } = subject;
  const isContent = area !== 'settings';
  const rows = await listStoredRows(db);
  const present = valueOn(subject, rows, realToday());
  const [latest] = await listEdits(db, area, key);
  if (token !== undefined && tokenOf(present, latest) !== token) return false;
  let version = latest?.version ?? 0;
  const add = (edit: Pick<OwnerEdit, 'value' | 'from_day' | 'made_by'>) => {
    const made = { id: randomUUID(), made_at: now.toISOString(), version: (version += 1) };
    return rowsIn(db).insertNew('owner_edits', { area, subject: key, ...made, ...edit });
  };
  // What came with the program, or was changed beside the desk, can be put back, too.
  const isOutside = isContent && latest?.value !== jsonOf(present);
  if (present !== undefined && !isNew(subject, rows) && (!latest || isOutside)) {
    const before = { value: jsonOf(present), from_day: isContent ? null : '', made_by: null };
    if (!(await add(before))) return false;
  }
  for (const from_day of isContent ? [null] : fromDays) {
    if (!(await add({ value: jsonOf(value), from_day, made_by: actor.id }))) return false;
  }
  if (isContent) await replaceContent(db, area, key, value as object[]);
  const action = isContent ? 'content.edited' : 'settings.edited';
  await audit(db, actor, action, ['content', `${area} ${key}`], now, { version });
  return true;
}

/** The latest first, each with what it changed, as far as it is shown in the form. */
export async function historyOf(db: Database, subject: Subject, language: Language) {
  const edits = await listEdits(db, subject.area, subject.key);
  const names = await namesOfStaff(db);
  const day = realToday();
  // Of a fact its latest period, which may be to come.
  const fieldsOf = ({ value }: OwnerEdit) =>
    formOf(subject, JSON.parse(value) as unknown, LAST_DAY);
  return edits.map((edit, index) => {
    const fields = fieldsOf(edit);
    const earlier = edits[index + 1];
    const valuesBefore = (earlier ? fieldsOf(earlier) : []).map(
      ({ name, value }) => [name, value] as const,
    );
    const before = new Map(valuesBefore);
    return {
      version: edit.version,
      who: edit.made_by === null ? null : (names.get(edit.made_by) ?? ''),
      when: formatInstant(new Date(edit.made_at), language),
      from: edit.from_day ? formatShortDay(edit.from_day, language) : null,
      isPlanned: edit.from_day !== null && edit.from_day > day,
      isLatest: index === 0,
      changes: earlier
        ? fields
            .filter(({ name, value }) => value !== (before.get(name) ?? ''))
            .map(({ label, language: spoken, name, value }) => ({
              ...{ label, language: spoken ?? null, value, before: before.get(name) ?? '' },
            }))
        : [],
    };
  });
}

export async function editOf(db: Database, { area, key }: Subject, version: number) {
  const edits = await listEdits(db, area, key);
  const found = edits.find((one) => one.version === version);
  return found && { value: JSON.parse(found.value) as unknown, fromDay: found.from_day };
}
