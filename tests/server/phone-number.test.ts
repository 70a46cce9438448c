import { expect, it } from 'vitest';
import { phoneNumbers } from '~/applications/answers-in-words.server';

it.each([
  ['a national number', '06 12 34 56 78', 'FR', '+33612345678'],
  ['a zero that is dialled at home only', '030/901820', 'DE', '+4930901820'],
  ['that zero in brackets', '+49 (0)30 901820', undefined, '+4930901820'],
  ['a zero that belongs to the number', '06 698 12345', 'IT', '+390669812345'],
  ['a country without such a zero', '612 34 56 78', 'ES', '+34612345678'],
  ['two zeros', '0049 30 901820', 'FR', '+4930901820'],
  ['a calling code of another country', '+1 202 555 0100', 'FR', '+12025550100'],
  ['no residence, but a calling code', '+33 6 12 34 56 78', undefined, '+33612345678'],
  ['a range that is not known yet', '+33 0000000', 'FR', '+330000000'],
  ['no residence and no calling code', '06 12 34 56 78', undefined, undefined],
  ['a residence without calling code', '06 12 34 56 78', 'AQ', undefined],
  ['a residence that is none', '06 12 34 56 78', 'constructor', undefined],
  ['letters', '0800 FLOWERS', 'FR', undefined],
  ['nothing', '', 'FR', undefined],
])('%s', async (_, text, residence, number) => {
  expect((await phoneNumbers())(text, residence)).toBe(number);
});
