import { fieldsOf } from '~/applications/requests.server';
import { listNewAnswers } from '~db/queries/application-requests.server';
import { listNewMessagesFor } from '~db/queries/contact-messages.server';
import type { Database } from '~db/schema';

const MOST = 20;

/** What has come in for somebody and they have not looked at since: answers to requests, and messages. */
export async function answersFor(db: Database, user: { id: string }, applicationId?: string) {
  const only = { staffId: user.id, applicationId, limit: MOST };
  const answers = (await listNewAnswers(db, only)).map((row) => ({
    ...{ kind: 'request' as const, id: row.id, at: row.answered_at ?? '' },
    ...{ applicationId: row.application_id, reference: row.reference, fields: fieldsOf(row) },
    href: `/crm/processing/${row.application_id}/conversation`,
  }));
  const messages = (await listNewMessagesFor(db, only)).map((row) => ({
    ...{ kind: 'message' as const, id: row.id, at: row.created_at, fields: [] as string[] },
    ...{ applicationId: row.application_id, reference: row.reference },
    href: `/crm/messages/${row.id}`,
  }));
  return [...answers, ...messages].sort((one, other) => (one.at < other.at ? 1 : -1));
}
