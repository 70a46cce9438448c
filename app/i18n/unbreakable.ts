/** "e-mail" does not break at its hyphen: a word joiner follows it, unseen and without a glyph. */
export const unbreakable = (text: string): string => text.replace(/\b(e-)(?=mail)/gi, '$1\u2060');

export const unbreakableTranslations = <T extends object>(translations: T): T =>
  JSON.parse(JSON.stringify(translations), (_, value: unknown) =>
    typeof value === 'string' ? unbreakable(value) : value,
  ) as T;

/** A text without what controls its line breaks: soft hyphens, word joiners. For other programs. */
export const withoutBreaks = (text: string): string => text.replace(/[\u00ad\u2060]/g, '');
