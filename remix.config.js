/**
 * The Remix options. `vite.config.ts` hands them to the Vite plugin; the classic compiler is not
 * used. Why single fetch and lazy route discovery stay off: docs/decisions/0002-remix.md
 *
 * @type {import('@remix-run/dev').VitePluginConfig}
 */
export default {
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
    v3_routeConfig: true,
    v3_singleFetch: false,
    v3_lazyRouteDiscovery: false,
  },
};
