import { isRecentRate, latestRate } from '~/domain/order/eur-rate';
import { LANGUAGES } from '~/i18n/languages';
import type { Settings } from '~/settings/schema.server';

/**
 * What invoices would lack, a sentence each: the site starts all the same, and somebody who keeps its
 * accounts will ask for it.
 *
 * @param today yyyy-MM-dd
 */
export function moneyWarnings(
  { vat, company, currencies }: Pick<Settings, 'vat' | 'company' | 'currencies'>,
  today: string,
): string[] {
  const warnings: string[] = [];
  const isTaxed = vat.exempt === null;
  const inDollars = LANGUAGES.filter((language) => currencies[language] === 'USD');
  if (isTaxed && inDollars.length > 0) {
    const missing = missingRate(vat.eurPerUsd, today.slice(0, 7));
    if (missing !== undefined)
      warnings.push(
        `vat.eurPerUsd ${missing}: invoices in dollars (${inDollars.join(', ')}) must show their VAT in euros, too; add the month's rate, such as {"${today.slice(0, 7)}": "0.87"}.`,
      );
  }
  // Letters of the country, then figures: FR00 000000000, ATU00000000, CHE-000.000.000 MWST.
  if (isTaxed && !/^[A-Z]{2,3}.*\d/.test(company.vatNumber))
    warnings.push(
      `company.vatNumber is ${JSON.stringify(company.vatNumber)}: invoices with VAT need the number that the tax office gave you; without VAT, vat.exempt says why.`,
    );
  const untaxed = Object.keys(vat.byCountry).filter((code) => vat.byCountry[code] === 0);
  if (isTaxed && vat.rate === 0) untaxed.unshift('rate');
  if (untaxed.length > 0)
    warnings.push(
      `vat has a rate of 0 (${untaxed.join(', ')}): an invoice without VAT must say why; vat.exempt says it where nobody pays any, else invoices.note.`,
    );
  return warnings;
}

function missingRate(eurPerUsd: Readonly<Record<string, string>>, month: string) {
  const latest = latestRate(eurPerUsd, month);
  if (!latest) return 'has no rate';
  return isRecentRate(latest.month, month) ? undefined : `ends in ${latest.month}`;
}
