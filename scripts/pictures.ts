/**
 * `npm run pictures`: renders images with a browser: the icons from the favicon, and a link preview
 * card per language with texts from its locale. Run it after changing the logo, the site's name or
 * the home page's title; the results are committed.
 */
import { mkdirSync, readFileSync } from 'node:fs';

import { bundles } from '~/i18n/bundles.server';
import { LANGUAGES } from '~/i18n/languages';
import defaults from '../app/settings/defaults.json' with { type: 'json' };
import { launchChromium } from '../tests/browser/chromium';

const favicon = readFileSync('public/favicon.svg', 'utf8');
const drawings = readFileSync('app/ui/drawings.svg', 'utf8');
/** Of the light scheme, which comes first. */
const [scheme = ''] = readFileSync('app/styles/theme.css', 'utf8').split('prefers-color-scheme');
const colours = scheme.match(/--color-[\w-]+: #\w+/g)?.join(';') ?? '';
const font = readFileSync(
  'node_modules/@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2',
).toString('base64');

const browser = await launchChromium();
mkdirSync('public', { recursive: true });

async function draw(file: string, width: number, height: number, html: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(`<!doctype html>
    <style>
      @font-face { font-family: Bricolage; font-weight: 200 800; src: url(data:font/woff2;base64,${font}) }
      :root { ${colours}; --ground: var(--color-paper) }
      body { margin: 0; font-family: Bricolage, sans-serif; color: var(--color-ink); background: var(--color-paper) }
      svg { display: block }
    </style>${html}`);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: `public/${file}` });
  await page.close();
}

for (const [file, size] of [
  ['apple-touch-icon.png', 180],
  ['icon-192.png', 192],
  ['icon-512.png', 512],
] as const) {
  const icon = favicon.replace('<svg', `<svg width="${size}" height="${size}"`);
  await draw(file, size, size, `<style>body { background: var(--color-action) }</style>${icon}`);
}

for (const language of LANGUAGES) {
  const { home, shell } = bundles[language];
  const icon = favicon.replace('<svg', '<svg width="80" height="96"');
  await draw(
    `card-${language}.png`,
    1200,
    630,
    `<style>
      main { padding: 56px 72px }
      header { display: flex; gap: 24px; align-items: center; font-size: 40px; font-weight: 700 }
      h1 { margin: 36px 0 20px; font-size: 68px; line-height: 1.08; letter-spacing: -0.02em; text-wrap: balance }
      p { margin: 0; font-size: 30px; color: var(--color-muted) }
      .horizon { position: absolute; bottom: 0; width: 1200px; height: 222px; color: var(--color-sea) }
    </style>
    ${drawings.replace('<svg', '<svg style="display:none"')}
    <main>
      <header>${icon}${defaults.siteName}</header>
      <h1>${home.title}</h1>
      <p>${shell.independence.stripHome}</p>
    </main>
    <svg class="horizon" viewBox="0 0 1280 236"><use href="#horizon" /></svg>`,
  );
}
await browser.close();
console.log(`3 icons, ${LANGUAGES.length} cards`);
