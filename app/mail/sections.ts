import type { Language } from '~/i18n/languages';
import type { Database } from '~db/schema';

export type MailBlock =
  | { kind: 'paragraph'; text: string }
  | { kind: 'heading'; text: string }
  | { kind: 'list'; items: string[] }
  | { kind: 'rows'; rows: [label: string, value: string][] };

export type MailSection = { title: string; isWithin?: true; blocks: MailBlock[] };

/** What a mail says that is read when it is sent, so that none of it lies in the outbox. */
export type MailContents = { letter?: Letter; sections: MailSection[]; links: string[] };

export interface Letter {
  subject: string;
  paragraphs: string[];
  button: { words: string; url: string; copy: string };
}

/** Read in the transaction that renders a mail; null: what it tells about is gone. */
export type ReadContents = (
  db: Database,
  mail: { language: Language; parameters: Record<string, string> },
) => Promise<MailContents | null>;

export const paragraph = (text: string): MailBlock => ({ kind: 'paragraph', text });

/** The blocks of a text of our own: paragraphs with empty lines between them, points with dashes. */
export function blocksOf(text: string): MailBlock[] {
  return text
    .split('\n\n')
    .map((block) =>
      block.startsWith('- ')
        ? { kind: 'list', items: block.split('\n').map((line) => line.replace(/^- /, '')) }
        : paragraph(block.replace(/^#+ /, '')),
    );
}

const LINE = 72;

/** Breaks a paragraph into lines, at its ordinary spaces; those after the first are indented. */
export function wrap(paragraph: string, indent = ''): string {
  const lines: string[] = [];
  for (const word of paragraph.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= LINE) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(last === undefined ? word : indent + word);
  }
  return lines.join('\n');
}

export function sectionText({ title, isWithin, blocks }: MailSection): string[] {
  const line = (isWithin ? '-' : '=').repeat(Math.min(title.length, LINE / 2));
  return [`${wrap(title)}\n${line}`, ...blocks.map(blockText)];
}

function blockText(block: MailBlock): string {
  if (block.kind === 'paragraph' || block.kind === 'heading') return wrap(block.text);
  const lines =
    block.kind === 'list'
      ? block.items.map((item) => `- ${item}`)
      : block.rows.map(([label, value]) => `${label} ${value}`);
  return lines.map((line) => wrap(line, '  ')).join('\n');
}
