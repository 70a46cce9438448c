import { LRUCache } from 'lru-cache';

import { perApp } from '~/current-app.server';
import { siteMode } from '~/mode.server';
import { canonicalPath } from '~/site-map';
import { isReading, type Step } from './exchange';

/** Matching takes longer than serving a page from memory. */
const canonicalPaths = perApp(
  () =>
    new LRUCache<string, string>({
      max: 2000,
      memoMethod: (path) => canonicalPath(path, siteMode()),
    }),
);

/** Redirects other spellings of an address (`/terms/`, `/TERMS`) to the one of the site map. */
export const canonicalAddress: Step = ({ incoming, target }) => {
  if (!isReading(incoming)) return undefined;
  const canonical = canonicalPaths().memo(target.path);
  if (canonical === target.path) return undefined;
  return new Response(null, { status: 308, headers: { Location: canonical + target.search } });
};
