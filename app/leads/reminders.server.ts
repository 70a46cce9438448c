import { audit } from '~/accounts/audit.server';
import { issueToken } from '~/accounts/one-time-tokens.server';
import { now as clockNow } from '~/clock.server';
import { reminderDue, reminderLimits } from '~/domain/reminders';
import { siteOrigin } from '~/env.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { queueMail, wakeOutbox } from '~/mail/outbox.server';
import type { MailContents } from '~/mail/sections';
import { eachUntilNone, untilNone } from '~/until-none';
import { findApplication, lockApplication } from '~db/queries/applications.server';
import { findLeadOf, listToRemind, noteNotReminded, noteReminded } from '~db/queries/leads.server';
import type { Database } from '~db/schema';
import { loseLeads } from './leads.server';
import { addresseeOf } from '~/applications/address.server';

type Write = <T>(work: (db: Database) => Promise<T>) => Promise<T>;
const AT_ONCE = 200;

/**
 * Reminds the owners who have ticked it of their unpaid applications, after 3 and after 10 days without
 * a change, and gives up the leads of applications that have ended. Any number of servers may do this
 * at once, while owners go on.
 */
export async function remindOwners(
  write: Write,
  now: Date,
): Promise<{ reminders: number; lost: number }> {
  const reminders = await eachUntilNone(
    () => write((db) => listToRemind(db, reminderLimits(now), AT_ONCE)),
    // Each in a transaction of its own: it holds back others who write to the same address.
    ({ id }) => write((db) => remind(db, id, now)),
  );
  if (reminders > 0) wakeOutbox();
  return { reminders, lost: await untilNone(() => write((db) => loseLeads(db, now))) };
}

/** @returns whether a mail was queued */
async function remind(db: Database, id: string, now: Date): Promise<boolean> {
  // As it is now: its owner may have stopped it, gone on or paid since the list was read.
  const row = await lockApplication(db, id);
  if (!row || row.wants_reminder !== 1) return false;
  const due = reminderDue(
    {
      touchedAt: new Date(row.updated_at),
      remindedAt: row.reminded_at === null ? undefined : new Date(row.reminded_at),
    },
    now,
  );
  const lead = await findLeadOf(db, { application: id });
  if (!due || lead?.state === 'do_not_contact') return false;
  const addressee = await addresseeOf(db, row);
  if (!addressee || !(await noteReminded(db, row, { isLast: due === 'second' }, now))) {
    return false;
  }
  const mail = { ...addressee, parameters: { application: id, reference: row.reference } };
  const isQueued = addressee.userId
    ? await queueMail(db, { kind: 'reminderOfAccount', ...mail }, now)
    : await queueMail(
        db,
        { kind: 'reminder', ...mail, unverified: { client: `application ${id}` } },
        now,
      );
  if (!isQueued) {
    // The address has had all the mails of a day: an hour later it is tried again.
    await noteNotReminded(db, row);
    return false;
  }
  const actor = { kind: 'system' } as const;
  await audit(db, actor, 'lead.reminded', ['lead', lead?.id], now, { which: due });
  return true;
}

/**
 * How to stop the reminders: a link that needs no sign-in, with a fresh token; in the transaction `db`
 * in which the mail is rendered.
 *
 * @returns null if the application is gone
 */
export async function reminderContents(
  db: Database,
  { language, parameters }: { language: Language; parameters: Record<string, string> },
): Promise<MailContents | null> {
  const application = await findApplication(db, parameters['application'] ?? '');
  if (!application) return null;
  const applicationId = application.id;
  const token = await issueToken(db, { purpose: 'stopReminders', applicationId }, clockNow());
  const url = new URL('/reminders/stop', siteOrigin());
  url.searchParams.set('token', token);
  url.searchParams.set('lng', language);
  const t = translator(language);
  return {
    sections: [
      {
        title: t('mail:stopReminders.title'),
        blocks: [
          { kind: 'paragraph', text: t('mail:stopReminders.text') },
          { kind: 'paragraph', text: url.href },
        ],
      },
    ],
    links: [url.href],
  };
}
