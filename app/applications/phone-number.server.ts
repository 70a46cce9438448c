import { once } from '~/current-app.server';
import { isPhone, strippedPhone } from '~/domain/application/phone';

/**
 * Loaded when the first number is derived, and asked for once: to import what is loaded takes as long as
 * to derive a number. The same file as for codes by message.
 */
const loadPhones = once(() => import('libphonenumber-js/max'));

/** E.164 (ITU-T). */
const E164 = /^\+[1-9][0-9]{6,14}$/;

/**
 * Gives a telephone number as it will be sent, in E.164; undefined if it is none, or its calling code is
 * unknown.
 *
 * @param text as typed, in the national format of `residence` or with a calling code (+ or 00)
 * @param residence alpha-2; its calling code goes before a number without one, and its zero falls away
 *   where it is dialled within the country only (not in Italy)
 */
export type PhoneNumber = (text: string, residence?: string) => string | undefined;

/** What derives telephone numbers: to be asked for once, for all numbers of a page. */
export async function phoneNumbers(): Promise<PhoneNumber> {
  const { default: parse, isSupportedCountry } = await loadPhones();
  return (text, residence) => {
    if (!isPhone(text)) return undefined;
    const stripped = strippedPhone(text);
    const home = residence !== undefined && isSupportedCountry(residence) ? residence : undefined;
    const parsed = parse(stripped, { ...(home && { defaultCountry: home }), extract: false });
    // A number with its calling code is taken even if the library does not know its range yet.
    const number = parsed?.number ?? stripped;
    return E164.test(number) ? number : undefined;
  };
}

/** Gives the calling code of a number in E.164, without its plus, and the rest; undefined if none is known. */
export type PhoneParts = (number: string) => { code: string; rest: string } | undefined;

/** What takes telephone numbers apart, as forms ask for them in two fields. */
export async function phoneParts(): Promise<PhoneParts> {
  const { default: parse } = await loadPhones();
  return (number) => {
    const parsed = parse(number, { extract: false });
    return parsed && { code: parsed.countryCallingCode, rest: parsed.nationalNumber };
  };
}
