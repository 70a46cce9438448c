import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { LANGUAGES } from '~/i18n/languages';
import { type Site, startSite, temporaryFolder } from '../production-server';
import { Reader } from './reader';

let site: Site;
beforeAll(async () => {
  const SITE_CONFIG = join(temporaryFolder(), 'site.json');
  const settings = {
    prices: { standard: { cents: { EUR: 4100, USD: 4700 } } },
    currencies: { fr: 'USD', en: 'EUR' },
    guarantee: { requestDays: 45, paidFromDays: 6, paidToDays: 12 },
  };
  writeFileSync(SITE_CONFIG, JSON.stringify(settings));
  site = await startSite({ SITE_CONFIG });
});
afterAll(() => site.stop());

it.each(LANGUAGES)(
  'prices and the guarantee are those of the settings, in %s',
  async (language) => {
    const reader = await Reader.open(site.origin, '/services', language);
    const price = { fr: '47,00 $US', en: '€41.00', de: '41,00 €' }[language];
    expect(reader.text).toContain(price);
    const currency = { fr: 'USD', en: 'EUR', de: 'EUR' }[language];
    const amount = currency === 'EUR' ? '41.00' : '47.00';
    expect(reader.html).toContain(`"price":"${amount}","priceCurrency":"${currency}"`);
    for (const days of ['45', '6', '12']) expect(reader.text).toMatch(new RegExp(`\\b${days}\\b`));
    await reader.go('/conditions');
    expect(reader.text).toMatch(/\b45\b/);
  },
);
