import { closestWord } from '~/domain/closest-word';

export function suggestion(word: string, words: readonly string[]): string {
  const near = closestWord(word, words);
  return near === undefined ? `there is ${words.join(', ')}.` : `did you mean ${near}?`;
}
