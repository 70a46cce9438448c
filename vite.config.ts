import { vitePlugin as remix } from '@remix-run/dev';
import tailwindcss from '@tailwindcss/vite';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin, transformWithEsbuild } from 'vite';

import remixConfig from './remix.config.js';
import { browserScripts, tesseractFiles } from './scripts/browser-scripts';
import { builtCommit } from './scripts/built-commit';
import { writeLocalesIndex } from './scripts/locales-index';

/**
 * Builds the production server, the database commands and the check together with the Remix server
 * build, so that all of them share one copy of every module (one database connection, one
 * environment).
 */
function serverEntries(): Plugin {
  return {
    name: 'server-entries',
    config: (_config, { command, isSsrBuild }) => {
      if (command !== 'build' || !isSsrBuild) return;
      return {
        // Makes React use its production build, whatever the environment of the operator's shell.
        define: { 'process.env.NODE_ENV': '"production"' },
        build: {
          rollupOptions: {
            input: {
              index: 'virtual:remix/server-build',
              main: 'server/main.ts',
              database: 'operations/database.ts',
              check: 'operations/check.ts',
              're-encode': 'app/applications/re-encode-child.ts',
            },
            output: { entryFileNames: '[name].js' },
          },
        },
      };
    },
    // Minified code loads faster, and ASCII is stored with one byte per character. Names are kept
    // for stack traces. A build option would change the hashes of the styles compared to the
    // client's.
    async generateBundle({ dir }, bundle) {
      if (!dir?.endsWith('server')) return;
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        const { code } = await transformWithEsbuild(chunk.code, chunk.fileName, {
          charset: 'ascii',
          legalComments: 'none',
          // Node prints the whole source line of an uncaught error.
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

/** Tells the live half whether the development server can be reached from this machine alone. */
function localDevelopment(): Plugin {
  return {
    name: 'local-development',
    config({ server: { host, middlewareMode } = {} }, { command }) {
      const isLoopback = ['localhost', '127.0.0.1', '::1'].includes(String(host || 'localhost'));
      const isLocal = command === 'serve' && isLoopback && !middlewareMode;
      return { define: { 'import.meta.env.IS_LOCAL_DEVELOPMENT': JSON.stringify(isLocal) } };
    },
  };
}

/** Keeps the index of the locales up to date. */
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

/** A third of the bundle: `@remix-run/node` needs it for uploads and for Node without `fetch` alone. */
const UNUSED_PACKAGES = /^(undici|@remix-run\/web-fetch)$/;

function withoutUnused(): Plugin {
  const emptyModule = '\0not-needed';
  return {
    name: 'without-unused',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id) => (UNUSED_PACKAGES.test(id) ? emptyModule : undefined),
    load: (id) => (id === emptyModule ? 'export {}' : undefined),
  };
}

/**
 * Finishes the client's files once the server is built, when Remix has written the list of routes that
 * every page with React loads. The live half is left out of it: none of its pages has a router, and none
 * that has one leads there by itself. All are compressed here rather than per request.
 */
function finishedClient(): Plugin {
  let active = false;
  return {
    name: 'finished-client',
    config: (_config, { command, isSsrBuild }) => {
      active = command === 'build' && isSsrBuild === true;
    },
    closeBundle() {
      if (!active) return;
      for (const name of readdirSync('build/client', { recursive: true, encoding: 'utf8' })) {
        if (!/\.(js|css|svg|wasm|traineddata|bin|webmanifest)$/.test(name)) continue;
        const file = join('build/client', name);
        if (/^assets.manifest-/.test(name)) leaveOutLiveRoutes(file);
        const content = readFileSync(file);
        // Of megabytes the last tenth would take twenty times as long.
        const quality = content.length > 1e6 ? 9 : 11;
        const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
        writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
        // Browsers that look at a picture all take Brotli.
        if (!/tesseract-core|faces-|\.bin$/.test(name))
          writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}

function leaveOutLiveRoutes(file: string): void {
  const [, start = '', list = ''] = /^([^{]*)(\{.*\});?$/.exec(readFileSync(file, 'utf8')) ?? [];
  const manifest = JSON.parse(list) as { routes: Record<string, unknown> };
  const routes = Object.entries(manifest.routes).filter(([id]) => !id.startsWith('live/'));
  const shorter = { ...manifest, routes: Object.fromEntries(routes) };
  writeFileSync(file, `${start}${JSON.stringify(shorter)};`);
}

/** What stands around every page with React. */
const SHELL = /app\/(root|routes\/public\/layout)\.tsx/;

/** The words of a page in a language: loaded on demand, never a part of what every page loads. */
const WORDS = /\/locales\/(\w+)\/([\w-]+)\.json$/;

const FRAMEWORK =
  /node_modules\/(@remix-run|react|react-dom|react-i18next|i18next|react-router|react-router-dom|scheduler)\//;

/**
 * Routes without a page, and translations that the server bundles but the browser loads on demand.
 */
const EXPECTED_WARNINGS = /^Generated an empty chunk|is dynamically imported by .*i18n\/words\.ts/;

/** They have files for the system, which neither a bundle nor a browser can read. */
const NATIVE = ['better-sqlite3', '@node-rs/argon2', 'sharp'];

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [
    localesIndex(),
    tailwindcss(),
    localDevelopment(),
    remix(remixConfig),
    serverEntries(),
    withoutUnused(),
    browserScripts(),
    tesseractFiles(),
    finishedClient(),
  ],
  define: {
    'import.meta.env.COMMIT': JSON.stringify(
      builtCommit(import.meta.dirname, process.env['COMMIT']),
    ),
  },
  resolve: {
    alias: {
      '~db': fileURLToPath(new URL('./db', import.meta.url)),
      '~': fileURLToPath(new URL('./app', import.meta.url)),
    },
  },
  // A dependency found late is bundled again, and the page gets two copies of React.
  optimizeDeps: {
    entries: ['app/entry.client.tsx', 'app/root.tsx', 'app/routes/**/*.{ts,tsx}'],
    exclude: NATIVE,
  },
  build: {
    target: 'es2022',
    // Compressed, the scripts of a page with React weigh 4 % less than with esbuild.
    ...(!isSsrBuild && { minify: 'terser' as const, terserOptions: { compress: { passes: 2 } } }),
    rollupOptions: {
      onwarn: (warning, warn) => {
        if (!EXPECTED_WARNINGS.test(warning.message)) warn(warning);
      },
      // One file for everything that all hydrating pages need: the smallest total for any number of
      // routes. Parts of a few lines go with their neighbours: each would be a request, and a line of
      // every page's preloads.
      ...(!isSsrBuild && {
        output: {
          manualChunks: (id) => {
            if (FRAMEWORK.test(id)) return 'framework';
            if (SHELL.test(id)) return 'shell';
            // The shell takes what it imports with it, also what only the server shows.
            if (id.endsWith('/ui/plain-elements.tsx')) return 'plain';
            const [, language, name] = WORDS.exec(id) ?? [];
            return name && `${name}-${language}`;
          },
          experimentalMinChunkSize: 500,
        },
      }),
    },
    // The content security policy blocks data: URLs of inlined assets.
    assetsInlineLimit: 0,
  },
  ssr: {
    // One bundle starts twice as fast as a tree of packages; native modules stay external.
    ...(command === 'build' && { noExternal: true as const }),
    external: NATIVE,
  },
}));
