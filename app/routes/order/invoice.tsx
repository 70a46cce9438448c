import { json } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';

import { applicationNotFound, requireApplication, touchCookie } from '~/applications/access.server';
import { countryName } from '~/applications/field-words.server';
import { dayOf } from '~/clock.server';
import { requireDatabase } from '~/database.server';
import {
  type Amounts,
  creditAmounts,
  creditedBefore,
  invoiceAmounts,
  negativeAmounts,
} from '~/domain/order/amounts';
import { settingCookies } from '~/http/cookies.server';
import { live } from '~/live.server';
import { DEFAULT_LANGUAGE, type Language, LANGUAGE_ROWS, toLanguage } from '~/i18n/languages';
import {
  formatDay,
  formatMoney,
  formatMonth,
  formatPercent,
  translator,
} from '~/i18n/locale.server';
import { buyerOfOrder, sellerOf } from '~/orders/order.server';
import { LinkLine, Part, Say, TextLink } from '~/ui/elements';
import { findFulfilledOrder, type OrderRow } from '~db/queries/orders.server';
import { listRefundsOf, type RefundRow } from '~db/queries/refunds.server';

export const loader = live(async ({ request, params, language, t, searchParams }) => {
  const open = await requireApplication(request, params['id'], 'status');
  const { id } = open.row;
  const order = await requireDatabase((db) => findFulfilledOrder(db, id));
  if (!isInvoiced(order)) throw applicationNotFound();
  const refunds = await requireDatabase((db) => listRefundsOf(db, order.id));
  const sheet = sheetOf(order, refunds, searchParams.get('credit-note'));
  if (!sheet) throw applicationNotFound();
  const { kind, number } = sheet;
  return json(
    {
      sheet,
      number,
      others: orderDocuments(order, refunds, language).filter((one) => one.number !== number),
      back: `/application/${id}/overview`,
      // The name of a file into which the page is saved.
      page: { title: t(`order-invoice:title.${kind}`, { number }) },
    },
    { headers: settingCookies(await touchCookie(request, open)) },
  );
});

export default function Invoice() {
  const { t } = useTranslation('order-invoice');
  const { sheet, number, page, others, back } = useLoaderData<typeof loader>();
  // Its number is not broken at its hyphens.
  const [before, after] = page.title.split(number);
  return (
    <div className="wrap paper py-8 sm:py-12 print:p-0">
      <div className="print:hidden">
        <h1 tabIndex={-1} className="text-h1 wrap-anywhere">
          {before}
          <span className="inline-block">{number}</span>
          {after}
        </h1>
        <p className="lead mt-3">{t('lead')}</p>
        <Say icon="printer" className="mt-6 max-w-[48rem]" words={t('print')} />
        <LinkLine className="mt-2" href={back} words={t('back')} />
      </div>
      <InvoiceSheet {...sheet} />
      {others.length > 0 && (
        <Part id="others" title={t('others')} size="text-lg" className="mt-10 print:hidden">
          <ul className="mt-2">
            {others.map(({ number, href, label }) => (
              <li key={number}>
                <TextLink href={href} words={label} />
              </li>
            ))}
          </ul>
        </Part>
      )}
    </div>
  );
}

function InvoiceSheet(sheet: InvoiceView) {
  const { language, heading, number, sample, facts, parties, notes } = sheet;
  return (
    <article lang={language} className="sheet invoice">
      <h2>
        {`${heading} `}
        <span className="whitespace-nowrap">{number}</span>
      </h2>
      {sample !== null && <p className="mt-2 font-[650]">{sample}</p>}
      <div className="invoice-head">
        {parties.map(({ label, name, lines }) => (
          <section key={label}>
            <h3>{label}</h3>
            <p className="font-[650]">{name}</p>
            {lines.map((line, index) => (
              <p key={index}>{line}</p>
            ))}
          </section>
        ))}
      </div>
      <dl>
        {facts.map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <Figures {...sheet} />
      {notes.map((note, index) => (
        <p key={index} className="mt-2">
          {note}
        </p>
      ))}
    </article>
  );
}

function Figures({ columns, service, sums, total }: InvoiceView) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{columns.service}</th>
          <th scope="col">{columns.quantity}</th>
          <th scope="col">{columns.price}</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td>
            <p className="font-[650]">{service.name}</p>
            {service.details.map((detail) => (
              <p key={detail}>{detail}</p>
            ))}
          </td>
          <td>{service.quantity}</td>
          <td>{service.price}</td>
        </tr>
      </tbody>
      <tfoot>
        {sums.map((sum) => (
          <Sum key={sum.label} {...sum} />
        ))}
        <Sum {...total} className="invoice-total" />
      </tfoot>
    </table>
  );
}

function Sum({ label, text, className }: InvoiceLine & { className?: string }) {
  return (
    <tr className={className}>
      <th scope="row" colSpan={2}>
        {label}
      </th>
      <td>{text}</td>
    </tr>
  );
}

type InvoiceLine = { label: string; text: string };

type InvoicedOrder = OrderRow & { invoice_number: string; paid_at: string };

function isInvoiced(order: OrderRow | undefined): order is InvoicedOrder {
  return order !== undefined && order.invoice_number !== null && order.paid_at !== null;
}

type InvoiceView = NonNullable<ReturnType<typeof sheetOf>>;

/**
 * The invoice of an order, or its credit note of this number, with negative amounts.
 *
 * @returns undefined for an unknown number @throws {SealError} if the buyer does not open
 */
function sheetOf(order: InvoicedOrder, refunds: readonly RefundRow[], asked: string | null) {
  const refund = refunds.find((one) => asked !== null && one.credit_note_number === asked);
  if (asked !== null && refund?.sent_at == null) return undefined;
  const language = toLanguage(order.language_code) ?? DEFAULT_LANGUAGE;
  const t = translator(language);
  const paidOn = dateOf(order.paid_at, language);
  const { kind, amounts, ...own } = refund ? creditNote(refund) : invoice();
  const seller = sellerOf(order, language);
  const { legalForm, capital } = seller;
  const money = (cents: number) => formatMoney(cents, order.currency, language);
  const { name, address, country } = buyerOfOrder(order);
  const number = asked ?? order.invoice_number;
  const facts = { number, ...own.facts, reference: order.reference };
  const rate = formatPercent(order.vat_rate / 100, language, 2);
  const { vat_country: code } = order;

  function invoice() {
    const { starts_at: from, due_at: to } = order;
    const dates = from && to && { from: dateOf(from, language), to: dateOf(to, language) };
    return {
      kind: 'invoice' as const,
      amounts: invoiceAmounts(order, order.amount_cents),
      facts: {
        dateOfInvoice: paidOn,
        paidOn,
        period: dates && t('order-invoice:sheet.periodText', dates),
      },
      details: [t('order-invoice:sheet.serviceNote')],
      paid: t('order-invoice:sheet.paid', { date: paidOn }),
    };
  }

  function creditNote(refund: RefundRow) {
    const date = dateOf(refund.sent_at ?? '', language);
    const before = creditedBefore(refunds, refund);
    const corrects = { number: order.invoice_number, date: paidOn };
    const paid = refund.kind === 'dispute' ? 'takenBack' : 'sentBack';
    return {
      kind: 'creditNote' as const,
      amounts: negativeAmounts(creditAmounts(order, before, refund.amount_cents)),
      facts: {
        dateOfCreditNote: date,
        corrects: t('order-invoice:sheet.correctsText', corrects),
        reason: t(`order-invoice:sheet.reasons.${refund.kind}`),
      },
      details: [] as string[],
      paid: t(`order-invoice:sheet.${paid}`, { date }),
    };
  }

  return {
    language,
    kind,
    number,
    heading: t(`order-invoice:sheet.${kind}`),
    sample: seller.example ? t('order-invoice:sheet.sample') : null,
    facts: Object.entries(facts).flatMap(([name, text]) =>
      text ? [{ label: t(`order-invoice:sheet.${name as 'number'}`), text }] : [],
    ),
    parties: [
      {
        label: t('order-invoice:sheet.seller'),
        name: seller.name,
        lines: [
          t('order-invoice:sheet.legal', { legalForm, capital }),
          seller.address,
          seller.registration,
          t('order-invoice:sheet.vatNumber', { number: seller.vatNumber }),
          seller.email,
        ],
      },
      {
        label: t('order-invoice:sheet.buyer'),
        name,
        lines: country === null ? address : [...address, countryName(country, language)],
      },
    ],
    columns: {
      service: t('order-invoice:sheet.service'),
      quantity: t('order-invoice:sheet.quantity'),
      price: t('order-invoice:sheet.price'),
    },
    service: {
      name: t('order-invoice:sheet.serviceText', {
        package: t(`services:tiers.${order.package}.name`),
      }),
      details: own.details,
      quantity: '1',
      price: money(amounts.net),
    },
    sums: [
      { label: t('order-invoice:sheet.net'), text: money(amounts.net) },
      {
        label:
          code === null
            ? t('order-invoice:sheet.vat', { rate })
            : t('order-invoice:sheet.vatOf', { rate, country: countryName(code, language) }),
        text: money(amounts.vat),
      },
    ],
    total: { label: t(`order-invoice:sheet.total.${kind}`), text: money(amounts.gross) },
    notes: [
      ...(order.vat_note === null ? [] : [order.vat_note]),
      ...eurosNote(order, amounts, language),
      own.paid,
      ...(seller.note === null ? [] : [seller.note]),
    ],
  };
}

/** The VAT in euros of an invoice in another currency (Directive 2006/112/EC, article 230). */
function eurosNote(order: InvoicedOrder, { euros }: Amounts, language: Language): string[] {
  if (!euros || order.eur_rate === null || order.vat_note !== null) return [];
  return [
    translator(language)('order-invoice:sheet.euros', {
      vat: formatMoney(euros.vat, 'EUR', language),
      rate: decimalIn(order.eur_rate, language),
      currency: order.currency,
      month: formatMonth(dayOf(new Date(order.paid_at)).slice(0, 7), language),
    }),
  ];
}

/** A decimal as it was told, with the sign of the language: no figure of it is rounded. */
function decimalIn(decimal: string, language: Language): string {
  const parts = new Intl.NumberFormat(LANGUAGE_ROWS[language].locale).formatToParts(0.5);
  return decimal.replace('.', parts.find(({ type }) => type === 'decimal')?.value ?? '.');
}

const dateOf = (at: string, language: Language): string => formatDay(dayOf(new Date(at)), language);

/** The invoice first. @param refunds of the order, the earliest first */
function orderDocuments(order: InvoicedOrder, refunds: readonly RefundRow[], language: Language) {
  const t = translator(language);
  const address = `/application/${order.application_id}/invoice`;
  const number = order.invoice_number;
  const date = dateOf(order.paid_at, language);
  const label = t('order-invoice:documents.invoice', { number, date });
  const creditNotes = refunds.flatMap(({ credit_note_number: number, sent_at: at }) => {
    if (number === null || at === null) return [];
    const href = `${address}?${new URLSearchParams({ 'credit-note': number })}`;
    const date = dateOf(at, language);
    return [{ number, href, label: t('order-invoice:documents.creditNote', { number, date }) }];
  });
  return [{ number, href: address, label }, ...creditNotes];
}
