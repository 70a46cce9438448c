import { describe, expect, it } from 'vitest';

import { matchAddress } from '~/site-map';
import { JOURNEY_LANGUAGES } from '../rounds';
import { PAGES } from '../site-map';
import type { Element } from './html';
import { HtmlBrowser } from './html-browser';
import { site, withSite } from './site';

withSite();

const OFFICIAL = /\.gov$/;

const kindOf = (address: string) => matchAddress(address.split('?')[0] ?? '', 'offline').kind;

function goals(links: Element[], from: string): URL[] {
  return links.flatMap((link) => {
    const goal = new URL(link.get('href') ?? '', site.origin + from);
    goal.hash = '';
    return goal.protocol.startsWith('http') ? goal : [];
  });
}

function linksOn(reader: HtmlBrowser): string[] {
  const here = new URL(site.origin + reader.address).pathname;
  const real = goals(reader.page.all('main')[0]?.all('a') ?? [], reader.address).filter((goal) => {
    if (goal.origin !== site.origin) return OFFICIAL.test(goal.hostname);
    const isOpen = !['placeholder', 'error', 'endpoint'].includes(kindOf(goal.pathname));
    return isOpen && !['/', here].includes(goal.pathname);
  });
  return [...new Set(real.map(({ href }) => href))];
}

function isTool(reader: HtmlBrowser): boolean {
  const fields = reader.page.all('main')[0]?.all('input', 'select', 'textarea') ?? [];
  return fields.some((field) => field.get('type') !== 'hidden');
}

describe.each(JOURNEY_LANGUAGES)('in %s', (language) => {
  it('no link of the home page, no call to action and no closed page is a dead end', async () => {
    const home = await HtmlBrowser.open(site.origin, '/', language);
    const found = goals(home.page.all('body')[0]?.all('a') ?? [], '/');
    for (const [path] of PAGES) {
      await home.go(path);
      if (kindOf(path) === 'placeholder') {
        expect([path, linksOn(home).length < 3]).toEqual([path, false]);
      }
      const calls = home.page
        .all('a')
        .filter((link) => /\bbutton\b/.test(link.get('class') ?? '') && !link.has('data-focus'));
      found.push(...goals(calls, path));
    }
    const own = found.filter(({ origin }) => origin === site.origin);
    const addresses = new Set(own.map(({ pathname, search }) => pathname + search));
    expect(addresses.size).toBeGreaterThan(20);
    for (const address of addresses) {
      if (kindOf(address) === 'endpoint') continue;
      await home.go(address);
      expect([address, home.status]).toEqual([address, 200]);
      const ways = linksOn(home);
      if (ways.length < 3 && !isTool(home))
        expect([address, ways]).toEqual([address, 'three ways']);
    }
  });
});
