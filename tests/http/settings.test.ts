import { globSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES } from '~/i18n/languages';
import defaults from '~/settings/defaults.json' with { type: 'json' };
import { mergeSettings, sampleDetails } from '~/settings/settings.server';
import { settingsJsonSchema } from '../../scripts/documents';

const DE_EN = { languages: ['de', 'en'], vat: { exempt: { de: 'a', en: 'b' } } };

describe('the operator’s settings', () => {
  it('go over the shipped ones, objects merged and lists replaced', () => {
    const settings = mergeSettings({ company: { example: false, name: 'Autre SAS' }, team: [] });
    expect(settings.team).toEqual([]);
    expect(settings.company).toMatchObject({ name: 'Autre SAS', director: 'Camille Exemple' });
  });

  it.each<[unknown, string]>([
    [{ company: { email: 'x' } }, 'email is "x"; expected an email address, such as name@'],
    [{ company: { phone: '01 99' } }, 'company.phone is "01 99"; expected an international number'],
    [{ company: { mediator: { url: 'http://m.eu/' } } }, 'expected an address that begins with'],
    [{ company: null }, 'SITE_CONFIG: company is null; expected an object in braces.'],
    [{ siteName: ' ' }, 'siteName is " "; expected text that is not empty.'],
    [{ assessmentDays: 400 }, 'assessmentDays is 400; expected a whole number from 1 to 365.'],
    [{ prices: { standard: { days: '3' } } }, 'prices.standard.days is "3"; expected a whole'],
    [{ prices: { premium: { discount: 5 } } }, 'discount is unknown; there is cents, hours.'],
    [{ prices: { standard: { cents: { EUR: 39.95 } } } }, 'cents.EUR is 39.95; expected a whole'],
    [{ logo: '/logo.svg' }, 'SITE_CONFIG: logo is "/logo.svg"; expected the name of a file'],
    [{ logo: '../own.svg' }, 'SITE_CONFIG: logo is "../own.svg"; expected the name of a file'],
    [{ languages: [] }, 'SITE_CONFIG: languages is a list; expected one language at least.'],
    [{ languages: ['de', 'de'] }, 'languages is a list; expected each language once.'],
    [{ languages: ['de', 'es'] }, 'languages.1 is "es"; expected fr or en or de.'],
    [{ ...DE_EN, languages: ['de', 'fr'] }, 'vat.exempt.fr is'],
    [{ team: [{ name: 'Zoë', role: {} }] }, 'role is an object; expected a text for each language'],
    [{ timeZone: 'Mars/Base' }, 'SITE_CONFIG: timeZone is "Mars/Base"; expected a time zone'],
    [{ team: [{ name: 'Zoë', role: 'Head' }] }, 'team.0.role is "Head"; expected an object'],
    [{ sitename: 'Typo' }, 'SITE_CONFIG: sitename is unknown; did you mean siteName?'],
    [{ support: { fax: 1 } }, 'support.fax is unknown; there is urgentHours, generalHours, '],
    [[], 'SITE_CONFIG: the file is a list; expected an object in braces.'],
    [{ claims: { outcomes: { refused: 6 } } }, '; together they must be 100, not 101.'],
    [{ claims: { processing: { fromHours: 73 } } }, 'fromHours is 73 and claims.processing.to'],
    [{ claims: { outcomes: { approved: 100, pending: 0, refused: 0 } } }, '; where all of the '],
    [{ claims: { outcomes: { approved: 0, pending: 90, refused: 10 } } }, '; where none of the '],
    [{ claims: { applications: { count: 0 } } }, 'claims.applications.count is 0; expected'],
    [{ prices: { express: { hours: 73 } } }, '; express must not take longer than standard.'],
    [{ support: { generalHours: 25 } }, '; none may be more than the next.'],
    [{ support: { urgentHours: 5 } }, '; none may be more than the next.'],
    [{ prices: { premium: { hours: 0 } } }, 'prices.premium.hours is 0; expected a whole number'],
    [{ prices: { premium: { hours: 25 } } }, '; premium must not take longer than express.'],
    [{ currencies: { en: 'GBP' } }, 'currencies.en is "GBP"; expected '],
    [{ currencies: { es: 'EUR' } }, 'currencies.es is unknown; '],
    [{ vat: { rate: '20' } }, 'vat.rate is "20"; expected a rate in percent, such as 20.'],
    [{ vat: { rate: 101 } }, 'vat.rate is 101; expected a number from 0 to 100.'],
    [{ vat: { rate: 8.125 } }, 'vat.rate is 8.125; expected two decimals at most.'],
    [{ vat: { byCountry: { DE: -1 } } }, 'vat.byCountry.DE is -1; expected a number from 0'],
    [{ vat: { byCountry: { Germany: 19 } } }, 'vat.byCountry.Germany'],
    [{ vat: { exempt: 'no VAT' } }, 'vat.exempt is "no VAT"; expected an object'],
    [{ vat: { exempt: { fr: 'a', en: 'b' } } }, 'vat.exempt.de is missing; expected text'],
    [{ vat: { eurPerUsd: { '2026-11': 0.87 } } }, 'vat.eurPerUsd.2026-11 is 0.87; expected'],
    [{ vat: { eurPerUsd: { '2026-11': '0,87' } } }, 'is "0,87"; expected a rate, such as "0.87".'],
    [{ vat: { eurPerUsd: { November: '0.87' } } }, 'vat.eurPerUsd.November'],
    [{ invoices: { prefix: 'F 2026/' } }, 'invoices.prefix is "F 2026/"; expected at most ten'],
    [{ invoices: { creditNotePrefix: 'R-' } }, '; two series of numbers need two prefixes.'],
    [{ invoices: { note: ['x'] } }, 'invoices.note is a list; expected an object in braces'],
    [{ guarantee: { offered: 1 } }, 'guarantee.offered is 1; expected true or false.'],
    // No fewer than the law's days to withdraw.
    [{ guarantee: { requestDays: 13 } }, 'guarantee.requestDays is 13; expected a whole number'],
    [{ guarantee: { paidFromDays: 11 } }, '; the first must not be more than the second.'],
    [{ fourEyes: 'yes' }, 'fourEyes is "yes"; expected true or false.'],
  ])('%j is refused with one sentence', (own, part) => {
    expect(() => mergeSettings(own)).toThrow(part);
    expect(() => mergeSettings(own)).toThrow(/^SITE_CONFIG: [^\n]+[.?]$/);
  });

  const TEXT = { fr: 'a', en: 'b', de: 'c' };
  it.each<[string, object]>([
    ['rates by country', { vat: { rate: 8.1, byCountry: { DE: 19, LU: 17 } } }],
    ['rates by month', { vat: { eurPerUsd: { '2026-10': '0.85', '2026-11': '0.861234' } } }],
    ['a reason for no VAT', { vat: { exempt: TEXT } }],
    ['notes', { invoices: { prefix: '', creditNotePrefix: 'AV-', note: TEXT } }],
    ['currencies', { currencies: { fr: 'EUR', en: 'EUR', de: 'USD' } }],
    ['the languages of the site, and texts in these', DE_EN],
    [
      'claims that are switched off, as they are',
      { claims: { outcomes: { shown: false, refused: 6 } } },
    ],
    ['tenths', { claims: { outcomes: { approved: 33.3, pending: 33.3, refused: 33.4 } } }],
  ])('take %s', (_, own) => expect(mergeSettings(own)).toMatchObject(own));

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

describe('the schema that editors read', () => {
  const schema = settingsJsonSchema() as { properties?: Record<string, { description?: string }> };

  it('knows every shipped setting, says what it is, and lets the file name the schema', () => {
    const names = Object.keys(schema.properties ?? {});
    expect(names.sort()).toEqual([...Object.keys(mergeSettings({})), '$schema'].sort());
    for (const [name, { description = '' }] of Object.entries(schema.properties ?? {})) {
      expect([name, description]).toEqual([name, expect.stringMatching(/^[A-Z].{10}/)]);
    }
    expect(mergeSettings({ $schema: './settings.schema.json' }).siteName).toBe('Traversée');
  });
});

it('official figures and prices stand in no sentence of the locales and in no template', () => {
  // Fees, prices, counts of countries, hours of processing, rates of approval.
  const LITERAL =
    /\b(21|40|40[.,]27|10[.,]27|39[.,]95|69[.,]95|89[.,]95)\s?(USD|EUR|€|\$|dollars?)|\$\s?\d|\b(39|42)\s(countries|pays|Länder)|\b72\s?(hours|heures|Stunden|h)\b|99[.,]7/i;
  const templates = globSync('app/ui/*.tsx').map((file) => readFileSync(file, 'utf8'));
  const texts = LANGUAGES.map((language) => JSON.stringify(bundles[language]));
  for (const text of [...texts, ...templates]) expect(text).not.toMatch(LITERAL);
});
