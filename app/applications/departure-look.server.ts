import { audit, type AuditActor } from '~/accounts/audit.server';
import { dayOf } from '~/clock.server';
import { sealColumn } from '~/sealing/seal.server';
import { EMPTIED } from '~db/queries/application-retention.server';
import { lockApplication } from '~db/queries/applications.server';
import { rowsIn } from '~db/queries/rows.server';
import type { Database } from '~db/schema';
import { birthOf } from './links.server';

export async function wishLook(db: Database, id: string, actor: AuditActor, now: Date) {
  const row = await lockApplication(db, id);
  const birth = await birthOf(db, id);
  const arrival = row?.travel_date ?? '';
  if (row?.state !== 'approved' || row.look_on || !birth || arrival <= dayOf(now)) return;
  const birth_sealed = sealColumn('applications', id, 'birth_sealed', birth);
  await rowsIn(db).update('applications', { id }, { look_on: arrival, birth_sealed }).execute();
  await audit(db, actor, 'look.wished', ['application', id], now);
}

/** At once, whoever has it open: what stands for it alone goes. */
export async function stopLook(db: Database, id: string, actor: AuditActor, now: Date) {
  const row = await lockApplication(db, id);
  if (!row?.look_on) return;
  const task = { application_id: id, kind: 'look' } as const;
  await rowsIn(db).delete('application_tasks', task).execute();
  // Where all else is gone, it is what is left of it.
  const gone = row.purged_at === null ? { look_on: null, birth_sealed: null } : EMPTIED;
  await rowsIn(db).update('applications', { id }, gone).execute();
  await audit(db, actor, 'look.stopped', ['application', id], now);
}
