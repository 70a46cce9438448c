import { isPhone, strippedPhone } from '~/domain/application/phone';

/** Loaded when the first number is derived; the same file as for codes by message. */
const loadPhones = () => import('libphonenumber-js/max');

/** E.164 (ITU-T). */
const E164 = /^\+[1-9][0-9]{6,14}$/;

/**
 * A telephone number as it will be sent, in E.164.
 *
 * @param text as typed, in the national format of `residence` or with a calling code (+ or 00)
 * @param residence alpha-2; its calling code goes before a number without one, and its zero falls away
 *   where it is dialled within the country only (not in Italy)
 * @returns undefined if it is none, or its calling code is unknown
 */
export async function phoneNumber(text: string, residence?: string): Promise<string | undefined> {
  if (!isPhone(text)) return undefined;
  const { default: parse, isSupportedCountry } = await loadPhones();
  const stripped = strippedPhone(text);
  const home = residence !== undefined && isSupportedCountry(residence) ? residence : undefined;
  const parsed = parse(stripped, { ...(home && { defaultCountry: home }), extract: false });
  // A number with its calling code is taken even if the library does not know its range yet.
  const number = parsed?.number ?? stripped;
  return E164.test(number) ? number : undefined;
}
