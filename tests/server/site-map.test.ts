import { describe, expect, it } from 'vitest';

import { menuViews } from '~/content/site.server';
import { LANGUAGES } from '~/i18n/languages';
import { addressesIn, addressOf, canonicalPath, menuRows, MENUS, SITE_MAP } from '~/site-map';

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
    const helpful = ['/eligibility-check', '/application-guide', '/timeline'];
    const paths = menuRows('main').map(({ path }) => path);
    expect(paths.filter((path) => !helpful.includes(path))).toEqual(main);
    expect(paths).toEqual(expect.arrayContaining(helpful));
    for (const path of ['/', '/about', '/contact', '/faq'])
      expect(menuRows('footer').map((row) => row.path)).toContain(path);
    const legal = menuRows('legal').map(({ path }) => path.slice(1));
    expect(legal.join(' ')).toBe('privacy terms conditions mentions-legales accessibility');
  });

  it.each(LANGUAGES)('has words for every menu in %s', (language) => {
    for (const menu of MENUS) {
      for (const { label } of menuViews(language)[menu]) expect(label).not.toMatch(/menu|^$/);
    }
  });
});

it.each([
  ['/', '/', '/'],
  ['/terms', '/terms', '/terms'],
  ['/terms/', '/terms', '/terms'],
  ['/TERMS', '/terms', '/terms'],
  ['/%74erms', '/terms', '/terms'],
  ['//terms', '//terms', '/*'],
  ['/Application/New/Step-1/', '/application/new/step-1', '/application/new/step-1'],
  ['/application/7/step-1', '/application/7/step-1', '/application/:id/:step'],
  ['/application/status', '/application/status', '/application/status'],
  ['/application/7/payment', '/application/7/payment', '/application/:id/payment'],
  ['/eligibility/A%20b/', '/eligibility/A%20b', '/eligibility/:sessionId'],
  ['/landing/status%2Dcheck', '/landing/status-check', '/landing/:variant'],
  ['/crm//leads/assigned', '/crm//leads/assigned', '/*'],
  ['/crm/invented', '/crm/invented', '/*'],
  ['/Nowhere/', '/Nowhere/', '/*'],
])('%s is spelt %s, and served by the row of %s', (path, canonical, row) => {
  expect(canonicalPath(path, 'offline')).toBe(canonical);
  expect(canonicalPath(canonical, 'offline')).toBe(canonical);
  expect(addressOf(path, 'offline').path).toBe(row);
});
