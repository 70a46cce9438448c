import { addSeconds } from 'date-fns';

import { TOKEN_LIFETIMES, type TokenPurpose } from '~/domain/accounts';
import type { StaffRole } from '~/access';
import { siteOrigin } from '~/env.server';
import type { Language } from '~/i18n/languages';
import { formatInstant, formatLongInstant, translator } from '~/i18n/locale.server';
import { withoutBreaks } from '~/i18n/unbreakable';
import { siteSettings } from '~/settings/settings.server';
import { mailHtml, type MailParts } from './mail-html.server';
import { type MailKind, mailOf, type SmsKind } from './messages';
import { type MailContents, sectionText, wrap } from './sections';

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
