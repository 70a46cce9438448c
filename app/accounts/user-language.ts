import { DEFAULT_LANGUAGE, type Language, toLanguage } from '~/i18n/languages';

/** The language that an account's mails are in. */
export function languageOfUser({ language_code }: { language_code: string }): Language {
  return toLanguage(language_code) ?? DEFAULT_LANGUAGE;
}
