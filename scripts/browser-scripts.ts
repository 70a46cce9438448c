import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { build, type Plugin, type Rollup } from 'vite';

/**
 * `import url from './reader?script'`: a script that a page loads without React, or on demand, with
 * what it imports. Both builds bundle it to the same bytes, so that the server knows its address.
 */
export function browserScripts(): Plugin {
  let isBuild = false;
  return {
    name: 'browser-scripts',
    enforce: 'pre',
    config: (_config, { command }) => {
      isBuild = command === 'build';
    },
    resolveId: (id) => (id.endsWith('?script') ? id : undefined),
    async load(id, options) {
      if (!id.endsWith('?script')) return;
      const file = id.replace('?script', '.ts');
      if (!isBuild) return `export default ${JSON.stringify(file.slice(process.cwd().length))};`;
      const { output } = (await build({
        configFile: false,
        logLevel: 'error',
        resolve: { alias: { '~': join(process.cwd(), 'app') } },
        build: {
          write: false,
          target: 'es2022',
          modulePreload: false,
          rollupOptions: {
            input: file,
            preserveEntrySignatures: 'exports-only',
            output: { inlineDynamicImports: true },
          },
        },
      })) as Rollup.RollupOutput;
      const { code } = output[0];
      const hash = createHash('sha256').update(code).digest('base64url').slice(0, 8);
      const fileName = `assets/${basename(file, '.ts')}-${hash}.js`;
      if (!options?.ssr) this.emitFile({ type: 'asset', fileName, source: code });
      return `export default ${JSON.stringify(`/${fileName}`)};`;
    },
  };
}

const require = createRequire(import.meta.url);
const packageFile = (name: string, file: string) =>
  join(dirname(require.resolve(`${name}/package.json`)), file);

/** Parts of Tesseract's data (`tessdatamanager.h`) that its legacy engine reads; 11 MB are others. */
const LEGACY_PARTS = new Set([1, 2, 3, 4, 5, 6, 8, 13, 23]);

/** Tesseract's data for the legacy engine alone: it reads OCR-B, the newer one does not. */
function legacyData(): Buffer {
  const file = packageFile('@tesseract.js-data/eng', '4.0.0/eng.traineddata.gz');
  const all = gunzipSync(readFileSync(file));
  const count = all.readInt32LE(0);
  const starts = Array.from({ length: count }, (_, n) => Number(all.readBigInt64LE(4 + 8 * n)));
  const head = Buffer.alloc(4 + 8 * count);
  head.writeInt32LE(count);
  const parts = [head];
  let length = head.length;
  for (const [n, start] of starts.entries()) {
    const isKept = start >= 0 && LEGACY_PARTS.has(n);
    head.writeBigInt64LE(BigInt(isKept ? length : -1), 4 + 8 * n);
    if (!isKept) continue;
    const part = all.subarray(start, starts.slice(n + 1).find((next) => next >= 0) ?? all.length);
    parts.push(part);
    length += part.length;
  }
  return Buffer.concat(parts);
}

/** Where Tesseract's files are: a worker of it loads the others from where it comes from. */
export const TESSERACT = `/assets/tesseract-${packageVersion()}/`;

function packageVersion(): string {
  const text = readFileSync(packageFile('tesseract.js', 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

function tesseractFile(name: string): Buffer | undefined {
  if (name === 'eng.traineddata') return legacyData();
  if (name === 'worker.js') return readFileSync(packageFile('tesseract.js', 'dist/worker.min.js'));
  const isCore = /^tesseract-core(-simd)?\.(js|wasm)$/.test(name);
  return isCore ? readFileSync(packageFile('tesseract.js-core', name)) : undefined;
}

const FILES = ['core', 'core-simd']
  .flatMap((core) => [`tesseract-${core}.js`, `tesseract-${core}.wasm`])
  .concat('worker.js', 'eng.traineddata');

export function tesseractFiles(): Plugin {
  let isClientBuild = false;
  return {
    name: 'tesseract-files',
    config: (_config, { command, isSsrBuild }) => {
      isClientBuild = command === 'build' && !isSsrBuild;
      return { define: { 'import.meta.env.TESSERACT': JSON.stringify(TESSERACT) } };
    },
    configureServer({ middlewares }) {
      middlewares.use(TESSERACT, (request, response, next) => {
        const name = request.url?.slice(1) ?? '';
        const file = tesseractFile(name);
        if (!file) return next();
        if (name.endsWith('.js')) response.setHeader('Content-Type', 'text/javascript');
        if (name.endsWith('.wasm')) response.setHeader('Content-Type', 'application/wasm');
        response.end(file);
      });
    },
    closeBundle() {
      if (!isClientBuild) return;
      const folder = join('build/client', TESSERACT);
      mkdirSync(folder, { recursive: true });
      for (const name of FILES) writeFileSync(join(folder, name), tesseractFile(name) ?? '');
    },
  };
}
