import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { getMimeType } from 'hono/utils/mime';

import { type Encoding, negotiateEncoding } from '~/http/compress.server';
import { LOGO_PATH } from '~/settings/logo.server';
import { siteLogo } from '~/settings/settings.server';
import { etagOf, isReading, isUnchanged, type Step } from './exchange';
import {
  buildSecurityHeaders,
  DRAWING_POLICY,
  keptResponse,
  WORKER_POLICY,
} from './protecting-headers';
import { plainResponse } from './request-guard';

/** Names of built files contain a content hash; other files may change with the next version. */
const HASHED = '/assets/';
const CACHE_CONTROL = {
  hashed: 'public, max-age=31536000, immutable',
  other: 'public, max-age=3600',
};
const SUFFIXES: [Encoding, string][] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];

interface BuiltFile {
  etag: string;
  headers: Record<string, string>;
  representations: Partial<Record<Encoding, Uint8Array<ArrayBuffer>>>;
}

export class BuiltFiles {
  readonly #files: ReadonlyMap<string, BuiltFile>;

  constructor(folder: string) {
    this.#files = readFiles(folder);
  }

  /** Whether a path is that of a built file, or of one that another version has built. */
  has(path: string): boolean {
    return path.startsWith(HASHED) || this.#files.has(path);
  }

  readonly serve: Step = (exchange) => {
    const { incoming, target } = exchange;
    if (!this.has(target.path) || !isReading(incoming)) return undefined;
    const file = this.#files.get(target.path);
    if (!file) return plainResponse(404);
    const { etag, headers, representations } = file;
    if (isUnchanged(incoming.headers, etag)) {
      return keptResponse(exchange, null, { status: 304, headers });
    }
    const accepted = negotiateEncoding(incoming.headers['accept-encoding']);
    const encoding = representations[accepted] ? accepted : 'identity';
    const isPlain = encoding === 'identity';
    return keptResponse(exchange, representations[encoding] ?? null, {
      status: 200,
      headers: isPlain ? headers : { ...headers, 'Content-Encoding': encoding },
    });
  };
}

function readFiles(folder: string): Map<string, BuiltFile> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
  const read = (name: string) => new Uint8Array(readFileSync(join(folder, name)));
  const entries = names
    .filter((name) => !SUFFIXES.some(([, suffix]) => name.endsWith(suffix)))
    .map((name): [string, BuiltFile] => {
      const path = `/${name.replaceAll('\\', '/')}`;
      const identity = read(name);
      const compressed = SUFFIXES.filter(([, suffix]) => names.includes(name + suffix)).map(
        ([encoding, suffix]) => [encoding, read(name + suffix)] as const,
      );
      const etag = etagOf(identity);
      return [
        path,
        {
          etag,
          headers: {
            ...buildSecurityHeaders(''),
            ...(path.startsWith('/assets/tesseract') && {
              'Content-Security-Policy': WORKER_POLICY,
            }),
            'Cache-Control': CACHE_CONTROL[path.startsWith(HASHED) ? 'hashed' : 'other'],
            'Content-Type': getMimeType(name) ?? 'application/octet-stream',
            ETag: etag,
            Vary: 'Accept-Encoding',
          },
          representations: { identity, ...Object.fromEntries(compressed) },
        },
      ];
    });
  return new Map(entries);
}

export const serveLogo: Step = ({ incoming, target }) => {
  const logo = target.path === LOGO_PATH && isReading(incoming) ? siteLogo() : undefined;
  if (!logo) return undefined;
  const headers = {
    'Cache-Control': 'public, max-age=3600',
    'Content-Security-Policy': DRAWING_POLICY,
    'Content-Type': logo.type,
    ETag: etagOf(logo.bytes),
  };
  if (isUnchanged(incoming.headers, headers.ETag))
    return new Response(null, { status: 304, headers });
  return new Response(new Uint8Array(logo.bytes), { headers });
};
