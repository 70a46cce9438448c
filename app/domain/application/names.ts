/** Letters of any script with their accents, and what stands between the parts of a name. */
const NAME = /^[\p{L}\p{M}][\p{L}\p{M}' ’.-]*$/u;

/**
 * Whether a text can be a name: accents and all scripts are accepted, digits, `<` and emoji are not.
 * What is sent of it: `sentName`.
 *
 * @param text trimmed, with single spaces
 */
export function isName(text: string): boolean {
  return NAME.test(text);
}
