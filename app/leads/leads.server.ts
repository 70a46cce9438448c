import { randomUUID } from 'node:crypto';

import {
  audit,
  type AuditAction,
  type AuditActor,
  type AuditDetails,
  SYSTEM,
} from '~/accounts/audit.server';
import { issueToken, lastingLink } from '~/accounts/one-time-tokens.server';
import { addresseeOf, applicationEmail } from '~/applications/address.server';
import { now as clockNow } from '~/clock.server';
import { UNPAID } from '~/domain/application/states';
import {
  type DeskLeadEvent,
  deskLeadEvents,
  leadAfter,
  type LeadEvent,
  reminderDue,
  reminderLimits,
} from '~/domain/leads';
import { siteOrigin } from '~/env.server';
import { translator } from '~/i18n/locale.server';
import { queueMail } from '~/mail/outbox.server';
import { paragraph, type ReadContents } from '~/mail/sections';
import { countDone, eachUntilNone, type SecureWrite, untilNone } from '~/until-none';
import {
  type ApplicationRow,
  findApplication,
  lockApplication,
} from '~db/queries/applications.server';
import {
  findLead,
  findLeadOf,
  type LeadRow,
  listEndedLeads,
  listToRemind,
  noteReminderSent,
  noteWish,
} from '~db/queries/leads.server';
import { deleteUnsent } from '~db/queries/outbox.server';
import { rowsIn } from '~db/queries/rows.server';
import type { Database } from '~db/schema';

export const addMessageLead = (db: Database, message_id: string, now: Date) =>
  addLead(db, { kind: 'message', message_id }, now);

function addLead(db: Database, lead: Pick<LeadRow, 'kind'> & Partial<LeadRow>, now: Date) {
  const at = now.toISOString();
  const fresh = { id: randomUUID(), state: 'new', created_at: at, updated_at: at } as const;
  return rowsIn(db).insertNew('leads', { ...fresh, ...lead });
}

async function changeLead(
  db: Database,
  row: LeadRow,
  changes: Partial<LeadRow>,
  { actor, action, details }: { actor: AuditActor; action: AuditAction; details?: AuditDetails },
  now: Date,
): Promise<boolean> {
  const all = { ...changes, updated_at: now.toISOString() };
  if (!(await rowsIn(db).replace('leads', row, all))) return false;
  await audit(db, actor, action, ['lead', row.id], now, details);
  return true;
}

async function moveLead(
  db: Database,
  row: LeadRow | undefined,
  event: LeadEvent,
  actor: AuditActor,
  now: Date,
): Promise<boolean> {
  const to = row && leadAfter(row.state, event);
  if (!to) return false;
  const moved = { action: 'lead.moved', actor, details: { event, from: row.state, to } } as const;
  return changeLead(db, row, { state: to }, moved, now);
}

type StaffAction = { id: string; version: number; staffId: string };

/** `gone`: there is none; `changed`: somebody else was faster, or staff do not do that to it. */
export async function actOnLead(
  db: Database,
  event: DeskLeadEvent | 'take',
  of: StaffAction,
  now: Date,
) {
  const { id, version, staffId } = of;
  const known = await findLead(db, id);
  if (!known) return 'gone';
  const actor = { kind: 'staff', id: staffId } as const;
  // The application first, as everywhere: two that wait for each other would wait for ever.
  if (known.application_id !== null) await lockApplication(db, known.application_id);
  const row = await findLead(db, id);
  if (!row) return 'gone';
  if (row.version !== version) return 'changed';
  if (event === 'take') {
    const assigned = { action: 'lead.assigned', actor } as const;
    const isTaken = await changeLead(db, row, { assigned_to: staffId }, assigned, now);
    return isTaken ? 'done' : 'changed';
  }
  if (!deskLeadEvents(row.state, row.kind).includes(event)) return 'changed';
  if (!(await moveLead(db, row, event, actor, now))) return 'changed';
  if (event === 'stop' && row.application_id !== null) await endReminders(db, row.application_id);
  return 'done';
}

export async function contactLead(
  db: Database,
  of: Parameters<typeof findLeadOf>[1],
  staffId: string,
  now: Date,
) {
  const by = { kind: 'staff', id: staffId } as const;
  await moveLead(db, await findLeadOf(db, of), 'contact', by, now);
}

export async function wishReminders(db: Database, id: string, actor: AuditActor, now: Date) {
  await lockApplication(db, id);
  if (!(await noteWish(db, id, now))) return false;
  if (await addLead(db, { kind: 'application', application_id: id }, now)) return true;
  await moveLead(db, await findLeadOf(db, { application_id: id }), 'wish', actor, now);
  return true;
}

/** Those that wait in the outbox, too. Idempotent. */
export async function stopReminders(db: Database, id: string, actor: AuditActor, now: Date) {
  await lockApplication(db, id);
  await endReminders(db, id);
  await moveLead(db, await findLeadOf(db, { application_id: id }), 'stop', actor, now);
}

async function endReminders(db: Database, applicationId: string): Promise<void> {
  await rowsIn(db).update('applications', { id: applicationId }, { wants_reminder: 0 }).execute();
  const reminders = ['reminder', 'reminderOfAccount'];
  await deleteUnsent(db, { application_id: applicationId }, 'in', reminders);
}

export async function convertLead(db: Database, application_id: string, now: Date): Promise<void> {
  await endReminders(db, application_id);
  await moveLead(db, await findLeadOf(db, { application_id }), 'pay', SYSTEM, now);
}

export const loseLeads = async (db: Database, now: Date) =>
  countDone(await listEndedLeads(db, 100), (lead) => moveLead(db, lead, 'lose', SYSTEM, now));

/** Undefined once it is paid or has ended. @throws {SealError} if the address does not open */
export function offeredReminders(row: ApplicationRow): { isOn: boolean } | undefined {
  const hasAddress = row.user_id !== null || applicationEmail(row) !== undefined;
  return UNPAID.includes(row.state) && hasAddress ? { isOn: row.wants_reminder === 1 } : undefined;
}

/** Good however often it is used: who wants to hear nothing more is not asked to sign in. */
export const applicationOfStopLink = async (db: Database, token: string, now: Date) =>
  (await lastingLink(db, 'stopReminders', token, now))?.applicationId ?? undefined;

/** After 3 and 10 days without a change; the leads of ended applications are lost. Idempotent. */
export async function remindOwners(write: SecureWrite, now: Date) {
  const reminders = await eachUntilNone(
    () => write((db) => listToRemind(db, reminderLimits(now), 200)),
    // Each in a transaction of its own: it holds back others who write to the same address.
    ({ id }) => write((db) => remind(db, id, now)),
  );
  return { reminders, lost: await untilNone(() => write((db) => loseLeads(db, now))) };
}

export async function remindNow(db: Database, { id, staffId }: StaffAction, now: Date) {
  const lead = await findLead(db, id);
  if (!lead?.application_id) return 'gone';
  const by = { kind: 'staff', id: staffId } as const;
  return (await remind(db, lead.application_id, now, by)) ? 'done' : 'changed';
}

async function remind(db: Database, id: string, now: Date, by?: AuditActor): Promise<boolean> {
  // As it is now: its owner may have stopped it, gone on or paid since the list was read.
  const row = await lockApplication(db, id);
  if (!row || row.wants_reminder !== 1) return false;
  const remindedAt = row.reminded_at === null ? undefined : new Date(row.reminded_at);
  // Who of the staff sends it sends the next one, and none beyond it.
  const next = remindedAt ? ('second' as const) : ('first' as const);
  const due = by ? next : reminderDue({ touchedAt: new Date(row.updated_at), remindedAt }, now);
  const lead = await findLeadOf(db, { application_id: id });
  if (!due || lead?.state === 'do_not_contact') return false;
  const addressee = await addresseeOf(db, row);
  if (!addressee || !(await noteReminderSent(db, row, { isLast: due === 'second' }, now))) {
    return false;
  }
  const mail = { ...addressee, parameters: { application: id, reference: row.reference } };
  const unverified = { client: `application ${id}` };
  const isQueued = addressee.userId
    ? await queueMail(db, { kind: 'reminderOfAccount', ...mail }, now)
    : await queueMail(db, { kind: 'reminder', ...mail, unverified }, now);
  if (!isQueued) {
    // The address has had all the mails of a day: an hour later it is tried again.
    const before = { reminded_at: row.reminded_at, wants_reminder: 1 } as const;
    await rowsIn(db).update('applications', { id: row.id }, before).execute();
    return false;
  }
  await audit(db, by ?? SYSTEM, 'lead.reminded', ['lead', lead?.id], now, { which: due });
  return true;
}

/** A link that needs no sign-in, with a fresh token; null if the application is gone. */
export const reminderContents: ReadContents = async (db, { language, parameters }) => {
  const application = await findApplication(db, parameters['application'] ?? '');
  if (!application) return null;
  const applicationId = application.id;
  const token = await issueToken(db, { purpose: 'stopReminders', applicationId }, clockNow());
  const url = new URL('/reminders/stop', siteOrigin());
  url.searchParams.set('token', token);
  url.searchParams.set('lng', language);
  const t = translator(language);
  const blocks = [t('mail:stopReminders.text'), url.href].map(paragraph);
  return { sections: [{ title: t('mail:stopReminders.title'), blocks }], links: [url.href] };
};
