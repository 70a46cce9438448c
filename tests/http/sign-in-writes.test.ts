import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { PASSWORD, passwordHash } from './accounts';
import { addPerson } from './signed-in';
import { site, withSite } from './site';
import { Visitor } from './visitor';

const WRONG = 'vier Koffer und kein Regenschirm';

// Time stands still: nothing is written but what a sign-in writes.
withSite({ OFFLINE_MODE: 'false' }, { clock: 'held' });

const HEADER = 32;
const FRAME_HEADER = 24;
/** What stands in SQLite's write-ahead log (sqlite.org/fileformat2.html): each commit is a sync of the disk. */
function logOf() {
  const bytes = readFileSync(`${site.databaseFile}-wal`);
  // Nothing has been written since it was emptied.
  if (bytes.length < HEADER) return { salt: '', commits: 0 };
  const frame = FRAME_HEADER + bytes.readUInt32BE(8);
  let commits = 0;
  for (let at = HEADER; at + frame <= bytes.length; at += frame) {
    if (bytes.readUInt32BE(at + 4) > 0) commits += 1;
  }
  return { salt: bytes.toString('hex', 16, 24), commits };
}

/** How often a sign-in that is refused waits for the disk. */
async function syncsOf(path: string, email: string, password: string): Promise<number> {
  const before = logOf();
  const answer = await new Visitor(site.origin).post(path, { email, password });
  expect(answer.status).toBe(422);
  const after = logOf();
  // The log has begun anew in between.
  if (after.salt !== before.salt) return syncsOf(path, email, password);
  return after.commits - before.commits;
}

describe.skipIf(process.env['TEST_ENGINE'] === 'postgres')('a sign-in that is refused', () => {
  const staff = { role: 'agent' } as const;
  const unverified = { columns: { email_verified_at: null } };
  const left = { isDeactivated: true };
  it.each<[string, [string, Parameters<typeof addPerson>[1] | undefined, string][]]>([
    [
      '/auth',
      [
        ['of nobody', undefined, WRONG],
        ['of an account', {}, WRONG],
        ['of an account that is not confirmed', unverified, WRONG],
        ['of one that is not confirmed, with its password', unverified, PASSWORD],
        ['of one that is deactivated, with its password', left, PASSWORD],
        ['of staff, with the password', staff, PASSWORD],
      ],
    ],
    [
      '/crm/auth',
      [
        ['of nobody', undefined, WRONG],
        ['of staff', staff, WRONG],
        ['of staff who are invited', { ...staff, ...unverified, passwordHash: null }, WRONG],
        ['of staff who have left', { ...staff, ...left }, PASSWORD],
        ['of a traveller, with the password', {}, PASSWORD],
      ],
    ],
  ])('at %s writes as often to the disk, whosever the address is', async (path, tries) => {
    const syncs: Record<string, number> = {};
    const hash = await passwordHash();
    for (const [whose, account, password] of tries) {
      const person = account && addPerson(site, { passwordHash: hash, ...account });
      const email = person?.email ?? `${randomUUID().slice(0, 8)}@example.eu`;
      syncs[whose] = await syncsOf(path, email, password);
    }
    expect(syncs).toEqual(Object.fromEntries(tries.map(([whose]) => [whose, 2])));
  });
});
