import { describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { COMPLETE_LANGUAGES } from '~/i18n/languages';
import { addressesIn } from '~/site-map';
import { plain } from './html';
import { Reader } from './reader';
import { site, withSite } from './site';
import { GOOD_ANSWERS } from './visitor';

const alike = (text: string) => ({ fr: text, en: text, de: text });
const SETTINGS = {
  prices: { standard: { cents: { EUR: 4100, USD: 4700 } } },
  currencies: { fr: 'USD', en: 'EUR' },
  guarantee: { requestDays: 45, paidFromDays: 6, paidToDays: 12 },
  vat: { exempt: alike('Ohne 293 B') },
  support: { phoneHours: alike('9–18') },
};
withSite({}, { settings: SETTINGS });

it.each(COMPLETE_LANGUAGES)(
  'prices and the guarantee are those of the settings, in %s',
  async (language) => {
    const reader = await Reader.open(site.origin, '/services', language);
    const price = { fr: '47,00 $US', en: '€41.00', de: '41,00 €' }[language];
    expect(reader.text).toContain(price);
    const currency = { fr: 'USD', en: 'EUR', de: 'EUR' }[language];
    const amount = currency === 'EUR' ? '41.00' : '47.00';
    expect(reader.html).toContain(`"price":"${amount}","priceCurrency":"${currency}"`);
    for (const days of ['45', '6', '12']) expect(reader.text).toMatch(new RegExp(`\\b${days}\\b`));
    expect(reader.text).toContain('Ohne 293 B');
    await reader.go('/contact');
    expect(reader.text).toContain('9–18');
  },
);

const GUARANTEE = {
  fr: /garantie de remboursement|satisfait ou remboursé/i,
  en: /money-back/i,
  de: /Geld-zurück/i,
};

describe.each([
  ['offline', {}],
  ['live', { OFFLINE_MODE: 'false' }],
] as const)('a guarantee that is not offered, %s', (mode, variables) => {
  withSite(variables, { settings: { guarantee: { offered: false } } });

  it.each(COMPLETE_LANGUAGES)('is promised on no page, in %s', async (language) => {
    const reader = await Reader.open(site.origin, '/', language);
    const { services, eligibility, legal } = bundles[language];
    const promises = [
      services.tiers.features.moneyBack.replace('{{refundRequestDays}}', '30'),
      eligibility.ways.points.refund.replace('{{days}}', '30'),
      legal.conditions.sections.refunds.title,
      legal.conditions.sections.withdrawal.guarantee,
    ].map(plain);
    for (const { path } of addressesIn(mode).filter(({ kind }) => kind === 'static')) {
      await reader.go(path.replace(':variant', 'default'));
      for (const promise of promises) expect(plain(reader.html), path).not.toContain(promise);
      expect(reader.text, path).not.toMatch(GUARANTEE[language]);
    }
    // Where both ways to apply stand beside each other.
    await reader.visitor.post('/eligibility-check?step=country', { country: 'FR' });
    await reader.visitor.post('/eligibility-check?step=questions', GOOD_ANSWERS);
    await reader.go('/eligibility-check?step=result');
    expect(reader.text).toContain(plain(eligibility.ways.points.review));
    expect(reader.text).not.toMatch(GUARANTEE[language]);
    await reader.go('/services');
    const [law = ''] = services.faq.refund.byLaw.split('{{');
    expect(reader.text).toContain(plain(law).trim());
  });
});
