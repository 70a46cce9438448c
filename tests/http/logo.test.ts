import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readLogo } from '~/settings/logo.server';
import { temporaryFolder } from '../production-server';
import { startInProcess } from '../site-in-process';
import { png } from '../photos';
import { endsWithTest } from './site';
import { Visitor } from './visitor';

const SVG =
  '<?xml version="1.0"?>\n<!-- ours -->\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 40"><path d="M0 0h80v40H0z"/></svg>\n';

let folder: string;
beforeAll(() => void (folder = temporaryFolder()));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function withLogo(logo: string | null, content?: string | Buffer): Promise<Visitor> {
  if (logo !== null && content !== undefined) writeFileSync(join(folder, logo), content);
  writeFileSync(join(folder, 'site.json'), JSON.stringify({ logo, siteName: 'Passerelle' }));
  const own = await startInProcess({ SITE_CONFIG: join(folder, 'site.json') });
  return new Visitor(endsWithTest(own).origin, { 'Accept-Language': 'en' });
}

describe('the operator’s logo', () => {
  it.each<[string, string | Buffer, string, number]>([
    ['own.svg', SVG, 'image/svg+xml; charset=utf-8', 80],
    ['own.png', png({ width: 3, height: 2 }), 'image/png', 60],
  ])('%s is served at /logo, and may load and run nothing', async (name, content, type, width) => {
    const visitor = await withLogo(name, content);
    const response = await visitor.get('/logo');
    expect(response.status).toBe(200);
    const header = (field: string) => response.headers.get(field);
    expect(header('Content-Type')).toBe(type);
    expect(header('Content-Security-Policy')).toBe(
      "default-src 'none'; frame-ancestors 'self'; sandbox",
    );
    expect(header('X-Content-Type-Options')).toBe('nosniff');
    expect(header('Cache-Control')).toBe('public, max-age=3600');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(content));
    const again = await fetch(`${visitor.origin}/logo`, {
      // `fetch` would ask for what no cache has.
      headers: { 'If-None-Match': header('ETag') ?? '', 'Cache-Control': 'max-age=0' },
    });
    expect(again.status).toBe(304);

    const page = await visitor.get('/about');
    expect(page.headers.get('Content-Security-Policy')).toContain(
      "object-src 'self'; frame-src 'self'",
    );
    const shown = `<object data="/logo" width="${width}" height="40"`;
    const html = await page.text();
    expect(html).toContain(shown);
    // Where it does not load there is the site's own mark in its place, and the name beside either.
    expect(html).toMatch(
      /<object[^>]*aria-hidden[^>]*><img src="\/favicon\.svg"[^>]*><\/object>.*?Passerelle/,
    );
  });

  it('is not there, nor allowed, where none is set', async () => {
    const visitor = await withLogo(null);
    expect((await visitor.get('/logo')).status).toBe(404);
    const page = await visitor.get('/about');
    expect(page.headers.get('Content-Security-Policy')).not.toMatch(/object-src|frame-src/);
    expect(await page.text()).not.toContain('<object');
  });

  const NO_IMAGE = 'the file is neither a whole SVG nor a PNG';
  it.each<[string, string | Buffer | undefined, string]>([
    ['missing.svg', undefined, 'no such file beside SITE_CONFIG that can be read (ENOENT)'],
    ['folder.svg', undefined, 'no such file beside SITE_CONFIG that can be read (EISDIR)'],
    ['large.svg', SVG.padEnd(100 * 1024 + 1), '101 KB, and 100 KB are'],
    ['page.svg', '<!doctype html><p><svg></svg>', NO_IMAGE],
    ['half.svg', SVG.slice(0, -10), NO_IMAGE],
    ['photo.png', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), NO_IMAGE],
  ])('%s is refused with a reason', (name, content, reason) => {
    mkdirSync(join(folder, 'folder.svg'), { recursive: true });
    if (content !== undefined) writeFileSync(join(folder, name), content);
    expect(() => readLogo(name, join(folder, 'site.json'))).toThrow(reason);
  });
});
