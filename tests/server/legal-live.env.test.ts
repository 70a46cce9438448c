import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { legalText } from '~/content/legal.server';
import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES } from '~/i18n/languages';
import type * as Settings from '~/settings/settings.server';
import type { LegalSection } from '~/site-map';

const site = vi.hoisted(() => ({ isDemonstration: false, isOffline: false, own: {} }));
vi.mock('~/payment/provider.server', () => ({ isDemonstration: () => site.isDemonstration }));
vi.mock('~/mode.server', () => ({
  isOffline: () => site.isOffline,
  siteMode: () => (site.isOffline ? 'offline' : 'live'),
}));
vi.mock('~/settings/settings.server', async (original) => {
  const module = await original<typeof Settings>();
  return { ...module, siteSettings: () => module.mergeSettings(site.own) };
});
vi.stubEnv('PUBLIC_ORIGIN', 'http://esta.example');
afterAll(() => vi.unstubAllEnvs());
beforeEach(() => void Object.assign(site, { isDemonstration: false, isOffline: false, own: {} }));

const NAMES = ['privacy', 'terms', 'conditions', 'mentions', 'accessibility'] as const;
/** All words of a legal page. */
const wordsOf = (name: LegalSection, language: (typeof LANGUAGES)[number]) => {
  const { title, description, intro, sections } = legalText(name, language, {});
  const texts = sections.flatMap((section) => [section.title, section.text]);
  return [title, description, intro, ...texts].join('\n').replaceAll('\u00a0', ' ');
};

describe.each(LANGUAGES)('where orders are taken, in %s', (language) => {
  it.each(NAMES)('%s leaves no value out', (name) => {
    expect(wordsOf(name, language)).not.toMatch(/\{\{|undefined|\blegal(-live)?:\w/);
  });

  it('nothing is said to come later', () => {
    const later =
      /pas encore|ne sont pas ouverts|quand il sera ouvert|not available yet|cannot order|once (it|payment) is available|noch nicht|sobald (er|sie|die Zahlung) freigeschaltet|comportera|sans délai chiffré|no time is stated|ohne feste Frist/i;
    for (const name of ['privacy', 'terms', 'conditions'] as const) {
      expect(wordsOf(name, language)).not.toMatch(later);
    }
  });

  it('the terms name the hours of each package, the withdrawal function and the payment provider', () => {
    const terms = wordsOf('conditions', language);
    for (const part of ['3 ', '24 ', '12 ', 'http://esta.example/withdrawal', 'Stripe']) {
      expect(terms).toContain(part);
    }
  });

  it('a section that has other words has them in the place of the offline ones', () => {
    const { conditions } = bundles[language]['legal-live'];
    const ids = legalText('conditions', language, {}).sections.map(({ id }) => id);
    expect(ids).toEqual(Object.keys(bundles[language].legal.conditions.sections));
    expect(ids).toEqual(expect.arrayContaining(Object.keys(conditions.sections)));
  });
});

it('without a guarantee, no text promises one', () => {
  site.own = { guarantee: { offered: false } };
  for (const [language, promise] of [
    ['fr', /garantie de remboursement|garantit le remboursement/i],
    ['en', /money-back|guarantees a full refund/i],
    ['de', /Geld-zurück|garantiert Ihnen/i],
  ] as const) {
    expect(wordsOf('conditions', language)).not.toMatch(promise);
  }
  site.own = {};
  expect(wordsOf('conditions', 'en')).toMatch(/money-back/i);
});

it('the guarantee has the days of the settings', () => {
  site.own = { guarantee: { requestDays: 45, paidFromDays: 2, paidToDays: 7 } };
  expect(wordsOf('conditions', 'en')).toContain('within 45 days of payment');
  expect(wordsOf('conditions', 'en')).toContain('within 2 to 7 business days');
});

it('a demonstration names no payment provider', () => {
  site.isDemonstration = true;
  for (const name of ['conditions', 'privacy'] as const) {
    expect(wordsOf(name, 'en')).not.toContain('Stripe');
    expect(wordsOf(name, 'en')).toMatch(/demonstration/);
  }
});

it('where none are taken, the pages have the words of legal.json alone', () => {
  site.isOffline = true;
  expect(wordsOf('conditions', 'en')).toContain('You cannot order online yet.');
  expect(wordsOf('conditions', 'en')).not.toContain('Stripe');
  expect(wordsOf('privacy', 'en')).toContain('not available yet');
});
