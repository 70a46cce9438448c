import { createHash } from 'node:crypto';

import { factViewsIn } from '../content/facts.server';
import { legalText } from '~/content/legal.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { withoutBreaks } from '~/i18n/unbreakable';
import { mailLanguage } from '~/mail/language';
import { queueMail } from '~/mail/outbox.server';
import { unseal } from '~/sealing/seal.server';
import { findApplication } from '~db/queries/applications.server';
import { insertContractText, type OrderRow } from '~db/queries/orders.server';
import type { Database } from '~db/schema';
import type { Buyer } from '~/domain/order/buyer';

/**
 * Keeps the terms of sale as they stand today in a language, once, in the transaction `db`.
 *
 * @returns the hash that an order keeps
 */
export async function keepContractText(
  db: Database,
  language: Language,
  now: Date,
): Promise<string> {
  const text = await contractText(db, language);
  const hash = createHash('sha256').update(`${language}\n${text}`).digest('base64url');
  await insertContractText(db, {
    hash,
    language_code: language,
    text,
    created_at: now.toISOString(),
  });
  return hash;
}

/** The terms of sale as plain text: the title after `# `, those of the sections after `## `. */
async function contractText(db: Database, language: Language): Promise<string> {
  const { title, intro, sections, date } = legalText(
    'conditions',
    language,
    await factViewsIn(db, language),
  );
  const parts = [
    `# ${title}`,
    intro,
    ...sections.flatMap((section) => [`## ${section.title}`, section.text]),
    translator(language)('legal:updated', { date }),
  ];
  return withoutBreaks(parts.join('\n\n'));
}

/**
 * Queues the confirmation of a paid order on a durable medium (Directive 2011/83/EU, article 8(7)):
 * contract, price, consents, terms in full, information on withdrawal with its model form; in the
 * transaction `db` of the payment. `wakeOutbox()` after it.
 */
export async function queueOrderConfirmation(
  db: Database,
  order: OrderRow,
  now: Date,
): Promise<void> {
  const place = { table: 'orders', row: order.id, field: 'buyer_sealed' };
  const { email } = JSON.parse(unseal(order.buyer_sealed, place)) as Buyer;
  const application = await findApplication(db, order.application_id);
  await queueMail(
    db,
    {
      kind: 'orderConfirmation',
      to: email,
      language: mailLanguage(order),
      applicationId: order.application_id,
      ...(application?.user_id && { userId: application.user_id }),
      parameters: {
        reference: order.reference,
        application: order.application_id,
        order: order.id,
      },
    },
    now,
  );
}
