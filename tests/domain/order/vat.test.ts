import { describe, expect, it } from 'vitest';

import { creditAmounts, invoiceAmounts } from '~/domain/order/amounts';
import { basisPoints, splitVat, vatOf } from '~/domain/order/vat';
import { decisionTables } from '../../decision-tables';
import { seeded } from '../application/specimen';

const RATES = [0, 5.5, 7, 8.1, 19, 20, 21, 25.5, 27];
const PRICES = Array.from({ length: 99_999 }, (_, index) => index + 1);

/** The VAT in a price, half up, by whole numbers without limit. */
function exactVat(gross: number, rate: number): number {
  const [cents, points] = [BigInt(gross), BigInt(rate)];
  const whole = 10_000n + points;
  // The part of a cent that is left is compared with half a cent, not added to it.
  const [below, rest] = [(cents * points) / whole, (cents * points) % whole];
  return Number(rest * 2n >= whole ? below + 1n : below);
}

const vat = { rate: 20, byCountry: { DE: 19, CH: 8.1, NO: 0 }, exempt: null };

decisionTables(import.meta.url, {
  'the VAT of credit notes: a price, its rate in points, its parts': (price, rate, parts) => {
    let before = 0;
    const found = parts.split(' ').map((amount) => {
      const terms = { vat_rate: Number(rate), eur_rate: null };
      const { vat } = creditAmounts(terms, before, Number(amount));
      before += Number(amount);
      return vat;
    });
    expect(found.reduce((sum, vat) => sum + vat)).toBe(splitVat(Number(price), Number(rate)).vat);
    return found.join(' ');
  },
  'the VAT in a price, net and VAT': (price, percent) => {
    const { net, vat, gross } = splitVat(Number(price), basisPoints(Number(percent)));
    expect(gross).toBe(Number(price));
    return `${net} + ${vat}`;
  },
  'the rate of somebody who lives in a country': (lives?: string) => {
    const { rate, country, note } = vatOf(vat, lives ?? null);
    expect(note).toBeNull();
    return `${rate} ${country ?? '-'}`;
  },
});

describe('the VAT in a price', () => {
  it.each(RATES)('is exact at %f percent for every price from 0.01 to 999.99', (percent) => {
    const rate = basisPoints(percent);
    const wrong = PRICES.filter((gross) => {
      const { net, vat, gross: same } = splitVat(gross, rate);
      const isExact = vat === exactVat(gross, rate) && net + vat === gross && same === gross;
      return !isExact || net < 0 || vat < 0 || !Number.isInteger(vat);
    });
    expect(wrong).toEqual([]);
  });

  it('takes each rate of the settings as it stands there', () => {
    expect(RATES.map(basisPoints)).toEqual([0, 550, 700, 810, 1900, 2000, 2100, 2550, 2700]);
    const all = Array.from({ length: 10_001 }, (_, points) => points);
    const read = (points: number) => basisPoints(Number((points / 100).toFixed(2)));
    expect(all.map(read)).toEqual(all);
  });
});

describe('credit notes', () => {
  it.each(RATES)('at %f percent are together their invoice, however it is split', (percent) => {
    const random = seeded(17);
    const below = (limit: number) => Math.floor(random() * limit);
    for (let round = 0; round < 500; round += 1) {
      const price = 1 + below(99_999);
      const eurRate = round % 2 === 0 ? null : `0.${String(50 + below(9949)).padStart(4, '0')}`;
      const terms = { vat_rate: basisPoints(percent), eur_rate: eurRate };
      const whole = invoiceAmounts(terms, price);
      expect(whole.net + whole.vat).toBe(price);
      const parts: ReturnType<typeof creditAmounts>[] = [];
      for (let before = 0; before < price;) {
        const amount = 1 + below(price - before);
        parts.push(creditAmounts(terms, before, amount));
        before += amount;
      }
      const figures = ({ net, vat, gross, euros }: (typeof parts)[0]) => [
        ...[net, vat, gross],
        ...[euros?.net ?? 0, euros?.vat ?? 0, euros?.gross ?? 0],
      ];
      for (const part of parts) {
        expect(part.net + part.vat).toBe(part.gross);
        expect(Math.min(...figures(part))).toBeGreaterThanOrEqual(0);
      }
      expect(
        figures(whole).map((_, n) => parts.reduce((sum, part) => sum + (figures(part)[n] ?? 0), 0)),
      ).toEqual(figures(whole));
    }
  });
});

it('the rate is none where the operator is exempt, with the reason', () => {
  const exempt = { fr: 'TVA non applicable, article 293 B du CGI', en: 'No VAT' };
  for (const country of [null, 'FR', 'DE']) {
    expect(vatOf({ ...vat, exempt }, country)).toEqual({ rate: 0, country: null, note: exempt });
  }
});
