import { COUNTRY_CODES } from '../domain/application/country-codes';
import { type Language, LANGUAGE_ROWS } from '../i18n/languages';
import { keepOptions } from '../ui/option-lists';

const displayNames = new Map<Language, Intl.DisplayNames>();
/** The names that were asked for: that takes longer than to look one up. Two letters make 676. */
const countryNames = new Map<string, string>();

/** The name of a country in a language (Unicode CLDR). @param code ISO 3166-1 alpha-2 */
export function countryName(code: string, language: Language): string {
  const key = `${language} ${code}`;
  const known = countryNames.get(key);
  if (known !== undefined) return known;
  let names = displayNames.get(language);
  if (!names) {
    names = new Intl.DisplayNames(LANGUAGE_ROWS[language].locale, { type: 'region' });
    displayNames.set(language, names);
  }
  const name = names.of(code) ?? code;
  countryNames.set(key, name);
  return name;
}

const made = new Map<string, readonly string[]>();

/**
 * The key of a list of countries, sorted by name as the language sorts; it is made once, and again when
 * its codes change.
 *
 * @param codes all countries by default
 */
export function countryList(
  name: string,
  language: Language,
  codes: readonly string[] = COUNTRY_CODES,
): string {
  return listOf(name, language, codes, () => {
    const { compare } = new Intl.Collator(language);
    return codes
      .map((code): [string, string] => [code, countryName(code, language)])
      .sort(([, a], [, b]) => compare(a, b));
  });
}

/** The key of a list of options in their own order, such as the states. */
export function optionList(
  name: string,
  language: Language,
  values: readonly string[],
  labelOf: (value: string) => string,
): string {
  return listOf(name, language, values, () => values.map((value) => [value, labelOf(value)]));
}

function listOf(
  name: string,
  language: Language,
  values: readonly string[],
  make: () => [value: string, label: string][],
): string {
  const key = `${name} ${language}`;
  const former = made.get(key);
  const isSame =
    former?.length === values.length && values.every((value, n) => value === former[n]);
  if (!isSame) {
    // An option ends where the next one begins (HTML, optional tags): a fifth less to send.
    const options = make().map(([value, label]) => `<option value="${value}">${escaped(label)}`);
    keepOptions(key, options.join(''));
    made.set(key, values);
  }
  return key;
}

/** A label as HTML. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
