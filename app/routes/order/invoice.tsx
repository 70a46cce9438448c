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
  dayInWords,
  formatMoney,
  formatMonth,
  formatPercent,
  translator,
} from '~/i18n/locale.server';
import { documentsOf, type OrderDocument } from '~/orders/invoices.server';
import { sellerOf } from '~/orders/order.server';
import { LinkLine, Part, Say, TextLink } from '~/ui/elements';
import { findFulfilledOrder, listCorrections, type OrderRow } from '~db/queries/orders.server';
import { listRefundsOf, type RefundRow } from '~db/queries/refunds.server';

export const loader = live(async ({ request, params, language, t, searchParams }) => {
  const open = await requireApplication(request, params['id'], 'status');
  const { id } = open.row;
  const order = await requireDatabase((db) => findFulfilledOrder(db, id));
  if (!isInvoiced(order)) throw applicationNotFound();
  const documents = await requireDatabase(async (db) => {
    const corrections = await listCorrections(db, [order.id]);
    return documentsOf(order, corrections, await listRefundsOf(db, order.id));
  });
  const asked = searchParams.get('credit-note') ?? searchParams.get('number');
  const invoices = documents.filter(({ kind }) => kind === 'invoice');
  const current = invoices.at(-1);
  const document = asked === null ? current : documents.find(({ number }) => number === asked);
  if (!document) throw applicationNotFound();
  const { kind, number } = document;
  return json(
    {
      sheet: sheetOf(order, document, documents),
      number,
      others: documents
        .filter((one) => one !== document)
        .map((one) => ({
          number: one.number,
          href: `/application/${id}/invoice${one === current ? '' : queryOf(one)}`,
          label: inWords(one, language),
        })),
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

type InvoiceView = ReturnType<typeof sheetOf>;

type OwnDocument = OrderDocument<RefundRow>;

/** A credit note has negative amounts. @throws {SealError} if the buyer does not open */
function sheetOf(order: InvoicedOrder, document: OwnDocument, all: readonly OwnDocument[]) {
  const language = toLanguage(order.language_code) ?? DEFAULT_LANGUAGE;
  const t = translator(language);
  const paidOn = dayInWords(order.paid_at, language);
  const date = dayInWords(document.at, language);
  const { kind, number, corrects, refund } = document;
  const own = kind === 'invoice' ? invoice() : creditNote();
  const { amounts } = own;
  const seller = sellerOf(order, language);
  const { legalForm, capital } = seller;
  const money = (cents: number) => formatMoney(cents, order.currency, language);
  const { name, address, country } = document.buyer();
  const facts = { number, ...own.facts, reference: order.reference };
  const rate = formatPercent(order.vat_rate / 100, language, 2);
  const { vat_country: code } = order;

  function invoice() {
    const { starts_at: from, due_at: to } = order;
    const dates = from && to && { from: dayInWords(from, language), to: dayInWords(to, language) };
    return {
      amounts: invoiceAmounts(order, order.amount_cents),
      facts: {
        dateOfInvoice: date,
        replaces: invoiceInWords(),
        paidOn,
        period: dates && t('order-invoice:sheet.periodText', dates),
      },
      details: [t('order-invoice:sheet.serviceNote')],
      total: 'invoice' as const,
      paid: t('order-invoice:sheet.paid', { date: paidOn }),
    };
  }

  function creditNote() {
    const refunds = all.flatMap((one) => one.refund ?? []);
    const before = refund ? creditedBefore(refunds, refund) : 0;
    const cents = refund?.amount_cents ?? order.amount_cents;
    const moved = refund?.kind === 'dispute' ? 'takenBack' : 'sentBack';
    return {
      amounts: negativeAmounts(creditAmounts(order, before, cents)),
      facts: {
        dateOfCreditNote: date,
        corrects: invoiceInWords(),
        reason: t(`order-invoice:sheet.reasons.${refund?.kind ?? 'correction'}`),
      },
      details: [] as string[],
      total: refund ? ('creditNote' as const) : ('invoice' as const),
      paid: t(`order-invoice:sheet.${refund ? moved : 'unmoved'}`, { date }),
    };
  }

  function invoiceInWords() {
    if (!corrects) return undefined;
    const named = { number: corrects.number, date: dayInWords(corrects.at, language) };
    return t('order-invoice:sheet.correctsText', named);
  }

  return {
    language,
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
    total: { label: t(`order-invoice:sheet.total.${own.total}`), text: money(amounts.gross) },
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

const queryOf = ({ kind, number }: OwnDocument) =>
  `?${new URLSearchParams({ [kind === 'invoice' ? 'number' : 'credit-note']: number })}`;

function inWords({ kind, number, at }: OwnDocument, language: Language): string {
  const date = dayInWords(at, language);
  return translator(language)(`order-invoice:documents.${kind}`, { number, date });
}
