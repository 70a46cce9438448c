import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { sampleDetails } from '~/settings/settings.server';
import { temporaryFolder } from '../production-server';

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'site.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function refusal(settings: unknown, variables: Record<string, string> = {}): string[] {
  const text = typeof settings === 'string' ? settings : JSON.stringify(settings, null, 2);
  if (settings !== undefined) writeFileSync(file, text);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['build/server/main.js'], {
    env: {
      NODE_ENV: 'production',
      PORT: '0',
      DATABASE_URL: `file:${join(folder, 'esta.db')}`,
      ...(settings !== undefined && { SITE_CONFIG: file }),
      ...variables,
    },
    encoding: 'utf8',
    timeout: 20_000,
  });
  expect([status, stdout]).toEqual([1, '']);
  return stderr.trimEnd().split('\n');
}
const at = (line: number) => `SITE_CONFIG, ${file}, line ${line}`;

describe('a wrong setting stops the built server, which says', () => {
  it('everything at once, and nothing of what is right', () => {
    const settings = {
      sitename: 'Typo',
      company: { name: 'Right SAS', email: 'x', phon: '+33 1 99 00 11 11' },
      claims: { outcomes: { approved: 99 } },
      team: [{ name: 'Zoë', role: { fr: 'Direction', en: 'Director' } }],
      logo: 'none.svg',
    };
    const said = refusal(settings, {
      PORT: '70000',
      SESSION_SECRET: 'change-me-c4n4ry-c4n4ry-c4n4ry-c4n4ry',
      DATABASE_URL: 'postgres://esta:c4n4ry/c4n4ry@db',
      PUBLIC_ORIGIN: 'http://me:c4n4ry@example.eu',
    });
    expect(said.join()).not.toContain('c4n4ry');
    expect(said).toEqual([
      'PORT is "70000"; expected a port number from 0 to 65535.',
      expect.stringMatching(/^DATABASE_URL is "postgres:\/\/…@db"; /),
      expect.stringMatching(/^PUBLIC_ORIGIN is /),
      expect.stringMatching(/^SESSION_SECRET is the one given; expected /),
      `${at(2)}: sitename is unknown; did you mean siteName?`,
      `${at(5)}: company.email is "x"; expected an email address, such as name@example.com.`,
      `${at(6)}: company.phon is unknown; did you mean phone?`,
      `${at(10)}: claims.outcomes.approved is 99, claims.outcomes.pending is 10 and claims.outcomes.refused is 5; together they must be 100, not 114.`,
      `${at(16)}: team.0.role.de is missing; expected text in double quotes.`,
      `${at(22)}: logo is "none.svg"; there is no such file beside SITE_CONFIG that can be read (ENOENT).`,
    ]);
  });

  it('a file that cannot be read', () =>
    expect(refusal(undefined, { SITE_CONFIG: join(folder, 'none.json') })).toEqual([
      `SITE_CONFIG is "${join(folder, 'none.json')}"; expected the path of a JSON file that can be read (ENOENT).`,
    ]));

  it('the sample company where the world can reach it', () => {
    const named = [...sampleDetails({})].map((detail) => `company.${detail}`);
    expect(refusal(undefined, { PUBLIC_ORIGIN: 'https://esta.example' })).toEqual([
      `SITE_CONFIG: these are still the sample's: ${named.join(', ')}, company.example; while PUBLIC_ORIGIN is https the company must be yours, with "example": false.`,
    ]);
  });
});
