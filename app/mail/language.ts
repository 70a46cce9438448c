import { DEFAULT_LANGUAGE, type Language, toLanguage } from '~/i18n/languages';

/**
 * The language of a mail, from the row that it is about: the one chosen with an application, an order
 * or a message, whoever it belongs to; the account's where the mail is about the account.
 */
export function mailLanguage({ language_code }: { language_code: string }): Language {
  return toLanguage(language_code) ?? DEFAULT_LANGUAGE;
}
