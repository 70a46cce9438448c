import { describe, expect, it } from 'vitest';

import { menuViews } from '~/root-data.server';
import { LANGUAGES } from '~/i18n/languages';
import { addressesIn, matchAddress, canonicalPath, menuRows, MENUS, SITE_MAP } from '~/site-map';
import { decisionTables } from '../decision-tables';

describe('the site map', () => {
  it.each(['offline', 'live'] as const)('has each address once, %s', (mode) => {
    const rows = addressesIn(mode);
    expect(new Set(rows.map(({ path }) => path)).size).toBe(rows.length);
  });

  it('has the addresses of the specification (section 2)', () => {
    const specified = `
      / /auth /eligibility-check /eligibility/:sessionId /application-guide /documents /timeline
      /how-it-works /services /faq /about /contact /privacy /terms /mentions-legales /conditions
      /application/:id/:step /application/:id/payment /application/:id/success
      /application/status /application-status
      /crm/auth /crm/dashboard /crm/leads /crm/leads/assigned /crm/processing`;
    const paths = SITE_MAP.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(specified.trim().split(/\s+/)));
  });

  it('has the menus of the specification, in its order', () => {
    const main = ['/', '/how-it-works', '/services', '/about', '/faq', '/contact'];
    expect(menuRows('main').map(({ path }) => path)).toEqual(main);
    // Home, services and the footer lead to the check, the guide and the planner.
    const helpful = ['/eligibility-check', '/application-guide', '/timeline'];
    expect(menuRows('footer').map((row) => row.path)).toEqual(
      expect.arrayContaining(['/', '/about', '/contact', '/faq', ...helpful]),
    );
    const legal = menuRows('legal').map(({ path }) => path.slice(1));
    expect(legal.join(' ')).toBe('privacy terms conditions mentions-legales accessibility');
  });

  it.each(LANGUAGES)('has words for every menu in %s', (language) => {
    for (const menu of MENUS) {
      for (const { label } of menuViews(language)[menu]) expect(label).not.toMatch(/menu|^$/);
    }
  });
});

decisionTables(import.meta.url, {
  'how an address is spelt, and whose row serves it': (path) => {
    const canonical = canonicalPath(path, 'offline');
    expect(canonicalPath(canonical, 'offline')).toBe(canonical);
    return `${canonical} by ${matchAddress(path, 'offline').path}`;
  },
});
