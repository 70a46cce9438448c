import { type Language, textIn } from '~/i18n/languages';
import { siteSettings } from '~/settings/settings.server';
import type { OrderRow } from '~db/queries/orders.server';

export interface Seller {
  /** The company is the sample that is shipped: nothing it writes is an invoice. */
  example: boolean;
  name: string;
  legalForm: string;
  capital: string;
  address: string;
  registration: string;
  vatNumber: string;
  email: string;
  /** The operator's sentence below each invoice. */
  note: string | null;
}

function sellerNow(language: Language): Seller {
  const { company, invoices } = siteSettings();
  const { example, name, legalForm, capital, address, registration, vatNumber, email } = company;
  const note = invoices.note && textIn(invoices.note, language);
  return { example, name, legalForm, capital, address, registration, vatNumber, email, note };
}

/**
 * The seller of today, to be frozen into the order with its invoice number: an invoice that is out says
 * what it said, whatever becomes of the company.
 */
export function frozenSeller(language: Language): string {
  return JSON.stringify(sellerNow(language));
}

/** The seller of an order: as on the day of its invoice. */
export function sellerOf({ seller }: Pick<OrderRow, 'seller'>, language: Language): Seller {
  return seller === null ? sellerNow(language) : (JSON.parse(seller) as Seller);
}
