import { closestWord } from '~/domain/closest-word';

/** What to use in place of an unknown word: the one that was probably meant, else all there are. */
export function suggestion(word: string, words: readonly string[]): string {
  const near = closestWord(word, words);
  return near === undefined ? `there is ${words.join(', ')}.` : `did you mean ${near}?`;
}
