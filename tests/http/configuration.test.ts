import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { temporaryFolder } from '../production-server';

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'site.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the built server with something wrong; returns what it says, a line each. */
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
  it.each<[string, string, number, string]>([
    [
      'a key that stands twice',
      '{\n  "siteName": "One",\n  "team": [],\n  "siteName": "Two"\n}',
      4,
      'siteName is there twice; expected once.',
    ],
    [
      'a comma too many',
      '{\n  "siteName": "Mine",\n}',
      3,
      'no JSON; expected a key in double quotes.',
    ],
  ])('%s', (_name, settings, line, text) => {
    expect(refusal(settings)).toEqual([`${at(line)}: ${text}`]);
  });

  it('everything at once, and nothing of what is right', () => {
    const settings = {
      sitename: 'Typo',
      company: { name: 'Right SAS', email: 'x', phon: '+33 1 99 00 11 11' },
      claims: { outcomes: { approved: 99 }, applications: { count: 0 } },
      team: [{ name: 'Zoë', role: { fr: 'Direction', en: 'Director' } }],
      timeZone: 'Mars/Base',
    };
    const said = refusal(settings, { PORT: '70000', TODAY: '2027-02-29' });
    expect(said).toEqual([
      'PORT is "70000"; expected a port number from 0 to 65535.',
      'TODAY is "2027-02-29"; expected a day as yyyy-MM-dd, and only while PUBLIC_ORIGIN is not https.',
      `${at(2)}: sitename is unknown; did you mean siteName?`,
      `${at(5)}: company.email is "x"; expected an email address, such as name@example.com.`,
      `${at(6)}: company.phon is unknown; did you mean phone?`,
      `${at(10)}: claims.outcomes.approved is 99, claims.outcomes.pending is 10 and claims.outcomes.refused is 5; together they must be 100, not 114.`,
      `${at(13)}: claims.applications.count is 0; expected a whole number from 1 on.`,
      `${at(19)}: team.0.role.de is missing; expected text in double quotes.`,
      `${at(25)}: timeZone is "Mars/Base"; expected a time zone, such as Europe/Paris.`,
    ]);
  });

  it('a file that cannot be read', () => {
    expect(refusal(undefined, { SITE_CONFIG: join(folder, 'none.json') })).toEqual([
      `SITE_CONFIG is "${join(folder, 'none.json')}"; expected the path of a JSON file that can be read (ENOENT).`,
    ]);
  });

  it('the sample company where the world can reach it', () => {
    const details =
      'legalForm capital name address registration vatNumber director email phone dataProtectionContact host.name host.address host.phone mediator.name mediator.address mediator.url example';
    const named = details.split(' ').map((detail) => `company.${detail}`);
    expect(refusal(undefined, { PUBLIC_ORIGIN: 'https://esta.example' })).toEqual([
      `SITE_CONFIG: these are still the sample's: ${named.join(', ')}; while PUBLIC_ORIGIN is https the company must be yours, with "example": false.`,
    ]);
  });

  it('a missing logo beside what else is wrong', () => {
    expect(refusal({ logo: 'none.svg', assessmentDays: 0 })).toEqual([
      `${at(2)}: logo is "none.svg"; there is no such file beside SITE_CONFIG that can be read (ENOENT).`,
      `${at(3)}: assessmentDays is 0; expected a whole number from 1 to 365.`,
    ]);
  });

  it('no secret, and no password in an address', () => {
    const secret = 'change-me-c4n4ry-c4n4ry-c4n4ry-c4n4ry';
    const said = refusal(undefined, {
      SESSION_SECRET: secret,
      DATABASE_URL: 'postgres://esta:c4n4ry/c4n4ry@db',
      PUBLIC_ORIGIN: 'http://me:c4n4ry@example.eu',
    });
    expect(said).toHaveLength(3);
    expect(said.join()).not.toContain('c4n4ry');
    expect(said).toContainEqual(
      expect.stringMatching(/^SESSION_SECRET is the one given; expected /),
    );
    expect(said).toContainEqual(expect.stringMatching(/^DATABASE_URL is "postgres:\/\/…@db"; /));
  });
});
