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
      body { margin: 0; font-family: Bricolage, sans-serif; color: #17292b; background: #faf7f1 }
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
  await draw(file, size, size, `<style>body { background: #0b5450 }</style>${icon}`);
}

for (const language of LANGUAGES) {
  const { home, shell } = bundles[language];
  const icon = favicon.replace('<svg', '<svg width="96" height="96"');
  await draw(
    `card-${language}.png`,
    1200,
    630,
    `<style>
      main { box-sizing: border-box; height: 630px; padding: 80px; border-bottom: 16px solid #f5b041; display: flex; flex-direction: column; justify-content: space-between }
      header { display: flex; gap: 28px; align-items: center; font-size: 44px; font-weight: 700 }
      h1 { margin: 0; font-size: 84px; line-height: 1.1; text-wrap: balance }
      p { margin: 0; font-size: 34px; color: #4c5f61 }
    </style>
    <main>
      <header>${icon}${defaults.siteName}</header>
      <h1>${home.title}</h1>
      <p>${shell.independence.stripHome}</p>
    </main>`,
  );
}
await browser.close();
console.log(`3 icons, ${LANGUAGES.length} cards`);
