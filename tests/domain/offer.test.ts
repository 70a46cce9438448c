import { centsOf, decimalOf } from '~/domain/offer';
import { decisionTables } from '../decision-tables';

decisionTables(import.meta.url, {
  'decimal in cents': centsOf,
  'cents as a decimal': (cents) => decimalOf(Number(cents)),
});
