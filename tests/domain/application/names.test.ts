import { expect, it } from 'vitest';

import { isName } from '~/domain/application/names';

it.each([
  ...["O'Connor", 'O’Connor', 'Müller-Lüdenscheidt', 'Łukasz', 'İbrahim', 'de la Fontaine'],
  ...['Nguyễn', 'Nguyễn'.normalize('NFD'), 'St. John', 'Ó', 'Li', 'Anna', 'ẞ', 'Иванов'],
  'Παπαδόπουλος',
])('%s is a name', (name) => {
  expect(isName(name)).toBe(true);
});

it.each([
  ...['', 'Anna2', '2', 'ERIKSSON<<ANNA', '😀', 'Anna 👍️', 'a,b', 'a/b', '-a', ' a', "'a", 'a\n'],
])('%j is none', (text) => {
  expect(isName(text)).toBe(false);
});
