import { expect, it } from 'vitest';

import { localPath } from '~/http/local-path';

it.each([
  ['/', '/'],
  ['/contact?tab=form', '/contact?tab=form'],
  ['/eligibility-check?step=questions#q', '/eligibility-check?step=questions#q'],
  ['/a/../b', '/b'],
])('a path on this site, %j, leads to %j', (given, expected) => {
  expect(localPath(given)).toBe(expected);
});

it.each([
  ...['https://evil.example', 'https:evil.example', '//evil.example', '///evil.example'],
  ...['/\\evil.example', '\\\\evil.example', '/\t/evil.example', '/\n/evil.example'],
  ...['\t//evil.example', ' //evil.example', 'javascript:alert(1)', 'evil.example'],
  ...['', null, undefined, 42],
])('%j leads home', (given) => expect(localPath(given)).toBe('/'));

it.each(['/%09/evil.example', '/%5Cevil.example', '/.//evil.example', '/@evil.example'])(
  '%j stays on this site',
  (given) =>
    expect(new URL(localPath(given), 'https://here.example').origin).toBe('https://here.example'),
);
