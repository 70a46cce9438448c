import type { ServerBuild } from '@remix-run/node';
import { LRUCache } from 'lru-cache';
import { matchRoutes } from 'react-router-dom';

import { isDecodable, LONGEST_ADDRESS } from './request-guard';

type Tree = Parameters<typeof matchRoutes>[0];
type Matches = NonNullable<ReturnType<typeof matchRoutes>>;

/** The site's routes, to find which of them serves a path. */
export class RouteTree {
  readonly #tree: Tree;
  /** A match takes longer than a page from memory. */
  readonly #matches = new LRUCache<string, Matches>({
    max: 2000,
    memoMethod: (path) => matchRoutes(this.#tree, path) ?? [],
  });

  constructor(private readonly routes: ServerBuild['routes']) {
    this.#tree = treeOf(routes);
  }

  /** The pattern that serves a path: `/eligibility/:sessionId`. */
  patternOf(path: string): string {
    return `/${this.#match(path)
      .flatMap(({ route }) => route.path || [])
      .join('/')}`;
  }

  /** The routes that serve a path, from the root to its own; none for what cannot be an address. */
  idsOf(path: string): string[] {
    return this.#match(path).map(({ route }) => String(route.id));
  }

  /** What the route that serves a path says of itself (`handle`). */
  handleOf(path: string): unknown {
    const id = this.idsOf(path).at(-1);
    return id === undefined ? undefined : this.routes[id]?.module.handle;
  }

  /** An address that cannot be decoded matches nothing, and the matcher would print it. */
  #match(path: string): Matches {
    if (path.length > LONGEST_ADDRESS || !isDecodable(path)) return [];
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
