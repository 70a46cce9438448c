import { describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { COMPLETE_LANGUAGES } from '~/i18n/languages';
import { CLAIMS, COMPANY } from '../fixtures';
import type { Site } from '../production-server';
import { startInProcess } from '../site-in-process';
import { endsWithTest } from './site';
import { Visitor } from './visitor';

const words = { fr: 'Relecture', en: 'Review', de: 'Prüfung' };

async function started(settings: unknown, isHttps = false): Promise<Site> {
  const variables = isHttps ? { PUBLIC_ORIGIN: 'https://esta.example' } : {};
  return endsWithTest(await startInProcess(variables, { settings }));
}

const read = async (site: Site, path: string, language: string) => {
  const visitor = new Visitor(site.origin, { 'Accept-Language': language });
  const html = await (await visitor.get(path)).text();
  return html.replace(/<script[\s\S]*?<\/script>/g, '');
};
const count = (html: string, text: string) => html.split(text).length - 1;
const plain = (html: string) => html.replaceAll(/[\u00a0\u202f]/g, ' ');

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
    for (const language of COMPLETE_LANGUAGES) {
      for (const [path, heading, line] of Object.values(sections(language))) {
        const html = await read(site, path, language);
        expect([path, html.includes(heading), count(html, line)]).toEqual([path, true, 1]);
      }
      const { about, timeline } = bundles[language];
      for (const path of ['/', '/about']) {
        const html = plain(await read(site, path, language));
        expect([path, count(html, about.stats.examples)]).toEqual([path, 1]);
        expect(html).toMatch(/99[.,]7/);
      }
      const times = await read(site, '/timeline?tab=times', language);
      expect(times).toContain(timeline.times.examples);
    }
  });

  it('are left out where travellers come over https, with sections of nothing else', async () => {
    const site = await started({ company: COMPANY }, true);
    for (const [path, heading, line] of Object.values(sections('en'))) {
      const html = await read(site, path, 'en');
      for (const text of [heading, line]) expect(html).not.toContain(text);
      expect(html).not.toMatch(/Exemple|Sample|Beispiel/);
    }
    // The tab of the offices has the seat.
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
    // The official figures stay.
    expect(await read(site, '/', 'en')).toContain(bundles.en.home.stats.countries);
  });

  describe.each([false, true])('over https: %s', (isHttps) => {
    it('give way to entries and figures of the operator’s own, also the same', async () => {
      const team = [
        { name: 'Zoë Müller', role: words },
        { example: true, name: 'Alex Sample', role: words },
      ];
      const claims = { ...CLAIMS, applications: { count: 100_000 }, approvalRate: {} };
      const testimonials = [{ name: 'Eva', text: words }];
      const site = await started({ company: COMPANY, team, claims, testimonials }, isHttps);
      const services = await read(site, '/services', 'en');
      for (const text of [/most popular/i, /We do not check/i]) expect(services).toMatch(text);
      const html = await read(site, '/about', 'en');
      const { team: people, stats } = bundles.en.about;
      for (const text of ['Zoë Müller', '100,000+', stats.ownFigures]) {
        expect(html).toContain(text);
      }
      for (const text of ['Alex Sample', people.samples, '99.7', stats.examples]) {
        expect(html).not.toContain(text);
      }
    });
  });
});
