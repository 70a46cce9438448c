import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES } from '~/i18n/languages';
import { mergeSettings } from '~/settings/settings.server';

describe('the operator’s settings', () => {
  it('are the shipped ones where nothing is set', () => {
    const settings = mergeSettings({});
    expect(settings.prices).toEqual({
      standard: { cents: { EUR: 3995, USD: 3995 }, days: 3 },
      express: { cents: { EUR: 6995, USD: 6995 }, hours: 24 },
      premium: { cents: { EUR: 8995, USD: 8995 } },
    });
    expect(settings.offices.map(({ city }) => city.en)).toEqual(['Paris', 'London', 'Berlin']);
  });

  it('go over the shipped ones, objects merged and lists replaced', () => {
    const settings = mergeSettings({
      siteName: 'Autre',
      company: { example: false, name: 'Autre SAS' },
      team: [],
    });
    expect(settings).toMatchObject({ siteName: 'Autre', team: [] });
    expect(settings.company).toMatchObject({ name: 'Autre SAS', director: 'Camille Exemple' });
  });

  it.each<[unknown, string]>([
    [{ company: { email: 'x' } }, 'SITE_CONFIG: company.email is "x"; '],
    [
      { prices: { standard: { cents: { EUR: 39.95 } } } },
      'SITE_CONFIG: prices.standard.cents.EUR is 39.95; ',
    ],
    [{ timeZone: 'Mars/Base' }, 'SITE_CONFIG: timeZone is "Mars/Base"; expected a time zone'],
    [{ offices: [{ city: 'Rome' }] }, 'SITE_CONFIG: offices.0.city is "Rome"; '],
    [{ sitename: 'Typo' }, 'SITE_CONFIG: the file is '],
    [[], 'SITE_CONFIG: the file is []; '],
  ])('%j is refused with one sentence', (own, beginning) => {
    expect(() => mergeSettings(own)).toThrow(beginning);
  });

  it('have only telephone numbers that are reserved for fiction, and mark their samples', () => {
    const { company, offices, team, testimonials } = mergeSettings({});
    const fiction = [/^\+33 1 99 00 /, /^\+44 20 7946 0/, /^\+49 30 23125 /];
    for (const { phone } of [company, ...offices]) {
      expect(fiction.some((range) => range.test(phone))).toBe(true);
    }
    for (const sample of [company, ...offices, ...team, ...testimonials]) {
      expect(sample.example).toBe(true);
    }
  });
});

describe('official figures and prices', () => {
  // Fees, prices, counts of countries, hours of processing, rates of approval.
  const LITERAL =
    /\b(21|40|40[.,]27|10[.,]27|39[.,]95|69[.,]95|89[.,]95)\s?(USD|EUR|€|\$|dollars?)|\$\s?\d|\b(39|42)\s(countries|pays|Länder)|\b72\s?(hours|heures|Stunden|h)\b|99[.,]7/i;

  it('stand in no sentence of the locales', () => {
    for (const language of LANGUAGES) {
      expect(JSON.stringify(bundles[language])).not.toMatch(LITERAL);
    }
  });

  it('stand in no template', () => {
    const templates = ['price-card', 'claims', 'fact', 'shell', 'footer', 'section'].map((name) =>
      readFileSync(`app/ui/${name}.tsx`, 'utf8'),
    );
    expect(templates.join()).not.toMatch(LITERAL);
  });
});
