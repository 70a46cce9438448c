/** Creates `app/ui/icons.svg`, the sprite of the site's icons, from Lucide's files. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { ICON_NAMES } from '../app/ui/icon-names';

const lucide = dirname(createRequire(import.meta.url).resolve('lucide-static/package.json'));

/** Set once in the sprite rather than on each `<svg>` of a page. */
const LINES =
  'fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"';

const symbols = ICON_NAMES.map((name) => {
  const file = join(lucide, 'icons', `${name}.svg`);
  if (!existsSync(file)) throw new Error(`Lucide has no glyph called ${name}`);
  const shapes = readFileSync(file, 'utf8').replace(/^[\s\S]*?<svg[\s\S]*?>|<\/svg>\s*$/g, '');
  return `<symbol id="${name}" viewBox="0 0 24 24" ${LINES}>${shapes.replace(/\s*\n\s*/g, '')}</symbol>`;
});

writeFileSync(
  'app/ui/icons.svg',
  `<!-- Lucide, https://lucide.dev, ISC licence -->\n<svg xmlns="http://www.w3.org/2000/svg">\n${symbols.join('\n')}\n</svg>\n`,
);
console.log(`${symbols.length} glyphs`);
