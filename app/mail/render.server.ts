import { addSeconds } from 'date-fns';

import { TOKEN_LIFETIMES, type TokenPurpose } from '~/domain/accounts';
import type { StaffRole } from '~/access';
import { siteOrigin } from '~/env.server';
import type { Language } from '~/i18n/languages';
import { formatInstant, formatLongInstant, translator } from '~/i18n/locale.server';
import { withoutBreaks } from '~/i18n/unbreakable';
import { siteSettings } from '~/settings/settings.server';
import { type MailKind, mailOf, type SmsKind } from './messages';
import { type MailContents, sectionText, wrap, type MailBlock, type MailSection } from './sections';

export interface Rendered {
  subject: string;
  text: string;
  html?: string;
  links: string[];
  isLetter?: boolean;
}

interface MailToRender {
  kind: MailKind | 'test';
  language: Language;
  parameters: Record<string, string>;
  createdAt: Date;
  /** For its link, if that has one; it begins to be good now. */
  token: string | undefined;
  contents?: MailContents | undefined;
  now: Date;
}

interface Words {
  subject: string;
  what: string;
  todo: string;
  otherwise: string;
  action?: string;
}

export function renderMail(mail: MailToRender): Rendered {
  const parts = partsOf(mail);
  const { subject, button, before, after, sections, links, footer } = parts;
  const paragraphs = [
    ...before.map((paragraph) => wrap(paragraph)),
    ...(button ? [`${button.words}\n${button.url}`] : []),
    ...after.map((paragraph) => wrap(paragraph)),
    ...sections.flatMap(sectionText),
    `-- \n${footer.map((line) => wrap(line)).join('\n')}`,
  ];
  return {
    subject,
    text: `${paragraphs.join('\n\n')}\n`,
    html: mailHtml(parts),
    links: [...(button ? [button.url] : []), ...links],
    ...((mail.contents?.letter || mail.parameters['writer'] !== undefined) && { isLetter: true }),
  };
}

/** A short message; it has the letters that a single one is made of (GSM 03.38). */
export function renderSms(sms: {
  kind: SmsKind;
  language: Language;
  parameters: Record<string, string>;
}): Rendered {
  const { siteName: site } = siteSettings();
  const text = translator(sms.language)(`mail:sms.${sms.kind}`, { site, ...sms.parameters });
  return { subject: '', text: withoutBreaks(text), links: [] };
}

function partsOf(mail: MailToRender): MailParts {
  const { kind, language, token, contents } = mail;
  const { writer } = mail.parameters;
  const { siteName: site, company } = siteSettings();
  const t = translator(language);
  const { sections = [], links = [], letter } = contents ?? {};
  const shared = { language, site, sections, links };
  const footer = [t('mail:about', { site }), `${company.name}, ${company.address}`];
  if (letter) {
    const { subject, paragraphs, button } = letter;
    const before = [t('mail:greeting'), ...paragraphs].map(withoutBreaks);
    return { ...shared, subject, before, button, after: [], footer: footer.map(withoutBreaks) };
  }
  // Without a token it is the link of an account's application, where its kind has two.
  const link = kind === 'test' ? {} : mailOf(kind, token === undefined);
  const values = valuesOf(mail, link.token?.purpose);
  const words = t(`mail:mails.${kind as Exclude<typeof kind, 'messageAnswer'>}`, {
    returnObjects: true,
    ...values,
  }) as unknown as Words;
  const { path, isForOthers = path === undefined } = link;
  return {
    ...shared,
    subject: withoutBreaks(words.subject),
    before: [
      ...[t('mail:greeting'), words.what, words.todo],
      ...(isForOthers ? [words.otherwise] : []),
    ].map(withoutBreaks),
    button:
      path !== undefined && words.action
        ? { words: words.action, url: urlOf(mail, path, link.token), copy: t('mail:copyAddress') }
        : undefined,
    after: [
      ...(link.token && link.token.purpose !== 'giveCode' ? [t('mail:until', values)] : []),
      ...(isForOthers ? [] : [words.otherwise]),
      ...(writer === undefined ? [] : signatureOf(writer, language)),
    ].map(withoutBreaks),
    footer: [...footer, ...(writer === undefined ? [t('mail:automatic', values)] : [])].map(
      withoutBreaks,
    ),
  };
}

export function signatureOf(firstName: string | null | undefined, language: Language): string[] {
  const { siteName: site } = siteSettings();
  const t = translator(language);
  const who = firstName ? `${firstName}, ${site}` : t('mail:letter.team', { site });
  return [t('mail:letter.closing'), who];
}

function valuesOf(
  { language, parameters, createdAt, now }: MailToRender,
  purpose: TokenPurpose | undefined,
) {
  const { siteName: site, company, filingEmail } = siteSettings();
  const t = translator(language);
  const at = (instant: Date) => formatInstant(instant, language);
  const { browser, system, factor, role, due, received, category, ...said } = parameters;
  // A request is cancelled as long as it waits.
  const lasts =
    purpose === 'cancelRecovery' && due
      ? new Date(due)
      : purpose && addSeconds(now, TOKEN_LIFETIMES[purpose]);
  return {
    site,
    email: company.email,
    filingAddress: t(`mail:filingAddress.${filingEmail === null ? 'yours' : 'ours'}`),
    time: at(createdAt),
    client: clientWords(language, browser, system),
    ...(factor && { factor: t(`mail:factors.${factor as 'totp' | 'phone'}`) }),
    ...(role && { role: t(`mail:roles.${role as StaffRole}`) }),
    ...(category && { category: t(`mail:categories.${category as 'none'}`) }),
    ...said,
    ...(due && { due: at(new Date(due)) }),
    ...(received && { received: formatLongInstant(new Date(received), language) }),
    ...(lasts && { until: at(lasts) }),
  };
}

function clientWords(language: Language, browser?: string, system?: string): string {
  const t = translator(language);
  if (browser && system) return t('mail:client.whole', { browser, system });
  const name = browser || system;
  return name ? t('mail:client.some', { name }) : t('mail:client.none');
}

function urlOf(
  { language, parameters, token }: MailToRender,
  path: string,
  use: ReturnType<typeof mailOf>['token'],
): string {
  const id = parameters['id'] ?? parameters['application'] ?? '';
  const url = new URL(path.replace(':id', id), siteOrigin());
  if (use && token) url.searchParams.set(use.parameter, token);
  // Who reads it may have another device now, with a browser of another language.
  url.searchParams.set('lng', language);
  return url.href;
}

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

interface MailParts {
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
function mailHtml(parts: MailParts): string {
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

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
