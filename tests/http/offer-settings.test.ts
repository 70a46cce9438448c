import { describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES } from '~/i18n/languages';
import { addressesIn } from '~/site-map';
import { CLAIMS, COMPANY } from '../fixtures';
import type { Site } from '../production-server';
import { startInProcess } from '../site-in-process';
import { plain } from './html';
import { HtmlBrowser } from './html-browser';
import { endsWithTest, site, withSite } from './site';
import { GOOD_ANSWERS, Visitor } from './visitor';

const alike = (text: string) => ({ fr: text, en: text, de: text });
const SETTINGS = {
  prices: { standard: { cents: { EUR: 4100, USD: 4700 } } },
  currencies: { fr: 'USD', en: 'EUR' },
  guarantee: { requestDays: 45, paidFromDays: 6, paidToDays: 12 },
  vat: {
    exempt: alike('Ohne 293 B'),
    eurPerUsd: { [new Date().toISOString().slice(0, 7)]: '0.87' },
  },
  support: { phoneHours: alike('9–18') },
};
withSite({}, { settings: SETTINGS });

it.each(LANGUAGES)(
  'prices and the guarantee are those of the settings, in %s',
  async (language) => {
    const reader = await HtmlBrowser.open(site.origin, '/services', language);
    const price = { fr: '47,00 $US', en: '€41.00', de: '41,00 €' }[language];
    expect(reader.text).toContain(price);
    const currency = { fr: 'USD', en: 'EUR', de: 'EUR' }[language];
    const amount = currency === 'EUR' ? '41.00' : '47.00';
    expect(reader.html).toContain(`"price":"${amount}","priceCurrency":"${currency}"`);
    for (const days of ['45', '6', '12']) expect(reader.text).toMatch(new RegExp(`\\b${days}\\b`));
    expect(reader.text).toContain('Ohne 293 B');
    await reader.go('/contact');
    expect(reader.text).toContain('9–18');
    // 40.27 dollars are 35.03 euros.
    await reader.go('/');
    if (language === 'de') expect(reader.text).toContain('etwa 77 €');
  },
);

const GUARANTEE = {
  fr: /garantie de remboursement|garantit le remboursement|satisfait ou remboursé/i,
  en: /money-back|guarantees a full refund/i,
  de: /Geld-zurück|garantiert Ihnen/i,
};

describe.each([
  ['offline', {}],
  ['live', { OFFLINE_MODE: 'false' }],
] as const)('a guarantee that is not offered, %s', (mode, variables) => {
  withSite(variables, { settings: { guarantee: { offered: false } } });

  it.each(LANGUAGES)('is promised on no page, in %s', async (language) => {
    const reader = await HtmlBrowser.open(site.origin, '/', language);
    const { services, eligibility, legal } = bundles[language];
    const promises = [
      services.tiers.moneyBack.replace('{{refundRequestDays}}', '30'),
      eligibility.options.points.refund.replace('{{days}}', '30'),
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
    expect(reader.text).toContain(plain(eligibility.options.points.review));
    expect(reader.text).not.toMatch(GUARANTEE[language]);
    await reader.go('/services');
    const [law = ''] = services.faq.refund.byLaw.split('{{');
    expect(reader.text).toContain(plain(law).trim());
  });
});

const words = { fr: 'Relecture', en: 'Review', de: 'Prüfung' };

async function started(settings: unknown, isHttps = false): Promise<Site> {
  const variables = isHttps ? { PUBLIC_ORIGIN: 'https://esta.example' } : {};
  return endsWithTest(await startInProcess(variables, { settings }));
}

const read = async (site: Site, path: string, language: string) => {
  const visitor = new Visitor(site.origin, { 'Accept-Language': language });
  return (await (await visitor.get(path)).text()).replace(/<script[\s\S]*?<\/script>/g, '');
};
const count = (html: string, text: string) => html.split(text).length - 1;

/** The sections of samples: where they stand, their heading and the line that marks them. */
function sections(language: 'fr' | 'en' | 'de') {
  const { about, services, contact } = bundles[language];
  return {
    team: ['/about', '<h2 id="team"', about.team.samples],
    certifications: ['/about', '<h2 id="certifications"', about.certifications.samples],
    testimonials: ['/services', '<h2 id="testimonials"', services.testimonials.samples],
    offices: ['/contact?tab=offices', '+44 20 7946 0000', contact.offices.samples],
  } as const;
}

describe('samples', () => {
  it('stand in a trial, with one line a section, and each page says that figures are examples', async () => {
    const site = await started({});
    for (const language of LANGUAGES) {
      for (const [path, heading, line] of Object.values(sections(language))) {
        const html = await read(site, path, language);
        expect([path, html.includes(heading), count(html, line)]).toEqual([path, true, 1]);
      }
      const { about, legal, shell, timeline } = bundles[language];
      const notice = await read(site, '/mentions-legales', language);
      for (const text of [legal.draftNotice, shell.footer.example]) expect(notice).toContain(text);
      expect(notice).toMatch(/\((exemple|sample|Beispiel)\)/);
      for (const path of ['/', '/about']) {
        const html = plain(await read(site, path, language));
        expect([path, count(html, about.stats.examples)]).toEqual([path, 1]);
        expect(html).toMatch(/99[.,]7/);
      }
      expect(await read(site, '/timeline?tab=times', language)).toContain(timeline.times.examples);
    }
  });

  it('are left out where travellers come over https, with sections of nothing else', async () => {
    const site = await started({ company: COMPANY }, true);
    for (const [path, heading, line] of Object.values(sections('en'))) {
      const html = await read(site, path, 'en');
      for (const text of [heading, line]) expect(html).not.toContain(text);
      expect(html).not.toMatch(/Exemple|Sample|Beispiel/);
    }
    const offices = await read(site, '/contact?tab=offices', 'en');
    const main = offices.slice(offices.indexOf('<main'), offices.indexOf('</main>'));
    for (const text of [COMPANY.name, COMPANY.address, COMPANY.phone]) expect(main).toContain(text);
    expect(main).not.toContain(bundles.en.contact.offices.hours);
    expect(await read(site, '/mentions-legales', 'fr')).not.toContain('(exemple)');
    for (const path of ['/', '/about', '/services', '/timeline?tab=times']) {
      const html = plain(await read(site, path, 'en'));
      expect(html).not.toContain(bundles.en.services.tiers.mostPopular);
      expect([path, /99\.7|100,000\+|24–72|85\s?%/.exec(html)?.[0]]).toEqual([path, undefined]);
      expect(html).not.toContain(bundles.en.about.stats.examples);
    }
    expect(await read(site, '/', 'en')).toContain(bundles.en.home.stats.countries);
  });

  describe.each([false, true])('over https: %s', (isHttps) => {
    it('give way to entries and figures of the operator’s own, also the same', async () => {
      const team = [
        { name: 'Zoë Müller', role: words },
        { example: true, name: 'Alex Sample', role: words },
      ];
      const processing = { shown: false };
      const claims = { ...CLAIMS, processing, applications: { count: 100_000 }, approvalRate: {} };
      const testimonials = [{ name: 'Eva', text: words }];
      const own = { siteName: 'Passerelle', company: COMPANY, team, claims, testimonials };
      const site = await started(own, isHttps);
      const services = await read(site, '/services', 'en');
      for (const text of [/most popular/i, /We do not check/i]) expect(services).toMatch(text);
      const html = await read(site, '/about', 'en');
      const { team: people, stats } = bundles.en.about;
      for (const text of ['Zoë Müller', '100,000+', stats.ownFigures]) expect(html).toContain(text);
      for (const text of ['Alex Sample', people.samples, '99.7', stats.examples]) {
        expect(html).not.toContain(text);
      }
      expect(html).toContain(' – Passerelle</title>');
      // Instead of a claim that is switched off stand the hours of the authorities.
      const times = await read(site, '/timeline?tab=times', 'en');
      expect(times.split('ithin 72\u00a0hours<')).toHaveLength(3);
      expect(times).not.toContain('24 to 72 hours');
      expect(await read(site, '/mentions-legales', 'en')).toContain('Passerelle SAS, ');
    });
  });
});
