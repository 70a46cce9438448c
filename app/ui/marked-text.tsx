import { cloneElement, Fragment, type ReactElement } from 'react';

interface MarkedTextProps {
  /** In words: parts are marked by name, and do not stand within each other. */
  text: string;
  parts: Readonly<Record<string, ReactElement>>;
}

const MARKED = /<(\w+)>(.*?)<\/\1>/;

/** `Trans` can do more, and its two sentences in the frame were a twentieth of every page. */
export function MarkedText({ text, parts }: MarkedTextProps) {
  // What is between two parts, then the name of a part and its content, in turns.
  const pieces = text.split(MARKED);
  return pieces.map((piece, at) => {
    if (at % 3 === 0) return piece;
    if (at % 3 === 1) return null;
    const part = parts[pieces[at - 1] ?? ''];
    return part ? cloneElement(part, { key: at }, piece) : <Fragment key={at}>{piece}</Fragment>;
  });
}
