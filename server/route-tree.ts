import type { ServerBuild } from '@remix-run/node';
import { LRUCache } from 'lru-cache';
import { matchRoutes } from 'react-router-dom';

import type { PageHandle } from '~/live.server';
import { isOffline } from '~/mode.server';
import { matchAddress } from '~/site-map';
import { isDecodable, MAX_URL_LENGTH } from './request-guard';

type Tree = Parameters<typeof matchRoutes>[0];
type Matches = NonNullable<ReturnType<typeof matchRoutes>>;

const PLACEHOLDER: PageHandle = { fromMemory: { parameters: [] } };

export class RouteTree {
  readonly #tree: Tree;
  readonly #matches = new LRUCache<string, Matches>({
    max: 2000,
    memoMethod: (path) => matchRoutes(this.#tree, path) ?? [],
  });

  constructor(private readonly routes: ServerBuild['routes']) {
    this.#tree = treeOf(routes);
  }

  /** The route pattern of a path: `/eligibility/:sessionId`. */
  patternOf(path: string): string {
    const matches = this.#match(path);
    if (matches.length === 0) return '/*';
    return `/${matches.flatMap(({ route }) => route.path || []).join('/')}`;
  }

  /** From the root to the leaf; empty for an invalid path. */
  idsOf(path: string): string[] {
    return this.#match(path).map(({ route }) => String(route.id));
  }

  /** How the page of a path is served: what its route says, or as a placeholder. */
  handleOf(path: string): PageHandle {
    if (isOffline() && matchAddress(path, 'offline').closed) return PLACEHOLDER;
    return this.routes[this.idsOf(path).at(-1) ?? '']?.module.handle ?? {};
  }

  /** Paths that cannot be decoded match nothing; the router would print a warning about them. */
  #match(path: string): Matches {
    if (path.length > MAX_URL_LENGTH || !isDecodable(path)) return [];
    return this.#matches.memo(path);
  }
}

const treeOf = (routes: ServerBuild['routes'], parentId?: string): Tree =>
  Object.values(routes)
    .filter((route) => route?.parentId === parentId)
    .map((route) => {
      const { id, path, index } = route;
      if (index) return { id, index: true as const };
      return { id, ...(path !== undefined && { path }), children: treeOf(routes, id) };
    });
