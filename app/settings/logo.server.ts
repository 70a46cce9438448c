import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type LogoFile = { type: string; bytes: Buffer; ratio: number };

export const LOGO_PATH = '/logo';
const SVG = 'image/svg+xml; charset=utf-8';
const MAX_BYTES = 100 * 1024;
const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

export function readLogo(name: string, siteConfig: string): LogoFile {
  const file = join(dirname(siteConfig), name);
  let size: number;
  let bytes: Buffer | undefined;
  try {
    ({ size } = statSync(file));
    bytes = size > MAX_BYTES ? undefined : readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`there is no such file beside SITE_CONFIG that can be read (${code})`);
  }
  if (!bytes) throw new Error(`the file has ${Math.ceil(size / 1024)} KB, and 100 KB are allowed`);
  const logo = parseLogo(bytes);
  if (!logo) throw new Error('the file is neither a whole SVG nor a PNG');
  return logo;
}

function parseLogo(bytes: Buffer): LogoFile | undefined {
  if (bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE) && bytes.length > 33) {
    // Width and height stand in the first chunk, which every PNG begins with.
    const ratio = ratioOf(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
    return { type: 'image/png', bytes, ratio };
  }
  const text = bytes.toString('utf8');
  // After declarations and comments, one element that is closed.
  const [, tag] =
    /^\uFEFF?\s*(?:<\?[^]*?\?>\s*|<!--[^]*?-->\s*|<!DOCTYPE[^>]*>\s*)*(<svg\b[^>]*>)[^]*<\/svg>\s*$/.exec(
      text,
    ) ?? [];
  return tag === undefined ? undefined : { type: SVG, bytes, ratio: svgRatio(tag) };
}

export const hasScript = (logo: LogoFile | undefined): boolean =>
  logo?.type === SVG && /<script\b|\son\w+\s*=|javascript:/i.test(logo.bytes.toString());

function svgRatio(tag: string): number {
  const attribute = (name: string) =>
    new RegExp(`\\s${name}\\s*=\\s*["']\\s*([^"']*?)\\s*["']`).exec(tag)?.[1] ?? '';
  const [, , width, height] = attribute('viewBox').split(/[\s,]+/);
  return ratioOf(
    parseFloat(width ?? attribute('width')),
    parseFloat(height ?? attribute('height')),
  );
}

const ratioOf = (width: number, height: number): number =>
  width > 0 && height > 0 ? width / height : 1;
