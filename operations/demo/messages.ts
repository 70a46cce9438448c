import { randomUUID } from 'node:crypto';

import { addHours } from 'date-fns';

import { normalizeEmail } from '~/domain/accounts';
import type { Language } from '~/i18n/languages';
import { blindIndex } from '~/sealing/seal.server';
import type { Database } from '~db/schema';
import { sealed } from './accounts';

interface DemoMessage {
  name: string;
  email: string;
  language: Language;
  category: string;
  subject: string;
  message: string;
  hours: number;
  lead?: 'new' | 'contacted';
}

const MESSAGES: readonly DemoMessage[] = [
  {
    name: 'Margot Petit',
    email: 'margot.petit@example.eu',
    language: 'fr',
    category: 'application',
    subject: 'Mon passeport expire bientôt',
    message: 'Bonjour, mon passeport expire dans sept mois. Puis-je déposer une demande ?',
    hours: 5,
    lead: 'new',
  },
  {
    name: 'Bernd Krüger',
    email: 'bernd.krueger@example.eu',
    language: 'de',
    category: 'payment',
    subject: 'Rechnung',
    message: 'Guten Tag, wo finde ich meine Rechnung?',
    hours: 28,
    lead: 'contacted',
  },
  {
    name: 'Ellen Ward',
    email: 'ellen.ward@example.eu',
    language: 'en',
    category: 'technical',
    subject: 'The photo',
    message: 'Hello, my phone makes HEIC pictures. What can I do?',
    hours: 2,
  },
];

/** Messages and leads, of people who do not exist; and leads of who wants to be reminded. */
export async function addMessages(db: Database, agent: string, now: Date): Promise<void> {
  for (const { hours, lead, email, language, category, ...text } of MESSAGES) {
    const id = randomUUID();
    const at = addHours(now, -hours).toISOString();
    const typed = JSON.stringify({ ...text, category });
    await db
      .insertInto('contact_messages')
      .values({
        id,
        state: 'new',
        category,
        language_code: language,
        message_sealed: sealed('contact_messages', id, 'message_sealed', typed),
        email_sealed: sealed('contact_messages', id, 'email_sealed', email),
        email_index: blindIndex('contact_messages.email_index', normalizeEmail(email)),
        created_at: at,
      })
      .execute();
    if (lead) {
      const assigned = lead === 'contacted' ? agent : null;
      await addLead(
        db,
        { kind: 'message', state: lead, message_id: id, assigned_to: assigned },
        at,
      );
    }
  }
  const rows = await db
    .selectFrom('applications')
    .select(['id', 'created_at'])
    .where('wants_reminder', '=', 1)
    .execute();
  for (const { id, created_at } of rows) {
    await addLead(db, { kind: 'application', state: 'new', application_id: id }, created_at);
  }
}

const CHECKS = 60;

/** Saved results of the eligibility check, over the last month. */
export async function addChecks(db: Database, now: Date): Promise<void> {
  const rows = Array.from({ length: CHECKS }, (_, n) => ({
    session_id: randomUUID(),
    country_code: n % 3 ? 'FR' : 'DE',
    is_country_eligible: 1 as const,
    assessment_data: '{}',
    is_eligible: 1 as const,
    disqualifying_factors: '[]',
    factor_keys: '[]',
    outcome: 'eligible' as const,
    language_code: n % 3 ? 'fr' : 'de',
    completed_at: addHours(now, -11 * (n + 1)).toISOString(),
  }));
  await db.insertInto('eligibility_assessments').values(rows).execute();
}

interface DemoLead {
  kind: 'message' | 'application';
  state: 'new' | 'contacted';
  message_id?: string;
  application_id?: string;
  assigned_to?: string | null;
}

async function addLead(db: Database, lead: DemoLead, at: string): Promise<void> {
  await db
    .insertInto('leads')
    .values({ id: randomUUID(), ...lead, created_at: at, updated_at: at })
    .execute();
}
