import { subDays, subMinutes } from 'date-fns';
import { createHash, randomUUID } from 'node:crypto';

import { audit, type AuditActor, SYSTEM } from '~/accounts/audit.server';
import { dayOf } from '~/clock.server';
import { factText, type FactViews, factViewsIn } from '~/facts.server';
import { legalText, withdrawalUrl } from '~/public/legal.server';
import { queryDatabase } from '~/database.server';
import { refundDueDay } from '~/domain/order/deadlines';
import { isUndecided } from '~/domain/order/refund-rules';
import { type OrderEvent, orderMove, type RefundState } from '~/domain/order/states';
import { splitVat } from '~/domain/order/vat';
import { siteOrigin } from '~/env.server';
import { type Language, textInLanguage } from '~/i18n/languages';
import {
  dayInWords,
  formatDatedInstant,
  formatDay,
  formatMoment,
  formatMoney,
  formatNumber,
  translator,
} from '~/i18n/locale.server';
import { withoutBreaks } from '~/i18n/unbreakable';
import { queueMail } from '~/mail/outbox.server';
import { blocksOf, type MailSection, paragraph, type ReadContents } from '~/mail/sections';
import { sealColumn } from '~/sealing/seal.server';
import { siteSettings } from '~/settings/settings.server';
import { findApplication, lockApplication } from '~db/queries/applications.server';
import { insertDeletion } from '~db/queries/deletions.server';
import {
  deleteEmptied,
  deleteOrder,
  deleteUnpaidOrders,
  deleteUnusedTexts,
  findOrder,
  listOrdersOf,
  listOrdersPaidBefore,
  lockOrder,
  type OrderRow,
} from '~db/queries/orders.server';
import { countMessagesAbout } from '~db/queries/outbox.server';
import { listRefundsOf, type RefundRow } from '~db/queries/refunds.server';
import { type Move, rowsIn } from '~db/queries/rows.server';
import type { Database } from '~db/schema';
import { buyerOfOrder, currentInvoice, takeDocumentNumber } from './invoices.server';

interface OrderMoveOptions {
  actor?: AuditActor;
  set?: Omit<Move<'orders'>, 'state'>;
  details?: Record<string, string | number | boolean>;
  refunded?: number;
}

/** Compare-and-set on state and version, with an audit event of codes only. */
export async function moveOrder(
  db: Database,
  order: OrderRow,
  event: OrderEvent,
  { actor = SYSTEM, set = {}, details = {}, refunded = 0 }: OrderMoveOptions,
  now: Date,
): Promise<OrderRow | undefined> {
  const state = orderMove(order.state, event, { paid: order.amount_cents, refunded });
  if (state === undefined) return undefined;
  if (!(await rowsIn(db).move('orders', order, { ...set, state }))) return undefined;
  await audit(db, actor, 'order.moved', ['order', order.id], now, {
    event,
    from: order.state,
    to: state,
    ...details,
  });
  return { ...order, ...set, state, version: order.version + 1 } as OrderRow;
}

type Seller = ReturnType<typeof sellerNow>;

function sellerNow(language: Language) {
  const { company, invoices } = siteSettings();
  const { example, name, legalForm, capital, address, registration, vatNumber, email } = company;
  const note = invoices.note && textInLanguage(invoices.note, language);
  return { example, name, legalForm, capital, address, registration, vatNumber, email, note };
}

/** Frozen with the invoice number: an invoice that is out says what it said. */
export const sellerSnapshot = (language: Language): string => JSON.stringify(sellerNow(language));

export function sellerOf({ seller }: Pick<OrderRow, 'seller'>, language: Language): Seller {
  return seller === null ? sellerNow(language) : (JSON.parse(seller) as Seller);
}

export type OrderView = Awaited<ReturnType<typeof orderViews>>[number];

/** Nothing of the answers: a link to the state alone may show it. */
export async function orderViews(applicationId: string, language: Language) {
  return queryDatabase(async (db) => {
    const paid = (await listOrdersOf(db, applicationId)).filter(({ paid_at }) => paid_at !== null);
    const views = [];
    for (const order of paid) {
      const refunds = await listRefundsOf(db, order.id);
      const invoice = (await currentInvoice(db, order))?.number;
      views.push({ ...orderView(order, refunds, language), ...(invoice && { invoice }) });
    }
    return views;
  });
}

function orderView(order: OrderRow, refunds: RefundRow[], language: Language) {
  const { paid_at, created_at, fulfilled_at, starts_at } = order;
  const { paidToDays } = siteSettings().guarantee;
  const isLater = order.start_choice === 'after_14_days';
  return {
    package: order.package,
    paid: formatMoney(order.amount_cents, order.currency, language),
    paidOn: dayInWords(paid_at ?? created_at, language),
    ...(fulfilled_at !== null &&
      isLater &&
      starts_at && { start: formatMoment(new Date(starts_at), language) }),
    isDisputed: order.state === 'disputed',
    refunds: refunds.map((refund) => ({
      is: IS[refund.state],
      amount: formatMoney(refund.amount_cents, order.currency, language),
      on: dayInWords(latestDate(refund), language),
      ...(isUndecided(refund.state) && {
        due: formatDay(
          refundDueDay(refund.kind, dayOf(new Date(refund.created_at)), paidToDays),
          language,
        ),
      }),
    })),
  };
}

const IS = {
  requested: 'requested',
  proposed: 'requested',
  approved: 'approved',
  sent: 'sent',
  settled: 'settled',
  failed: 'delayed',
  refused: 'refused',
} as const satisfies Record<RefundState, string>;

/** Of a proposal nothing is told: until somebody approves it, it is what was asked for. */
function latestDate({ created_at, approved_at, sent_at, settled_at }: RefundRow): string {
  return settled_at ?? sent_at ?? approved_at ?? created_at;
}

export async function purgeSomeOrders(db: Database, limit: Date, now: Date): Promise<number> {
  const due = await listOrdersPaidBefore(db, limit);
  for (const { id, application_id } of due) {
    await deleteOrder(db, id);
    await insertDeletion(db, { subject: 'order', id, reason: 'retention' }, now);
    // What was tried before it, and not paid, keeps the row no longer.
    await deleteUnpaidOrders(db, application_id);
    await deleteEmptied(db, application_id);
  }
  if (due.length > 0) await deleteUnusedTexts(db);
  return due.length;
}

/** Once. @returns the hash that an order keeps */
export async function saveContractText(db: Database, language: Language, now: Date) {
  const text = await contractText(db, language);
  const hash = createHash('sha256').update(`${language}\n${text}`).digest('base64url');
  const created_at = now.toISOString();
  await rowsIn(db).insertNew('contract_texts', { hash, language_code: language, text, created_at });
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
export const queueOrderConfirmation = (db: Database, order: OrderRow, now: Date) =>
  queueInvoice(db, order, 'orderConfirmation', { order: order.id }, now);

async function queueInvoice(
  db: Database,
  order: OrderRow,
  kind: 'orderConfirmation' | 'invoiceCorrected',
  own: Record<string, string>,
  now: Date,
) {
  const { application_id: applicationId, language_code: language, reference } = order;
  const { user_id: userId } = (await findApplication(db, applicationId)) ?? {};
  const parameters = { reference, application: applicationId, ...own };
  const mail = { to: buyerOfOrder(order).email, language, applicationId, parameters };
  await queueMail(db, { kind, ...mail, ...(userId && { userId }) }, now);
}

const MOST_CONFIRMATIONS_A_DAY = 4;

/** The same once more, with its invoice: who presses twice within a minute sends one. */
export async function confirmAgain(db: Database, order: OrderRow, actor: AuditActor, now: Date) {
  await lockApplication(db, order.application_id);
  const about = ['application_id', order.application_id] as const;
  const sentSince = (at: Date) => countMessagesAbout(db, about, ['orderConfirmation'], at);
  if ((await sentSince(subMinutes(now, 1))) > 0) return 'sent';
  if ((await sentSince(subDays(now, 1))) >= MOST_CONFIRMATIONS_A_DAY) return 'tooMany';
  await queueOrderConfirmation(db, order, now);
  await audit(db, actor, 'order.confirmed', ['order', order.id], now);
  return 'sent';
}

interface Correction {
  name: string;
  version: number;
  actor: AuditActor;
}

/**
 * Credits the invoice and issues another with the name as it is; no money moves. After a credit note
 * of a refund the two would not cancel each other.
 */
export async function correctBuyer(
  db: Database,
  { id: order_id, application_id }: OrderRow,
  { name, version, actor }: Correction,
  now: Date,
): Promise<'corrected' | 'changed' | 'credited' | 'same' | 'gone'> {
  await lockApplication(db, application_id);
  const order = await lockOrder(db, order_id);
  const invoice = order && (await currentInvoice(db, order));
  if (!invoice) return 'gone';
  if (order.version !== version) return 'changed';
  const refunds = await listRefundsOf(db, order_id);
  if (refunds.some(({ credit_note_number }) => credit_note_number !== null)) return 'credited';
  const before = invoice.buyer();
  if (before.name === name) return 'same';
  const id = randomUUID();
  const buyer = JSON.stringify({ ...before, name });
  const invoice_number = await takeDocumentNumber(db, 'invoice', now);
  await rowsIn(db).insert('invoice_corrections', {
    ...{ id, order_id, invoice_number, corrected_at: now.toISOString() },
    buyer_sealed: sealColumn('invoice_corrections', id, 'buyer_sealed', buyer),
    credit_note_number: await takeDocumentNumber(db, 'credit_note', now),
  });
  await rowsIn(db)
    .update('orders', { id: order_id }, { version: version + 1 })
    .execute();
  await audit(db, actor, 'order.corrected', ['order', order_id], now);
  const numbers = { number: invoice_number, before: invoice.number };
  await queueInvoice(db, order, 'invoiceCorrected', numbers, now);
  return 'corrected';
}

/** Directive 2011/83/EU, articles 6 and 8(7); docs/legal-words.md. */
export const confirmationContents: ReadContents = async (db, { language, parameters }) => {
  const order = await findOrder(db, parameters['order'] ?? '');
  const terms = order && (await rowsIn(db).find('contract_texts', { hash: order.terms_hash }));
  if (!order || !terms) return null;
  const facts = await factViewsIn(db, language);
  const t = translator(language);
  const { guarantee } = siteSettings();
  const at = (instant: string) => formatDatedInstant(new Date(instant), language);
  const legal = legalText('conditions', language, facts).sections;
  const ofTerms = (...ids: string[]) =>
    ids
      .flatMap((id) => legal.filter((section) => section.id === id))
      .map(({ title, text }): MailSection => ({ title, blocks: blocksOf(text) }));
  const { guarantee_days: days, created_at, starts_at: starts, due_at: due } = order;
  const refundUrl = new URL(`/application/${order.application_id}/refund`, siteOrigin()).href;
  const { paidFromDays: from, paidToDays: to } = guarantee;
  const ofGuarantee: MailSection = {
    title: t('order-mail:guarantee.title'),
    blocks: [
      paragraph(t('order-mail:guarantee.text', { days, from, to })),
      paragraph(t('order-mail:guarantee.ask', { url: refundUrl })),
    ],
  };
  const sections: MailSection[] = [
    {
      title: t('order-mail:order.title'),
      blocks: [
        paragraph(t('order-mail:order.text')),
        { kind: 'rows', rows: orderRows(order, facts, language, at) },
      ],
    },
    {
      title: t('order-mail:start.title'),
      blocks: [
        paragraph(
          t(`order-mail:start.${order.start_choice}`, { starts: starts ? at(starts) : '' }),
        ),
        ...(due ? [paragraph(t('order-mail:start.due', { due: at(due) }))] : []),
      ],
    },
    {
      title: t('order-mail:consents.title'),
      blocks: [
        paragraph(t('order-mail:consents.text', { at: at(created_at) })),
        { kind: 'list', items: Object.values(JSON.parse(order.consents) as object).map(String) },
      ],
    },
    ...ofTerms('seller', 'withdrawal', 'withdrawalForm'),
    ...(days > 0 ? [ofGuarantee] : []),
    ...ofTerms('conformity', 'complaints', 'mediation'),
    ...termsSections(terms.text, t('order-mail:terms.title')),
  ];
  return {
    sections: JSON.parse(withoutBreaks(JSON.stringify(sections))) as MailSection[],
    links: [withdrawalUrl(), ...(days > 0 ? [refundUrl] : [])],
  };
};

function orderRows(
  order: OrderRow,
  facts: FactViews,
  language: Language,
  at: (instant: string) => string,
) {
  const t = translator(language);
  const { amount_cents, vat_rate, paid_at } = order;
  const money = (cents: number) => formatMoney(cents, order.currency, language);
  const amount = money(splitVat(amount_cents, vat_rate).vat);
  const vat = { amount, rate: formatNumber(vat_rate / 100, language) };
  const fee = factText(facts.esta_fee_total, language);
  const rows = {
    reference: order.reference,
    package: t(`services:tiers.${order.package}.name`),
    price: money(amount_cents),
    vat: order.vat_note ?? t('order-mail:order.vatOf', vat),
    officialFee: t('order-mail:order.officialFeeOf', { amount: fee }),
    ordered: at(order.created_at),
    paid: paid_at && at(paid_at),
    invoice: order.invoice_number,
  };
  return Object.entries(rows).flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [[t(`order-mail:order.${name as keyof typeof rows}`), value]],
  );
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
