import type { AllAnswers } from '../application/answers';
import type { Form } from '../form';

export interface Buyer {
  name: string;
  /** As an envelope has it; without the country. */
  address: string[];
  country: string | null;
  email: string;
}

/** What is wrong on an invoice once it is out. */
export const BUYER_FORM = [
  { name: 'buyer', type: 'text', required: true, max_length: 120 },
] as const satisfies Form;

const NO_FIRST_NAME = 'FNU';

export function buyerOf(answers: AllAnswers, emailOfAccount?: string): Buyer {
  const { first_name, last_name, email, postal_code } = answers[1] ?? {};
  const home = answers[3] ?? {};
  const given = first_name?.trim().toUpperCase() === NO_FIRST_NAME ? undefined : first_name;
  const country = home['address_country'] ?? '';
  return {
    name: joined(given, last_name),
    address: [
      joined(home['address_line1']),
      joined(home['address_line2']),
      joined(home['address_apartment']),
      joined(postal_code, home['address_city']),
      joined(home['address_region']),
    ].filter((line) => line !== ''),
    country: /^[A-Z]{2}$/.test(country) ? country : null,
    email: (emailOfAccount ?? email ?? '').trim(),
  };
}

function joined(...parts: (string | undefined)[]): string {
  return parts
    .map((part) => part?.trim() ?? '')
    .filter((part) => part !== '')
    .join(' ');
}
