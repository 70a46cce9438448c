import { expect } from 'vitest';

import { plain } from './html';
import type { ShownMail } from './inbox';
import type { HtmlBrowser } from './html-browser';

export function expectRefused(reader: HtmlBrowser, why: string, status = 422): void {
  const said = expect.stringContaining(plain(why)) as string;
  expect([reader.status, reader.announced('alert')]).toEqual([status, said]);
}

export function expectMarked(reader: HtmlBrowser, label: string, why: string): void {
  const isSaid = reader.text.includes(plain(why));
  expect([reader.field(label).has('autofocus'), isSaid]).toEqual([true, true]);
}

export function expectDone(reader: HtmlBrowser, what: string): void {
  const said = expect.stringContaining(plain(what)) as string;
  expect([reader.status, reader.announced('status')]).toEqual([200, said]);
}

export const expectSubject = (mail: ShownMail | undefined, is: string) =>
  expect(plain(mail?.subject ?? 'no mail')).toBe(plain(is));

/** It was not taken, and the answer says after how many seconds it can be. */
export function expectToWait(
  { status, headers }: Pick<HtmlBrowser, 'status' | 'headers'>,
  is = 429,
) {
  expect([status, Number(headers.get('Retry-After')) > 0]).toEqual([is, true]);
}
