import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES } from '~/i18n/languages';
import { CLAIMS, COMPANY } from '../fixtures';
import { type Site, startSite, temporaryFolder } from '../production-server';
import { Visitor } from './visitor';

const words = { fr: 'Relecture', en: 'Review', de: 'Prüfung' };

let folder: string;
const sites: Site[] = [];
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(async () => {
  for (const site of sites) await site.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function started(config: unknown, variables: Record<string, string> = {}): Promise<Site> {
  const file = join(folder, `site-${sites.length}.json`);
  writeFileSync(file, JSON.stringify(config));
  const site = await startSite({ SITE_CONFIG: file, ...variables });
  sites.push(site);
  return site;
}

const read = async (site: Site, path: string, language: string) => {
  const visitor = new Visitor(site.origin, { 'Accept-Language': language });
  const html = await (await visitor.get(path)).text();
  return html.replace(/<script[\s\S]*?<\/script>/g, '');
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
  it('stand in a trial, with one line a section', async () => {
    const site = await started({});
    for (const language of LANGUAGES) {
      for (const [path, heading, line] of Object.values(sections(language))) {
        const html = await read(site, path, language);
        expect([path, html.includes(heading), count(html, line)]).toEqual([path, true, 1]);
      }
    }
  });

  it('are left out where travellers come over https, with sections of nothing else', async () => {
    const site = await started({ company: COMPANY }, { PUBLIC_ORIGIN: 'https://esta.example' });
    for (const [path, heading, line] of Object.values(sections('en'))) {
      const html = await read(site, path, 'en');
      expect(html).not.toContain(heading);
      expect(html).not.toContain(line);
      expect(html).not.toMatch(/Exemple|Sample|Beispiel/);
    }
    // The tab of the offices has the seat.
    const offices = await read(site, '/contact?tab=offices', 'en');
    const main = offices.slice(offices.indexOf('<main'), offices.indexOf('</main>'));
    for (const text of [COMPANY.name, COMPANY.address, COMPANY.phone]) expect(main).toContain(text);
    expect(main).not.toContain(bundles.en.contact.offices.hours);
    expect(await read(site, '/mentions-legales', 'fr')).not.toContain('(exemple)');
  });

  it('give way to entries of the operator’s own', async () => {
    const team = [
      { name: 'Zoë Müller', role: words },
      { example: true, name: 'Alex Sample', role: words },
    ];
    for (const variables of [{}, { PUBLIC_ORIGIN: 'https://esta.example' }]) {
      const html = await read(await started({ company: COMPANY, team }, variables), '/about', 'en');
      expect(html).toContain('Zoë Müller');
      expect(html).not.toContain('Alex Sample');
      expect(html).not.toContain(bundles.en.about.team.samples);
    }
  });

  describe('of the service’s figures', () => {
    const FIGURES = {
      fr: ['99,7', '100 000+'],
      en: ['99.7', '100,000+'],
      de: ['99,7', '100.000+'],
    };
    const plain = (html: string) => html.replaceAll(/[\u00a0\u202f]/g, ' ');

    it('stand in a trial, and each page says that they are examples', async () => {
      const site = await started({});
      for (const language of LANGUAGES) {
        const { about, timeline } = bundles[language];
        for (const path of ['/', '/about']) {
          const html = plain(await read(site, path, language));
          for (const figure of FIGURES[language]) expect(html).toContain(figure);
          expect([path, count(html, about.stats.examples)]).toEqual([path, 1]);
          expect(html).not.toContain(about.stats.ownFigures);
        }
        const times = await read(site, '/timeline?tab=times', language);
        expect(times).toContain(timeline.times.examples);
        expect(times).not.toContain(timeline.times.own);
      }
    });

    it('are left out where travellers come over https', async () => {
      const site = await started({ company: COMPANY }, { PUBLIC_ORIGIN: 'https://esta.example' });
      for (const path of ['/', '/about', '/timeline?tab=times']) {
        const html = plain(await read(site, path, 'en'));
        expect([path, /99\.7|100,000\+|24–72|85\s?%/.exec(html)?.[0]]).toEqual([path, undefined]);
        expect(html).not.toContain(bundles.en.about.stats.examples);
      }
      // The official figures stay.
      expect(await read(site, '/', 'en')).toContain(bundles.en.home.stats.countries);
    });

    it('give way to the operator’s own, also where one of them is the same', async () => {
      const claims = { ...CLAIMS, applications: { count: 100_000 }, approvalRate: {} };
      for (const variables of [{}, { PUBLIC_ORIGIN: 'https://esta.example' }]) {
        const site = await started({ company: COMPANY, claims }, variables);
        const html = await read(site, '/about', 'en');
        expect(html).toContain('100,000+');
        expect(html).not.toContain('99.7');
        expect(html).toContain(bundles.en.about.stats.ownFigures);
        expect(html).not.toContain(bundles.en.about.stats.examples);
      }
    });
  });
});
