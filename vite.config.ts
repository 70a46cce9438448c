import { vitePlugin as remix } from '@remix-run/dev';
import tailwindcss from '@tailwindcss/vite';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin, transformWithEsbuild } from 'vite';

import remixConfig from './remix.config.js';
import { writeLocalesIndex } from './scripts/locales-index';

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
              database: 'server/database.ts',
            },
            output: { entryFileNames: '[name].js' },
          },
        },
      };
    },
    // Read faster, and kept as one byte a character; names stay, for the log's stacks. Here rather
    // than as an option of the build, which would make other styles than the client's.
    async generateBundle({ dir }, bundle) {
      if (!dir?.endsWith('server')) return;
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        const { code } = await transformWithEsbuild(chunk.code, chunk.fileName, {
          charset: 'ascii',
          legalComments: 'none',
          // Node prints the whole line of an error that nobody caught.
          lineLimit: 200,
          minifySyntax: true,
          minifyWhitespace: true,
          sourcemap: false,
        });
        chunk.code = code;
      }
    },
  };
}

/** Keeps the index of the locales as their files are. */
function localesIndex(): Plugin {
  return {
    name: 'locales-index',
    buildStart: writeLocalesIndex,
    configureServer({ watcher }) {
      watcher.on('all', (event, file) => {
        if (event !== 'change' && file.includes('/locales/')) writeLocalesIndex();
      });
    },
  };
}

/** What `@remix-run/node` needs for uploads and for a Node without `fetch`: a third of the bundle. */
const NOT_NEEDED = /^(undici|@remix-run\/web-fetch)$/;

/** Leaves those packages out of the server build: nothing here calls what they are for. */
function withoutUnused(): Plugin {
  const nothing = '\0not-needed';
  return {
    name: 'without-unused',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id) => (NOT_NEEDED.test(id) ? nothing : undefined),
    load: (id) => (id === nothing ? 'export {}' : undefined),
  };
}

/**
 * Compresses the client's files once, here, rather than with each request. Last of all, after the
 * server build: vite-plugin-compression2 does not see the manifest that Remix writes there.
 */
function compressedFiles(): Plugin {
  let active = false;
  return {
    name: 'compressed-files',
    config: (_config, { command, isSsrBuild }) => {
      active = command === 'build' && isSsrBuild === true;
    },
    closeBundle() {
      if (!active) return;
      for (const name of readdirSync('build/client', { recursive: true, encoding: 'utf8' })) {
        if (!/\.(js|css|svg|webmanifest)$/.test(name)) continue;
        const file = join('build/client', name);
        const content = readFileSync(file);
        writeFileSync(`${file}.br`, brotliCompressSync(content));
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}

const FRAMEWORK =
  /node_modules\/(@remix-run|react|react-dom|react-i18next|i18next|react-router|react-router-dom|scheduler)\//;

/** Routes without a page, and words that the server has at hand while the browser loads them. */
const EXPECTED = /^Generated an empty chunk|is dynamically imported by .*i18n\/words\.ts/;

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [
    localesIndex(),
    tailwindcss(),
    remix(remixConfig),
    serverEntries(),
    withoutUnused(),
    compressedFiles(),
  ],
  resolve: {
    alias: {
      '~db': fileURLToPath(new URL('./db', import.meta.url)),
      '~': fileURLToPath(new URL('./app', import.meta.url)),
    },
  },
  // Found late, a dependency is bundled again, and the page has two copies of React.
  optimizeDeps: { entries: ['app/entry.client.tsx', 'app/root.tsx', 'app/routes/**/*.{ts,tsx}'] },
  build: {
    target: 'es2022',
    rollupOptions: {
      onwarn: (warning, warn) => {
        if (!EXPECTED.test(warning.message)) warn(warning);
      },
      // What each page that hydrates needs is one file: however many routes there are, the smallest.
      ...(!isSsrBuild && {
        output: { manualChunks: (id) => (FRAMEWORK.test(id) ? 'framework' : undefined) },
      }),
    },
    // An inlined asset is a data: address, which the content security policy refuses.
    assetsInlineLimit: 0,
  },
  ssr: {
    // One bundle starts twice as fast as a tree of packages; the native module stays outside.
    ...(command === 'build' && { noExternal: true as const }),
    external: ['better-sqlite3'],
  },
}));
