export function closestWord(
  word: string,
  words: readonly string[],
  most = word.length < 5 ? 1 : 2,
): string | undefined {
  return words
    .filter(({ length }) => Math.abs(length - word.length) <= most)
    .map((known) => ({ known, distance: distance(word.toLowerCase(), known.toLowerCase()) }))
    .filter(({ distance: letters }) => letters <= most)
    .sort((a, b) => a.distance - b.distance)[0]?.known;
}

function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

export function suggestion(word: string, words: readonly string[]): string {
  const near = closestWord(word, words);
  return near === undefined ? `there is ${words.join(', ')}.` : `did you mean ${near}?`;
}
