import { describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES } from '~/i18n/languages';
import { type MailKind, MAILS } from '~/mail/messages';
import { renderMail, renderSms } from '~/mail/render.server';

type OwnWords = Exclude<MailKind, 'messageAnswer'>;
/** Of a letter all words are its writer's. */
const OURS = (Object.keys(MAILS) as MailKind[]).filter(
  (kind): kind is OwnWords => kind !== 'messageAnswer',
);
const KINDS = [...OURS, 'test' as const];
const PARAMETERS: Record<string, string> = {
  ...{ browser: 'Firefox', system: 'Windows', factor: 'totp', role: 'agent', category: 'payment' },
  ...{ due: '2026-11-29T17:47:00.000Z', received: '2026-11-22T17:40:00.000Z' },
  ...{
    reference: 'TRV-4T7K-X0QD',
    number: 'A-2026-00001',
    before: 'R-2026-00001',
    amount: '39,95 €',
  },
  ...{ name: 'Anna Zoé Müller-Lüdenscheidt', address: 'anna.mueller@example.eu' },
  photos: 'the photo of your passport and a new photo of you',
  ...{ day: '6 December 2026', answer: 'The application had been sent to the authorities.' },
};
const TOKEN = 'Gq2v7Zt0xJ5mRk8yWb3nLd6hPs9uFc1eAo4iTz7XQ';

const render = (
  kind: MailKind | 'test',
  language: (typeof LANGUAGES)[number],
  parameters = PARAMETERS,
) =>
  renderMail({
    kind,
    language,
    parameters,
    createdAt: new Date('2026-11-22T17:40:00.000Z'),
    token: TOKEN,
    now: new Date('2026-11-22T17:47:00.000Z'),
  });

describe.each(LANGUAGES)('in %s', (language) => {
  it.each(KINDS)('a mail of the kind %s is whole and short, the same as text and HTML', (kind) => {
    const { subject, text, html = '', links } = render(kind, language);
    expect(subject.length).toBeGreaterThan(8);
    expect(subject.length).toBeLessThan(70);
    const shown = html.replace(/<style>.*?<\/style>/s, '');
    for (const part of [subject, text, shown])
      expect(part).not.toMatch(/\{\{|\}\}|undefined|mail:/);
    for (const line of text.split('\n').filter((one) => !one.startsWith('http')))
      expect(line.length).toBeLessThanOrEqual(72);
    expect(text.length).toBeLessThan(1100);
    expect(text).toContain('\n-- \n');
    expect(text).toContain('Traversée Voyages SAS');
    expect(text).toContain('contact@example.com');
    expect(links).toHaveLength(kind !== 'test' && 'path' in MAILS[kind] ? 1 : 0);
    for (const link of links) {
      expect(link).toMatch(/^http:\/\/localhost:\d+\/(auth|crm|application|contact)/);
      expect(text.split('\n')).toContain(link);
      expect(html.split(`href="${link.replaceAll('&', '&amp;')}"`)).toHaveLength(3);
    }
    const words = (one: string) => one.replaceAll(/\s+/g, ' ').trim();
    const said = words(shown.replaceAll(/<[^>]+>/gs, ' '));
    const paragraphs = text.split('\n-- \n')[0]?.split('\n\n') ?? [];
    for (const paragraph of paragraphs.filter((one) => !one.startsWith('http')))
      expect(said).toContain(words(paragraph.replace(/\nhttp.*/, '')));
    expect(html).not.toMatch(/<(img|script|link|iframe|form)|url\(/);
  });

  it('a link with a token says until when it is good', () => {
    const { text, links } = render('resetPassword', language);
    expect(links[0]).toMatch(new RegExp(`/auth/reset\\?token=${TOKEN}&lng=${language}$`));
    // Half an hour later, in the site's time zone.
    expect(text).toMatch(/19(:|\u00a0h\u00a0)17/);
  });

  it('a sign-in is named by browser, system and time', () => {
    const { text } = render('newSignIn', language);
    for (const part of ['Firefox', 'Windows', '18(:|\u00a0h\u00a0)40', 'dimanche|Sunday|Sonntag'])
      expect(text).toMatch(new RegExp(part));
    const unknown = render('newSignIn', language, { browser: '', system: '' }).text;
    expect(unknown).toMatch(/appareil inconnu|unknown device|unbekanntes Gerät/);
  });

  it('what a parameter contains is no markup and no other text', () => {
    const browser = '<b onclick="x">&{{site}} $t(mail:greeting)';
    const { html = '' } = render('newSignIn', language, { browser, system: '' });
    expect(html).toContain('&lt;b onclick=&quot;x&quot;&gt;&amp;');
    expect(html).toContain('$t(mail:greeting)');
  });

  it('an SMS fits into a single one', () => {
    const { text } = renderSms({ kind: 'phoneCode', language, parameters: { code: '123456' } });
    expect(text).toContain('123456');
    expect(text.length).toBeLessThanOrEqual(160);
    // The letters of GSM 03.38 that the three languages use: with others, a message has 70.
    expect(text).toMatch(/^[A-Za-z0-9 .,:!?éèàùäöüßÄÖÜ]+$/);
  });
});

it('a kind must be told what its words name', () => {
  const own = ['site', 'email', 'time', 'filingAddress'];
  for (const kind of OURS) {
    const mail = MAILS[kind];
    const named = JSON.stringify(bundles.fr.mail.mails[kind]).matchAll(/\{\{(\w+)\}\}/g);
    const names = new Set([...named].map(([, name = '']) => name));
    const wanted = [...names].filter((name) => !own.includes(name));
    const told = wanted.flatMap((name) => (name === 'client' ? ['browser', 'system'] : name));
    expect([kind, told]).toEqual([kind, 'says' in mail ? mail.says : []]);
  }
});
