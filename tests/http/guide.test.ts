import { renameSync, writeFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES } from '~/i18n/languages';
import type { Site } from '../production-server';
import { startInProcess } from '../site-in-process';
import { endsWithTest, site, whileAway, whileChanged, withSite } from './site';
import { Visitor } from './visitor';

withSite();

async function guide(language: string, parameters = '') {
  const visitor = new Visitor(site.origin, { 'Accept-Language': language });
  const response = await visitor.get(`/application-guide${parameters}`);
  const html = (await response.text()).replace(/<script[\s\S]*?<\/script>/g, '');
  return { status: response.status, html };
}
const REPUBLISH = 'update guidance_content set is_published = 1';
const count = (html: string, text: string) => html.split(text).length - 1;

it.each([
  ['fr', '40,27\u00a0$US', '28 septembre 2026'],
  ['en', 'US$40.27', '28 September 2026'],
  ['de', '40,27\u00a0US-$', '28. September 2026'],
])('figures come from the facts, with their dates: %s', async (language, fee, date) => {
  const { html } = await guide(language, '?step=5');
  expect(html).not.toMatch(/\{\w+\}/);
  expect(html.split(fee)[1] ?? '').toContain(date);
  expect(html).toContain(`<strong class="figure">${fee}</strong>`);
});

describe('an operator who edits rows', () => {
  it('adds a step, a tip, a warning and a resource', async () => {
    await whileChanged(
      `insert into guidance_content
      (content_key, language_code, kind, display_order, title, url) values
      ('own_step', 'en', 'step', 7, 'Our own step for {vwp_count} countries', null),
      ('own_step', 'de', 'step', 7, 'Unser eigener Schritt', null),
      ('own_tip', 'en', 'tip', 0, 'Our own tip', null),
      ('own_warning', 'en', 'warning', 9, 'Our own warning', null),
      ('own_link', 'en', 'resource', 0, 'Our own link', 'https://example.org/')`,
      "delete from guidance_content where content_key like 'own_%'",
      async () => {
        const german = (await guide('de', '?step=7')).html;
        expect(german).toContain('Unser eigener Schritt');
        expect(count(german, `>${bundles.de.guide.steps.completed}<`)).toBe(6);
        // Row by row: what has no translation is shown in English, and says so.
        expect(german).toMatch(/<li lang="en"[^>]*>(<svg.*?<\/svg>)?Our own tip/);
        expect(german).toContain('Our own warning');
        expect(german).toContain('href="https://example.org/"');
        expect((await guide('fr', '?step=7')).html).toMatch(
          /<h2[^>]*lang="en"[^>]*>Our own step for 42 countries<\/h2>/,
        );
      },
    );
  });

  it('takes a country out, of which the count on the home page tells', async () => {
    const set = (is: number) =>
      `update vwp_countries set is_eligible = ${is} where country_code = 'FR'`;
    await whileChanged(set(0), set(1), async () =>
      expect(await read(site, 'en', ['/'])).toMatch(/<dd[^>]*>41<\/dd>/),
    );
  });

  it('hides a row, and a hidden translation shows in English', async () => {
    const hide = "update guidance_content set is_published = 0 where content_key = 'whole_family'";
    await whileChanged(`${hide} and language_code = 'fr'`, REPUBLISH, async () => {
      expect((await guide('fr', '?tab=tips')).html).toContain('Apply for the whole family');
      site.execute(hide);
      expect((await guide('de', '?tab=tips')).html).not.toMatch(/ganze Familie|whole family/);
    });
  });
});

describe('a guide that cannot be loaded', () => {
  it.each(LANGUAGES)('says in one line what to do instead, and is logged: %s', async (language) => {
    const { failed, links } = bundles[language].guide;
    await whileAway('guidance_content', async () => {
      const { status, html } = await guide(language);
      expect(status).toBe(503);
      expect(html).toContain(failed.text.replaceAll("'", '&#x27;'));
      expect(html).toContain(links.official);
      expect(html).toContain('href="/contact"');
      expect(site.logged('the guide cannot be loaded').at(-1)).toMatchObject({ level: 'error' });
    });
    expect((await guide(language)).status).toBe(200);
  });

  it('is one without a published step too', async () => {
    const hide = "update guidance_content set is_published = 0 where kind = 'step'";
    await whileChanged(hide, REPUBLISH, async () => expect((await guide('fr')).status).toBe(503));
  });
});

const PAGES = ['/', '/services', '/about', '/timeline?tab=times', '/application-guide?step=5'];

async function read(site: Site, language: string, paths = PAGES): Promise<string> {
  const visitor = new Visitor(site.origin, { 'Accept-Language': language });
  const pages = paths.map(async (path) => {
    const response = await visitor.get(path);
    expect([path, response.status]).toEqual([path, 200]);
    return (await response.text()).replace(/<script[\s\S]*?<\/script>/g, '');
  });
  return (await Promise.all(pages)).join('\n');
}

it('a time that is not known leaves no hole in a sentence', async () => {
  const site = endsWithTest(await startInProcess({ TODAY: '2026-11-21' }));
  await read(site, 'en');
  site.execute(
    `pragma ignore_check_constraints = on;
       update facts set value = 'soon' where fact_key = 'official_processing_up_to'`,
  );
  for (const language of LANGUAGES) {
    const notKnown = bundles[language].shell.fact.notKnown;
    for (const path of ['/timeline?tab=process', '/timeline?date=2026-11-22'])
      expect(await read(site, language, [path]), path).toContain(notKnown);
  }
});

const changing = (assignment: string) =>
  `pragma ignore_check_constraints = on;
     update facts set ${assignment} where fact_key = 'esta_fee_total' and valid_to is null`;

it('a row of the facts that cannot be shown is not known, is logged once, and breaks no page', async () => {
  const good = changing("source_url = 'https://esta.cbp.dhs.gov/'");
  await whileChanged(changing("source_url = 'javascript:a'"), good, async () => {
    for (const language of LANGUAGES) {
      const html = await read(site, language);
      expect(html).toContain(bundles[language].shell.fact.notKnown);
      expect(html).not.toMatch(/NaN|javascript:|40[.,]27|undefined/);
    }
    await read(site, 'en');
    const line = { level: 'error', fact_key: 'esta_fee_total', column: 'source_url' };
    expect(site.logged('a fact is left out')).toMatchObject([line]);
  });
  expect(await read(site, 'en')).toContain('US$40.27');
});

describe('a database that cannot be read', () => {
  it('from the start brings no official fee, which may be outdated', async () => {
    const DATABASE_URL = 'file:/dev/null/none/esta.db';
    const site = endsWithTest(await startInProcess({ DATABASE_URL }));
    const html = await read(site, 'fr', ['/services', '/about']);
    expect(html).toContain(`pour ${bundles.fr.shell.fact.notKnown}`);
    expect(html).not.toMatch(/40,27|NaN/);
    // What stands in the law may come from the rows that ship with the program.
    expect(html).toContain('72\u00a0heures');
  });

  it('later on leaves the facts that were read last', async () => {
    const site = endsWithTest(await startInProcess());
    site.execute("update facts set value = '55.55' where value = '40.27'");
    expect(await read(site, 'en', ['/services'])).toContain('US$55.55');
    renameSync(site.databaseFile, `${site.databaseFile}.away`);
    writeFileSync(site.databaseFile, 'no database');
    expect(await read(site, 'en', ['/services', '/about'])).toContain('US$55.55');
  });
});
