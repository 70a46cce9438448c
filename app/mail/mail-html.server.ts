import type { Language } from '~/i18n/languages';
import type { MailBlock, MailSection } from './sections';

/** Those of app/styles/theme.css, by day and in the dark: mail programs read no style sheet. */
const COLOURS = {
  paper: ['background', '#faf7f1', '#0f1d1f'],
  surface: ['background', '#ffffff', '#17292b'],
  ink: ['color', '#17292b', '#eef0ea'],
  muted: ['color', '#4c5f61', '#adbdbb'],
  action: ['color', '#0b5450', '#8fd0c6'],
  button: ['background', '#0b5450', '#8fd0c6'],
  'on-button': ['color', '#ffffff', '#06292a'],
  edge: ['border-color', '#ddd3c2', '#33474a'],
} as const;

const DARK = Object.entries(COLOURS)
  .map(([name, [property, , dark]]) => `.${name}{${property}:${dark}!important}`)
  .join('');

function look(colours: (keyof typeof COLOURS)[], style = ''): string {
  const inline = colours.map((name) => `${COLOURS[name][0]}:${COLOURS[name][1]}`).join(';');
  return `class="${colours.join(' ')}" style="${[inline, style].filter(Boolean).join(';')}"`;
}

export interface MailParts {
  language: Language;
  site: string;
  subject: string;
  before: string[];
  button: { words: string; url: string; copy: string } | undefined;
  after: string[];
  sections: readonly MailSection[];
  links: readonly string[];
  footer: string[];
}

/** A mail as plain HTML: inline styles, no picture, nothing loaded. */
export function mailHtml(parts: MailParts): string {
  const { language, site, subject, before, button, after, sections, links, footer } = parts;
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`;
  const url = button && escapeHtml(button.url);
  const action = button
    ? [
        `<p style="margin:24px 0"><a href="${url}" ${look(
          ['button', 'on-button'],
          'display:inline-block;padding:12px 20px;border-radius:6px;font-weight:600;text-decoration:none',
        )}>${escapeHtml(button.words)}</a></p>`,
        `<p ${look(['muted'], 'margin:0 0 16px;font-size:15px')}>${escapeHtml(button.copy)}<br>` +
          `<a href="${url}" ${look(['action'], 'word-break:break-all')}>${url}</a></p>`,
      ]
    : [];
  return [
    `<!DOCTYPE html><html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(subject)}</title>`,
    `<style>@media (prefers-color-scheme: dark){${DARK}}</style></head>`,
    `<body ${look(
      ['paper', 'ink'],
      "margin:0;padding:24px 16px;font:17px/1.6 system-ui,-apple-system,'Segoe UI',sans-serif",
    )}>`,
    '<div style="max-width:560px;margin:0 auto">',
    `<p ${look(['action'], 'margin:0 0 12px;font-size:20px;font-weight:700')}>${escapeHtml(site)}</p>`,
    `<div ${look(
      ['surface', 'edge'],
      'padding:24px 24px 8px;border-width:1px;border-style:solid;border-radius:12px',
    )}>`,
    `<h1 style="margin:0 0 16px;font-size:22px;line-height:1.25">${escapeHtml(subject)}</h1>`,
    ...before.map(paragraph),
    ...action,
    ...after.map(paragraph),
    ...sections.map((section) => sectionHtml(section, links)),
    '</div>',
    `<p ${look(['muted'], 'margin:16px 0 0;font-size:14px;line-height:1.5')}>`,
    footer.map(escapeHtml).join('<br>'),
    '</p></div></body></html>',
  ].join('\n');
}

function sectionHtml({ title, isWithin, blocks }: MailSection, links: readonly string[]): string {
  const heading = isWithin
    ? `<h3 style="margin:24px 0 8px;font-size:17px;line-height:1.35">${escapeHtml(title)}</h3>`
    : `<h2 ${look(
        ['edge'],
        'margin:32px 0 12px;padding:24px 0 0;border-width:1px 0 0;border-style:solid;font-size:20px;line-height:1.3',
      )}>${escapeHtml(title)}</h2>`;
  return [heading, ...blocks.map((block) => blockHtml(block, links))].join('\n');
}

function blockHtml(block: MailBlock, links: readonly string[]): string {
  const text = (words: string) => withLinks(escapeHtml(words), links);
  if (block.kind === 'paragraph') return `<p style="margin:0 0 16px">${text(block.text)}</p>`;
  if (block.kind === 'heading') {
    return `<p style="margin:24px 0 8px;font-weight:700">${escapeHtml(block.text)}</p>`;
  }
  if (block.kind === 'list') {
    const items = block.items.map((item) => `<li style="margin:0 0 6px">${text(item)}</li>`);
    return `<ul style="margin:0 0 16px;padding:0 0 0 20px">${items.join('\n')}</ul>`;
  }
  const rows = block.rows.map(
    ([label, value]) =>
      `<p style="margin:0 0 8px"><strong>${escapeHtml(label)}</strong> ${text(value)}</p>`,
  );
  return `<div style="margin:0 0 16px">${rows.join('\n')}</div>`;
}

function withLinks(html: string, links: readonly string[]): string {
  return links.reduce((whole, link) => {
    const url = escapeHtml(link);
    const anchor = `<a href="${url}" ${look(['action'], 'word-break:break-all')}>${url}</a>`;
    return whole.replaceAll(url, () => anchor);
  }, html);
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
}
