import { renameSync, writeFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES } from '~/i18n/languages';
import type { Site } from '../production-server';
import { startInProcess as startSite } from '../site-in-process';
import { endsWithTest, site, whileChanged, withSite } from './site';
import { Visitor } from './visitor';

const PAGES = ['/', '/services', '/about', '/timeline?tab=times', '/application-guide?step=5'];

/** The pages as their readers get them. */
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
  const site = endsWithTest(await startSite({ TODAY: '2026-11-21' }));
  await read(site, 'en');
  site.execute(
    `pragma ignore_check_constraints = on;
       update facts set value = 'soon' where fact_key = 'official_processing_up_to'`,
  );
  for (const language of LANGUAGES) {
    const notKnown = bundles[language].shell.fact.notKnown;
    for (const path of ['/timeline?tab=process', '/timeline?date=2026-11-22']) {
      expect(await read(site, language, [path]), path).toContain(notKnown);
    }
  }
});

describe('a row of the facts that cannot be shown', () => {
  withSite();

  const changing = (assignment: string) =>
    `pragma ignore_check_constraints = on;
     update facts set ${assignment} where fact_key = 'esta_fee_total' and valid_to is null`;

  it('is not known, is logged once, and breaks no page', async () => {
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
});

describe('a database that cannot be read', () => {
  it('from the start brings no official fee, which may be outdated', async () => {
    const site = endsWithTest(await startSite({ DATABASE_URL: 'file:/dev/null/none/esta.db' }));
    const html = await read(site, 'fr', ['/services', '/about']);
    expect(html).toContain(`pour ${bundles.fr.shell.fact.notKnown}`);
    expect(html).not.toMatch(/40,27|NaN/);
    // What stands in the law may come from the rows that ship with the program.
    expect(html).toContain('72\u00a0heures');
  });

  it('later on leaves the facts that were read last', async () => {
    const site = endsWithTest(await startSite());
    site.execute("update facts set value = '55.55' where value = '40.27'");
    expect(await read(site, 'en', ['/services'])).toContain('US$55.55');
    renameSync(site.databaseFile, `${site.databaseFile}.away`);
    writeFileSync(site.databaseFile, 'no database');
    expect(await read(site, 'en', ['/services', '/about'])).toContain('US$55.55');
  });
});
