import { createHash } from 'node:crypto';

import { factText, type FactViews, factViewsIn } from '~/content/facts.server';
import { legalText, withdrawalUrl } from '~/content/legal.server';
import type { Buyer } from '~/domain/order/buyer';
import { splitVat } from '~/domain/order/vat';
import { siteOrigin } from '~/env.server';
import type { Language } from '~/i18n/languages';
import { formatDatedInstant, formatMoney, formatNumber, translator } from '~/i18n/server.server';
import { withoutBreaks } from '~/i18n/unbreakable';
import { queueMail } from '~/mail/outbox.server';
import { blocksOf, type MailBlock, type MailContents, type MailSection } from '~/mail/sections';
import { unseal } from '~/sealing/seal.server';
import { siteSettings } from '~/settings/settings.server';
import { findApplication } from '~db/queries/applications.server';
import {
  findContractText,
  findOrder,
  insertContractText,
  type OrderRow,
} from '~db/queries/orders.server';
import type { Database } from '~db/schema';

/** Once. @returns the hash that an order keeps */
export async function saveContractText(
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

/** On a durable medium (Directive 2011/83/EU, article 8(7)). */
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
      language: order.language_code,
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

/** Directive 2011/83/EU, articles 6 and 8(7); docs/legal-words.md. */
export async function confirmationContents(
  db: Database,
  { language, parameters }: { language: Language; parameters: Record<string, string> },
): Promise<MailContents | null> {
  const order = await findOrder(db, parameters['order'] ?? '');
  const terms = order && (await findContractText(db, order.terms_hash));
  if (!order || terms === undefined) return null;
  const facts = await factViewsIn(db, language);
  const refundUrl = new URL(`/application/${order.application_id}/refund`, siteOrigin()).href;
  const t = translator(language);
  const legal = legalText('conditions', language, facts).sections;
  const ofTerms = (...ids: string[]): MailSection[] =>
    ids.flatMap((id) =>
      legal
        .filter((section) => section.id === id)
        .map(({ title, text }) => ({ title, blocks: blocksOf(text) })),
    );
  const { guarantee } = siteSettings();
  const sections: MailSection[] = [
    {
      title: t('order-mail:order.title'),
      blocks: [paragraph(t('order-mail:order.text')), orderRows(order, language, facts)],
    },
    startSection(order, language),
    {
      title: t('order-mail:consents.title'),
      blocks: [
        paragraph(t('order-mail:consents.text', { at: at(order.created_at, language) })),
        { kind: 'list', items: Object.values(JSON.parse(order.consents) as object).map(String) },
      ],
    },
    ...ofTerms('seller', 'withdrawal', 'withdrawalForm'),
    ...(order.guarantee_days > 0
      ? [
          {
            title: t('order-mail:guarantee.title'),
            blocks: [
              paragraph(
                t('order-mail:guarantee.text', {
                  days: order.guarantee_days,
                  from: guarantee.paidFromDays,
                  to: guarantee.paidToDays,
                }),
              ),
              paragraph(t('order-mail:guarantee.ask', { url: refundUrl })),
            ],
          },
        ]
      : []),
    ...ofTerms('conformity', 'complaints', 'mediation'),
    ...termsSections(terms, t('order-mail:terms.title')),
  ];
  return {
    sections: sections.map(withoutSectionBreaks),
    links: [withdrawalUrl(), ...(order.guarantee_days > 0 ? [refundUrl] : [])],
  };
}

const paragraph = (text: string): MailBlock => ({ kind: 'paragraph', text });

const at = (instant: string, language: Language) => formatDatedInstant(new Date(instant), language);

function orderRows(order: OrderRow, language: Language, facts: FactViews): MailBlock {
  const t = translator(language);
  const { vat } = splitVat(order.amount_cents, order.vat_rate);
  const money = (cents: number) => formatMoney(cents, order.currency, language);
  const row = (label: string, value: string): [string, string] => [label, value];
  return {
    kind: 'rows',
    rows: [
      row(t('order-mail:order.reference'), order.reference),
      row(t('order-mail:order.package'), t(`services:tiers.${order.package}.name`)),
      row(t('order-mail:order.price'), money(order.amount_cents)),
      row(
        t('order-mail:order.vat'),
        order.vat_note ??
          t('order-mail:order.vatOf', {
            amount: money(vat),
            rate: formatNumber(order.vat_rate / 100, language),
          }),
      ),
      row(
        t('order-mail:order.officialFee'),
        t('order-mail:order.officialFeeOf', { amount: factText(facts.esta_fee_total, language) }),
      ),
      row(t('order-mail:order.ordered'), at(order.created_at, language)),
      ...(order.paid_at ? [row(t('order-mail:order.paid'), at(order.paid_at, language))] : []),
      ...(order.invoice_number ? [row(t('order-mail:order.invoice'), order.invoice_number)] : []),
    ],
  };
}

function startSection(order: OrderRow, language: Language): MailSection {
  const t = translator(language);
  const { starts_at: starts, due_at: due } = order;
  return {
    title: t('order-mail:start.title'),
    blocks: [
      paragraph(
        t(`order-mail:start.${order.start_choice}`, { starts: starts ? at(starts, language) : '' }),
      ),
      ...(due ? [paragraph(t('order-mail:start.due', { due: at(due, language) }))] : []),
    ],
  };
}

function termsSections(terms: string, title: string): MailSection[] {
  const [intro = '', ...sections] = terms.replace(/^# .*\n\n/, '').split(/\n\n(?=## )/);
  return [
    { title, blocks: blocksOf(intro) },
    ...sections.map((section): MailSection => {
      const [heading = '', ...rest] = section.split('\n\n');
      return {
        title: heading.replace(/^## /, ''),
        isWithin: true,
        blocks: blocksOf(rest.join('\n\n')),
      };
    }),
  ];
}

function withoutSectionBreaks(section: MailSection): MailSection {
  return JSON.parse(withoutBreaks(JSON.stringify(section))) as MailSection;
}
