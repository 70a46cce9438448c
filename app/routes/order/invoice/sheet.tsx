import type { InvoiceLine, InvoiceView } from '~/content/order-invoice.server';

/** The sheet itself, in the order's language: all of it, and nothing else, is printed. */
export function InvoiceSheet(sheet: InvoiceView) {
  const { language, heading, number, sample, facts, parties, notes } = sheet;
  return (
    <article lang={language} className="sheet invoice">
      <h2>
        {`${heading} `}
        <span className="whitespace-nowrap">{number}</span>
      </h2>
      {sample !== null && <p className="invoice-sample">{sample}</p>}
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

/** What was sold, and what it comes to. */
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
