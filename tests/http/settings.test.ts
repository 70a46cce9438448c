import { globSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES } from '~/i18n/languages';
import defaults from '~/settings/defaults.json' with { type: 'json' };
import { mergeSettings, sampleDetails } from '~/settings/settings.server';
import { settingsJsonSchema } from '../../scripts/documents';
import { decisionTables } from '../decision-tables';

decisionTables(import.meta.url, {
  'whether settings are taken as they are': (_, json) => {
    const own = JSON.parse(json) as object;
    expect(mergeSettings(own)).toMatchObject(own);
    return true;
  },
  'what is wrong with a setting': (json) => {
    let said = '';
    try {
      mergeSettings(JSON.parse(json));
    } catch (error) {
      said = (error as Error).message;
    }
    expect(said).toMatch(/^SITE_CONFIG: [^\n]+[.?]$/);
    return said.replace('SITE_CONFIG: ', '');
  },
});

describe('the operator’s settings', () => {
  it('go over the shipped ones, objects merged and lists replaced', () => {
    const settings = mergeSettings({ company: { example: false, name: 'Autre SAS' }, team: [] });
    expect(settings.team).toEqual([]);
    expect(settings.company).toMatchObject({ name: 'Autre SAS', director: 'Camille Exemple' });
  });

  it('that are shipped are not the operator’s mistake', () => {
    const { draftDays } = defaults;
    defaults.draftDays = 1;
    try {
      expect(() => mergeSettings({ mailDays: 0 })).toThrow(
        /^SITE_CONFIG: mailDays .*\napp\/settings\/defaults\.json: draftDays is 1; [^\n]*$/,
      );
    } finally {
      defaults.draftDays = draftDays;
    }
  });

  it('tell which details of the company are still the sample’s', () => {
    expect(sampleDetails({}).size).toBe(16);
    // Many companies have the form and capital of the sample, once they say so.
    const { legalForm } = mergeSettings({}).company;
    const company = { legalForm, capital: '10 000 €', name: 'Autre SAS', host: { name: 'Hôte' } };
    const samples = sampleDetails({ company });
    const details =
      'address registration vatNumber director email phone dataProtectionContact host.address host.phone mediator.name mediator.address mediator.url';
    expect([...samples].join(' ')).toBe(details);
  });

  it('have only telephone numbers that are reserved for fiction, and mark their samples', () => {
    const { company, offices, team, testimonials } = mergeSettings({});
    for (const { phone } of [company, company.host, ...offices]) {
      expect(phone).toMatch(/^\+(33 1 99 00|44 20 7946 0|49 30 23125) ?/);
    }
    for (const sample of [company, ...offices, ...team, ...testimonials]) {
      expect(sample.example).toBe(true);
    }
  });
});

it('the schema that editors read knows every shipped setting, says what it is, and lets the file name the schema', () => {
  const schema = settingsJsonSchema() as { properties?: Record<string, { description?: string }> };
  const names = Object.keys(schema.properties ?? {});
  expect(names.sort()).toEqual([...Object.keys(mergeSettings({})), '$schema'].sort());
  for (const [name, { description = '' }] of Object.entries(schema.properties ?? {})) {
    expect([name, description]).toEqual([name, expect.stringMatching(/^[A-Z].{10}/)]);
  }
  expect(mergeSettings({ $schema: './settings.schema.json' }).siteName).toBe('Traversée');
});

it('official figures and prices stand in no sentence of the locales and in no template', () => {
  // Fees, prices, counts of countries, hours of processing, rates of approval.
  const LITERAL =
    /\b(21|40|40[.,]27|10[.,]27|39[.,]95|69[.,]95|89[.,]95)\s?(USD|EUR|€|\$|dollars?)|\$\s?\d|\b(39|42)\s(countries|pays|Länder)|\b72\s?(hours|heures|Stunden|h)\b|99[.,]7/i;
  const templates = globSync('app/ui/*.tsx').map((file) => readFileSync(file, 'utf8'));
  const texts = LANGUAGES.map((language) => JSON.stringify(bundles[language]));
  for (const text of [...texts, ...templates]) expect(text).not.toMatch(LITERAL);
});
