import { describe, expect, it } from 'vitest';

import { buyerOf } from '~/domain/order/buyer';
import { decisionTables } from '../../decision-tables';

const HOME = {
  ...{ address_line1: ' Domkloster 4 ', address_line2: 'c/o Becker', address_apartment: '12' },
  ...{ address_city: 'Köln', address_region: 'Nordrhein-Westfalen', address_country: 'DE' },
};
const NAME = { first_name: 'Anna Zoé', last_name: 'Müller' };
const PERSON = { ...NAME, email: 'anna@example.eu', postal_code: '50667' };

describe('the buyer', () => {
  it('is the traveller, at home', () =>
    expect(buyerOf({ 1: PERSON, 3: HOME })).toEqual({
      name: 'Anna Zoé Müller',
      address: ['Domkloster 4', 'c/o Becker', '12', '50667 Köln', 'Nordrhein-Westfalen'],
      country: 'DE',
      email: 'anna@example.eu',
    }));

  it('is written to at the address of the account, and has no country if none was sent', () => {
    const { email } = buyerOf({ 1: PERSON, 3: HOME }, 'account@example.eu');
    expect(email).toBe('account@example.eu');
    for (const address_country of ['', 'Germany', 'de', 'XXX']) {
      expect(buyerOf({ 3: { address_country } }).country).toBeNull();
    }
  });
});

decisionTables(import.meta.url, {
  'the name of a buyer, of a first and a last name': (first_name, last_name) =>
    buyerOf({ 1: { last_name, ...(first_name && { first_name }) } }).name,
});
