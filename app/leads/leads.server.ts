import { randomUUID } from 'node:crypto';

import { type AuditActor, audit } from '~/accounts/audit.server';
import { type DeskLeadEvent, deskLeadEvents, leadAfter, type LeadEvent } from '~/domain/leads';
import { lockApplication } from '~db/queries/applications.server';
import {
  deleteQueuedKinds,
  findLead,
  findLeadOf,
  forgetWish,
  insertLead,
  type LeadRow,
  listEndedLeads,
  noteWish,
  replaceLead,
} from '~db/queries/leads.server';
import type { Database } from '~db/schema';

export const REMINDER_KINDS = ['reminder', 'reminderOfAccount'] as const;

const SYSTEM: AuditActor = { kind: 'system' };
const AT_ONCE = 100;

/** Makes a lead of a message, in the transaction `db` that keeps it. */
export async function addMessageLead(db: Database, messageId: string, now: Date): Promise<void> {
  await insertLead(db, newLead('message', messageId, now));
}

function newLead(kind: LeadRow['kind'], of: string, now: Date) {
  const at = now.toISOString();
  return {
    id: randomUUID(),
    kind,
    state: 'new' as const,
    message_id: kind === 'message' ? of : null,
    application_id: kind === 'application' ? of : null,
    assigned_to: null,
    created_at: at,
    updated_at: at,
  };
}

/**
 * Moves a lead by the table of `app/domain/leads.ts`, in the transaction `db`, with an audit event.
 *
 * @returns false if it does not lead on from there, or somebody else was faster
 */
async function moveLead(
  db: Database,
  row: LeadRow,
  event: LeadEvent,
  actor: AuditActor,
  now: Date,
): Promise<boolean> {
  const to = leadAfter(row.state, event);
  if (to === undefined || !(await replaceLead(db, row, { state: to }, now))) return false;
  await audit(db, actor, 'lead.moved', ['lead', row.id], now, { event, from: row.state, to });
  return true;
}

/**
 * Moves or takes a lead as somebody of the staff, of the version that their page showed.
 *
 * @returns `gone`: there is none; `changed`: somebody else was faster, or staff do not do that to it
 */
export async function actOnLead(
  db: Database,
  event: DeskLeadEvent | 'take',
  { id, version, staffId }: { id: string; version: number; staffId: string },
  now: Date,
): Promise<'done' | 'gone' | 'changed'> {
  const known = await findLead(db, id);
  if (!known) return 'gone';
  const actor = { kind: 'staff', id: staffId } as const;
  // The application first, as everywhere: two that wait for each other would wait for ever.
  if (known.application_id !== null) await lockApplication(db, known.application_id);
  const row = await findLead(db, id);
  if (!row) return 'gone';
  if (row.version !== version) return 'changed';
  if (event === 'take') {
    if (!(await replaceLead(db, row, { assigned_to: staffId }, now))) return 'changed';
    await audit(db, actor, 'lead.assigned', ['lead', id], now);
    return 'done';
  }
  if (!deskLeadEvents(row.state, row.kind).includes(event)) return 'changed';
  if (!(await moveLead(db, row, event, actor, now))) return 'changed';
  if (event === 'stop' && row.application_id !== null) await endReminders(db, row.application_id);
  return 'done';
}

/** Whoever was answered was contacted: the lead of a message, if it has one that is new. */
export async function contactLead(
  db: Database,
  messageId: string,
  staffId: string,
  now: Date,
): Promise<void> {
  const lead = await findLeadOf(db, { message: messageId });
  if (lead) await moveLead(db, lead, 'contact', { kind: 'staff', id: staffId }, now);
}

/** The owner of an unpaid application ticks "remind me", in the transaction `db`: a lead is made of it. */
export async function wishReminders(
  db: Database,
  applicationId: string,
  actor: AuditActor,
  now: Date,
): Promise<boolean> {
  await lockApplication(db, applicationId);
  if (!(await noteWish(db, applicationId, now))) return false;
  if (await insertLead(db, newLead('application', applicationId, now))) return true;
  const lead = await findLeadOf(db, { application: applicationId });
  if (lead) await moveLead(db, lead, 'wish', actor, now);
  return true;
}

/**
 * Stops the reminders of an application, those that wait in the outbox too, in the transaction `db`:
 * unticked by its owner, or by the link of a mail. To do it twice is no harm.
 */
export async function stopReminders(
  db: Database,
  applicationId: string,
  actor: AuditActor,
  now: Date,
): Promise<void> {
  await lockApplication(db, applicationId);
  await endReminders(db, applicationId);
  const lead = await findLeadOf(db, { application: applicationId });
  if (lead) await moveLead(db, lead, 'stop', actor, now);
}

async function endReminders(db: Database, applicationId: string): Promise<void> {
  await forgetWish(db, applicationId);
  await deleteQueuedKinds(db, applicationId, REMINDER_KINDS);
}

/** An application is paid for: its lead, if it has one, is a customer; in the transaction of payment. */
export async function convertLead(db: Database, applicationId: string, now: Date): Promise<void> {
  await endReminders(db, applicationId);
  const lead = await findLeadOf(db, { application: applicationId });
  if (lead) await moveLead(db, lead, 'pay', SYSTEM, now);
}

/** Gives up some of the leads of applications that have ended unpaid. @returns how many */
export async function loseLeads(db: Database, now: Date): Promise<number> {
  let lost = 0;
  for (const lead of await listEndedLeads(db, AT_ONCE)) {
    if (await moveLead(db, lead, 'lose', SYSTEM, now)) lost += 1;
  }
  return lost;
}
