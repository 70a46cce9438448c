import { readFileSync } from 'node:fs';

import { addressesIn, matchAddress } from '~/site-map';

const EXAMPLES: Record<string, string[]> = {
  '/landing/:variant': [
    '/landing/eligibility',
    '/landing/fast-processing',
    '/landing/expert-help',
    '/landing/status-check',
  ],
  '/application/:id/payment': ['/application/1/payment'],
  '/application/:id/success': ['/application/1/success'],
  '/application/:id/:step': ['/application/1/2'],
};

const VIEWS = [
  '/application-guide?tab=tips',
  '/application-guide?tab=resources',
  '/application-guide?step=6',
  '/timeline?tab=process',
  '/timeline?tab=times',
  '/contact?tab=support',
  '/contact?tab=offices',
];

/** The links that each page must have. */
const LINKS = Object.fromEntries(
  readFileSync(new URL('site-map-links.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('/'))
    .map((line) => line.split(/ +/))
    .map(([address = '', ...links]) => [address, links]),
) as Record<string, string[]>;

/** What everybody may read: every address of the site map that is such a page, and its views. */
const PATHS = [
  ...addressesIn('offline')
    .filter(({ kind }) => !['private', 'error', 'endpoint'].includes(kind))
    .flatMap(({ path }) => EXAMPLES[path] ?? (path.includes(':') ? [] : path)),
  ...VIEWS,
];

const kindOf = (path: string) => matchAddress(path.split('?')[0] ?? '', 'offline').kind;

/** Every page that everybody may read, each with the links that it must have. */
export const PAGES = PATHS.map((path): [path: string, links: string[]] => [
  path,
  // A section that is closed has at least a way home.
  LINKS[path] ?? (kindOf(path) === 'placeholder' ? ['/'] : []),
]);

/** Whether a page is made better by a script; the others load no React. */
export const HYDRATES = {
  test: (path: string) => kindOf(path) === 'interactive',
};

/** Whether a page is the same for everybody, and comes from memory. */
export const isKept = (path: string) =>
  ['static', 'interactive', 'placeholder'].includes(kindOf(path));

export const INDEXED_PATHS = addressesIn('offline')
  .filter(({ indexed }) => indexed)
  .map(({ path }) => path);
