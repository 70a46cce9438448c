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
  ['no digit', '+'],
  ['nothing', ''],
  ['six digits', '123 456'],
  ['sixteen digits', '+1234567890123456'],
  ['letters', '0800 FLOWERS'],
  ['an extension', '030 901820 ext. 5'],
  ['two numbers', '030901820, 030901821'],
  ['a plus in the middle', '030+901820'],
  ['a calling code with a zero', '+0 30 901820'],
  ['digits of another script', '٠١٢٣٤٥٦٧'],
])('%s is none', (_, text) => {
  expect(isPhone(text)).toBe(false);
});
