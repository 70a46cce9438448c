import { COUNTRY_CODES } from '~/domain/application/country-codes';
import { latestRate, rateOn } from '~/domain/order/eur-rate';
import { isOddPrice } from '~/domain/offer';
import { env } from '~/env.server';
import type { Settings } from '~/settings/schema.server';
import type { listStaff } from '~db/queries/staff.server';
import { holding } from './report';

export function oddFigures({ prices, currencies, languages, vat }: Settings): string[] {
  const used = new Set(languages.map((language) => currencies[language]));
  const amounts = Object.entries(prices).flatMap(([name, { cents }]) =>
    [...used].map((currency) => ({ name, currency, cents: cents[currency] })),
  );
  return [
    ...amounts
      .filter(({ cents }) => isOddPrice(cents))
      .map(
        ({ name, currency, cents }) =>
          `prices.${name}.cents.${currency} is ${cents}: that is ${(cents / 100).toFixed(2)} ${currency}; prices are in cents.`,
      ),
    ...Object.entries(vat.eurPerUsd)
      .filter(([, rate]) => Number(rate) > 1)
      .map(
        ([month, rate]) =>
          `vat.eurPerUsd.${month} is "${rate}": are these dollars for one euro? It must be euros for one dollar, which were "${(1 / Number(rate)).toFixed(4)}" then.`,
      ),
    ...Object.keys(vat.byCountry)
      .filter((code) => !COUNTRY_CODES.includes(code))
      .map((code) => {
        const meant = OTHER_CODES[code];
        return `vat.byCountry.${code} is no country (ISO 3166-1), so nobody pays that rate${meant ? `; did you mean ${meant}?` : '.'}`;
      }),
  ];
}

/** What people write for the United Kingdom, and tax offices for Greece. */
const OTHER_CODES: Readonly<Record<string, string>> = { UK: 'GB', EL: 'GR' };

/** The site starts all the same, and somebody who keeps its accounts will ask for it. */
export function moneyWarnings(settings: Settings, today: string): string[] {
  const { vat, company, currencies, languages, officialFee } = settings;
  const isTaxed = vat.exempt === null;
  const inDollars = languages.filter((language) => currencies[language] === 'USD');
  const missing = missingRate(vat.eurPerUsd, today);
  const untaxed = Object.keys(vat.byCountry).filter((code) => vat.byCountry[code] === 0);
  if (isTaxed && vat.rate === 0) untaxed.unshift('rate');
  return holding([
    [officialFee === 'operator', 'officialFee is "operator", and the terms say "traveller".'],
    [
      isTaxed && inDollars.length > 0 && missing !== undefined,
      `vat.eurPerUsd ${missing}: invoices in dollars (${inDollars.join(', ')}) must show their VAT in euros, too; add the month's rate, such as {"${today.slice(0, 7)}": "0.87"}.`,
    ],
    [
      // Letters of the country, then figures: FR00 000000000, ATU00000000, CHE-000.000.000 MWST.
      isTaxed && !/^[A-Z]{2,3}.*\d/.test(company.vatNumber),
      `company.vatNumber is ${JSON.stringify(company.vatNumber)}: invoices with VAT need the number that the tax office gave you; without VAT, vat.exempt says why.`,
    ],
    [
      untaxed.length > 0,
      `vat has a rate of 0 (${untaxed.join(', ')}): an invoice without VAT must say why; vat.exempt says it where nobody pays any, else invoices.note.`,
    ],
  ]);
}

function missingRate(eurPerUsd: Readonly<Record<string, string>>, today: string) {
  if (rateOn(eurPerUsd, today)) return undefined;
  const latest = latestRate(eurPerUsd, today.slice(0, 7));
  return latest ? `ends in ${latest.month}` : 'has no rate';
}

/** What the start lets pass, and a first day with visitors does not: docs/before-going-live.md. */
export function variableWarnings(): string[] {
  const { secure, trustProxy, payment } = env();
  return holding([
    [secure && !trustProxy, 'TRUST_PROXY is not set: all visitors share the limits of one client.'],
    [secure && payment?.isTest, 'STRIPE_SECRET_KEY is a test key: nobody pays.'],
  ]);
}

export function staffWarnings(staff: Awaited<ReturnType<typeof listStaff>>, fourEyes: boolean) {
  const joined = staff.filter((one) => one.hasFactor && one.deactivated_at === null);
  const admins = joined.filter(({ role }) => role === 'admin').length;
  const atDesk = joined.filter(({ role }) => role === 'agent' || role === 'supervisor').length;
  return holding([
    [admins < 2, `Admins with a second factor: ${admins}; of two, one resets the other's.`],
    [atDesk > 1 && !fourEyes, `fourEyes is false, and ${atDesk} people work on cases.`],
  ]);
}
