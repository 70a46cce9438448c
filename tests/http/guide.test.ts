import { describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES } from '~/i18n/languages';
import { site, whileAway, whileChanged, withSite } from './site';
import { Visitor } from './visitor';

withSite();

/** The page as its reader gets it, without the data for the script. */
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
  const sentence = html.split(fee)[1] ?? '';
  expect(sentence).toContain(date);
  expect(html).toContain(`<strong class="figure">${fee}</strong>`);
});

describe('an operator who edits rows', () => {
  it('adds a step, a tip, a warning and a resource', async () => {
    const rows = `insert into guidance_content
      (content_key, language_code, kind, display_order, title, url) values
      ('own_step', 'en', 'step', 7, 'Our own step for {vwp_count} countries', null),
      ('own_step', 'de', 'step', 7, 'Unser eigener Schritt', null),
      ('own_tip', 'en', 'tip', 0, 'Our own tip', null),
      ('own_warning', 'en', 'warning', 9, 'Our own warning', null),
      ('own_link', 'en', 'resource', 0, 'Our own link', 'https://example.org/')`;
    await whileChanged(
      rows,
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
