import { DEFAULT_LANGUAGE, type Language, toLanguage } from '~/i18n/languages';

/** The one chosen with what it is about, whoever that belongs to; else the account's. */
export const mailLanguage = ({ language_code }: { language_code: string }): Language =>
  toLanguage(language_code) ?? DEFAULT_LANGUAGE;
