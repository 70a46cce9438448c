import { vitePlugin as remix } from '@remix-run/dev';
import tailwindcss from '@tailwindcss/vite';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { compression } from 'vite-plugin-compression2';

import remixConfig from './remix.config.js';

/**
 * Builds the production server and the database commands together with the Remix server build, so
 * that the three share one copy of every module (one database connection, one environment).
 */
function serverEntries(): Plugin {
  return {
    name: 'server-entries',
    config: (_config, { command, isSsrBuild }) => {
      if (command !== 'build' || !isSsrBuild) return;
      return {
        // React chooses its production files by this, whatever the operator's shell says.
        define: { 'process.env.NODE_ENV': '"production"' },
        build: {
          rollupOptions: {
            input: {
              index: 'virtual:remix/server-build',
              main: 'server/main.ts',
              database: 'server/database-commands.ts',
            },
            output: { entryFileNames: '[name].js' },
          },
        },
      };
    },
  };
}

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [
    tailwindcss(),
    remix(remixConfig),
    serverEntries(),
    // Files are compressed here, once, rather than with each request.
    !isSsrBuild && compression({ include: /\.(js|css|svg|webmanifest)$/, logLevel: 'silent' }),
  ],
  resolve: { alias: { '~': fileURLToPath(new URL('./app', import.meta.url)) } },
  // Found late, a dependency is bundled again, and the page has two copies of React.
  optimizeDeps: { entries: ['app/entry.client.tsx', 'app/root.tsx', 'app/routes/**/*.{ts,tsx}'] },
  build: {
    target: 'es2022',
    // An inlined asset is a data: address, which the content security policy refuses.
    assetsInlineLimit: 0,
  },
  ssr: {
    // One bundle starts twice as fast as a tree of packages; the native module stays outside.
    ...(command === 'build' && { noExternal: true as const }),
    external: ['better-sqlite3'],
  },
}));
