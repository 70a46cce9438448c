import { factText, type FactViews, factViewsIn } from '../content/facts.server';
import { legalText, withdrawalUrl } from '~/content/legal.server';
import { splitVat } from '~/domain/order/vat';
import { siteOrigin } from '~/env.server';
import { formatDatedInstant, formatMoney, formatNumber } from '~/i18n/format.server';
import type { Language } from '~/i18n/languages';
import { translator } from '~/i18n/server.server';
import { withoutBreaks } from '~/i18n/unbreakable';
import { blocksOf, type MailBlock, type MailContents, type MailSection } from '~/mail/sections';
import { siteSettings } from '~/settings/settings.server';
import { findContractText, findOrder, type OrderRow } from '~db/queries/orders.server';
import type { Database } from '~db/schema';

/**
 * What the confirmation of an order says (Directive 2011/83/EU, articles 6 and 8(7); docs/legal-words.md):
 * who sells, what was ordered and agreed to, how to withdraw, and the terms as they stood.
 *
 * @returns null if the order is gone
 */
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
  /** Sections of the terms of sale that have to be found without reading all of them. */
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

const at = (instant: string, language: Language) =>
  formatDatedInstant(new Date(instant), language, siteSettings().timeZone);

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

/** The terms as they were kept: `# ` before the title, `## ` before those of the sections. */
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

/** A section for another program: without soft hyphens and word joiners. */
function withoutSectionBreaks(section: MailSection): MailSection {
  return JSON.parse(withoutBreaks(JSON.stringify(section))) as MailSection;
}
