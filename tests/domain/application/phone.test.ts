import { expect, it } from 'vitest';

import { isPhone, strippedPhone } from '~/domain/application/phone';

it.each([
  ['+33 1 99 00 00 00', '+33199000000'],
  ['0033 1.99.00.00.00', '+33199000000'],
  ['01-99-00-00-00', '0199000000'],
  ['+49 (0)30/901820', '+49030901820'],
  ['(+49) 30 901820', '+4930901820'],
  ['+1\u00a0202\u202f555\u00a00100', '+12025550100'],
  ['1234567', '1234567'],
  ['+123456789012345', '+123456789012345'],
])('%s is a telephone number: %s', (text, stripped) => {
  expect(isPhone(text)).toBe(true);
  expect(strippedPhone(text)).toBe(stripped);
});

it.each([
  // Too few digits, too many, and what is no digit of ours.
  ...['+', '', '123 456', '+1234567890123456', '0800 FLOWERS', '030 901820 ext. 5'],
  ...['030901820, 030901821', '030+901820', '+0 30 901820', '٠١٢٣٤٥٦٧'],
])('“%s” is none', (text) => expect(isPhone(text)).toBe(false));
