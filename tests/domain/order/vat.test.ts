import { describe, expect, it } from 'vitest';

import { creditAmounts, invoiceAmounts } from '~/domain/order/amounts';
import { basisPoints, splitVat } from '~/domain/order/vat';
import { vatOf } from '~/domain/order/vat-rate';
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

describe('the VAT in a price', () => {
  it.each([
    [3995, 20, 3329, 666],
    [3995, 19, 3357, 638],
    [6995, 8.1, 6471, 524],
    [8995, 0, 8995, 0],
    [1, 20, 1, 0],
    [3, 20, 2, 1],
    [5, 25.5, 4, 1],
    [21, 5, 20, 1],
    [63, 5, 60, 3],
  ])('of %i cents at %f percent leaves %i net and is %i', (gross, percent, net, vat) => {
    expect(splitVat(gross, basisPoints(percent))).toEqual({ net, vat, gross });
  });

  it('rounds half a cent up', () => {
    // 3 cents at 20 %: half a cent of VAT.
    expect(splitVat(3, 2000)).toEqual({ net: 2, vat: 1, gross: 3 });
    expect(splitVat(9, 2000)).toEqual({ net: 7, vat: 2, gross: 9 });
  });

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
    expect(
      all.filter((points) => basisPoints(Number((points / 100).toFixed(2))) !== points),
    ).toEqual([]);
  });
});

describe('credit notes', () => {
  it.each([
    // A third of 1.665.
    [999, 2000, [333, 333, 333], [56, 55, 56]],
    [3995, 2000, [3995], [666]],
    [3995, 2000, [1000, 2995], [167, 499]],
    [5, 2000, [1, 1, 1, 1, 1], [0, 0, 1, 0, 0]],
    [3995, 0, [1995, 2000], [0, 0]],
  ])('of %i cents at %i points in parts %j have VAT of %j', (price, rate, parts, vats) => {
    let before = 0;
    const found = parts.map((amount) => {
      const { vat } = creditAmounts({ rate, eurRate: null }, before, amount);
      before += amount;
      return vat;
    });
    expect(found).toEqual(vats);
    expect(found.reduce((sum, vat) => sum + vat)).toBe(splitVat(price, rate).vat);
  });

  it.each(RATES)('at %f percent are together their invoice, however it is split', (percent) => {
    const random = seeded(17);
    const below = (limit: number) => Math.floor(random() * limit);
    for (let round = 0; round < 500; round += 1) {
      const price = 1 + below(99_999);
      const eurRate = round % 2 === 0 ? null : `0.${String(50 + below(9949)).padStart(4, '0')}`;
      const terms = { rate: basisPoints(percent), eurRate };
      const whole = invoiceAmounts(terms, price);
      expect(whole.net + whole.vat).toBe(price);
      const sums = { net: 0, vat: 0, gross: 0, euroNet: 0, euroVat: 0, euroGross: 0 };
      for (let before = 0; before < price;) {
        const amount = 1 + below(price - before);
        const part = creditAmounts(terms, before, amount);
        expect([part.gross, part.net + part.vat]).toEqual([amount, amount]);
        const { euros } = part;
        for (const figure of [part.net, part.vat, euros?.net ?? 0, euros?.vat ?? 0]) {
          expect(figure).toBeGreaterThanOrEqual(0);
        }
        sums.net += part.net;
        sums.vat += part.vat;
        sums.gross += part.gross;
        sums.euroNet += euros?.net ?? 0;
        sums.euroVat += euros?.vat ?? 0;
        sums.euroGross += euros?.gross ?? 0;
        before += amount;
      }
      const { net, vat, gross, euros } = whole;
      expect(sums).toEqual({
        net,
        vat,
        gross,
        euroNet: euros?.net ?? 0,
        euroVat: euros?.vat ?? 0,
        euroGross: euros?.gross ?? 0,
      });
    }
  });
});

describe('the rate of an order', () => {
  const vat = { rate: 20, byCountry: { DE: 19, CH: 8.1, NO: 0 }, exempt: null };
  it.each([
    [null, { rate: 2000, country: null, note: null }],
    ['FR', { rate: 2000, country: null, note: null }],
    ['DE', { rate: 1900, country: 'DE', note: null }],
    ['CH', { rate: 810, country: 'CH', note: null }],
    ['NO', { rate: 0, country: 'NO', note: null }],
    ['toString', { rate: 2000, country: null, note: null }],
  ])('of somebody who lives in %j is %j', (country, terms) => {
    expect(vatOf(vat, country)).toEqual(terms);
  });

  it('is none where the operator is exempt, with the reason', () => {
    const exempt = { fr: 'TVA non applicable, article 293 B du CGI', en: 'No VAT' };
    for (const country of [null, 'FR', 'DE']) {
      expect(vatOf({ ...vat, exempt }, country)).toEqual({ rate: 0, country: null, note: exempt });
    }
  });
});
