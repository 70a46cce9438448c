import { json } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { settingCookies } from '~/http/cookies.server';
import { requireApplication, touchCookie, applicationNotFound } from '~/applications/access.server';
import {
  creditNoteView,
  type InvoiceLine,
  invoiceView,
  type InvoiceView,
  isInvoiced,
  orderDocuments,
} from '~/orders/invoice.server';
import { requireDatabase } from '~/database.server';
import { live } from '~/http/live.server';
import { languageOf, translator } from '~/i18n/server.server';
import { LinkLine, Part, Say, TextLink } from '~/ui/elements';
import { findFulfilledOrder } from '~db/queries/orders.server';
import { listRefundsOf } from '~db/queries/refunds.server';

export const loader = live(async ({ request, params }) => {
  const open = await requireApplication(request, params['id'], 'status');
  const { id } = open.row;
  const order = await requireDatabase((db) => findFulfilledOrder(db, id));
  if (!isInvoiced(order)) throw applicationNotFound();
  const refunds = await requireDatabase((db) => listRefundsOf(db, order.id));
  const asked = new URL(request.url).searchParams.get('credit-note');
  const sheet = asked === null ? invoiceView(order) : creditNoteView(order, refunds, asked);
  if (!sheet) throw applicationNotFound();
  const language = await languageOf(request);
  const t = translator(language);
  const { kind, number } = sheet;
  return json(
    {
      sheet,
      number,
      others: orderDocuments(order, refunds, language).filter((one) => one.number !== number),
      back: `/application/${id}/overview`,
      // The name of a file into which the page is saved.
      page: { title: t(`order-invoice:title.${kind}`, { number }), noindex: true },
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
