import type { ServerBuild } from '@remix-run/node';
import { LRUCache } from 'lru-cache';
import { matchRoutes } from 'react-router-dom';

import { isDecodable, MAX_URL_LENGTH } from './request-guard';

type Tree = Parameters<typeof matchRoutes>[0];
type Matches = NonNullable<ReturnType<typeof matchRoutes>>;

/** Matches paths against the site's routes. */
export class RouteTree {
  readonly #tree: Tree;
  /** Cached, because matching takes longer than serving a cached page. */
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

  /**
   * The ids of the routes that match a path, from the root to the leaf; empty for an invalid path.
   */
  idsOf(path: string): string[] {
    return this.#match(path).map(({ route }) => String(route.id));
  }

  /** The `handle` export of the leaf route of a path. */
  handleOf(path: string): unknown {
    const id = this.idsOf(path).at(-1);
    return id === undefined ? undefined : this.routes[id]?.module.handle;
  }

  /** Paths that cannot be decoded match nothing; the router would print a warning about them. */
  #match(path: string): Matches {
    if (path.length > MAX_URL_LENGTH || !isDecodable(path)) return [];
    return this.#matches.memo(path);
  }
}

function treeOf(routes: ServerBuild['routes'], parentId?: string): Tree {
  return Object.values(routes)
    .filter((route) => route?.parentId === parentId)
    .map((route) => {
      const { id, path, index } = route;
      if (index) return { id, index: true as const };
      return { id, ...(path !== undefined && { path }), children: treeOf(routes, id) };
    });
}
