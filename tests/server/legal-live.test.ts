import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import { legalText } from '~/public/legal.server';
import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES } from '~/i18n/languages';
import { setAppOfProcess } from '~/current-app.server';
import type { LegalSection } from '~/site-map';
import { becomeApp, PROVIDER, siteConfig } from '../apps';

const SITE = { OFFLINE_MODE: 'false', PUBLIC_ORIGIN: 'http://esta.example' };
const PROVIDED = { ...SITE, ...PROVIDER };
const settle = (own: object) => becomeApp({ ...PROVIDED, ...siteConfig(own) });
beforeEach(() => void becomeApp(PROVIDED));
afterAll(() => setAppOfProcess(undefined));

const NAMES = ['privacy', 'terms', 'conditions', 'mentions', 'accessibility'] as const;
const wordsOf = (name: LegalSection, language: (typeof LANGUAGES)[number]) => {
  const { title, description, intro, sections } = legalText(name, language, {});
  const texts = sections.flatMap((section) => [section.title, section.text]);
  return [title, description, intro, ...texts].join('\n').replaceAll('\u00a0', ' ');
};

const sectionOf = (name: LegalSection, id: string, language: (typeof LANGUAGES)[number]) =>
  legalText(name, language, {}).sections.find((section) => section.id === id)?.text ?? '';
const numbersIn = (...of: Parameters<typeof sectionOf>) =>
  [...sectionOf(...of).matchAll(/\d+/g)].map(([number]) => Number(number));

function cookiesOfTheSite(): Set<string> {
  const files = readdirSync('app', { recursive: true, encoding: 'utf8' });
  const made = /(?:signedCookie|tokenCookie)\('([\w-]+)'/g;
  const names = files
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => [...readFileSync(join('app', file), 'utf8').matchAll(made)])
    .map(([, name = '']) => name);
  // A plain code, made in app/i18n/locale.server.ts.
  return new Set([...names, 'lng']);
}

describe.each(LANGUAGES)('where orders are taken, in %s', (language) => {
  it('no page leaves a value out, or says that something comes later', () => {
    const later =
      /pas encore ouvert|n’est pas conservé|ne sont pas ouverts|désactivées|switched off|not kept|abgeschaltet|nicht aufbewahrt|ouvriront plus tard|will open later|später (öffnen|freigeschaltet)|ne sont pas ouverts|quand il sera ouvert|not available yet|cannot order|once (it|payment) is available|noch nicht (möglich|freigeschaltet|offen)|sobald (er|sie|die Zahlung) freigeschaltet|comportera|sans délai chiffré|no time is stated|ohne feste Frist/i;
    for (const name of NAMES) {
      const words = wordsOf(name, language);
      expect([name, later.exec(words)?.[0]]).toEqual([name, undefined]);
      expect(words).not.toMatch(/\{\{|undefined|\blegal(-live)?:\w/);
    }
  });

  it('the terms name the hours of each package, the withdrawal function and the payment provider', () => {
    const terms = wordsOf('conditions', language);
    for (const part of ['3 ', '24 ', '12 ', 'http://esta.example/withdrawal', 'Stripe'])
      expect(terms).toContain(part);
  });

  it('a section that has other words has them in the place of the offline ones', () => {
    for (const name of ['privacy', 'terms', 'conditions', 'accessibility'] as const) {
      const ids = legalText(name, language, {}).sections.map(({ id }) => id);
      expect(ids).toEqual(Object.keys(bundles[language].legal[name].sections));
      const others = Object.keys(bundles[language]['legal-live'][name].sections);
      expect(ids).toEqual(expect.arrayContaining(others));
    }
  });

  it('each time that something is kept or waited for is that of the settings', () => {
    const days = { answerDays: 41, assessmentDays: 42, caseDays: 43, draftDays: 44, mailDays: 45 };
    settle({ ...days, auditYears: 7, orderYears: 17 });
    const kept = numbersIn('privacy', 'retention', language);
    expect(kept).toEqual(expect.arrayContaining([42, 44, 43, 45, 17, 7]));
    expect(numbersIn('privacy', 'contact', language)).toEqual([43]);
    expect(numbersIn('conditions', 'order', language)).toContain(17);
    expect(numbersIn('conditions', 'performance', language)).toContain(41);
    for (const shipped of [/\b10 (ans|years|Jahre)/, /(dix|ten|zehn) (ans|years|Jahre)/]) {
      expect(wordsOf('privacy', language)).not.toMatch(shipped);
      expect(wordsOf('conditions', language)).not.toMatch(shipped);
    }
  });

  it('the privacy page names each cookie that the site sets, and how many there are', () => {
    const cookies = sectionOf('privacy', 'cookies', language);
    const named = [...cookies.matchAll(/^\| ([a-z-]+) \|/gm)].map(([, name]) => name);
    const [ofCookies, ofStorage] = [named.slice(0, -2), named.slice(-2)];
    expect(new Set(ofCookies)).toEqual(cookiesOfTheSite());
    expect(ofStorage).toEqual(['guide-checklist', 'contact-draft']);
    expect(cookies).toMatch(/neuf cookies|nine cookies|neun Cookies/);
    expect(ofCookies).toHaveLength(9);
    // As long as the sessions and links are (app/domain/accounts.ts).
    expect(numbersIn('privacy', 'cookies', language)).toEqual(expect.arrayContaining([14, 90, 24]));
  });

  it('the privacy page says who is told what, as article 13 of the GDPR asks', () => {
    const privacy = wordsOf('privacy', language);
    const [, controller] = legalText('privacy', language, {}).sections;
    expect(controller?.text).toContain('Traversée Voyages SAS');
    for (const part of ['9', '22', '49'])
      expect(privacy).toMatch(new RegExp(`art(icle|ikel) ${part}`, 'i'));
    for (const part of [/CNIL/, /portabil|übertragbar/, /consent|Einwilligung/])
      expect(privacy).toMatch(part);
  });
});

it('a guarantee has the days of the settings', () => {
  settle({ guarantee: { requestDays: 45, paidFromDays: 2, paidToDays: 7 } });
  for (const part of ['oney-back', 'within 45 days of payment', 'within 2 to 7 business days'])
    expect(wordsOf('conditions', 'en')).toContain(part);
});

it('a demonstration names no payment provider, and a site that takes no orders says so', () => {
  becomeApp(SITE);
  for (const name of ['conditions', 'privacy'] as const) {
    expect(wordsOf(name, 'en')).not.toContain('Stripe');
    expect(wordsOf(name, 'en')).toMatch(/demonstration/);
  }
  becomeApp({ PUBLIC_ORIGIN: SITE.PUBLIC_ORIGIN });
  expect(wordsOf('conditions', 'en')).toContain('You cannot order online yet.');
  expect(wordsOf('conditions', 'en')).not.toContain('Stripe');
  expect(wordsOf('privacy', 'en')).toContain('not available yet');
});
